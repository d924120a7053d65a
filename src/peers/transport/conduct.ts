/**
 * Limits authenticated peers: the rate of their requests, and of their bad input. A DID with too much bad input is
 * barred for a time that doubles.
 */
import { LRUCache } from 'lru-cache';
import type { PeerBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { Allowance } from '../allowance.js';

interface DidConduct {
  readonly requests: Allowance;
  readonly bodyBytes: Allowance;
  badInput: Allowance;
  /** Monotonic ms. */
  barredUntil: number;
  barredMs: number;
}

/** Never reached in practice: it only holds admitted DIDs, which are configured. */
const trackedDids = 1_000;

export class Conduct {
  readonly #of = new LRUCache<Did, DidConduct>({ max: trackedDids });

  constructor(
    private readonly world: Environment,
    private readonly bounds: PeerBounds,
  ) {}

  /** Counts a request. Returns false if there are too many. */
  requests(did: Did): boolean {
    return this.#conductOf(did).requests.take();
  }

  /** Counts the bytes of a body before they are read. Returns false if there are too many. */
  mayRead(did: Did, bytes: number): boolean {
    return this.#conductOf(did).bodyBytes.take(bytes);
  }

  /** Counts bad input. @returns whether the DID is barred from now on */
  isBadInput(did: Did, count: number): boolean {
    const conduct = this.#conductOf(did);
    const now = this.world.monotonic();
    if (conduct.barredUntil > now || conduct.badInput.take(count)) return false;
    const { barredFirstMs, barredLongestMs } = this.bounds;
    const isLongAgo = now - conduct.barredUntil > barredLongestMs;
    conduct.barredMs = isLongAgo ? barredFirstMs : Math.min(2 * conduct.barredMs, barredLongestMs);
    conduct.barredUntil = now + conduct.barredMs;
    conduct.badInput = this.#badInputAllowance();
    return true;
  }

  isBarred(did: Did): boolean {
    return (this.#of.get(did)?.barredUntil ?? Number.NEGATIVE_INFINITY) > this.world.monotonic();
  }

  #conductOf(did: Did): DidConduct {
    let conduct = this.#of.get(did);
    if (!conduct) {
      const { world, bounds } = this;
      const requests = new Allowance(world, bounds.requestsPerSecond, bounds.requestBurst);
      const bodyBytes = new Allowance(world, bounds.bodyBytesPerSecond, bounds.bodyBytesBurst);
      conduct = {
        requests,
        bodyBytes,
        badInput: this.#badInputAllowance(),
        barredUntil: Number.NEGATIVE_INFINITY,
        barredMs: 0,
      };
      this.#of.set(did, conduct);
    }
    return conduct;
  }

  #badInputAllowance(): Allowance {
    return new Allowance(this.world, this.bounds.badInputPerSecond, this.bounds.badInputBurst);
  }
}
