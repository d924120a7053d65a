/**
 * Limits the time in which requests start within one turn of the event loop to a few milliseconds. The others wait for
 * later turns, alternating between their addresses. An address without a request in progress does not wait: a health
 * check among thousands of busy connections is answered at once.
 */
import { bounds } from '../../../core/bounds.js';
import type { Environment } from '../../../core/environment.js';

interface TurnWaiter {
  readonly address: string;
  /** Lets one request begin. */
  resume(): void;
}

export class Turn {
  readonly #waiting = new Map<string, Set<TurnWaiter>>();
  /** Requests in progress, by address. */
  readonly #inWork = new Map<string, number>();
  #began: number | undefined;
  #granted: TurnWaiter | undefined;

  constructor(private readonly world: Environment) {}

  began({ address }: TurnWaiter): void {
    this.#inWork.set(address, (this.#inWork.get(address) ?? 0) + 1);
  }

  ended({ address }: TurnWaiter): void {
    const left = (this.#inWork.get(address) ?? 0) - 1;
    if (left > 0) this.#inWork.set(address, left);
    else this.#inWork.delete(address);
  }

  /** Whether another request may start now; otherwise its connection is resumed later. */
  allows(waiter: TurnWaiter): boolean {
    if (this.#granted === waiter) {
      this.#granted = undefined;
      return true;
    }
    if (!this.#inWork.has(waiter.address) || (this.#waiting.size === 0 && !this.#isOver())) return true;
    this.wait(waiter);
    return false;
  }

  wait(waiter: TurnWaiter): void {
    this.#start();
    const same = this.#waiting.get(waiter.address) ?? new Set();
    this.#waiting.set(waiter.address, same.add(waiter));
  }

  leave(waiter: TurnWaiter): void {
    const same = this.#waiting.get(waiter.address);
    if (same?.delete(waiter) && same.size === 0) this.#waiting.delete(waiter.address);
  }

  #start(): void {
    if (this.#began !== undefined) return;
    this.#began = this.world.monotonic();
    this.world.after(0, () => this.#next());
  }

  #isOver(): boolean {
    this.#start();
    return this.world.monotonic() - this.#began! > bounds.turnMs;
  }

  #next(): void {
    this.#began = undefined;
    if (this.#waiting.size === 0) return;
    do {
      const [[, same]] = this.#waiting as unknown as [[string, Set<TurnWaiter>]];
      const [first] = same as unknown as [TurnWaiter];
      this.leave(first);
      if (same.size > 0) {
        // Moves the address behind the others.
        this.#waiting.delete(first.address);
        this.#waiting.set(first.address, same);
      }
      this.#granted = first;
      first.resume();
      this.#granted = undefined;
    } while (this.#waiting.size > 0 && !this.#isOver());
  }
}
