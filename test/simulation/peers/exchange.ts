/** One request and its response or stream, with everything that can happen to them on the way. */
import type { PeerBounds } from '../../../src/core/bounds.js';
import type { Did } from '../../../src/core/codecs/did.js';
import {
  type LineStream,
  type LineStreamOptions,
  type PeerAddress,
  PeerError,
  type PeerErrorKind,
  type PeerReply,
  type PeerRequest,
  type PeerResponse,
} from '../../../src/peers/transport/transport.js';
import { LinePipe } from './line-pipe.js';
import type { Connected, Network } from './network.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { SimulatedListener } from './transport.js';

export interface ExchangeAsked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Options of a stream, if one is requested. */
  readonly stream?: LineStreamOptions;
}

export interface ExchangeOptions {
  readonly network: Network;
  readonly client: SimulatedProcess;
  readonly asker: Did;
  readonly askerPeerId: string;
  readonly address: PeerAddress;
  readonly bounds: PeerBounds;
  readonly asked: ExchangeAsked;
  readonly onEnd: () => void;
}

/** The server's side of one delivery of the request. A duplicate has its own. */
interface Handling extends Connected {
  readonly over: AbortController;
  pipe: LinePipe | undefined;
}

/** Shared, because otherwise each abort would create an exception with a stack. */
const ended = 'the connection has ended';
const lateMs = 20_000;

export class Exchange {
  readonly response: Promise<PeerResponse>;
  readonly stream: Promise<LineStream>;
  #answer!: (response: PeerResponse) => void;
  #opened!: (stream: LineStream) => void;
  #reject: ((error: PeerError) => void)[] = [];
  /** No one waits for the response any more. */
  #isSettled = false;
  #pipe: LinePipe | undefined;
  readonly #handlings = new Set<Handling>();

  constructor(readonly options: ExchangeOptions) {
    this.response = new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#reject.push(reject);
    });
    this.stream = new Promise((resolve, reject) => {
      this.#opened = resolve;
      this.#reject.push(reject);
    });
    // Only the response or the stream is awaited.
    this.response.catch(() => {});
    this.stream.catch(() => {});
  }

  get client(): SimulatedProcess {
    return this.options.client;
  }

  get asker(): Did {
    return this.options.asker;
  }

  send(): void {
    const { network, client, asked, address } = this.options;
    if (client.reaches('before', `${asked.method} ${asked.path}`)) return;
    const timer = client.after(asked.timeoutMs, () => this.abandon('silent', 'did not answer'));
    const abort = () => this.abandon('closed', 'this side gave up');
    asked.signal?.addEventListener('abort', abort, { once: true });
    const answered = () => {
      timer.cancel();
      asked.signal?.removeEventListener('abort', abort);
    };
    void Promise.race([this.response, this.stream]).then(answered, answered);
    const to = network.nameAt(address.host);
    const link = network.link(client.name, to);
    const times = network.draws.chance(link.lossy) ? 0 : network.draws.chance(link.duplicating) ? 2 : 1;
    if (times === 0) network.scheduler.log(() => `${client.name} → ${to}: ${asked.path} is lost`);
    const isAwaited = () => !this.#isSettled && client.isAlive;
    const deliver = () => network.deliver(client.name, to, () => this.#arrive(), isAwaited);
    for (let time = 0; time < times; time++) {
      // A copy of a write may come when its sender has long gone.
      if (time > 0 && asked.path === '/view') network.scheduler.after(network.draws.below(lateMs), deliver);
      else deliver();
    }
  }

  /** The client's side ends: after a time-out, or because it was closed. */
  abandon(kind: PeerErrorKind, what: string): void {
    this.#pipe?.fail(kind, what);
    this.#fail(kind, what);
    for (const { over, server } of [...this.#handlings]) {
      this.options.network.deliver(
        this.client.name,
        server.name,
        () => over.abort(ended),
        () => server.isAlive,
      );
    }
  }

  /** The server's side ends the connection. */
  cut(): void {
    for (const handling of [...this.#handlings]) {
      handling.broken('server');
      this.options.network.deliver(handling.server.name, this.client.name, () => handling.broken('client'));
    }
  }

  #fail(kind: PeerErrorKind, what: string, status?: number): void {
    this.#isSettled = true;
    const { address, onEnd } = this.options;
    for (const reject of this.#reject) reject(new PeerError(kind, `${address.host}: ${what}`, status));
    onEnd();
  }

  #arrive(): void {
    const { network, client, address, asked } = this.options;
    const listener = network.listeners.get(address.host) as SimulatedListener | undefined;
    const refusal = this.#refusalBy(listener);
    if (refusal) {
      const back = (): void => {
        if (client.isAlive) this.#fail(...refusal);
      };
      network.deliver(network.nameAt(address.host), client.name, back);
    } else if (listener && !listener.process.reaches('before', `${asked.path} of ${client.name}`)) {
      this.#take(listener);
    }
  }

  #refusalBy(listener: SimulatedListener | undefined): [kind: PeerErrorKind, what: string] | undefined {
    if (!listener?.process.isAlive) return ['unreachable', 'no process listens'];
    if (listener.peerId !== this.options.address.peerId) return ['wrong-peer', 'proves another peer id'];
    return listener.service.admit(this.asker, '') ? undefined : ['refused', 'closed the connection'];
  }

  #take(listener: SimulatedListener): void {
    const { network, client } = this.options;
    const server = listener.process;
    const over = new AbortController();
    const handling: Handling = {
      ...{ client, server, over, pipe: undefined },
      broken: (side) => {
        if (side === 'server') over.abort(ended);
        else if (handling.pipe) handling.pipe.clientBroken();
        if (side === 'client' && !this.#isSettled) this.#fail('unreachable', 'the connection broke');
      },
    };
    this.#handlings.add(handling);
    network.connected.add(handling);
    const inbound = listener.took(this, this.asker);
    over.signal.addEventListener('abort', () => {
      handling.pipe?.serverBroken();
      this.#handlings.delete(handling);
      network.connected.delete(handling);
      listener.left(this);
    });
    void this.#handle(listener, handling, inbound.address);
  }

  async #handle(listener: SimulatedListener, handling: Handling, address: string): Promise<void> {
    const { asked, askerPeerId } = this.options;
    const { method, path, body } = asked;
    const url = new URL(path, 'http://peer');
    const request: PeerRequest = {
      ...{
        did: this.asker,
        peerId: askerPeerId,
        address,
        method,
        path: url.pathname,
        query: url.searchParams,
      },
      ...{ headers: {}, signal: handling.over.signal, body: async () => body, misbehaved: () => {} },
    };
    let isAnswered = false;
    const reply: PeerReply = {
      send: async (status, text = '') => {
        isAnswered = true;
        return this.#respond(handling, status, text);
      },
      open: () => {
        isAnswered = true;
        return this.#open(handling);
      },
    };
    try {
      await listener.service.handle(request, reply);
      if (!isAnswered) await reply.send(500);
    } catch (error) {
      listener.service.onFault(error);
      if (isAnswered) this.cut();
      else await reply.send(500);
    }
  }

  async #respond(handling: Handling, status: number, body: string): Promise<boolean> {
    const { network, client, asked } = this.options;
    const { server, over } = handling;
    if (server.reaches('before', `the response to ${asked.path}`)) return new Promise(() => {});
    if (over.signal.aborted) return false;
    const isLost = network.draws.chance(network.link(server.name, client.name).lossy);
    const arrive = () => {
      over.abort(ended);
      if (!client.isAlive || this.#isSettled) return;
      if (isLost) return this.#fail('unreachable', 'the connection broke');
      if (asked.stream) return this.#fail('status', `answered ${status}`, status);
      this.#isSettled = true;
      this.#answer({ status, body });
      this.options.onEnd();
    };
    network.deliver(server.name, client.name, arrive, () => client.isAlive && !this.#isSettled);
    return true;
  }

  #open(handling: Handling): LinePipe {
    const { network, client, bounds, asked, onEnd } = this.options;
    const { server, over } = handling;
    const pipe = new LinePipe({
      ...{ network, client, server, bounds, stream: asked.stream ?? {} },
      onClosed: () => {
        onEnd();
        network.deliver(
          client.name,
          server.name,
          () => over.abort(ended),
          () => server.isAlive,
        );
      },
      onCut: () => this.cut(),
    });
    const arrive = () => {
      if (!client.isAlive) return;
      // If a request was delivered twice, the client reads the first response; the second delivery has another connection.
      if (this.#isSettled) return handling.broken('server');
      this.#isSettled = true;
      this.#pipe = pipe;
      this.#opened(pipe);
    };
    handling.pipe = pipe;
    if (over.signal.aborted) pipe.serverBroken();
    else network.deliver(server.name, client.name, arrive, () => client.isAlive && !this.#isSettled);
    return pipe;
  }
}
