/** The result of a check: a fact, a warning, or a problem that stops a node; the latter two with a fix. */
export type State = 'ok' | 'warning' | 'problem';

export interface DoctorFinding {
  /** The subject of the check, such as `keystore` or `port`. */
  readonly about: string;
  readonly state: State;
  /** One sentence, without its full stop. */
  readonly says: string;
  /** The fix; absent for a fact. */
  readonly mend?: string;
}

/** The findings of one check, in the order in which they were made. */
export class Findings {
  readonly all: DoctorFinding[] = [];

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
