/**
 * The waiting room of nonces: a nonce up to 64 ahead waits up to a second for its predecessors
 * (docs/reference/accounts-and-nonces.md#nonces). It waits outside the mailboxes, so that it blocks no other command.
 */

import type { Environment } from '../core/environment.js';
import { type Refusal, refuse } from '../core/refusal.js';

export interface NonceBounds {
  readonly ahead: number;
  readonly waitMs: number;
  /** The most requests that may wait for one DID. */
  readonly waiting: number;
}

export const nonceConflict = (nonce: number, next: number): Refusal =>
  refuse(
    'CONFLICT',
    nonce < next ? `nonce ${nonce} is used; the next is ${next}` : `nonce ${nonce} is ahead; the next is ${next}`,
    {
      nextNonce: next,
    },
  );

interface NonceWaiter {
  readonly nonce: number;
  readonly wake: (came: boolean) => void;
}

export class NonceRoom {
  readonly #waiters = new Map<string, NonceWaiter[]>();

  constructor(
    private readonly world: Environment,
    private readonly bounds: NonceBounds,
  ) {}

  /** Whether a nonce that is not the next may wait. */
  admits(did: string, nonce: number, next: number): boolean {
    return (
      nonce > next && nonce <= next + this.bounds.ahead && (this.#waiters.get(did)?.length ?? 0) < this.bounds.waiting
    );
  }

  /** Resolves true when `nonce` is next, false after the timeout. */
  wait(did: string, nonce: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(did) ?? [];
      this.#waiters.set(did, waiters);
      const timer = this.world.after(this.bounds.waitMs, () => {
        this.#leave(did, waiter);
        resolve(false);
      });
      const waiter: NonceWaiter = {
        nonce,
        wake: (came) => {
          timer.cancel();
          resolve(came);
        },
      };
      waiters.push(waiter);
    });
  }

  /** Call when the DID's next nonce is `next`: wakes the requests that wait for it, or for one that is used by now. */
  advanced(did: string, next: number): void {
    const waiters = this.#waiters.get(did);
    if (!waiters) return;
    const ready = waiters.filter((waiter) => waiter.nonce <= next);
    for (const waiter of ready) this.#leave(did, waiter);
    for (const waiter of ready) waiter.wake(true);
  }

  #leave(did: string, waiter: NonceWaiter): void {
    const rest = (this.#waiters.get(did) ?? []).filter((other) => other !== waiter);
    if (rest.length === 0) this.#waiters.delete(did);
    else this.#waiters.set(did, rest);
  }
}
