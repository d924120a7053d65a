/** What a check has to say: a fact, a doubt, or what keeps a node from working; each of the latter two with its cure. */
export type State = 'ok' | 'warning' | 'problem';

export interface Finding {
  /** What was looked at: `keystore`, `port`. */
  readonly about: string;
  readonly state: State;
  /** One sentence, without its full stop. */
  readonly says: string;
  /** What to do about it; absent where all is well. */
  readonly mend?: string;
}

/** The findings of one check, in the order in which they were made. */
export class Findings {
  readonly all: Finding[] = [];

  constructor(private readonly about: string) {}

  ok(says: string): void {
    this.all.push({ about: this.about, state: 'ok', says });
  }

  warning(says: string, mend: string): void {
    this.all.push({ about: this.about, state: 'warning', says, mend });
  }

  problem(says: string, mend: string): void {
    this.all.push({ about: this.about, state: 'problem', says, mend });
  }
}
