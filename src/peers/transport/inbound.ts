/** An inbound request of an authenticated peer, and its reply, as the handler sees them. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PeerBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import type { Environment } from '../../core/environment.js';
import { assert } from '../../core/refusal.js';
import { acceptsCompressed, type LineCompression } from './compression.js';
import { GrowingBuffer } from './growing-buffer.js';
import { LineSender } from './line-sender.js';
import { outflow } from './outflow.js';
import type { InboundPeer, LineWriter, PeerReply, PeerRequest } from './transport.js';

/** The connection of a request. */
export interface InboundConnection {
  readonly world: Environment;
  readonly bounds: PeerBounds;
  readonly peer: InboundPeer;
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal;
  readonly compression: LineCompression;
  readonly badInput: (count: number) => void;
  /** Counts the bytes of a body before they are read; false: too many. */
  readonly mayRead: (bytes: number) => boolean;
  /** Ends the connection of a peer that does not read. */
  readonly cut: () => void;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export class InboundReply implements PeerReply {
  #isBegun = false;

  constructor(
    private readonly message: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly connection: InboundConnection,
  ) {}

  /** Whether a reply has begun, or can't be sent any more because the peer has gone. */
  get isBegun(): boolean {
    return this.#isBegun || this.connection.signal.aborted;
  }

  async send(status: number, body?: string): Promise<boolean> {
    const { response, connection } = this;
    if (this.isBegun) return false;
    this.#isBegun = true;
    if (status >= 400 && status < 500) connection.badInput(1);
    if (connection.signal.aborted) return false;
    response.statusCode = status;
    if (body !== undefined) response.setHeader('content-type', 'application/json');
    if (status !== 204) response.setHeader('content-length', Buffer.byteLength(body ?? ''));
    // The rest of the body will not be read, so the connection can't be reused.
    if (!this.message.complete && hasBody(this.message)) response.setHeader('connection', 'close');
    response.end(body);
    if (!response.writableFinished) await outflow({ ...connection, response });
    return response.writableFinished;
  }

  open(): LineWriter {
    assert(!this.#isBegun, 'a reply is begun once');
    this.#isBegun = true;
    const compression = acceptsCompressed(this.message) ? this.connection.compression : undefined;
    return new LineSender({ ...this.connection, response: this.response, compression });
  }
}

export class InboundRequest implements PeerRequest {
  readonly did: Did;
  readonly peerId: string;
  readonly address: string;
  readonly signal: AbortSignal;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: { readonly [name: string]: string | undefined };

  constructor(
    private readonly message: IncomingMessage,
    private readonly reply: InboundReply,
    private readonly connection: InboundConnection,
  ) {
    const { did, peerId, address } = connection.peer;
    this.did = did;
    this.peerId = peerId;
    this.address = address;
    this.signal = connection.signal;
    this.method = message.method ?? '';
    const [path = '', ...query] = (message.url ?? '').split('?');
    this.path = path;
    this.query = new URLSearchParams(query.join('?'));
    this.headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
  }

  misbehaved(count = 1): void {
    this.connection.badInput(count);
  }

  async body(maxBytes: number = this.connection.bounds.requestBytes): Promise<string | undefined> {
    const bytes = await this.#bytes(maxBytes);
    if (bytes === undefined) return undefined;
    if (isUtf8(bytes)) return bytes.toString('utf8');
    void this.reply.send(400);
    return undefined;
  }

  /** Undefined if the body is too large (which is answered here), or the peer has gone. */
  #bytes(maxBytes: number): Promise<Buffer | undefined> {
    const { message, reply } = this;
    return new Promise((resolve) => {
      const body = new GrowingBuffer();
      const refuse = (status = 413) => {
        message.pause();
        void reply.send(status);
        resolve(undefined);
      };
      // Has no effect after one of the other events.
      message.once('close', () => resolve(undefined));
      const announced = Number(message.headers['content-length'] ?? maxBytes);
      if (announced > maxBytes) return refuse();
      if (hasBody(message) && !this.connection.mayRead(announced)) return refuse(429);
      message.on('data', (piece: Buffer) => {
        if (body.length + piece.length > maxBytes) refuse();
        else body.append(piece);
      });
      message.once('end', () => resolve(body.view()));
    });
  }
}
