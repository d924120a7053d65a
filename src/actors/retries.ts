/** What follows an attempt that did not end its command. Each reason to repeat it is bounded. */

import { pause } from '../core/environment.js';
import { type Refusal, refuse } from '../core/refusal.js';
import type { Store } from '../store/store.js';
import { nextNonce, type Present } from './checks.js';
import type { Accepted } from './command.js';
import type { Committer } from './committer.js';
import { nonceConflict } from './nonces.js';

export interface RetryBounds {
  /** The most resources that one entry may write. */
  readonly written: number;
  /** How often the set of resources may grow, and how often another process may write first. */
  readonly regroupings: number;
  readonly losses: number;
}

/** The result of one attempt at a command, inside its mailboxes. */
export type AttemptOutcome =
  /** `accepted` resolves once the entry is on disk, so that the mailboxes are left without waiting for it. */
  | { readonly outcome: 'done'; readonly accepted: Promise<Accepted> }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  /** The command reads or writes resources whose mailboxes it has not entered: `<kind>/<id>`. */
  | { readonly outcome: 'grew'; readonly missing: readonly string[] }
  /** Another process has written first. */
  | { readonly outcome: 'stale' }
  /** Earlier nonces are missing. */
  | { readonly outcome: 'early'; readonly nonce: number };

interface RetryParts extends Present, RetryBounds {
  readonly store: Store;
  readonly committer: Committer;
}

/** The attempts at one command so far. */
export class Retries {
  #regroupings = 0;
  #losses = 0;
  /** True once the nonce is next, false after the timeout. */
  #arrived: Promise<boolean> | undefined;
  #isOverdue = false;
  #isCaughtUp = false;

  constructor(
    private readonly parts: RetryParts,
    private readonly signer: string,
    /** The mailboxes of the next attempt: `<kind>/<id>`. */
    public refs: readonly string[],
  ) {}

  /** Joins the waiting room of nonces, which `after` leaves. */
  waitFor(nonce: number): void {
    this.#arrived = this.parts.nonces.wait(this.signer, nonce);
  }

  /** Waits until another attempt makes sense. @returns the refusal if none does */
  async after(left: Exclude<AttemptOutcome, { readonly outcome: 'done' }>): Promise<Refusal | undefined> {
    const { committer, store, world, written, regroupings, losses } = this.parts;
    switch (left.outcome) {
      case 'refused':
        if (this.#isCaughtUp || left.refusal.code !== 'INSUFFICIENT_BALANCE' || committer.inFlight === 0) {
          return left.refusal;
        }
        // Readers may see a credit on disk that the in-memory account has not received yet: wait for it once.
        await committer.durable();
        this.#isCaughtUp = true;
        return undefined;
      case 'grew':
        if (++this.#regroupings > regroupings) {
          return refuse('CONFLICT', 'the resources taking part keep changing; try again');
        }
        this.refs = [...new Set([...this.refs, ...left.missing])];
        return this.refs.length > written ? refuse('UNPROCESSABLE', 'too many resources take part') : undefined;
      case 'early': {
        // If other processes write, the earlier nonce may have been used there: check once more after the timeout.
        const isOver = this.#isOverdue || !(await this.#arrived);
        if (this.#isOverdue || (isOver && store.exclusive)) {
          return nonceConflict(left.nonce, await nextNonce(this.parts, this.signer));
        }
        this.#isOverdue = isOver;
        return undefined;
      }
      case 'stale':
        if (++this.#losses > losses) {
          const says = 'another process keeps changing the same resources; try again';
          return refuse('CONFLICT', says, { retryAfter: 1 });
        }
        await pause(world, ((world.random(1)[0] ?? 0) % 16) * this.#losses);
        return undefined;
    }
  }
}
