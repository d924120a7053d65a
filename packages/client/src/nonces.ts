/**
 * The nonces of one DID (docs/reference/accounts-and-nonces.md#nonces): from 1, without gaps, each used once.
 * Concurrent writes get consecutive ones; what a refused write did not use goes to the next; after a conflict the
 * node's word counts.
 */

/** The node lets 64 nonces run ahead; half of that leaves room for other programs with the same DID. */
const mostInFlight = 32;

export class Nonces {
  readonly #read: () => Promise<number>;
  /** Below `#next`, neither used nor on their way; ascending. */
  #free: number[] = [];
  #next: number | undefined;
  /** The nonce of the last conflict. */
  #doubted: number | undefined;
  /** Everything below it is used. */
  #floor = 0;
  #reading: Promise<void> | undefined;
  readonly #inFlight = new Set<number>();
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** @param read asks the node for the DID's next nonce */
  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** Takes a nonce for one write; `used`, `refused`, `conflicted` or `lost` then reports the write's outcome. */
  async take(signal?: AbortSignal): Promise<number> {
    signal?.throwIfAborted();
    // A caller that leaves hands its place to the first in the queue, so that the order of calls is kept.
    if (this.#taken < mostInFlight) this.#taken += 1;
    else await this.#inQueue(signal);
    try {
      while (this.#next === undefined) await unlessAborted(this.#load(), signal);
    } catch (error) {
      this.#leave();
      throw error;
    }
    const nonce = this.#free.shift() ?? this.#next++;
    this.#inFlight.add(nonce);
    return nonce;
  }

  /** The write was accepted. */
  used(nonce: number): void {
    this.#return(nonce);
    this.#floor = Math.max(this.#floor, nonce + 1);
    this.#free = this.#free.filter((each) => each > nonce);
  }

  /** The write was refused, and used nothing. */
  refused(nonce: number): void {
    this.#return(nonce);
    if (this.#next !== undefined) this.#arrange(Math.min(nonce, ...this.#free, ...this.#inFlight));
  }

  /** The node says that this nonce is not the one: `next` is. */
  conflicted(nonce: number, next: number): void {
    this.#return(nonce);
    // Said once it may be old news, on its way while an earlier write went through. Said twice it is so: the node has
    // lost its past (a devnet begun anew).
    if (this.#doubted === nonce && this.#inFlight.size === 0) this.#floor = 0;
    this.#doubted = nonce;
    this.#arrange(next);
  }

  /** It is unknown whether the write was accepted: the node has to be asked. */
  lost(nonce: number): void {
    this.#return(nonce);
    this.#next = undefined;
  }

  /** Resolves with a place; one who is called away takes none. */
  #inQueue(signal: AbortSignal | undefined): Promise<void> {
    let enter = () => {};
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
      this.#waiting.push(resolve);
    });
    return unlessAborted(entered, signal).catch((reason: unknown) => {
      const place = this.#waiting.indexOf(enter);
      if (place >= 0) this.#waiting.splice(place, 1);
      else this.#leave();
      throw reason;
    });
  }

  #load(): Promise<void> {
    this.#reading ??= this.#read()
      .then((next) => this.#arrange(next))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  /** From `lowest` on, what is not on its way is free, up to the highest that is. */
  #arrange(lowest: number): void {
    const start = Math.max(lowest, this.#floor);
    this.#next = Math.max(start, ...[...this.#inFlight].map((each) => each + 1));
    this.#free = [];
    for (let nonce = start; nonce < this.#next; nonce++) if (!this.#inFlight.has(nonce)) this.#free.push(nonce);
  }

  #return(nonce: number): void {
    this.#inFlight.delete(nonce);
    this.#leave();
  }

  #leave(): void {
    const first = this.#waiting.shift();
    if (first) first();
    else this.#taken -= 1;
  }
}

/** Rejects with the signal's reason when that comes first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  // One of our own: many writes may wait with the caller's, and Node warns of many listeners.
  const own = AbortSignal.any([signal]);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    own.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => own.removeEventListener('abort', stop));
  });
}
