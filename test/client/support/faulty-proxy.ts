/** A faulty network in front of a real node: each request meets the next fault of a plan. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause, realEnvironment } from '../../../src/core/environment.js';

export type Fault =
  /** The node does not get the request. */
  | 'lost before'
  /** The node acts, and its answer is lost. */
  | 'lost after'
  /** Half of the answer arrives. */
  | 'truncated'
  /** The node gets the request twice at once; the second answer arrives. */
  | 'twice'
  /** The answer arrives after the client's time-out. */
  | 'slow'
  | 429
  | 503
  | 'none';

interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export class FaultyProxy {
  /** How often each fault occurred. */
  readonly met = new Map<Fault, number>();
  readonly #server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));

  private constructor(
    private readonly target: string,
    private readonly next: (method: string, path: string) => Fault,
    private readonly slowMs: number,
  ) {}

  /** @param next the fault for a request */
  static async open(
    target: string,
    next: (method: string, path: string) => Fault,
    slowMs = 1_400,
  ): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, next, slowMs);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const fault = this.next(incoming.method ?? 'GET', incoming.url ?? '/');
    this.met.set(fault, (this.met.get(fault) ?? 0) + 1);
    if (fault === 'lost before') return void outgoing.destroy();
    if (fault === 429 || fault === 503) return refuse(outgoing, fault);
    if (incoming.url?.includes('/stream')) return this.#stream(incoming, outgoing, fault);
    const asked = [this.#ask(incoming, body), ...(fault === 'twice' ? [this.#ask(incoming, body)] : [])];
    const answer = (await Promise.all(asked)).at(-1)!;
    if (fault === 'lost after') return void outgoing.destroy();
    if (fault === 'slow') await pause(realEnvironment, this.slowMs);
    // The declared length is that of the whole body, of which only a part follows.
    outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
    if (fault !== 'truncated') return void outgoing.end(answer.body);
    outgoing.write(answer.body.subarray(0, Math.floor(answer.body.length / 2)), () => outgoing.destroy());
  }

  /** Forwards a stream as it arrives. `truncated` cuts it in the middle of the third entry, however it is split into chunks. */
  #stream({ url, headers }: IncomingMessage, outgoing: ServerResponse, fault: Fault): void {
    const { host: _, ...rest } = headers;
    const asking = request(new URL(url ?? '/', this.target), { agent: false, headers: rest });
    asking.on('response', (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      let passed = '';
      reply.setEncoding('latin1').on('data', (chunk: string) => {
        const begun = passed.length;
        passed += chunk;
        const third = fault === 'truncated' ? placeOf('\ndata:', 3, passed) : -1;
        if (third === -1) return outgoing.write(chunk, 'latin1');
        outgoing.write(passed.slice(begun, Math.max(begun, third + 20)), 'latin1', () => outgoing.destroy());
        return reply.destroy();
      });
      reply.on('error', () => outgoing.destroy());
    });
    asking.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asking.destroy());
    asking.end();
  }

  async #ask({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answered> {
    const { host: _, 'content-length': __, 'transfer-encoding': ___, ...rest } = headers;
    const asking = request(new URL(url ?? '/', this.target), {
      method,
      agent: false,
      headers: { ...rest, connection: 'close', ...(body.length > 0 ? { 'content-length': body.length } : {}) },
    });
    asking.end(body);
    const [reply] = (await once(asking, 'response')) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of reply) parts.push(part as Buffer);
    const { 'transfer-encoding': ____, connection: _____, ...kept } = reply.headers;
    return { status: reply.statusCode ?? 500, headers: kept, body: Buffer.concat(parts) };
  }
}

/** @returns position of the n-th occurrence of a word; -1 if there is none */
function placeOf(word: string, nth: number, text: string): number {
  let place = -1;
  for (let found = 0; found < nth; found++) {
    place = text.indexOf(word, place + 1);
    if (place === -1) return -1;
  }
  return place;
}

/** An error of an intermediary, without a problem document. */
function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'Retry-After': '1', 'Content-Type': 'text/plain' });
  outgoing.end('later');
}
