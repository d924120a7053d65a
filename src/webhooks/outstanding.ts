/**
 * What one webhook has before it: entries that are read and not done with, in the order of the journal. One may go when
 * none before it has a resource in common with it, so that the events of a resource arrive in their order.
 */
import type { Progress } from './webhook.js';

export interface Item {
  readonly seq: number;
  readonly resources: ReadonlySet<string>;
  /** Those that have failed. */
  attempts: number;
  /** Epoch ms. */
  failedSince: number | null;
  /** Monotonic ms. */
  notBefore: number;
  isUnderWay: boolean;
}

export class Outstanding {
  #read: number;
  /** Ascending. */
  readonly #items: Item[] = [];
  readonly #done: Set<number>;
  readonly #failedBefore: Map<number, readonly [attempts: number, since: number]>;

  /** @param window entries between the first that is not done and the last that is read, at most; those that don't match don't count */
  constructor(
    progress: Pick<Progress, 'at' | 'done' | 'failed'>,
    private readonly window: number,
  ) {
    this.#read = progress.at;
    this.#done = new Set(progress.done);
    this.#failedBefore = new Map(progress.failed.map(([seq, attempts, since]) => [seq, [attempts, since]]));
  }

  /** Number of the last entry that was read. */
  get read(): number {
    return this.#read;
  }

  get hasRoom(): boolean {
    return this.#items.length + this.#done.size < this.window;
  }

  /** All up to here is done with. */
  get at(): number {
    return (this.#items[0]?.seq ?? this.#read + 1) - 1;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The next entry of the journal. @param resources undefined where it is none of the webhook's */
  take(seq: number, resources: ReadonlySet<string> | undefined): void {
    this.#read = seq;
    if (!resources || this.#done.has(seq)) {
      this.#forgetDone();
      return;
    }
    const [attempts, failedSince] = this.#failedBefore.get(seq) ?? [0, null];
    this.#items.push({ seq, resources, attempts, failedSince, notBefore: 0, isUnderWay: false });
  }

  /** The first that may go now. */
  ready(now: number): Item | undefined {
    return this.#free((item) => !item.isUnderWay && item.notBefore <= now)[0];
  }

  /** When the next one may go that only time holds back; monotonic ms. */
  get wakesAt(): number {
    return Math.min(...this.#free((item) => !item.isUnderWay).map(({ notBefore }) => notBefore));
  }

  /** Delivered, or given up. */
  finish(item: Item): void {
    this.#items.splice(this.#items.indexOf(item), 1);
    this.#done.add(item.seq);
    this.#forgetDone();
  }

  get progress(): Pick<Progress, 'at' | 'done' | 'failed'> {
    const failed = this.#items.filter(({ attempts }) => attempts > 0);
    return {
      at: this.at,
      done: [...this.#done].sort((a, b) => a - b),
      failed: failed.map(({ seq, attempts, failedSince }) => [seq, attempts, failedSince ?? 0] as const),
    };
  }

  #free(which: (item: Item) => boolean): Item[] {
    const held = new Set<string>();
    const free: Item[] = [];
    for (const item of this.#items) {
      const names = [...item.resources];
      if (which(item) && !names.some((name) => held.has(name))) free.push(item);
      for (const name of names) held.add(name);
    }
    return free;
  }

  #forgetDone(): void {
    const { at } = this;
    for (const seq of this.#done) if (seq <= at) this.#done.delete(seq);
  }
}
