/** A proxy between a caller and a node that replaces one request by others and forwards all the rest. */
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

export type Change = (request: Passing) => Passing;

/** Handles a request; may `send` others to the node instead. @returns the reply that the caller gets */
export type Intercept = (request: Passing, send: (request: Passing) => Promise<Reply>) => Promise<Reply>;

interface Waiting {
  readonly route: Route;
  readonly intercept: Intercept;
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
  /** Called around each request that is sent instead. */
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

  /** Runs a function that sends a request to the route, and intercepts the first such request. @returns whether there was one */
  async intercept(route: Route, intercept: Intercept, run: () => Promise<unknown>): Promise<boolean> {
    this.#waiting = { route, intercept };
    // The function may fail, because the answer to another request is not the one that it expects.
    await run().catch(() => {});
    const wasSent = this.#waiting === undefined;
    this.#waiting = undefined;
    if (this.#failure !== undefined) throw this.#failure;
    return wasSent;
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
    const text = Buffer.concat(chunks).toString();
    for (const [did] of text.matchAll(/did:svc:\w+/g)) this.named.add(did);
    const waiting = this.#waiting;
    const isIt = waiting !== undefined && isOf(waiting.route, request);
    const reply = await (isIt ? this.#replace(request, text, waiting) : this.#send(request, request.url!, text));
    const { 'transfer-encoding': _, 'content-length': __, connection: ___, ...headers } = reply.headers;
    response.writeHead(reply.status, headers).end(reply.text);
  }

  #replace(request: http.IncomingMessage, text: string, { intercept }: Waiting): Promise<Reply> {
    this.#waiting = undefined;
    const url = new URL(request.url!, 'http://x');
    const original = {
      segments: segmentsOf(url.pathname),
      query: url.search,
      body: text === '' ? undefined : JSON.parse(text),
    };
    return intercept(original, ({ segments, query, body }) => {
      const target = segments.map(encodeURIComponent).join('/') + query;
      return this.around(() => this.#send(request, target, body === undefined ? '' : JSON.stringify(body)));
    });
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
