/** A client's connection: the requests on it that were not answered to the end, and what of the replies was not sent. */
import type { Socket } from 'node:net';
import { bounds } from '../../../core/bounds.js';
import type { RequestContext } from '../request-context.js';
import type { Connections } from './connections.js';
import { Intake } from './intake.js';

export class Connection {
  /** Of all that are open, this one. */
  readonly name: string;
  /** Where it comes from, IPv6 as its /64. */
  readonly address: string;
  readonly exchanges = new Set<RequestContext>();
  /** Answers one request and is closed: it came when there was no room. */
  brief = false;
  /** Bytes of replies in memory. */
  unsent = 0;
  /** When the client took something last, on the monotonic clock. */
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

  /** Where bytes are requests: on TLS this is the socket inside. */
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

  /** Node tells the response that is being written that its socket is gone, but not those that wait behind it. */
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
    if (this.#intake?.isWaiting) this.all.turn.wait(this);
  }

  resume(): void {
    this.#intake?.deliver();
  }

  /** The body of the latest request may come in any case. */
  #hasRoom(): boolean {
    if (this.#latest?.req.complete === false) return true;
    // What begins now is answered behind replies that the client does not take: it would only cost memory meanwhile.
    if (this.unsent > bounds.replyPieceBytes) return false;
    return this.exchanges.size < this.all.requestsEach && this.all.turn.allows(this);
  }
}
