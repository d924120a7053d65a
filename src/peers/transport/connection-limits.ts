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
  /** Call when the handshake has succeeded. */
  proven(): void;
  /** Call when the connection has ended; further calls do nothing. */
  leave(): void;
}

/** A handshake in progress. */
interface Handshake {
  readonly network: string;
  readonly isKnown: boolean;
  /** Ends the connection. */
  readonly drop: () => void;
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
  /** Oldest first. */
  readonly #handshakes = new Set<Handshake>();
  readonly #rates: LRUCache<string, Allowance>;
  #total = 0;

  /** @param isKnown whether a member has proven its DID at the address */
  constructor(
    private readonly world: Environment,
    private readonly bounds: PeerBounds,
    private readonly isKnown: (address: string) => boolean,
  ) {
    this.#rates = growingCache(bounds.trackedAddresses);
  }

  /**
   * Accepts a connection, for which an older handshake may be dropped; undefined if there are too many.
   * @param address of the other end @param drop ends the connection
   */
  enter(address: string, drop: () => void): ConnectionPlace | undefined {
    const network = networkOf(address);
    if (!this.#hasRoom(network)) return undefined;
    const handshake: Handshake = { network, isKnown: this.isKnown(address), drop };
    this.#handshakes.add(handshake);
    const surplus = this.#surplus(handshake);
    if (surplus) this.#handshakes.delete(surplus);
    if (surplus === handshake) return undefined;
    surplus?.drop();
    this.#total++;
    this.#connections.add(network, 1);
    let isOpen = true;
    return {
      proven: () => void this.#handshakes.delete(handshake),
      leave: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#handshakes.delete(handshake);
        this.#total--;
        this.#connections.add(network, -1);
      },
    };
  }

  /**
   * The handshake to drop: of strangers before members, and the oldest one of the address that has most. So strangers can
   * keep out neither a member nor each other, however many connections they open and never complete.
   */
  #surplus({ network, isKnown }: Handshake): Handshake | undefined {
    const { handshakes, handshakesPerAddress, handshakesPerKnownAddress } = this.bounds;
    const own = [...this.#handshakes].filter((each) => each.network === network);
    if (own.length > (isKnown ? handshakesPerKnownAddress : handshakesPerAddress)) return own[0];
    if (this.#handshakes.size <= handshakes) return undefined;
    const strangers = [...this.#handshakes].filter((each) => !each.isKnown);
    const among = strangers.length > 0 ? strangers : [...this.#handshakes];
    const count = new Count();
    for (const each of among) count.add(each.network, 1);
    return among.reduce((most, each) => (count.of(each.network) > count.of(most.network) ? each : most));
  }

  #hasRoom(network: string): boolean {
    const { bounds } = this;
    if (this.#total >= bounds.connections || this.#connections.of(network) >= bounds.connectionsPerAddress)
      return false;
    let rate = this.#rates.get(network);
    if (!rate) {
      rate = new Allowance(this.world, bounds.handshakesPerSecond, bounds.handshakeBurst);
      this.#rates.set(network, rate);
    }
    return rate.take();
  }
}
