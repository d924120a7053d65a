/**
 * The nonces of one DID (docs/reference/accounts-and-nonces.md#nonces): they start at 1 without gaps, and each is used
 * once. Concurrent writes get consecutive ones; a nonce that a refused write did not use is given to the next write;
 * after a conflict the node's answer counts.
 */

/** The node accepts nonces up to 64 ahead; using half of that leaves room for other programs with the same DID. */
const mostInFlight = 32;

export class Nonces {
  readonly #read: () => Promise<number>;
  /** Nonces below `#next` that are neither used nor in flight; ascending. */
  #free: number[] = [];
  #next: number | undefined;
  /** The nonce of the last conflict. */
  #doubted: number | undefined;
  /** All nonces below it are used. */
  #floor = 0;
  #reading: Promise<void> | undefined;
  readonly #inFlight = new Set<number>();
  readonly #waiting: (() => void)[] = [];
  /** How many writes were accepted or refused for another reason than their nonce. */
  decided = 0;
  #taken = 0;

  /** @param read asks the node for the DID's next nonce */
  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** Takes a nonce for one write. Report the outcome with `used`, `refused`, `conflicted` or `lost`. */
  async take(signal?: AbortSignal): Promise<number> {
    signal?.throwIfAborted();
    // If the caller aborts, its place goes to the first in the queue, so that the order of calls is kept.
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

  /** Call when the write was accepted. */
  used(nonce: number): void {
    this.decided += 1;
    this.#return(nonce);
    this.#floor = Math.max(this.#floor, nonce + 1);
    this.#free = this.#free.filter((each) => each > nonce);
  }

  /** Call when the write was refused, so that its nonce is still free. */
  refused(nonce: number): void {
    this.decided += 1;
    this.#return(nonce);
    if (this.#next !== undefined) this.#arrange(Math.min(nonce, ...this.#free, ...this.#inFlight));
  }

  /** Call when the node answered that `next` is the right nonce. */
  conflicted(nonce: number, next: number): void {
    this.#return(nonce);
    // A single answer may be outdated: another write may have succeeded after it was sent. If it is repeated with no
    // write in flight, the node has lost its history (a devnet that was started anew).
    if (this.#doubted === nonce && this.#inFlight.size === 0) this.#floor = 0;
    this.#doubted = nonce;
    this.#arrange(next);
  }

  /** Call when it is unknown whether the write was accepted: the next call asks the node. */
  lost(nonce: number): void {
    this.#return(nonce);
    this.#next = undefined;
  }

  /** Resolves when it is this caller's turn. A caller that aborts leaves the queue. */
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

  /** Makes all nonces from `lowest` up to the highest in flight free, except those in flight. */
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

/** Rejects with the signal's reason if the signal aborts first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  if (signal.aborted) return Promise.reject(signal.reason);
  // A signal per call: many writes may wait with the same caller's signal, and Node warns of many listeners on one.
  const own = AbortSignal.any([signal]);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    own.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => own.removeEventListener('abort', stop));
  });
}
