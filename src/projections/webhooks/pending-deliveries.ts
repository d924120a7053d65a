/**
 * Deliveries that one webhook still has to make, in journal order. A delivery may start when no earlier one shares a
 * resource with it, so that the events of a resource arrive in order.
 */
import type { DeliveryProgress } from './webhook.js';

export interface PendingDelivery {
  readonly seq: number;
  readonly resources: ReadonlySet<string>;
  attempts: number;
  /** Epoch ms. */
  failedSince: number | null;
  /** Monotonic ms. */
  notBefore: number;
  isUnderWay: boolean;
}

export class PendingDeliveries {
  #read: number;
  /** Ascending. */
  readonly #items: PendingDelivery[] = [];
  readonly #done: Set<number>;
  readonly #failedBefore: Map<number, readonly [attempts: number, since: number]>;

  /**
   * @param window bound of the entry numbers between the first unfinished delivery and the last entry read; entries
   * that don't match the filter don't count
   */
  constructor(
    progress: Pick<DeliveryProgress, 'at' | 'done' | 'failed'>,
    private readonly window: number,
  ) {
    this.#read = progress.at;
    this.#done = new Set(progress.done);
    this.#failedBefore = new Map(progress.failed.map(([seq, attempts, since]) => [seq, [attempts, since]]));
  }

  get read(): number {
    return this.#read;
  }

  get hasRoom(): boolean {
    return this.#items.length + this.#done.size < this.window;
  }

  /** Every entry up to this number is finished. */
  get at(): number {
    return (this.#items[0]?.seq ?? this.#read + 1) - 1;
  }

  /**
   * Takes the next journal entry.
   * @param resources undefined where the entry doesn't match the filter
   */
  take(seq: number, resources: ReadonlySet<string> | undefined): void {
    this.#read = seq;
    if (!resources || this.#done.has(seq)) {
      this.#forgetDone();
      return;
    }
    const [attempts, failedSince] = this.#failedBefore.get(seq) ?? [0, null];
    this.#items.push({ seq, resources, attempts, failedSince, notBefore: 0, isUnderWay: false });
  }

  ready(now: number): PendingDelivery | undefined {
    return this.#free((item) => !item.isUnderWay && item.notBefore <= now)[0];
  }

  /** When the next delivery may start that only its retry delay holds back, monotonic ms. */
  get wakesAt(): number {
    return Math.min(...this.#free((item) => !item.isUnderWay).map(({ notBefore }) => notBefore));
  }

  finish(item: PendingDelivery): void {
    this.#items.splice(this.#items.indexOf(item), 1);
    this.#done.add(item.seq);
    this.#forgetDone();
  }

  get progress(): Pick<DeliveryProgress, 'at' | 'done' | 'failed'> {
    const failed = this.#items.filter(({ attempts }) => attempts > 0);
    return {
      at: this.at,
      done: [...this.#done].sort((a, b) => a - b),
      failed: failed.map(({ seq, attempts, failedSince }) => [seq, attempts, failedSince ?? 0] as const),
    };
  }

  #free(which: (item: PendingDelivery) => boolean): PendingDelivery[] {
    const held = new Set<string>();
    const free: PendingDelivery[] = [];
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
