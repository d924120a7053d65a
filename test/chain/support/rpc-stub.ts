/** A JSON-RPC server that answers as the test says, correctly or not. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export type Behaviour = (asked: Asked | readonly Asked[], response: ServerResponse, request: IncomingMessage) => void;

export const result = (asked: Asked, value: unknown): object => ({ jsonrpc: '2.0', id: asked.id, result: value });

export class RpcStub {
  readonly asked: (Asked | readonly Asked[])[] = [];
  behaviour: Behaviour = (_, response) => response.destroy();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      request.on('end', () => {
        const asked = JSON.parse(text) as Asked | Asked[];
        this.asked.push(asked);
        this.behaviour(asked, response, request);
      });
    });
  }

  static async open(): Promise<RpcStub> {
    const stub = new RpcStub();
    await new Promise<void>((resolve) => stub.#server.listen(0, '127.0.0.1', resolve));
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requested methods in order. */
  get methods(): string[] {
    return this.asked.flat().map((each) => (each as Asked).method);
  }

  /** Answers every request with this value. */
  says(value: unknown): void {
    this.behaviour = (asked, response) =>
      response.end(
        JSON.stringify(Array.isArray(asked) ? asked.map((each) => result(each, value)) : result(asked as Asked, value)),
      );
  }

  /** The first `times` requests behave as `bad` says, later ones are answered with the value. */
  failsFirst(times: number, bad: Behaviour, value: unknown): void {
    let left = times;
    const good = () => {
      this.says(value);
      return this.behaviour;
    };
    this.behaviour = (...all) => (left-- > 0 ? bad(...all) : good()(...all));
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
