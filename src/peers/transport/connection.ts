/** Requests and streams to one peer, over sockets that are opened when they are needed. */
import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PeerBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { formatMultiaddr } from '../../core/codecs/multiaddr.js';
import { didOfPeerId } from '../../core/codecs/peer-id.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { assert } from '../../core/refusal.js';
import { decompressed, encoding } from './compression.js';
import type { Dialer } from './dialer.js';
import { GrowingBuffer } from './growing-buffer.js';
import { LineReceiver } from './line-receiver.js';
import {
  type LineStream,
  type LineStreamOptions,
  type PeerAddress,
  type PeerConnection,
  PeerError,
  type PeerRequestOptions,
  type PeerResponse,
} from './transport.js';

export interface TlsPeerConnectionOptions {
  readonly world: Environment;
  readonly bounds: PeerBounds;
  readonly dialer: Dialer;
  readonly address: PeerAddress;
  readonly onClose: () => void;
}

/**
 * Keeps the peer's sockets. The default agent would open them itself, and its requests would not wait for the peer to
 * prove its DID.
 */
class PeerAgent extends Agent {
  constructor(
    private readonly dial: () => Promise<Duplex>,
    { socketsPerPeer }: PeerBounds,
  ) {
    super({ keepAlive: true, maxSockets: socketsPerPeer, maxFreeSockets: 1 });
  }

  /** Closes unused sockets: on a lost network a request on one of them would wait for its timeout. */
  closeFree(): void {
    for (const socket of Object.values(this.freeSockets).flat()) socket!.destroy();
  }

  override createConnection(_options: unknown, done: (error: Error | null, socket?: Duplex) => void): undefined {
    this.dial().then(
      (socket) => done(null, socket),
      (error) => done(error),
    );
    return undefined;
  }
}

interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string | undefined;
  readonly acceptsCompressed?: boolean;
  /** Monotonic ms. */
  readonly endsAt: number;
  readonly signal?: AbortSignal | undefined;
}

export class TlsPeerConnection implements PeerConnection {
  readonly did: Did;
  readonly address: PeerAddress;
  reachedAt: string | undefined;
  readonly #name: string;
  readonly #agent: PeerAgent;
  readonly #closing = new AbortController();
  #inProgress = 0;
  /** Callbacks of requests that wait for a free socket, in order. */
  readonly #waiting = new Set<() => void>();

  constructor(private readonly options: TlsPeerConnectionOptions) {
    const { address, dialer, bounds } = options;
    const did = didOfPeerId(address.peerId);
    assert(did !== undefined, 'the address of a peer has a checked peer id');
    this.did = did;
    this.address = address;
    this.#name = formatMultiaddr(address);
    this.#agent = new PeerAgent(async () => {
      const socket = await dialer.dial(address, this.#name);
      this.reachedAt = socket.remoteAddress;
      return socket;
    }, bounds);
    // One listener for each request and stream in progress.
    setMaxListeners(0, this.#closing.signal);
  }

  async request(method: 'GET' | 'POST', path: string, options: PeerRequestOptions = {}): Promise<PeerResponse> {
    const { bounds, world } = this.options;
    const { body, maxBytes = bounds.responseBytes, timeoutMs = bounds.requestMs, signal } = options;
    const outbound = { method, path, body, endsAt: world.monotonic() + timeoutMs, signal };
    const leave = await this.#turn(outbound);
    try {
      const response = await this.#answerTo(outbound);
      const release = this.#watch(outbound, response);
      try {
        return { status: response.statusCode ?? 0, body: await this.#bodyOf(response, maxBytes) };
      } finally {
        release();
      }
    } finally {
      leave();
    }
  }

  async open(path: string, options: LineStreamOptions = {}): Promise<LineStream> {
    const { bounds, world } = this.options;
    const { lineBytes = bounds.lineBytes, idleMs = bounds.idleMs, signal } = options;
    const endsAt = world.monotonic() + bounds.requestMs;
    const outbound: OutboundRequest = { method: 'GET', path, acceptsCompressed: true, endsAt, signal };
    const leave = await this.#turn(outbound);
    try {
      const source = await this.#answerTo(outbound);
      source.once('close', leave);
      if (source.statusCode !== 200) {
        source.destroy();
        throw new PeerError('status', `${this.#name}: answered ${source.statusCode} to ${path}`, source.statusCode);
      }
      const lines = decompressed(source);
      const stream = new LineReceiver({ world, bounds, lineBytes, idleMs, peer: this.#name, source, lines });
      source.once(
        'close',
        this.#onAbort(signal, () => stream.close()),
      );
      source.once('close', () => this.#agent.closeFree());
      return stream;
    } catch (error) {
      leave();
      throw error;
    }
  }

  close(): void {
    this.#closing.abort();
    this.#agent.destroy();
    this.options.onClose();
  }

  /**
   * Waits until fewer requests and streams are in progress than the peer may have sockets, because Agent counts only
   * open sockets.
   */
  async #turn(outbound: OutboundRequest): Promise<() => void> {
    for (;;) {
      if (this.#closing.signal.aborted || outbound.signal?.aborted) throw this.#error('closed', 'this side gave up');
      if (this.#inProgress < this.options.bounds.socketsPerPeer) break;
      await new Promise<void>((resolve, reject) => {
        const wake = () => {
          release();
          resolve();
        };
        const release = this.#watch(outbound, {
          destroy: (error) => {
            release();
            this.#waiting.delete(wake);
            reject(error);
          },
        });
        this.#waiting.add(wake);
      });
    }
    this.#inProgress++;
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#inProgress--;
      const [wake] = this.#waiting;
      if (!wake) return;
      this.#waiting.delete(wake);
      wake();
    };
  }

  /**
   * Resolves with the head of the response. The peer may have closed a reused socket in the meantime; the request is
   * then sent once more.
   */
  async #answerTo(outbound: OutboundRequest): Promise<IncomingMessage> {
    for (;;) {
      const sent = this.#send(outbound);
      try {
        return await this.#headOf(sent, outbound);
      } catch (error) {
        if (!sent.reusedSocket || !(error instanceof PeerError) || error.kind !== 'refused') throw error;
      }
    }
  }

  #send({ method, path, body, acceptsCompressed }: OutboundRequest): ClientRequest {
    const length = body === undefined ? undefined : Buffer.byteLength(body);
    const accepting = acceptsCompressed ? { 'accept-encoding': encoding } : {};
    const sent = httpRequest({
      method,
      path,
      agent: this.#agent,
      host: this.address.peerId,
      maxHeaderSize: this.options.bounds.headerBytes,
      headers: length === undefined ? accepting : { 'content-type': 'application/json', 'content-length': length },
    });
    sent.end(body);
    return sent;
  }

  #headOf(sent: ClientRequest, outbound: OutboundRequest): Promise<IncomingMessage> {
    const release = this.#watch(outbound, sent);
    return new Promise((resolve, reject) => {
      // Stays attached to the end, because later errors are also errors of the response.
      sent.on('error', (error) => {
        release();
        reject(this.#failureOf(error));
      });
      sent.once('response', (response) => {
        release();
        resolve(response);
      });
    });
  }

  /** Destroys what is in progress at its deadline, when the caller aborts, and when this connection is closed. */
  #watch({ endsAt, signal }: OutboundRequest, inProgress: { destroy(error: Error): unknown }): () => void {
    const { world } = this.options;
    const timer = world.after(endsAt - world.monotonic(), () => {
      inProgress.destroy(this.#error('silent', 'no complete answer in time'));
    });
    const release = this.#onAbort(signal, () => inProgress.destroy(this.#error('closed', 'this side gave up')));
    return () => {
      timer.cancel();
      release();
    };
  }

  #onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])];
    for (const each of signals) each.addEventListener('abort', act, { once: true });
    if (signals.some(({ aborted }) => aborted)) act();
    return () => {
      for (const each of signals) each.removeEventListener('abort', act);
    };
  }

  #bodyOf(response: IncomingMessage, maxBytes: number): Promise<string> {
    const body = new GrowingBuffer();
    return new Promise((resolve, reject) => {
      const fail = (error: PeerError) => {
        reject(error);
        response.destroy();
      };
      response.on('data', (piece: Buffer) => {
        if (body.length + piece.length > maxBytes) {
          fail(this.#error('too-large', `sent an answer of more than ${maxBytes} bytes`));
        } else {
          body.append(piece);
        }
      });
      response.once('end', () => {
        const bytes = body.view();
        if (isUtf8(bytes)) resolve(bytes.toString('utf8'));
        else reject(this.#error('malformed', 'sent bytes that are not UTF-8'));
      });
      response.on('error', (error) => fail(this.#failureOf(error)));
      // Has no effect after `end`.
      response.once('close', () => reject(this.#error('unreachable', 'the connection broke')));
    });
  }

  #error(kind: PeerError['kind'], what: string): PeerError {
    return new PeerError(kind, `${this.#name}: ${what}`);
  }

  #failureOf(error: NodeJS.ErrnoException): PeerError {
    if (error instanceof PeerError) return error;
    if (error.code?.startsWith('HPE_')) return this.#error('malformed', `sent no HTTP (${error.code})`);
    // In TLS 1.3 the client's handshake completes before the server has checked its certificate.
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
      return this.#error('refused', 'closed the connection before it answered');
    }
    return this.#error('unreachable', messageOf(error));
  }
}
