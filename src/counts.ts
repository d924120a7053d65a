/**
 * Counts in which other processes have part: requests, wrong passphrases. Approximate: what one process counts, the
 * others know within a second.
 */
import type { World } from './world.js';

/** Where small news are left for the other processes, who hear of them soon. */
export interface Board {
  tell(news: string): void;
  hear(listener: (news: string) => void): void;
}

/** One sort of count; `who` is counted. */
export interface Tally {
  /** Here it is `by` more; less than nothing takes back. */
  tell(who: string, by: number): void;
  /** Elsewhere it is `by` more. */
  hear(listener: (who: string, by: number) => void): void;
}

type Line = readonly [tally: string, who: string, by: number];

/** How long counts are gathered before the others are told. */
const gatherMs = 200;
/** Lines in one piece of news. */
const longestNews = 1_000;

export class SharedCounts {
  readonly #listeners = new Map<string, ((who: string, by: number) => void)[]>();
  readonly #gathered = new Map<string, Map<string, number>>();
  #isGathering = false;

  constructor(
    private readonly board: Board,
    private readonly world: World,
  ) {
    board.hear((news) => {
      for (const [tally, who, by] of JSON.parse(news) as readonly Line[]) {
        for (const listener of this.#listeners.get(tally) ?? []) listener(who, by);
      }
    });
  }

  tally(name: string): Tally {
    const gathered = new Map<string, number>();
    this.#gathered.set(name, gathered);
    const listeners: ((who: string, by: number) => void)[] = [];
    this.#listeners.set(name, listeners);
    return {
      tell: (who, by) => {
        gathered.set(who, (gathered.get(who) ?? 0) + by);
        this.#gather();
      },
      hear: (listener) => listeners.push(listener),
    };
  }

  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.world.after(gatherMs, () => {
      this.#isGathering = false;
      const lines: Line[] = [];
      for (const [tally, counts] of this.#gathered) {
        for (const [who, by] of counts) if (by !== 0) lines.push([tally, who, by]);
        counts.clear();
      }
      for (let at = 0; at < lines.length; at += longestNews) {
        this.board.tell(JSON.stringify(lines.slice(at, at + longestNews)));
      }
    });
  }
}
