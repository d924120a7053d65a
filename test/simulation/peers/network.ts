/**
 * The network between homes. A link goes one way: it may be cut, slow, or lose and duplicate requests. What is under way
 * overtakes other things that are under way, except within one stream.
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

/** A connection as the network sees it. */
export interface Connected {
  readonly client: SimulatedProcess;
  readonly server: SimulatedProcess;
  /** The end on this side learns that the connection is no more. */
  broken(side: 'client' | 'server'): void;
}

const perfect = { isCut: false, lossy: 0, duplicating: 0, delayMs: 8 };
/** After which a packet that a cut has swallowed is sent again. */
const retransmitMs = 250;

export class Network {
  /** Who listens, by host. */
  readonly listeners = new Map<string, { readonly process: SimulatedProcess }>();
  readonly connected = new Set<Connected>();
  readonly #links = new Map<string, Link>();

  /** @param nameAt who lives at a host, whether anybody listens there or not */
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

  /** Delivers once, however often a cut swallows it, as long as somebody waits for it. */
  deliver(from: string, to: string, call: () => void, isAwaited: () => boolean = () => true): void {
    this.scheduler.after(this.delay(from, to), () => {
      if (!this.link(from, to).isCut) return call();
      if (isAwaited()) {
        this.scheduler.after(retransmitMs, () => this.deliver(from, to, call, isAwaited));
      }
    });
  }

  /** Ends connections, as a router between the two that has restarted does. */
  break(one: string, other: string): void {
    for (const each of [...this.connected]) {
      const ends = [each.client.name, each.server.name];
      if (ends.includes(one) && ends.includes(other))
        for (const side of ['client', 'server'] as const) this.#tell(each, side);
    }
  }

  /** @param isSilent the machine has lost its power: it does not even close its connections */
  died(process: SimulatedProcess, isSilent: boolean): void {
    for (const [host, listener] of this.listeners) if (listener.process === process) this.listeners.delete(host);
    for (const each of [...this.connected]) {
      if (each.client !== process && each.server !== process) continue;
      if (!isSilent) this.#tell(each, each.client === process ? 'server' : 'client');
    }
  }

  /** One packet that says so; lost in a cut. */
  #tell(connected: Connected, side: 'client' | 'server'): void {
    const { client, server } = connected;
    const [from, to] = side === 'server' ? [client, server] : [server, client];
    this.scheduler.after(this.delay(from.name, to.name), () => {
      if (to.isAlive && !this.link(from.name, to.name).isCut) connected.broken(side);
    });
  }
}
