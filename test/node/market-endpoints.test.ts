/**
 * Every endpoint of markets, searches, orders, bids, leases and reputations gives the codes of the error table
 * (docs/reference/errors.md#codes) that all endpoints of its sort give, over HTTP. The conformance walk and
 * market-codes.test.ts cover the codes of states, roles and guards.
 */
import { expect } from 'chai';
import type { Code } from '../../src/core/refusal.js';
import type { Route } from '../../src/http/server/route.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client, Reply } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const info = '/api/v1/markets/info';
const tasks = '/api/v1/markets/tasks';
const capabilities = '/api/v1/markets/capabilities';
const reputation = '/api/v1/reputations/:did';
const on = (path: string, ...actions: readonly string[]) => actions.map((action) => `POST ${path}/actions/${action}`);

/** The endpoints, typed by hand. */
const rows: readonly string[] = [
  ...['/api/v1/markets/search', info, tasks, capabilities].map((path) => `GET ${path}`),
  ...[info, tasks, capabilities].map((path) => `POST ${path}`),
  ...[`${info}/:listingId`, `${info}/:listingId/content`, `${info}/orders/:orderId/delivery`].map(
    (path) => `GET ${path}`,
  ),
  ...on(`${info}/:listingId`, 'purchase', 'deliver', 'confirm', 'review'),
  ...[`GET ${tasks}/:listingId`, `GET ${tasks}/:taskId/bids`, `POST ${tasks}/:taskId/bids`],
  ...on(`${tasks}/:taskId/bids/:bidId`, 'accept'),
  ...on(`${tasks}/:taskId`, 'deliver', 'confirm', 'review'),
  ...[`GET ${capabilities}/:listingId`, `POST ${capabilities}/:listingId/leases`],
  `GET ${capabilities}/leases/:leaseId`,
  ...on(`${capabilities}/leases/:leaseId`, 'invoke', 'pause', 'resume', 'terminate'),
  ...[`GET ${reputation}`, `GET ${reputation}/reviews`, `POST ${reputation}/reviews`],
];

/** Ids that no resource has. */
const nowhere: { readonly [name: string]: string } = {
  listingId: 'lst-none',
  taskId: 'lst-none',
  bidId: 'bid-none',
  orderId: 'ord-none',
  leaseId: 'lease-none',
  did: 'did:svc:zNo',
};

/** The code for an unknown id: of the innermost resource of the path, or of the order that a body names. */
function unknown({ path, method, body }: Route): Code | undefined {
  if (path.startsWith(reputation)) return 'REPUTATION_INVALID';
  // The orderId in such a body names an order to be created.
  if (path.includes(':bidId')) return 'NOT_FOUND';
  if (path.includes(':orderId') || (path.includes('Id/actions/') && body?.fields?.orderId && method === 'POST')) {
    return path.endsWith('/purchase') ? 'LISTING_NOT_FOUND' : 'ORDER_NOT_FOUND';
  }
  if (path.includes(':leaseId')) return 'LEASE_NOT_FOUND';
  return path.includes(':') ? 'LISTING_NOT_FOUND' : undefined;
}

describe('Every endpoint of markets, orders and reputations', () => {
  const node = nodeForSuite();
  let routes: readonly Route[];
  let examples: Body;
  let ada: Person;
  let reader: Client;
  /** The codes that came from each `<method> <path>`. */
  const received = new Map<string, Set<Code>>();

  before(async () => {
    routes = node().running.routes.filter(({ path }) => /^\/api\/v1\/(markets|orders|reputations)(\/|$)/.test(path));
    ({ paths: examples } = expectStatus(await node().client.get('/openapi.json')));
    ada = await node().rich(100);
    reader = await node().keyed({ scope: 'read' });
  });

  const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
  const addressOf = ({ path }: Route): string => path.replace(/:(\w+)/g, (_, name: string) => nowhere[name]!);
  function exampleOf({ path }: Route): Body {
    const { post } = examples[path.replace(/:(\w+)/g, '{$1}')];
    const { did: _, passphrase: __, nonce: ___, ...own } = post.requestBody.content['application/json'].example ?? {};
    return own;
  }
  function note(route: Route, reply: Reply, code: Code): void {
    try {
      expectProblem(reply, code);
    } catch (error) {
      throw Object.assign(error as Error, { message: `${nameOf(route)}: ${(error as Error).message}` });
    }
    received.set(nameOf(route), (received.get(nameOf(route)) ?? new Set()).add(code));
  }
  const ask = (route: Route, client: Client, body: Body = {}): Promise<Reply> =>
    route.method === 'GET' ? client.get(addressOf(route)) : client.post(addressOf(route), body);
  /** An unsigned write has no nonce. */
  const write = (route: Route, body: Body): Promise<Reply> =>
    ada.write(addressOf(route), route.body?.fields?.nonce ? body : { ...body, nonce: undefined });
  const writes = () => routes.filter(({ method }) => method === 'POST');

  it('UNAUTHORIZED to an unknown key, RATE_LIMITED past the limit, METHOD_NOT_ALLOWED', async () => {
    const stranger = node().client.keyed('svck_nobodys');
    const { key } = await node().key({ scope: 'write', limits: { reads: 1, writes: 1 } });
    const hasty = node().client.keyed(key).with({ 'X-Forwarded-For': '203.0.113.9' });
    for (const [route] of [[routes.find(({ method }) => method === 'GET')!], [writes()[0]!]] as const)
      await ask(route, hasty);
    for (const route of routes) {
      note(route, await ask(route, stranger), 'UNAUTHORIZED');
      note(route, await ask(route, hasty), 'RATE_LIMITED');
      note(route, await node().client.send({ method: 'PATCH', path: addressOf(route) }), 'METHOD_NOT_ALLOWED');
    }
  });

  it('a write: FORBIDDEN to a key that reads, INVALID_REQUEST, DID_INVALID', async () => {
    for (const route of writes()) {
      note(route, await ask(route, reader, exampleOf(route)), 'FORBIDDEN');
      note(route, await ask(route, node().client), 'INVALID_REQUEST');
      note(route, await write(route, { ...exampleOf(route), did: 'did:svc:zNo' }), 'DID_INVALID');
    }
  });

  it('a list or search: INVALID_REQUEST beyond the bounds of its pages', async () => {
    const wrong = [
      'limit=0',
      'limit=101',
      'offset=-1',
      'offset=10001',
      'page=0',
      'page=2&offset=1',
      'after=x&offset=1',
    ];
    for (const route of routes.filter(({ query }) => query?.fields?.limit)) {
      // A cursor is validated by the store.
      for (const query of [...wrong, ...(route.path.includes(':') ? [] : ['after=x'])]) {
        note(
          route,
          await node().client.get(`${addressOf(route).replace('did:svc:zNo', ada.did)}?${query}`),
          'INVALID_REQUEST',
        );
      }
    }
  });

  it('unknown ids: the code of the resource that they would be, for reads and writes', async () => {
    for (const route of routes) {
      const code = unknown(route);
      if (!code) continue;
      const { orderId, ...body } = route.method === 'POST' ? exampleOf(route) : {};
      const named = orderId === undefined ? body : { ...body, orderId: nowhere.orderId };
      const signed = route.method === 'POST' ? await write(route, named) : await ask(route, node().client);
      note(route, signed, code);
    }
  });

  it('all endpoints are among them, each with every code of its sort', () => {
    const known = routes.map(nameOf);
    expect(rows.filter((row) => !known.includes(row))).to.deep.equal([]);
    for (const route of routes) {
      const { query, method, path } = route;
      const expected: Code[] = ['UNAUTHORIZED', 'RATE_LIMITED', 'METHOD_NOT_ALLOWED'];
      if (method === 'POST') expected.push('FORBIDDEN', 'INVALID_REQUEST', 'DID_INVALID');
      if (query?.fields?.limit) expected.push('INVALID_REQUEST');
      if (path.includes(':')) expected.push(unknown(route)!);
      expect([...(received.get(nameOf(route)) ?? [])], nameOf(route)).to.include.members(expected);
    }
  });
});
