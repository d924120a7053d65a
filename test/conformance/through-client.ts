/** The published client against a node, with what really came over the wire beside what it made of it. */
import { expect } from 'chai';
import { Client } from '../../src/client/client.js';
import { ApiError } from '../../src/client/errors.js';
import type { KindShape } from '../../src/client/kind.js';
import type { WriteOptions } from '../../src/client/writes.js';
import type { AnyResource } from '../../src/machines/kernel/resource.js';
import type { Body, Reply } from '../node/support/client.js';
import type { Person } from '../node/support/person.js';

/** The client of a kind, its types forgotten. */
export interface AnyKindClient {
  create(input: Body, options: WriteOptions): Promise<unknown>;
  get(id: string): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: create and get are members, too
  readonly [action: string]: (...given: any[]) => Promise<unknown>;
}

const shapeOf = ({ kind, route, list, actions, create }: AnyResource): KindShape => ({
  kind,
  path: route.path,
  ...(create.path === undefined ? {} : { createPath: create.path }),
  idField: route.param,
  list: list.name,
  actions: Object.fromEntries(
    Object.entries(actions).map(([name, { reply = 'view', path }]) => {
      const answers = typeof reply === 'string' ? reply : 'part';
      return [name, path === undefined ? answers : { path, answers }];
    }),
  ),
});

/** @param key an API key, for reads that are for parties @returns the reply as it came; fails where the client gave or threw something else */
export async function throughClient(
  definition: AnyResource,
  person: Person,
  call: (resource: AnyKindClient, options: WriteOptions) => Promise<unknown>,
  key?: string,
): Promise<Reply> {
  let reply: Reply | undefined;
  const { did, passphrase, nonce } = person;
  const client = new Client({
    url: person.client.url,
    signer: { did, passphrase },
    ...(key === undefined ? {} : { key }),
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const text = await response.clone().text();
      const headers = Object.fromEntries(response.headers);
      reply = { status: response.status, headers, text, body: text === '' ? undefined : JSON.parse(text) };
      return response;
    },
  });
  const resource = client.resource(shapeOf(definition)) as unknown as AnyKindClient;
  try {
    expect(await call(resource, { nonce, idempotencyKey: false })).to.deep.equal(reply?.body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.problem).to.deep.equal(reply?.body);
  }
  return reply ?? expect.fail('nothing was sent');
}
