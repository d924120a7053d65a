/** HTTP as a third party uses it: without the node's types, with access to all headers, and with persistent connections. */
import http from 'node:http';

// biome-ignore lint/suspicious/noExplicitAny: a third party has no types; each test knows what it expects
export type Body = any;
export type Headers = { readonly [name: string]: string };

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The parsed JSON; undefined if the response had none. */
  readonly body: Body;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: Body;
  readonly headers?: Headers;
  /** What the same call of a client had sent before. */
  readonly before?: readonly Request[];
}

/** The request of each reply. */
export const requestOf = new WeakMap<Reply, Request>();

export class Client {
  readonly #agent: http.Agent;

  constructor(
    readonly url: string,
    private readonly defaults: Headers = {},
    agent?: http.Agent,
  ) {
    this.#agent = agent ?? new http.Agent({ keepAlive: true });
  }

  /** The same client with additional headers on every request. */
  with(headers: Headers): Client {
    return new Client(this.url, { ...this.defaults, ...headers }, this.#agent);
  }

  keyed(key: string): Client {
    return this.with({ 'X-Api-Key': key });
  }

  get(path: string, headers?: Headers): Promise<Reply> {
    return this.send({ method: 'GET', path, ...(headers ? { headers } : {}) });
  }

  post(path: string, body: Body = {}, headers?: Headers): Promise<Reply> {
    return this.send({ method: 'POST', path, body, ...(headers ? { headers } : {}) });
  }

  delete(path: string): Promise<Reply> {
    return this.send({ method: 'DELETE', path });
  }

  /** A string as `body` is sent unchanged. Rejects if the connection breaks: the result is then unknown. */
  async send(request: Request): Promise<Reply> {
    const reply = await this.#exchange(request);
    requestOf.set(reply, request);
    return reply;
  }

  #exchange({ method, path, body, headers = {} }: Request): Promise<Reply> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = http.request(
        this.url + path,
        {
          method,
          agent: this.#agent,
          headers: {
            ...(text === undefined
              ? {}
              : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }),
            ...this.defaults,
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => resolve(replyOf(answer, Buffer.concat(chunks).toString('utf8'))));
        },
      );
      request.on('error', reject);
      request.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function replyOf({ statusCode = 0, headers }: http.IncomingMessage, text: string): Reply {
  const isJson = /json/.test(headers['content-type'] ?? '');
  return { status: statusCode, headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
}
