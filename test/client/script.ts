/** A fake node with a script: each answer in turn. It records the requests, and time passes at once. */
import { expect } from 'chai';
import { Client, type ClientOptions } from '../../packages/client/src/index.js';

export interface Asked {
  readonly method: string;
  /** Path and query after the root. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of the body
  readonly body: any;
}

/** An answer, or the error that fetch throws. */
export type Answer = Response | Error | ((asked: Asked) => Response | Promise<Response>);

export const url = 'http://node.test:9528';
export const ada = { did: 'did:svc:z6MkAda', passphrase: 'correct horse battery' };

export const ok = (body: object, status = 200): Response => Response.json(body, { status });

export function problem(status: number, code: string, more: object = {}, headers: Record<string, string> = {}) {
  const [suffix, constant] = classes[status]!;
  const detail = `no: ${code}`;
  return Response.json(
    {
      type: `${url}/errors/${suffix}`,
      title: 'No',
      status,
      detail,
      code,
      error: { code: constant, message: detail },
      requestId: 'r',
      ...more,
    },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );
}

const classes: { readonly [status: number]: readonly [suffix: string, constant: string] } = {
  400: ['validation-error', 'VALIDATION'],
  402: ['validation-error', 'VALIDATION'],
  404: ['not-found', 'NOT_FOUND'],
  409: ['conflict', 'CONFLICT'],
  429: ['too-many-requests', 'TOO_MANY_REQUESTS'],
  500: ['internal-error', 'INTERNAL'],
  503: ['service-unavailable', 'SERVICE_UNAVAILABLE'],
};

export class Script {
  readonly asked: Asked[] = [];
  /** Length of each wait in ms. */
  readonly waits: number[] = [];
  readonly client: Client;
  readonly #answers: Answer[];
  #keys = 0;

  constructor(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
    this.#answers = [...answers];
    this.client = new Client({
      url,
      fetch: (address, init) => this.#answer(address, init),
      environment: {
        wait: async (delayMs) => {
          this.waits.push(delayMs);
        },
        random: () => 0.5,
        newKey: () => `key-${++this.#keys}`,
      },
      ...options,
    });
  }

  /** Expects that all answers were used. */
  done(): void {
    expect(this.#answers.length, 'answers that no request asked for').to.equal(0);
  }

  async #answer(address: string, init: RequestInit): Promise<Response> {
    const asked = {
      method: init.method ?? 'GET',
      path: address.slice(url.length),
      headers: (init.headers ?? {}) as Record<string, string>,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    this.asked.push(asked);
    const answer = this.#answers.shift() ?? expect.fail(`nothing in the script answers ${asked.method} ${asked.path}`);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(asked) : answer;
  }
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  expect.fail('it did not fail');
}
