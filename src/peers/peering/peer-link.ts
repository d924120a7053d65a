/** The connections to one peer: tries its addresses in turn, and measures how long it takes to answer. */
import { formatMultiaddr } from '../../core/codecs/multiaddr.js';
import type { Environment } from '../../core/environment.js';
import {
  type LineStream,
  type PeerConnection,
  PeerError,
  type PeerErrorKind,
  type PeerResponse,
  type PeerTransport,
} from '../transport/transport.js';
import type { PeerMember } from './membership.js';

/** After these the next address is tried. Other errors come from the peer itself. */
const addressFailures: readonly PeerErrorKind[] = ['unreachable', 'silent', 'wrong-peer', 'refused'];

/** Weight of the newest round trip in the smoothed latency. */
const newest = 0.2;

export class PeerLink {
  /** By address, as text. */
  readonly #connections = new Map<string, PeerConnection>();
  #member: PeerMember;
  #turn = 0;
  #latencyMs: number | undefined;
  #clockAheadMs: number | undefined;

  constructor(
    private readonly transport: PeerTransport,
    private readonly world: Environment,
    member: PeerMember,
    /** Called with the IP address at which the peer has answered. */
    private readonly onReached: (address: string) => void = () => {},
  ) {
    this.#member = member;
  }

  get member(): PeerMember {
    return this.#member;
  }

  /** Smoothed, ms; undefined before the first answer. */
  get latencyMs(): number | undefined {
    return this.#latencyMs;
  }

  /** The peer's clock minus this one when it last stated it, ms. */
  get clockAheadMs(): number | undefined {
    return this.#clockAheadMs;
  }

  /** @param time what the peer states, epoch ms */
  statesTime(time: unknown): void {
    if (Number.isSafeInteger(time)) this.#clockAheadMs = (time as number) - this.world.now();
  }

  /** The address in use, as text. */
  get address(): string {
    const { addresses } = this.#member;
    return formatMultiaddr(addresses[this.#turn % addresses.length]!);
  }

  get connection(): PeerConnection {
    const { addresses } = this.#member;
    const address = addresses[this.#turn % addresses.length]!;
    const text = formatMultiaddr(address);
    const known = this.#connections.get(text);
    if (known) return known;
    const connection = this.transport.dial(address);
    this.#connections.set(text, connection);
    return connection;
  }

  moved(member: PeerMember): void {
    this.#member = member;
  }

  /** Sends a request, and measures how long the answer took. Rejects with PeerError. */
  async request(...asked: Parameters<PeerConnection['request']>): Promise<PeerResponse> {
    const begun = this.world.monotonic();
    const { connection } = this;
    const response = await connection.request(...asked).catch((error: unknown) => this.#failed(connection, error));
    if (connection.reachedAt !== undefined) this.onReached(connection.reachedAt);
    const tookMs = this.world.monotonic() - begun;
    this.#latencyMs = this.#latencyMs === undefined ? tookMs : this.#latencyMs + newest * (tookMs - this.#latencyMs);
    return response;
  }

  /** Opens a stream. Rejects with PeerError. */
  open(...asked: Parameters<PeerConnection['open']>): Promise<LineStream> {
    const { connection } = this;
    return connection.open(...asked).catch((error: unknown) => this.#failed(connection, error));
  }

  /**
   * Switches to the next address, unless another request has done so: those that fail together would come back to the
   * address that has failed.
   */
  #failed(connection: PeerConnection, error: unknown): never {
    const isOfAddress = error instanceof PeerError && addressFailures.includes(error.kind);
    if (isOfAddress && connection === this.connection) this.#turn++;
    throw error;
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }
}
