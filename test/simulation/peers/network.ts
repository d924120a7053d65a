/**
 * The network between homes. A link has one direction, and may be cut, slow, or lose and duplicate requests. Messages may
 * overtake each other, except within one stream.
 */
import type { Draws } from './draws.js';
import type { Scheduler } from './scheduler.js';
import type { SimulatedProcess } from './simulated-process.js';

export interface Link {
  isCut: boolean;
  /** Probabilities for one request or response. */
  lossy: number;
  duplicating: number;
  /** Longest delay of one message, ms. */
  delayMs: number;
}

/** A connection in the network. */
export interface Connected {
  readonly client: SimulatedProcess;
  readonly server: SimulatedProcess;
  /** This side learns that the connection is closed. */
  broken(side: 'client' | 'server'): void;
}

const perfect = { isCut: false, lossy: 0, duplicating: 0, delayMs: 8 };
/** Time after which a packet lost in a cut is sent again. */
const retransmitMs = 250;

export class Network {
  /** Listening processes by host. */
  readonly listeners = new Map<string, { readonly process: SimulatedProcess }>();
  readonly connected = new Set<Connected>();
  readonly #links = new Map<string, Link>();

  /** @param nameAt name of the home at a host, whether it listens or not */
  constructor(
    readonly scheduler: Scheduler,
    readonly draws: Draws,
    readonly nameAt: (host: string) => string,
  ) {}

  link(from: string, to: string): Link {
    const name = `${from}>${to}`;
    const link = this.#links.get(name) ?? { ...perfect };
    this.#links.set(name, link);
    return link;
  }

  heal(): void {
    for (const link of this.#links.values()) Object.assign(link, perfect);
  }

  delay(from: string, to: string): number {
    const { delayMs } = this.link(from, to);
    return 0.2 + this.draws.below(delayMs * 10) / 10;
  }

  /** Delivers once, after any number of retransmissions, as long as it is awaited. */
  deliver(from: string, to: string, call: () => void, isAwaited: () => boolean = () => true): void {
    this.scheduler.after(this.delay(from, to), () => {
      if (!this.link(from, to).isCut) return call();
      if (isAwaited()) {
        this.scheduler.after(retransmitMs, () => this.deliver(from, to, call, isAwaited));
      }
    });
  }

  /** Closes the connections, as a restarted router between the two does. */
  break(one: string, other: string): void {
    for (const each of [...this.connected]) {
      const ends = [each.client.name, each.server.name];
      if (ends.includes(one) && ends.includes(other))
        for (const side of ['client', 'server'] as const) this.#notify(each, side);
    }
  }

  /** @param isSilent the machine lost power, so it does not even close its connections */
  died(process: SimulatedProcess, isSilent: boolean): void {
    for (const [host, listener] of this.listeners) if (listener.process === process) this.listeners.delete(host);
    for (const each of [...this.connected]) {
      if (each.client !== process && each.server !== process) continue;
      if (!isSilent) this.#notify(each, each.client === process ? 'server' : 'client');
    }
  }

  /** Sends one packet about the closed connection, which a cut loses. */
  #notify(connected: Connected, side: 'client' | 'server'): void {
    const { client, server } = connected;
    const [from, to] = side === 'server' ? [client, server] : [server, client];
    this.scheduler.after(this.delay(from.name, to.name), () => {
      if (to.isAlive && !this.link(from.name, to.name).isCut) connected.broken(side);
    });
  }
}
