/** Every route of the node is requested once, and has what every reply must have (docs/reference/requests.md). */
import { expect } from 'chai';
import { sha256Hex } from '../../src/core/canonical.js';
import { isRefusal } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';
import { recordedOf } from '../../src/http/openapi/recorded.js';
import type { Route } from '../../src/http/server/route.js';
import { expectPage, expectStatus, expectWritten } from '../node/support/answers.js';
import { FakeChain } from '../node/support/chain.js';
import { type Body, Client, type Reply } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { withToyDeals } from '../world/toy-deal.js';
import { derivedExercises, type Exercises, ownExercises } from './exercises.js';
import { flawsOf } from './schema.js';

describe('Every route', () => {
  let node: TestNode;
  let routes: readonly Route[];
  let exercises: Exercises;
  const replies = new Map<Route, Reply>();

  before(async () => {
    // A chain that never settles: hashes of transactions are then those of events.
    const chain = new FakeChain();
    chain.verdict = 'late';
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain, catalogue: withToyDeals } });
    node.world.hold();
    routes = node.running.routes;
    const [ada, ben] = [await node.rich(1_000), await node.person()];
    const admin = await node.keyed({ scope: 'admin' });
    exercises = { ...(await derivedExercises(node)), ...ownExercises({ node, ada, ben, admin }) };
    for (const route of routes) {
      const reply = await exercises[route.name]?.();
      if (reply) replies.set(route, reply);
    }
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what).to.equal(undefined);
  });

  it('is exercised, and nothing else is', () => {
    const names = routes.map(({ name }) => name);
    expect(new Set(names).size, 'names are unique').to.equal(names.length);
    expect(
      names.filter((name) => !exercises[name]),
      'add these to exercises.ts',
    ).to.deep.equal([]);
    expect(Object.keys(exercises).filter((name) => !names.includes(name))).to.deep.equal([]);
  });

  it('takes no label without a visible character', () => {
    const labelled = routes.filter(({ body }) => body?.fields?.label);
    expect(labelled.map(({ name }) => name)).to.have.members(['createApiKey', 'createOwnApiKey', 'createWebhook']);
    for (const { name, body } of labelled)
      for (const label of ['', ' ', '\u200b', '\u3164'])
        expect(isRefusal(is.parse(body!.fields!.label!, label)), name).to.equal(true);
  });

  it('answers with the status that it promises', () => {
    each(({ success }, { status, text }) => expect(status, text.slice(0, 300)).to.equal(success.status));
  });

  /** Each route with its reply; a failure names the route. */
  const each = (check: (route: Route, reply: Reply) => void) => {
    expect(replies.size, 'every route was reached').to.equal(routes.length);
    for (const [route, reply] of replies) {
      try {
        check(route, reply);
      } catch (error) {
        throw Object.assign(error as Error, { message: `${route.name}: ${(error as Error).message}` });
      }
    }
  };
  const isApi = ({ path }: Route): boolean => path.startsWith('/api/');

  it('carries the standing headers', () => {
    each((route, { headers }) => {
      expect(headers['x-request-id']).to.be.a('string').that.is.not.empty;
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(headers['cache-control'], 'nothing is cached unasked').to.be.a('string');
      if (isApi(route) && route.success.status !== 204 && route.name !== 'streamEvents') {
        expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      }
    });
  });

  it('answers flat JSON that fits its schema; the nonce alone is wrapped', () => {
    each((route, { body, text }) => {
      if (!isApi(route) || text === '') return;
      expect(body).to.be.an('object');
      if (route.name !== 'getNonce') expect(body, 'never a top-level data').not.to.have.property('data');
      expect(flawsOf(route.success.schema ?? {}, body)).to.deep.equal([]);
    });
  });

  it('has the members of the example in the description of the API', () => {
    each(({ name }, { body }) => {
      const { reply } = recordedOf(name);
      if (reply === undefined || name === 'openApi') return;
      expect(Object.keys(reply), 'npm run record-examples').to.have.members(Object.keys(body));
    });
  });

  it('of a signed or system write carries eventHash, nonce and txHash', () => {
    each((route, { body }) => {
      if (route.method !== 'POST' || local.includes(route.name)) return;
      expectWritten(route.name === 'batch' ? body.items[0].body : body);
    });
  });

  it('of a creation says where it is', async () => {
    for (const [route, { headers, status }] of replies) {
      if (status !== 201) continue;
      expect(headers.location, route.name).to.match(/^\/api\/v1\//);
      const client = /\/admin\/|\/api-keys\/|\/webhooks\//.test(headers.location!)
        ? await node.keyed({ scope: 'admin' })
        : node.client;
      expectStatus(await client.get(headers.location!));
    }
  });

  it('of a single resource has an ETag of its bytes', async () => {
    const vary = 'Authorization, X-Api-Key, Svc-Reader';
    each(({ method, success, path }, { headers, text, body }) => {
      if (method !== 'GET') return;
      if (success.tagged) expect(headers).to.include({ etag: `"${sha256Hex(text).slice(0, 32)}"`, vary });
      else expect(body ?? {}, path).to.not.have.property('resourcePrev');
    });
    const tagged = routes.filter(({ success }) => success.tagged).map(({ name }) => name);
    expect(tagged).to.include.members(['getWallet', 'getIdentity', 'getOrder', 'getEscrow', 'getInfoDelivery']);
  });

  it('of a list has a pagination object, and takes both spellings', async () => {
    const admin = await node.keyed({ scope: 'admin' });
    const wallet = routes.find(({ name }) => name === 'getWallet')!;
    const transferred = replies.get(routes.find(({ name }) => name === 'transfer')!)!.body.eventHash;
    const contract = replies.get(routes.find(({ name }) => name === 'createContract')!)!.body.id;
    const webhook = replies.get(routes.find(({ name }) => name === 'createWebhook')!)!.body.id;
    const task = replies.get(routes.find(({ name }) => name === 'createTaskListing')!)!.body.listingId;
    const lists = routes.filter(({ query }) => query?.fields?.pageSize);
    expect(lists.length).to.be.greaterThan(3);
    for (const route of lists) {
      const { body } = replies.get(route)!;
      expectPage(body.pagination, { limit: 20, offset: 0, page: 1 });
      const { did } = replies.get(wallet)!.body;
      const path = route.path
        .replace(/:(did|address)/, did)
        .replace(':hash', transferred)
        .replace(':contractId', contract)
        .replace(':webhookId', webhook)
        .replace(':taskId', task);
      const by = async (query: string): Promise<Body> => expectStatus(await admin.get(`${path}?${query}`));
      const [one, other] = [await by('limit=2&offset=2'), await by('pageSize=2&page=2')];
      expect(one, route.name).to.deep.equal(other);
      expectPage(one.pagination, { limit: 2, offset: 2, page: 2 });
    }
  });

  /** Parameters that a route requires. */
  const needed: { readonly [route: string]: string } = {
    listNames: '?dids=did:svc:z6MktYDLhfUviQ7EL3vNZDKkbVrybeEDMWkB7zR5ttGjYTde',
    lookUp: '?text=1',
  };

  it('a GET answers HEAD alike, without a body', async () => {
    const client = new Client(node.url, {});
    for (const route of routes.filter((each) => each.method === 'GET' && !each.path.includes(':'))) {
      if (route.scope === 'admin' || route.name === 'streamEvents') continue;
      const head = await client.send({ method: 'HEAD', path: `${route.path}${needed[route.name] ?? ''}` });
      expect([head.status, head.text], route.name).to.deep.equal([200, '']);
    }
    client.close();
  });
});

/** Writes to local records: they make no event and use no nonce. */
const local = [
  ...['createWebhook', 'enableWebhook', 'disableWebhook', 'rotateWebhookSecret', 'testWebhook', 'redeliverEvent'],
  'startAudit',
  'registerController',
  ...['openOrder', 'openLease'],
  ...['createIdentity', 'createOwnApiKey', 'revokeOwnApiKey', 'createApiKey', 'revokeApiKey'],
  ...['unlockIdentity', 'lockIdentity', 'limitPeer', 'mirrorPeer'],
];
