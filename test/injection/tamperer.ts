/** A proxy between a caller and a node that changes one request and forwards all others. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Route } from '../../src/http/server/route.js';
import type { Body, Reply } from '../node/support/client.js';

/** A request on its way to the node. */
export interface Passing {
  /** Decoded segments of the path, with the values of its parameters. */
  readonly segments: readonly string[];
  readonly query: string;
  readonly body: Body;
}

export interface Outcome {
  readonly sent: Passing;
  readonly reply: Reply;
}

export type Change = (request: Passing) => Passing;

interface Waiting {
  readonly route: Route;
  readonly change: Change;
  outcome?: Outcome;
}

const segmentsOf = (path: string): string[] => path.split('/').map(decodeURIComponent);

function isOf({ method, path }: Route, request: http.IncomingMessage): boolean {
  const wanted = path.split('/');
  const found = segmentsOf(new URL(request.url!, 'http://x').pathname);
  if (request.method !== method || wanted.length !== found.length) return false;
  return wanted.every((part, index) => part.startsWith(':') || part === found[index]);
}

export class Tamperer {
  readonly #server: http.Server;
  readonly #agent = new http.Agent({ keepAlive: true });
  #waiting: Waiting | undefined;
  #failure: unknown;
  /** Every DID in a forwarded body. */
  readonly named = new Set<string>();
  /** Called around the one changed request. */
  around: (send: () => Promise<Reply>) => Promise<Reply> = (send) => send();

  private constructor(private readonly node: string) {
    this.#server = http.createServer((request, response) => {
      this.#pass(request, response).catch((error: unknown) => {
        this.#failure ??= error;
        response.destroy();
      });
    });
    this.#server.unref();
  }

  static async before(node: string): Promise<Tamperer> {
    const tamperer = new Tamperer(node);
    tamperer.#server.listen(0, '127.0.0.1');
    await once(tamperer.#server, 'listening');
    return tamperer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Runs a function that sends a request to the route, and changes that request. @returns the outcome, or why there is none */
  async change(route: Route, change: Change, run: () => Promise<unknown>): Promise<Outcome | string> {
    const waiting: Waiting = { route, change };
    this.#waiting = waiting;
    // The function may fail, because the answer to a changed request is not the one that it expects.
    const failure = await run().then(() => 'it sent nothing to the route', String);
    this.#waiting = undefined;
    if (this.#failure !== undefined) throw this.#failure;
    return waiting.outcome ?? failure;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    let text = Buffer.concat(chunks).toString();
    for (const [did] of text.matchAll(/did:svc:\w+/g)) this.named.add(did);
    let target = request.url!;
    const waiting = this.#waiting;
    const isIt = waiting !== undefined && isOf(waiting.route, request);
    let sent: Passing | undefined;
    if (isIt) {
      this.#waiting = undefined;
      const url = new URL(target, 'http://x');
      const body = text === '' ? undefined : JSON.parse(text);
      sent = waiting.change({ segments: segmentsOf(url.pathname), query: url.search, body });
      target = sent.segments.map(encodeURIComponent).join('/') + sent.query;
      text = sent.body === undefined ? '' : JSON.stringify(sent.body);
    }
    const send = () => this.#send(request, target, text);
    const reply = await (isIt ? this.around(send) : send());
    if (isIt) waiting.outcome = { sent: sent!, reply };
    const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...headers } = reply.headers;
    response.writeHead(reply.status, headers).end(reply.text);
  }

  #send({ method, headers }: http.IncomingMessage, path: string, text: string): Promise<Reply> {
    const { host: _, 'content-length': __, 'transfer-encoding': ___, connection: ____, ...rest } = headers;
    const length = text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: { ...rest, ...length } };
      const request = http.request(this.node + path, options, async (answer) => {
        const { statusCode: status = 0 } = answer;
        const isEndless = /event-stream/.test(answer.headers['content-type'] ?? '');
        if (isEndless) answer.destroy();
        const parts: Buffer[] = [];
        if (!isEndless) for await (const part of answer) parts.push(part as Buffer);
        const body = Buffer.concat(parts).toString();
        const isJson = /json/.test(answer.headers['content-type'] ?? '') && body !== '';
        resolve({ status, headers: answer.headers, text: body, body: isJson ? JSON.parse(body) : undefined });
      });
      request.on('error', reject);
      request.end(text);
    });
  }
}
