/** A proxy between a node and a chain that treats each request as the test says. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Question {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * `pass`: forwarded. `drop`: the chain does not get the request. `deafen`: the chain gets it, and the answer is lost. `twice`:
 * the chain gets it twice. A number delays it by that many ms. An object is the answer.
 */
export type Treatment = 'pass' | 'drop' | 'deafen' | 'twice' | number | { readonly answer: object };

export class RpcProxy {
  treat: (question: Question) => Treatment = () => 'pass';
  readonly seen: string[] = [];
  readonly #server: Server;
  #port = 0;

  private constructor(private readonly target: () => string) {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('error', () => {});
      request.on('end', () => {
        this.#answer(body).then(
          (answer) => (answer === undefined ? response.destroy() : response.end(answer)),
          () => response.destroy(),
        );
      });
    });
  }

  static async open(target: () => string): Promise<RpcProxy> {
    const proxy = new RpcProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.#port = (proxy.#server.address() as AddressInfo).port;
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(body: string): Promise<string | undefined> {
    const asked = JSON.parse(body) as Question | Question[];
    const all = [asked].flat();
    this.seen.push(...all.map(({ method }) => method));
    const treatments = all.map((each) => this.treat(each));
    const special = treatments.find((each) => each !== 'pass') ?? 'pass';
    if (special === 'drop') return undefined;
    if (typeof special === 'number') await new Promise((resolve) => setTimeout(resolve, special));
    if (typeof special === 'object') return JSON.stringify({ jsonrpc: '2.0', id: all[0]!.id, ...special.answer });
    const answer = await this.#forward(body);
    if (special === 'twice') await this.#forward(body);
    return special === 'deafen' ? undefined : answer;
  }

  async #forward(body: string): Promise<string> {
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch(this.target(), { method: 'POST', headers, body })).text();
  }
}
