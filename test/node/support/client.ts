/** HTTP as a stranger would speak it: no type of the node's, every header seen, connections kept. */
import http from 'node:http';

// biome-ignore lint/suspicious/noExplicitAny: a stranger knows no types; the tests look at what came
export type Body = any;
export type Headers = { readonly [name: string]: string };

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The parsed JSON; undefined where the answer had none. */
  readonly body: Body;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: Body;
  readonly headers?: Headers;
}

/** What each reply was the answer to. */
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

  /** The same node, with headers on every request. */
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

  /** A string as `body` goes out as it is. Rejects where the connection breaks: then nothing is known. */
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
