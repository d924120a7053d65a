/** A receiver of deliveries on a free port: well-behaved, slow or hostile, as the test asks. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: a receiver has no types of the API
type Body = any;

export interface Received {
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
  /** When its body was complete, in ms of a monotonic clock. */
  readonly at: number;
}

export type Answer = (received: Received, response: http.ServerResponse) => void;

export const ok: Answer = (_, response) => response.writeHead(204).end();
export const status =
  (code: number, headers: http.OutgoingHttpHeaders = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end();
export const silence: Answer = () => {};

export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = ok;
  readonly #server: http.Server;

  private constructor(tls?: https.ServerOptions) {
    const listener: http.RequestListener = (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      request.on('end', () => {
        const { url = '', headers } = request;
        const received = { url, headers, text, body: JSON.parse(text), at: performance.now() };
        this.received.push(received);
        this.answer(received, response);
      });
    };
    this.#server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  }

  static async open(tls?: https.ServerOptions): Promise<Receiver> {
    const receiver = new Receiver(tls);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Numbers of the entries in order of arrival. */
  get seqs(): number[] {
    return this.received.map(({ body }) => body.seq);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** The verification that docs/webhooks.md asks of a receiver. */
export function isGenuine({ headers, text }: Received, secret: string, now = Date.now()): boolean {
  const timestamp = String(headers['svc-webhook-timestamp']);
  if (Math.abs(now / 1_000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.${text}`).digest();
  return String(headers['svc-webhook-signature'])
    .split(',')
    .map((signature) => Buffer.from(signature.replace(/^v1=/, ''), 'hex'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
