/** Rate limits for the checkpoints and proofs of each peer. */
import { bounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import { Allowance } from './allowance.js';

export interface PeerAllowance {
  readonly reading: Allowance;
  readonly checking: Allowance;
  readonly proofs: Allowance;
}

export class PeerAllowances {
  readonly #peers = new Map<string, PeerAllowance>();

  constructor(private readonly world: Environment) {}

  of(peer: string): PeerAllowance {
    const known = this.#peers.get(peer);
    if (known) return known;
    // Drops the oldest peer, whose rate limits start anew.
    if (this.#peers.size >= bounds.knownPeers) this.#peers.delete(this.#peers.keys().next().value!);
    const made = {
      reading: new Allowance(this.world, bounds.checkpointsPerSecond),
      checking: new Allowance(this.world, bounds.checkpointChecksPerSecond),
      proofs: new Allowance(this.world, bounds.equivocationsPerSecond),
    };
    this.#peers.set(peer, made);
    return made;
  }
}
