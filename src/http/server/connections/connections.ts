/**
 * All connections of a server and their bounds: their number per address, the requests in progress on them, and the
 * bytes of replies that clients have not read yet (docs/reference/limits.md#connections).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bounds } from '../../../core/bounds.js';
import type { Environment, Timer } from '../../../core/environment.js';
import type { Log } from '../../../core/log.js';
import { type Refusal, refuse } from '../../../core/refusal.js';
import type { Caller } from '../../access/caller.js';
import { Origins, type ServerAddress } from '../../access/origins.js';
import type { Metrics } from '../metrics.js';
import { Arrivals, ByteBudget, Pace } from './bytes-in-transit.js';
import { Intake, type MisframedRequest, Turn, type Unparsed } from './intake.js';

const unread = (whose: string): Refusal =>
  refuse('SERVICE_UNAVAILABLE', `too many replies ${whose} are not read yet`, { retryAfter: 1 });
const unreadHere = unread('on this connection');
const unreadByCaller = unread('to this caller');
const unreadInAll = unread('of this node');
/** Refuses before the body is read, which makes a refusal cheap. */
export const overloaded = refuse('SERVICE_UNAVAILABLE', 'the node is overloaded: too many requests wait', {
  retryAfter: 1,
});

/** What connections need of their server. */
interface ConnectionsServer extends ServerAddress {
  readonly config: ServerAddress['config'] & { readonly connectionsPerAddress: number };
  readonly world: Environment;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** A request whose reply is not sent completely. */
export interface OpenRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly caller: Caller;
  /** Undefined where the socket was closed at once. */
  readonly connection: Connection | undefined;
  /** When it arrived, monotonic ms; and how many others waited for their turn when it had its own. */
  readonly startedAt: number;
  readonly behind: number;
  /** The caller under whose name it is in progress, once it is admitted. */
  admitted: string | undefined;
  /** Bytes of the reply that are in memory, as its connection counts them. */
  held: number;
  /** Its reply is a stream that ends only when the client leaves. */
  readonly isEndless: boolean;
}

/** A client's connection: its unfinished requests, and the bytes of replies that are not sent yet. */
export class Connection {
  /** Unique among the open connections. */
  readonly name: string;
  /** Remote address, IPv6 as its /64. */
  readonly address: string;
  readonly requests = new Set<OpenRequest>();
  /** Accepted beyond the limit: it gets one reply and is closed. */
  brief = false;
  /** Bytes of replies in memory. */
  unsent = 0;
  /** When the client last read something, on the monotonic clock. */
  tookAt = 0;
  #intake: Intake | undefined;
  /** Answers what is not HTTP, once the requests before it are answered. */
  #refuse: (() => void) | undefined;
  #latest: OpenRequest | undefined;

  constructor(
    private readonly all: Connections,
    public socket: Socket,
    { name, address }: { readonly name: string; readonly address: string },
  ) {
    this.name = name;
    this.address = address;
  }

  /** Starts on the socket whose bytes are HTTP: on TLS, the decrypted one. */
  serve(socket: Socket, refuse: (error: MisframedRequest) => void): void {
    this.socket = socket;
    this.#intake = new Intake(socket, () => this.#hasRoom(), this.all.unparsed, refuse);
  }

  /** @returns when it arrived, monotonic ms */
  begin(context: OpenRequest): number {
    this.#latest = context;
    this.requests.add(context);
    this.#intake?.began(context.req);
    context.res.once('close', () => this.#end(context));
    return this.all.began(this);
  }

  /**
   * Closes all responses: Node notifies the response being written that its socket has closed, but not those queued
   * behind it.
   */
  close(): void {
    for (const context of [...this.requests]) {
      this.#end(context);
      if (context.res.socket) continue;
      context.res.destroy();
      context.res.emit('close');
    }
  }

  #end(context: OpenRequest): void {
    if (!this.requests.delete(context)) return;
    this.all.release(context, context.held);
    this.all.ended(this, context);
    if (this.#refuse) this.#refuseOnceAnswered();
    else if (this.isWaiting) this.all.turn.wait(this);
  }

  /**
   * Call when the client's bytes are not HTTP. The earlier requests are answered first: an error in place of a reply would
   * hide that its request took effect.
   */
  refuseBehindReplies(refuse: () => void): void {
    if (this.#refuse) return;
    this.#refuse = refuse;
    this.#refuseOnceAnswered();
  }

  #refuseOnceAnswered(): void {
    const [oldest] = this.requests;
    // An incomplete request is not waited for: its body may be the part that is not HTTP.
    if (oldest?.req.complete && !oldest.isEndless) return;
    this.#refuse?.();
    this.#refuse = () => {};
    this.#intake?.discard();
  }

  /** Whether bytes of a request have arrived that has not been started. */
  get isWaiting(): boolean {
    return this.#intake?.isWaiting === true;
  }

  resume(): void {
    this.#intake?.deliver();
  }

  /** Whether more bytes may be parsed. The body of the current request always may. */
  #hasRoom(): boolean {
    if (this.#refuse) return false;
    if (this.#latest?.req.complete === false) return true;
    // A request started now would queue behind replies that the client does not read, and only cost memory.
    if (this.unsent > bounds.replyPieceBytes) return false;
    return this.requests.size < this.all.requestsEach && this.all.turn.allows(this);
  }
}

export class Connections {
  readonly #open = new Map<string, Connection>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #countOf = new Map<string, number>();
  /** Connections without a request in work, the longest idle first. */
  readonly #idle = new Set<Connection>();
  readonly #brief = new Set<Connection>();
  /** Connections with unsent replies, the one that has not read for the longest time first. */
  readonly #readers = new Set<Connection>();
  readonly #unsent = new ByteBudget({ caller: bounds.unsentCallerBytes, total: bounds.unsentBytes });
  readonly arrivals: Arrivals;
  readonly arriving = new ByteBudget({ caller: bounds.arrivingCallerBytes, total: bounds.arrivingBytes });
  /**
   * The budget for unparsed bytes. A connection may always hold one waiting request; several only while there is
   * memory.
   */
  readonly unparsed: Unparsed = {
    hold: (bytes) => {
      this.#unparsed += bytes;
      return bytes <= bounds.headerBytes || this.#unparsed <= bounds.unparsedBytes;
    },
    give: (bytes) => {
      this.#unparsed -= bytes;
    },
  };
  #unparsed = 0;
  readonly #origins: Origins;
  readonly turn: Turn;
  readonly pace: Pace;
  /** Requests and items of batches in progress that were admitted: of each caller, and of all. */
  readonly #admittedOf = new Map<string, number>();
  #admitted = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #sweep: Timer | undefined;

  constructor(private readonly server: ConnectionsServer) {
    this.arrivals = new Arrivals(server.world);
    this.#origins = new Origins(server);
    this.turn = new Turn(server.world);
    this.pace = new Pace(server.world);
    server.metrics.gauge('svc_http_connections', 'Open connections of clients.', () => this.#open.size);
    const { turn } = this;
    server.metrics.gauge('svc_http_requests_waiting', 'Requests that wait for their turn.', () => turn.waiting);
    server.metrics.gauge('svc_http_unsent_bytes', 'Bytes of replies that wait for clients.', () => this.#unsent.total);
  }

  /** @param served the server's event for a socket whose bytes are HTTP */
  watch(server: Server, served: 'connection' | 'secureConnection'): void {
    server.on('connection', (socket: Socket) => {
      const connection = this.#accept(socket);
      if (connection) this.#shortenKeepAlive(server);
      socket.once('close', () => {
        if (connection) this.#forget(connection);
        this.#shortenKeepAlive(server);
      });
    });
    server.on(served, (socket: Socket) => {
      const connection = this.#open.get(endpointsOf(socket));
      if (!connection) return;
      this.#bySocket.set(socket, connection);
      connection.serve(socket, (error) => server.emit('clientError', error, socket));
    });
  }

  of({ socket }: { readonly socket: Socket }): Connection | undefined {
    return this.#bySocket.get(socket);
  }

  /** The most requests in progress on one connection. */
  get requestsEach(): number {
    return this.turn.inWork < bounds.requestsInWork ? bounds.requestsPerConnection : 1;
  }

  /** @returns when the request arrived, monotonic ms */
  began(connection: Connection): number {
    this.#idle.delete(connection);
    return this.turn.began(connection);
  }

  /**
   * Admits a request, or refuses it because too many wait: the request that has waited longest is refused, so that those
   * behind it wait less. Nothing that was admitted is refused later.
   * @param writes that are admitted and will be done before this one
   * @param isOperators whether it needs the scope `admin`
   */
  admit(context: OpenRequest, writes: number, isOperators: boolean): Refusal | undefined {
    const { connection } = context;
    // One whose connection is gone never ends, so it is not counted.
    if (!connection?.requests.has(context)) return undefined;
    const caller = callerOf(context, connection);
    const own = (this.#admittedOf.get(caller) ?? 0) + 1;
    const isSpared = isOperators || own * this.#admittedOf.size < this.#admitted;
    if (this.#isOverloaded(context, writes, isSpared)) return overloaded;
    this.count(caller, 1);
    context.admitted = caller;
    return undefined;
  }

  /** An operator, or a caller with fewer requests in progress than the average, is spared until twice as many wait. */
  #isOverloaded({ startedAt, behind }: OpenRequest, writes: number, isSpared: boolean): boolean {
    if (behind + writes < bounds.requestsWaiting) return false;
    const now = this.server.world.monotonic();
    const waiting = writes + (now - startedAt < bounds.requestWaitMs ? 0 : behind);
    if (waiting < (isSpared ? 2 : 1) * bounds.requestsWaiting) return false;
    if (now - this.#refusedAt > bounds.overloadLogMs) this.server.log.warn({ waiting }, overloaded.detail);
    this.#refusedAt = now;
    return true;
  }

  ended(connection: Connection, context: OpenRequest): void {
    this.turn.ended(connection);
    this.uncount(context);
    if (connection.requests.size === 0 && this.#open.has(connection.name)) this.#idle.add(connection);
  }

  /** The request has ended, or its reply is a stream without end: its caller is no longer judged by it. */
  uncount(context: OpenRequest): void {
    const { admitted } = context;
    context.admitted = undefined;
    this.count(admitted, -1);
  }

  /** Counts what is in progress: a request, or an item of a batch. @param caller undefined: it counts for no caller */
  count(caller: string | undefined, by: 1 | -1): void {
    if (caller === undefined) return;
    const own = (this.#admittedOf.get(caller) ?? 0) + by;
    if (own > 0) this.#admittedOf.set(caller, own);
    else this.#admittedOf.delete(caller);
    this.#admitted += by;
  }

  /** Counts so many bytes of a reply as held in memory until they are sent. */
  hold(context: OpenRequest, bytes: number): Refusal | undefined {
    const { connection } = context;
    if (!connection || connection.socket.destroyed) return undefined;
    if (connection.unsent > 0 && connection.unsent + bytes > bounds.unsentConnectionBytes) return unreadHere;
    const caller = callerOf(context, connection);
    for (;;) {
      const exceeded = this.#unsent.exceeds(caller, bytes);
      if (exceeded === undefined) break;
      if (exceeded === 'caller') return unreadByCaller;
      if (!this.#cutSlowest()) return unreadInAll;
    }
    this.#unsent.take(caller, bytes);
    context.held += bytes;
    if (connection.unsent === 0) this.readMore(connection);
    connection.unsent += bytes;
    this.#sweep ??= this.server.world.after(bounds.unsentCheckMs, () => this.#cutSilent());
    return undefined;
  }

  release(context: OpenRequest, bytes: number): void {
    const { connection } = context;
    if (!connection || bytes === 0) return;
    this.#unsent.give(callerOf(context, connection), bytes);
    context.held -= bytes;
    connection.unsent -= bytes;
    this.readMore(connection);
    if (connection.unsent === 0) this.#readers.delete(connection);
  }

  /** The client has read more. */
  readMore(connection: Connection): void {
    connection.tookAt = this.server.world.monotonic();
    this.#readers.delete(connection);
    if (this.#open.has(connection.name)) this.#readers.add(connection);
  }

  #accept(socket: Socket): Connection | undefined {
    const { origin, loopback, trusted } = this.#origins.remoteEnd(socket);
    const mostOfAddress = loopback ? bounds.connectionsOfLoopback : this.server.config.connectionsPerAddress;
    // A trusted proxy carries many clients, so its address has no limit.
    const crowded = !trusted && (this.#countOf.get(origin) ?? 0) >= mostOfAddress;
    const connection = new Connection(this, socket, { name: endpointsOf(socket), address: origin });
    if (crowded || this.#open.size >= bounds.connections) {
      const closed = this.#closeIdle(crowded ? origin : undefined);
      if (!closed && crowded && !loopback) {
        socket.destroy();
        return undefined;
      }
      if (!closed) this.#reserve(connection);
    }
    this.#open.set(connection.name, connection);
    this.#countOf.set(origin, (this.#countOf.get(origin) ?? 0) + 1);
    // A reserve connection that was just accepted must be able to send a request before it is closed for another one.
    if (!connection.brief) this.#idle.add(connection);
    return connection;
  }

  /** Makes room for a connection: closes the one that was idle for the longest time. */
  #closeIdle(address: string | undefined): boolean {
    for (const connection of this.#idle) {
      if (address !== undefined && connection.address !== address) continue;
      // Its client has sent a request that waits for its turn.
      if (connection.isWaiting) continue;
      this.#cut(connection);
      return true;
    }
    return false;
  }

  /**
   * All other connections are busy: a health check still gets a reply, because the oldest reserve connection is closed
   * for the newest.
   */
  #reserve(connection: Connection): void {
    connection.brief = true;
    this.#brief.add(connection);
    const [oldest] = this.#brief;
    if (this.#brief.size > bounds.connectionsReserve) this.#cut(oldest!);
  }

  #cutSlowest(): boolean {
    const [slowest] = this.#readers;
    if (!slowest || this.server.world.monotonic() - slowest.tookAt < bounds.slowReaderMs) return false;
    this.#cut(slowest);
    return true;
  }

  #cutSilent(): void {
    const now = this.server.world.monotonic();
    for (const connection of this.#readers) {
      if (now - connection.tookAt < bounds.unreadMs) break;
      this.#cut(connection);
    }
    this.#sweep =
      this.#readers.size > 0 ? this.server.world.after(bounds.unsentCheckMs, () => this.#cutSilent()) : undefined;
  }

  #cut(connection: Connection): void {
    this.#readers.delete(connection);
    connection.socket.destroy();
    this.#forget(connection);
  }

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection.name)) return;
    const left = this.#countOf.get(connection.address)! - 1;
    if (left > 0) this.#countOf.set(connection.address, left);
    else this.#countOf.delete(connection.address);
    this.turn.leave(connection);
    this.#idle.delete(connection);
    this.#brief.delete(connection);
    connection.close();
    this.#readers.delete(connection);
  }

  #shortenKeepAlive(server: Server): void {
    const isRare = this.#open.size > bounds.connections * bounds.connectionsRareShare;
    server.keepAliveTimeout = isRare ? bounds.keepAliveRareMs : bounds.keepAliveMs;
  }
}

const callerOf = ({ caller }: OpenRequest, { address }: Connection): string =>
  caller.keyId ?? (caller.origin || address);

/** A name that is the same for a TLS socket and for the TCP socket below it. */
const endpointsOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
