/** The transport port on the simulated network: no sockets, no TLS, the same promises (src/peers/transport/transport.ts). */
import type { PeerBounds } from '../../../src/core/bounds.js';
import type { Did } from '../../../src/core/codecs/did.js';
import type { Multiaddr } from '../../../src/core/codecs/multiaddr.js';
import { didOfPeerId } from '../../../src/core/codecs/peer-id.js';
import {
  type InboundPeer,
  type LineStream,
  type LineStreamOptions,
  type PeerAddress,
  type PeerConnection,
  PeerError,
  type PeerListener,
  type PeerRequestOptions,
  type PeerResponse,
  type PeerService,
  type PeerTransport,
} from '../../../src/peers/transport/transport.js';
import { Exchange, type ExchangeAsked } from './exchange.js';
import type { Network } from './network.js';
import type { SimulatedProcess } from './simulated-process.js';

export interface SimulatedTransportOptions {
  readonly network: Network;
  readonly process: SimulatedProcess;
  readonly did: Did;
  readonly peerId: string;
  readonly bounds: PeerBounds;
}

export class SimulatedListener implements PeerListener {
  readonly #exchanges = new Set<Exchange>();
  readonly #since = new Map<Did, InboundPeer>();

  constructor(
    private readonly options: SimulatedTransportOptions,
    readonly addresses: readonly PeerAddress[],
    readonly service: PeerService,
  ) {}

  get process(): SimulatedProcess {
    return this.options.process;
  }

  get peerId(): string {
    return this.options.peerId;
  }

  took(exchange: Exchange, did: Did): InboundPeer {
    this.#exchanges.add(exchange);
    const known = this.#since.get(did);
    if (known) return known;
    const address = `${exchange.client.name}:40000`;
    const inbound = { did, peerId: exchange.options.askerPeerId, address, connectedAt: this.process.now() };
    this.#since.set(did, inbound);
    return inbound;
  }

  left(exchange: Exchange): void {
    this.#exchanges.delete(exchange);
    if (![...this.#exchanges].some(({ asker }) => asker === exchange.asker)) this.#since.delete(exchange.asker);
  }

  connections(): readonly InboundPeer[] {
    return [...this.#since.values()];
  }

  counts() {
    return { accepted: this.#since.size, crowded: 0, unproven: 0, refused: 0, badInput: 0, slow: 0 };
  }

  disconnect(did: Did): void {
    for (const each of [...this.#exchanges]) if (each.asker === did) each.cut();
  }

  async close(): Promise<void> {
    const { network, process } = this.options;
    for (const [host, listener] of network.listeners) if (listener.process === process) network.listeners.delete(host);
    for (const each of [...this.#exchanges]) each.cut();
  }
}

class SimulatedConnection implements PeerConnection {
  readonly did: Did;
  readonly #exchanges = new Set<Exchange>();
  #isClosed = false;

  constructor(
    private readonly options: SimulatedTransportOptions,
    readonly address: PeerAddress,
  ) {
    this.did = didOfPeerId(address.peerId)!;
  }

  async request(method: 'GET' | 'POST', path: string, options: PeerRequestOptions = {}): Promise<PeerResponse> {
    const { maxBytes, signal, timeoutMs } = options;
    const { bounds } = this.options;
    const asked = { method, path, body: options.body ?? '', signal, timeoutMs: timeoutMs ?? bounds.requestMs };
    const exchange = this.#begin(asked);
    const response = await exchange.response;
    if (response.body.length > (maxBytes ?? bounds.responseBytes)) throw new PeerError('too-large', 'a long response');
    return response;
  }

  open(path: string, stream: LineStreamOptions = {}): Promise<LineStream> {
    const { signal } = stream;
    const timeoutMs = this.options.bounds.requestMs;
    return this.#begin({ method: 'GET', path, body: '', signal, timeoutMs, stream }).stream;
  }

  close(): void {
    this.#isClosed = true;
    for (const each of [...this.#exchanges]) each.abandon('closed', 'this side closed the connection');
  }

  #begin(asked: ExchangeAsked): Exchange {
    if (this.#isClosed || asked.signal?.aborted) throw new PeerError('closed', 'this side closed the connection');
    const { network, process, bounds, did, peerId } = this.options;
    const exchange = new Exchange({
      ...{ network, client: process, asker: did, askerPeerId: peerId, bounds, address: this.address, asked },
      onEnd: () => this.#exchanges.delete(exchange),
    });
    this.#exchanges.add(exchange);
    exchange.send();
    return exchange;
  }
}

export class SimulatedTransport implements PeerTransport {
  readonly did: Did;
  readonly peerId: string;
  readonly #connections: SimulatedConnection[] = [];
  readonly #listeners: SimulatedListener[] = [];

  constructor(private readonly options: SimulatedTransportOptions) {
    this.did = options.did;
    this.peerId = options.peerId;
  }

  async listen(addresses: readonly Multiaddr[], service: PeerService): Promise<PeerListener> {
    const { network } = this.options;
    const bound = addresses.map((address) => ({ ...address, peerId: this.peerId }));
    const listener = new SimulatedListener(this.options, bound, service);
    for (const { host } of addresses) {
      if (network.listeners.has(host)) throw new PeerError('listening', `${host} is taken`);
      network.listeners.set(host, listener);
    }
    this.#listeners.push(listener);
    return listener;
  }

  dial(address: PeerAddress): PeerConnection {
    const connection = new SimulatedConnection(this.options, address);
    this.#connections.push(connection);
    return connection;
  }

  async close(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await Promise.all(this.#listeners.map((listener) => listener.close()));
  }
}
