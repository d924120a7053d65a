/**
 * Limits authenticated peers: the rate of their requests, and of their bad input. A DID with too much bad input is
 * barred for a time that doubles.
 */
import { type PeerBounds, bounds as sizes } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { growingCache } from '../../core/growing-cache.js';
import { Allowance } from '../allowance.js';

interface DidConduct {
  readonly requests: Allowance;
  readonly bodyBytes: Allowance;
  badInput: Allowance;
  /** Monotonic ms. */
  barredUntil: number;
  barredMs: number;
}

export class Conduct {
  readonly #of = growingCache<Did, DidConduct>(sizes.knownPeers, () => ({
    requests: new Allowance(this.world, this.bounds.requestsPerSecond, this.bounds.requestBurst),
    bodyBytes: new Allowance(this.world, this.bounds.bodyBytesPerSecond, this.bounds.bodyBytesBurst),
    badInput: this.#badInputAllowance(),
    barredUntil: Number.NEGATIVE_INFINITY,
    barredMs: 0,
  }));

  constructor(
    private readonly world: Environment,
    private readonly bounds: PeerBounds,
  ) {}

  /** Counts a request. Returns false if there are too many. */
  requests(did: Did): boolean {
    return this.#of.memo(did).requests.take();
  }

  /** Counts the bytes of a body before they are read. Returns false if there are too many. */
  mayRead(did: Did, bytes: number): boolean {
    return this.#of.memo(did).bodyBytes.take(bytes);
  }

  /** Counts bad input. @returns whether the DID is barred from now on */
  isBadInput(did: Did, count: number): boolean {
    const conduct = this.#of.memo(did);
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

  #badInputAllowance(): Allowance {
    return new Allowance(this.world, this.bounds.badInputPerSecond, this.bounds.badInputBurst);
  }
}
