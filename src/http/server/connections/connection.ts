/** A client's connection: its unfinished requests, and the bytes of replies that are not sent yet. */
import type { Socket } from 'node:net';
import { bounds } from '../../../core/bounds.js';
import type { RequestContext } from '../request-context.js';
import type { Connections } from './connections.js';
import { Intake } from './intake.js';

export class Connection {
  /** Unique among the open connections. */
  readonly name: string;
  /** Remote address, IPv6 as its /64. */
  readonly address: string;
  readonly exchanges = new Set<RequestContext>();
  /** Accepted beyond the limit: it gets one reply and is closed. */
  brief = false;
  /** Bytes of replies in memory. */
  unsent = 0;
  /** When the client last read something, on the monotonic clock. */
  tookAt = 0;
  #intake: Intake | undefined;
  #latest: RequestContext | undefined;

  constructor(
    private readonly all: Connections,
    public socket: Socket,
    { name, address }: { readonly name: string; readonly address: string },
  ) {
    this.name = name;
    this.address = address;
  }

  /** Starts on the socket whose bytes are HTTP: on TLS, the decrypted one. */
  serve(socket: Socket): void {
    this.socket = socket;
    this.#intake = new Intake(socket, () => this.#hasRoom(), this.all.unparsed);
  }

  begin(exchange: RequestContext): void {
    this.#latest = exchange;
    this.exchanges.add(exchange);
    this.#intake?.expectBodyOf(exchange.req);
    exchange.res.once('close', () => this.#end(exchange));
    this.all.began(this);
  }

  /** Node tells the response being written that its socket has closed, but not the responses queued behind it. */
  close(): void {
    for (const exchange of [...this.exchanges]) {
      this.#end(exchange);
      if (exchange.res.socket) continue;
      exchange.res.destroy();
      exchange.res.emit('close');
    }
  }

  #end(exchange: RequestContext): void {
    if (!this.exchanges.delete(exchange)) return;
    this.all.release(exchange, exchange.held);
    this.all.ended(this);
    if (this.isWaiting) this.all.turn.wait(this);
  }

  /** Bytes of a request have come, and it has not begun. */
  get isWaiting(): boolean {
    return this.#intake?.isWaiting === true;
  }

  resume(): void {
    this.#intake?.deliver();
  }

  /** The body of the current request is always let through. */
  #hasRoom(): boolean {
    if (this.#latest?.req.complete === false) return true;
    // A request that starts now would queue behind replies that the client does not read: it would only cost memory.
    if (this.unsent > bounds.replyPieceBytes) return false;
    return this.exchanges.size < this.all.requestsEach && this.all.turn.allows(this);
  }
}
