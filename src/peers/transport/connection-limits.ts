/**
 * Limits connections of which only the address is known: connections and handshakes are counted in total and per
 * address, so that strangers can neither use up the memory nor lock out the peers.
 */
import ipaddr from 'ipaddr.js';
import type { LRUCache } from 'lru-cache';
import type { PeerBounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import { growingCache } from '../../core/growing-cache.js';
import { Allowance } from '../allowance.js';

/** One connection that was accepted. */
export interface ConnectionPlace {
  /** Call when the handshake has proven a DID. */
  prove(): void;
  /** Call when the connection has ended; further calls do nothing. */
  leave(): void;
}

/** Groups addresses: an IPv4 address (also one mapped into IPv6) stands for itself, an IPv6 address for its /64. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : parsed.parts.slice(0, 4).join(':');
}

class Count {
  readonly #of = new Map<string, number>();

  of(key: string): number {
    return this.#of.get(key) ?? 0;
  }

  add(key: string, change: 1 | -1): void {
    const count = this.of(key) + change;
    if (count > 0) this.#of.set(key, count);
    else this.#of.delete(key);
  }
}

export class ConnectionLimits {
  readonly #connections = new Count();
  readonly #handshakes = new Count();
  readonly #rates: LRUCache<string, Allowance>;
  readonly #proven: LRUCache<string, true>;
  #total = 0;
  #unproven = 0;

  constructor(
    private readonly world: Environment,
    private readonly bounds: PeerBounds,
  ) {
    this.#rates = growingCache(bounds.trackedAddresses);
    this.#proven = growingCache(bounds.provenAddresses);
  }

  /** Connections that are open now. */
  get size(): number {
    return this.#total;
  }

  /** Accepts a connection; undefined if there are too many. @param address of the other end */
  enter(address: string): ConnectionPlace | undefined {
    const network = networkOf(address);
    if (!this.#hasRoom(network)) return undefined;
    this.#total++;
    this.#unproven++;
    this.#connections.add(network, 1);
    this.#handshakes.add(network, 1);
    let isUnproven = true;
    let isOpen = true;
    const endHandshake = () => {
      if (!isUnproven) return;
      isUnproven = false;
      this.#unproven--;
      this.#handshakes.add(network, -1);
    };
    return {
      prove: () => {
        endHandshake();
        this.#proven.set(network, true);
      },
      leave: () => {
        if (!isOpen) return;
        isOpen = false;
        endHandshake();
        this.#total--;
        this.#connections.add(network, -1);
      },
    };
  }

  #hasRoom(network: string): boolean {
    const { bounds } = this;
    if (this.#total >= bounds.connections || this.#connections.of(network) >= bounds.connectionsPerAddress)
      return false;
    const kept = this.#proven.has(network) ? 0 : bounds.handshakesKept;
    if (this.#unproven >= bounds.handshakes - kept) return false;
    if (this.#handshakes.of(network) >= bounds.handshakesPerAddress) return false;
    let rate = this.#rates.get(network);
    if (!rate) {
      rate = new Allowance(this.world, bounds.handshakesPerSecond, bounds.handshakeBurst);
      this.#rates.set(network, rate);
    }
    return rate.take();
  }
}
