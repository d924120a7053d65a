/** Uses the published client against a node, and compares its result with the response that came over the wire. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { ApiError } from '../../packages/client/src/errors.js';
import type { KeyCredentials } from '../../packages/client/src/signing/key-writes.js';
import type { WriteOptions } from '../../packages/client/src/write-options.js';
import type { SignerCredentials } from '../../packages/client/src/writes.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { shapeOf } from '../client/support/shape.js';
import { type Body, type Reply, type Request, requestOf } from '../node/support/client.js';
import type { TestNode } from '../node/support/node.js';

/** The client of a kind without its types. */
export interface AnyKindClient {
  create(input: Body, options: WriteOptions): Promise<unknown>;
  get(id: string): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: create and get are members too
  readonly [action: string]: (...given: any[]) => Promise<unknown>;
}

/** One person's client, for one request at a time. */
export class Wire {
  readonly #client: Promise<Client>;
  readonly #kinds = new Map<string, AnyKindClient>();
  #reply: Reply | undefined;
  #requests: Request[] = [];

  /**
   * @param key an API key for reads that only parties may make
   * @param from the node of the person's own home, if that is another
   */
  constructor(
    { url: root, world, did }: TestNode,
    signer: SignerCredentials | KeyCredentials,
    key?: string,
    from?: TestNode,
  ) {
    const its = key === undefined ? {} : { key };
    const client = new Client({
      url: from?.url ?? root,
      signer,
      environment: { now: () => world.now() },
      ...(from ? {} : its),
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const { status, headers } = response;
        const text = await response.text();
        const body = text === '' ? undefined : JSON.parse(text);
        this.#reply = { status, headers: Object.fromEntries(headers), text, body };
        const request = {
          method: init?.method ?? 'GET',
          path: String(url).slice(root.length),
          ...(typeof init?.body === 'string' ? { body: JSON.parse(init.body) } : {}),
        };
        requestOf.set(this.#reply, { ...request, before: [...this.#requests] });
        this.#requests.push(request);
        return new Response(text, { status, headers });
      },
    });
    this.#client = from ? client.at(did, its) : Promise.resolve(client);
  }

  /** @returns the response; fails if the client returned or threw something else */
  async send(definition: AnyResource, call: (resource: AnyKindClient) => Promise<unknown>): Promise<Reply> {
    const resource = await this.#resource(definition);
    this.#reply = undefined;
    this.#requests = [];
    try {
      const given = await call(resource);
      mustEqual(given, this.#sent().body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      mustEqual(error.problem, this.#sent().body);
    }
    return this.#sent();
  }

  #sent(): Reply {
    return this.#reply ?? expect.fail('nothing was sent');
  }

  async #resource(definition: AnyResource): Promise<AnyKindClient> {
    const { kind } = definition;
    const client = await this.#client;
    const known = this.#kinds.get(kind) ?? (client.resource(shapeOf(definition)) as unknown as AnyKindClient);
    this.#kinds.set(kind, known);
    return known;
  }
}

/** chai shows the difference but is slow, so it is used only after a quick comparison fails. */
function mustEqual(given: unknown, came: unknown): void {
  if (!isDeepStrictEqual(given, came)) expect(given).to.deep.equal(came);
}
