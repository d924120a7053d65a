/**
 * Every operation with every credential. The expected result follows from each route's scope: a request without the right is
 * answered with 401 or 403 and leaves no entry.
 */
import http from 'node:http';
import { expect } from 'chai';
import type { Scope } from '../../src/http/access/caller.js';
import type { Route } from '../../src/http/server/route.js';
import { derivedExercises, ownExercises } from '../conformance/exercises.js';
import { type Intercept, type Passing, Tamperer } from '../injection/tamperer.js';
import { through } from '../injection/through.js';
import { FakeChain } from '../node/support/chain.js';
import { Client, type Headers, type Reply } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { withToyDeals } from '../world/toy-deal.js';

interface Credential {
  readonly name: string;
  readonly headers: Headers;
  /** The scope that it grants; `none`: no key; `wrong`: an invalid key. */
  readonly grants: Scope | 'none' | 'wrong';
}

const remote = { Host: 'node.example' };
const reach = { none: 0, wrong: -1, read: 1, write: 2, admin: 3 } as const;

async function credentialsOf(node: TestNode, boundTo: string): Promise<readonly Credential[]> {
  const keyOf = async (scope: Scope, did?: string) => (await node.key({ scope, ...(did ? { did } : {}) })).key;
  const [read, write, admin] = [await keyOf('read'), await keyOf('write'), await keyOf('admin')];
  const revoked = await node.key({ scope: 'admin' });
  await (await node.keyed({ scope: 'admin' })).post(`/api/v1/admin/api-keys/${revoked.id}/revoke`);
  const expired = await node.key({ scope: 'admin', expiresAt: node.world.now() + 60_000 });
  node.world.outrun(61_000);
  const wrong = (name: string, headers: Headers): Credential => ({
    name,
    headers: { ...remote, ...headers },
    grants: 'wrong',
  });
  const keyed = (name: string, grants: Scope, headers: Headers): Credential => ({
    ...{ name, grants },
    headers: { ...remote, ...headers },
  });
  return [
    { name: 'no key, from elsewhere', headers: remote, grants: 'none' },
    { name: 'no key, from loopback', headers: {}, grants: 'write' },
    keyed('a read key', 'read', { 'X-Api-Key': read }),
    keyed('a read key as bearer', 'read', { Authorization: `Bearer ${read}` }),
    keyed('a write key', 'write', { 'X-Api-Key': write }),
    keyed('a write key bound to a DID', 'write', { 'X-Api-Key': await keyOf('write', boundTo) }),
    keyed('an admin key', 'admin', { 'X-Api-Key': admin }),
    wrong('a key that does not exist', { 'X-Api-Key': `svck_${'1'.repeat(44)}` }),
    wrong('a key in lower case', { 'X-Api-Key': admin.toLowerCase() }),
    wrong('a key that is cut off', { 'X-Api-Key': admin.slice(0, -1) }),
    wrong('a revoked key', { 'X-Api-Key': revoked.key }),
    wrong('an expired key', { 'X-Api-Key': expired.key }),
    wrong('two different keys', { 'X-Api-Key': read, Authorization: `Bearer ${admin}` }),
    wrong('a key as Basic', { Authorization: `Basic ${Buffer.from(`x:${admin}`).toString('base64')}` }),
  ];
}

/** The status with which the credential must be refused; undefined if it may pass. */
function refusalOf({ scope, open = false, path }: Route, { grants }: Credential): 401 | 403 | undefined {
  if (grants === 'wrong') return 401;
  if (open && scope !== 'admin') return undefined;
  if (grants === 'none') return 401;
  // Paths outside of the API may be read from loopback.
  if (!path.startsWith('/api/') && scope === 'read') return undefined;
  return reach[grants] >= reach[scope] ? undefined : 403;
}

/** Requests from many addresses of 127.0.0.0/8, so that none exceeds its quota. */
const fromAddress = (index: number): http.Agent =>
  new http.Agent({ localAddress: `127.1.${index % 250}.${1 + (Math.floor(index / 250) % 250)}` });

describe('Every operation under every credential', () => {
  let node: TestNode;
  let tamperer: Tamperer;
  let exercises: { readonly [route: string]: () => Promise<Reply> };
  let credentials: readonly Credential[];

  before(async () => {
    const chain = new FakeChain();
    chain.verdict = 'late';
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain, catalogue: withToyDeals } });
    node.world.hold();
    tamperer = await Tamperer.before(node.url);
    const seen = through(node, tamperer);
    const [ada, ben] = [await seen.rich(1_000_000), await seen.person()];
    const admin = await seen.keyed({ scope: 'admin' });
    exercises = { ...(await derivedExercises(seen)), ...ownExercises({ node: seen, ada, ben, admin }) };
    credentials = await credentialsOf(node, ben.did);
  });
  after(async () => {
    await tamperer?.close();
    await node?.discard();
  });

  /** Those that grant something, and one of the wrong ones, which are refused before the route is known: each in its turn. */
  const credentialsFor = (turn: number): readonly Credential[] => {
    const wrong = credentials.filter(({ grants }) => grants === 'wrong');
    return [...credentials.filter(({ grants }) => grants !== 'wrong'), wrong[turn % wrong.length]!];
  };

  it('is admitted exactly where its scope reaches', async () => {
    const wrong: string[] = [];
    let requests = 0;
    for (const route of node.running.routes) {
      const requestOf = async () => {
        let sent: Passing | undefined;
        const pass: Intercept = (request, send) => {
          sent = request;
          return send(request);
        };
        await tamperer.intercept(route, pass, exercises[route.name]!);
        return sent ?? expect.fail(`the exercise of ${route.name} sent nothing to the route`);
      };
      const { segments, query, body } = await requestOf();
      const path = segments.map(encodeURIComponent).join('/') + query;
      for (const credential of credentialsFor(node.running.routes.indexOf(route))) {
        if (route.name === 'streamEvents' && refusalOf(route, credential) === undefined) continue; // its response has no end
        requests++;
        const before = await node.store.head();
        const client = new Client(node.url, {}, fromAddress(requests));
        const reply = await client.send({ method: route.method, path, body, headers: credential.headers });
        client.close();
        const expected = refusalOf(route, credential);
        const atTheDoor = reply.status === 401 || (reply.status === 403 && /this needs scope/.test(reply.body?.detail));
        const isRight = expected === undefined ? !atTheDoor && reply.status < 500 : reply.status === expected;
        if (!isRight)
          wrong.push(`${route.name} with ${credential.name}: ${reply.status}, not ${expected ?? 'admitted'}`);
        else if (expected !== undefined) expect(await node.store.head(), route.name).to.deep.equal(before);
      }
    }
    process.stdout.write(`      ${requests} requests to ${node.running.routes.length} routes\n`);
    expect(wrong.slice(0, 20), `${wrong.length} are wrong`).to.deep.equal([]);
  });
});
