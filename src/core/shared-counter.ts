/**
 * Counters of requests and wrong passphrases that all processes on one database share. They are approximate: other
 * processes learn a count within a second.
 */
import type { Environment } from './environment.js';

/** Messages between the processes on one database. */
export interface ProcessMessages {
  tell(news: string): void;
  hear(listener: (news: string) => void): void;
}

/** One counter per `who`, such as an address. */
export interface SharedCounter {
  /** Adds `by` in this process; a negative number subtracts. */
  tell(who: string, by: number): void;
  /** Called when another process has added `by`. */
  hear(listener: (who: string, by: number) => void): void;
}

type CounterLine = readonly [tally: string, who: string, by: number];

/** How long counts are collected before they are sent to the others. */
const gatherMs = 200;
/** The most counters in one message. */
const longestNews = 1_000;

export class SharedCounters {
  readonly #listeners = new Map<string, ((who: string, by: number) => void)[]>();
  readonly #gathered = new Map<string, Map<string, number>>();
  #isGathering = false;

  constructor(
    private readonly board: ProcessMessages,
    private readonly world: Environment,
  ) {
    board.hear((news) => {
      for (const [tally, who, by] of JSON.parse(news) as readonly CounterLine[]) {
        for (const listener of this.#listeners.get(tally) ?? []) listener(who, by);
      }
    });
  }

  tally(name: string): SharedCounter {
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
      const lines: CounterLine[] = [];
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
