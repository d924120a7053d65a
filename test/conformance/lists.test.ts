/**
 * Every list of the API by cursors (docs/reference/requests.md#pagination): deletions and insertions between two pages
 * neither skip nor repeat an element, and a cursor is good for one list with one sort and the same filters.
 */
import { expect } from 'chai';
import sinon from 'sinon';
import { pageFields } from '../../src/http/render/pagination.js';
import { title } from '../../src/http/routes/derived-paths.js';
import { nodeRoutes } from '../../src/http/routes/node.js';
import type { Call, Reply, Route } from '../../src/http/server/route.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { SqliteConnection } from '../../src/store/sqlite/connection.js';
import { databaseFile } from '../../src/store/sqlite/durable.js';
import { countSql, listSql } from '../../src/store/sqlite/list-search.js';
import { expectInvalid, expectStatus } from '../node/support/answers.js';
import { FakeChain } from '../node/support/chain.js';
import type { Body, Client } from '../node/support/client.js';
import { finishedDeal } from '../node/support/deals.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { publishesTask } from '../node/support/requester.js';
import { onMongo } from '../node/support/shared-store.js';
import { withToyDeals } from '../world/toy-deal.js';
import { openStage } from './stage.js';

interface List {
  readonly path: string;
  /** Adds an element. */
  readonly grow: () => Promise<unknown>;
  /** Removes an element; absent where none ever leaves the list. */
  readonly shrink?: (element: Body) => Promise<unknown>;
  readonly client?: Client;
}

/** Lists that can't have two elements in a test, with the list that has the same code. */
const sameAs: { readonly [route: string]: string } = {
  listContractDisputes: 'listTaskBids',
  listAuditReports: 'listAdminLog',
};
/** Parameters that change what is shown, or mean nothing alone. */
const noFilters = [...Object.keys(pageFields), 'include', 'role', 'sortBy', 'sortOrder'];
const keyOf = (element: Body): string => element.id ?? element.did ?? JSON.stringify(element);
const elementsOf = (body: Body): Body[] => Object.values(body).find(Array.isArray) as Body[];
const isList = ({ method, success }: Route): boolean =>
  method === 'GET' && 'pagination' in ((success.schema?.properties ?? {}) as object);

describe('Every list', () => {
  let node: TestNode;
  let lists: { readonly [route: string]: List };
  let routes: readonly Route[];

  before(async () => {
    const chain = new FakeChain();
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain, catalogue: withToyDeals } });
    routes = node.running.routes.filter(isList);
    const admin = await node.keyed({ scope: 'admin' });
    const [ada, ben] = [await node.rich(100_000), await node.rich(100_000)];
    lists = { ...(await listsOfKinds()), ...(await ownLists(ada, ben, admin)) };
  });
  after(() => node?.discard());

  async function listsOfKinds(): Promise<{ [route: string]: List }> {
    const found: { [route: string]: List } = {};
    for (const definition of requestedOf(catalogue)) {
      const stage = await openStage(node, definition);
      const list = { path: stage.base, grow: () => stage.create() };
      if (definition.route.ownReads) found.listOrders = { ...list, path: '/api/v1/orders' };
      else found[`list${title(definition.kind)}s`] = list;
      if (definition.search) found.searchMarkets = { ...list, path: '/api/v1/markets/search' };
    }
    return found;
  }

  async function ownLists(ada: Person, ben: Person, admin: Client): Promise<{ [route: string]: List }> {
    const { listingId } = await publishesTask(ada);
    const hook = expectStatus(await admin.post('/api/v1/webhooks', { url: 'http://hooks.invalid/' }), 201).id;
    let counted = 0;
    const credential = () => ({
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: ada.did,
      credentialSubject: { capability: `counting to ${++counted}` },
    });
    const keys = '/api/v1/admin/api-keys';
    const removesKey = ({ id }: Body) => admin.delete(`${keys}/${id}`);
    const { passphrase } = ada;
    const settledBy = `0x${'cd'.repeat(32)}`;
    return {
      // The kinds of a node do not change.
      listMachines: { path: '/api/v1/machines', grow: async () => undefined },
      listCapabilities: {
        path: `/api/v1/identities/${ada.did}/capabilities`,
        grow: () => ada.does(`/api/v1/identities/${ada.did}/capabilities`, { credential: credential() }),
      },
      listWallets: { path: '/api/v1/wallets', grow: () => node.rich(5) },
      listTransactions: { path: `/api/v1/wallets/${ada.did}/transactions`, grow: () => ada.pays(ben.did, 1) },
      getTransaction: {
        path: `/api/v1/transactions/${settledBy}`,
        async grow() {
          const { eventHash } = await ada.pays(ben.did, 1);
          const { entryHash, seq } = (await node.store.entryByEvent(eventHash))!;
          await node.store.appendReceipts([{ entryHash, seq, status: 'confirmed', txHash: settledBy, blockNumber: 4 }]);
        },
      },
      listReviews: {
        path: `/api/v1/reputations/${ben.did}/reviews`,
        async grow() {
          const body = { target: ben.did, dimension: 'quality', score: 900, ref: await finishedDeal(node, ada, ben) };
          return ada.does(`/api/v1/reputations/${ben.did}/reviews`, body);
        },
      },
      listTaskBids: {
        path: `/api/v1/markets/tasks/${listingId}/bids`,
        grow: async () =>
          (await node.rich()).does(`/api/v1/markets/tasks/${listingId}/bids`, { price: 1, approach: 'by hand' }),
      },
      listAdminLog: {
        path: '/api/v1/admin/log',
        client: admin,
        grow: () => admin.post(keys, { scope: 'read' }),
        shrink: ({ id }) => node.store.deleteLocal('admin-log', id),
      },
      listApiKeys: { path: keys, client: admin, grow: () => admin.post(keys, { scope: 'read' }), shrink: removesKey },
      listOwnApiKeys: {
        path: `/api/v1/identities/${ada.did}/api-keys`,
        client: admin,
        grow: () => node.client.post(`/api/v1/identities/${ada.did}/api-keys`, { passphrase }),
        shrink: removesKey,
      },
      listWebhooks: {
        path: '/api/v1/webhooks',
        client: admin,
        grow: () => admin.post('/api/v1/webhooks', { url: 'http://hooks.invalid/' }),
        shrink: ({ id }) => admin.delete(`/api/v1/webhooks/${id}`),
      },
      listDeliveries: {
        path: `/api/v1/webhooks/${hook}/deliveries`,
        client: admin,
        grow: () => admin.post(`/api/v1/webhooks/${hook}/actions/test`),
      },
    };
  }

  const read = async ({ path, client = node.client }: List, query: string): Promise<Body> =>
    expectStatus(await client.get(`${path}?${query}`));

  it('is tested here', () => {
    const tested = [...Object.keys(lists), ...Object.keys(sameAs), 'listPeers', 'listHomeWallets'];
    expect(routes.map(({ name }) => name).sort()).to.deep.equal(tested.sort());
  });

  it('continues after what was deleted, and before what was inserted', async () => {
    for (const [name, list] of Object.entries(lists)) {
      for (let made = 0; made < 4; made++) await list.grow();
      const before = elementsOf(await read(list, 'limit=100')).map(keyOf);
      expect(before.length, name).to.be.within(4, 99);
      const first = await read(list, 'limit=2');
      const [deleted, cursor] = elementsOf(first) as [Body, Body];
      await list.shrink?.(deleted);
      await list.shrink?.(cursor);
      await list.grow();
      const rest = await read(list, `limit=98&after=${first.pagination.after}`);
      const found = elementsOf(rest).map(keyOf);
      expect(
        found.filter((key) => before.includes(key)),
        name,
      ).to.deep.equal(before.slice(2));
      expect(rest.pagination, name).to.include({ hasMore: false, after: null });
    }
  });

  it('takes its cursors with the same sort and filters alone', async () => {
    for (const route of routes) {
      const list = lists[route.name];
      if (!list) continue;
      const { pagination } = await read(list, 'limit=2');
      await read(list, `limit=3&after=${pagination.after}`);
      const client = list.client ?? node.client;
      const filters = Object.entries(route.query?.fields ?? {}).flatMap(([field, { schema }]) => {
        const value = field === 'did' ? node.did : ((schema as Body).enum as string[] | undefined)?.at(-1);
        return value === undefined || noFilters.includes(field) ? [] : [`${field}=${value}`];
      });
      expect(filters.length, route.name).to.be.greaterThan('sort' in (route.query?.fields ?? {}) ? 1 : -1);
      for (const filter of filters) {
        const reply = await client.get(`${list.path}?limit=2&${filter}&after=${pagination.after}`);
        expectInvalid(reply, 'after');
      }
      const other = list.path === '/api/v1/wallets' ? '/api/v1/escrows' : '/api/v1/wallets';
      expectInvalid(await client.get(`${other}?after=${pagination.after}`), 'after');
    }
  });

  /** Each filter alone, all of them together, and each sort; for a DID that may have many resources. */
  const narrowedIn = ({ query }: Route): string[] => {
    const fields = query?.fields ?? {};
    const year = Date.UTC(2026, 0);
    const values = (field: string): string[] => (fields[field]?.schema as Body | undefined)?.enum ?? [];
    const numbers = Object.keys(fields)
      .filter((field) => /^(min|max|created|updated)/.test(field))
      .map((field) => `&${field}=${/^m/.test(field) ? 1 : year}`);
    const filters = [
      ...['role', 'status', 'state'].flatMap((field) => values(field).map((value) => `&${field}=${value}`)),
      ...numbers,
    ];
    const all = `${values('status')
      .slice(-1)
      .map((status) => `&status=${status}`)}${numbers.join('')}`;
    const sorts = values('sort').flatMap((sort) => [`&sort=${sort}`, `${all}&sort=${sort}`]);
    return ['', ...filters, ...sorts];
  };

  (onMongo ? it.skip : it)('of resources of a DID is counted and sorted without reading their rows', async () => {
    const found = sinon.spy(node.store, 'find');
    for (const route of routes.filter(({ name, query }) => lists[name] && 'did' in (query?.fields ?? {}))) {
      const { path, client = node.client } = lists[route.name]!;
      for (const query of narrowedIn(route)) expectStatus(await client.get(`${path}?did=${node.did}${query}`));
    }
    const queries = found.args.map(([query]) => query);
    found.restore();
    const connection = new SqliteConnection(databaseFile(node.dir), { cacheKiB: 1_024, readOnly: true });
    const steps = queries.flatMap(({ also = [], sort, ranges, ...first }) => {
      const selected = [first, ...also];
      return [listSql(selected, { sort, ranges }), ...selected.map((each) => countSql(each, ranges))].flatMap(
        ({ sql, values }) => {
          const limits = sql.endsWith('LIMIT ? OFFSET ?') ? [1, 0] : [];
          const rows = connection.rows<[number, number, number, string]>(
            `EXPLAIN QUERY PLAN ${sql}`,
            ...values,
            ...limits,
          );
          return rows.map(([, , , step]) => step);
        },
      );
    });
    connection.close();
    expect(queries.length).to.be.above(100);
    const readsRows = /^(SCAN|SEARCH) (?!\(subquery)(?!.*USING (COVERING INDEX|PRIMARY KEY|INDEX resources_listed))/;
    expect([...new Set(steps.filter((step) => readsRows.test(step)))]).to.deep.equal([]);
    expect(steps).to.include('SEARCH r USING COVERING INDEX resources_listed (resource=?)');
  });

  it('of peers continues by their DIDs', async () => {
    let dids = ['b', 'd', 'f', 'h'];
    const facts = { peers: { views: () => dids.map((did) => ({ did, multiaddrs: ['x'] })) } };
    const route = nodeRoutes(facts as unknown as Parameters<typeof nodeRoutes>[0]).find(
      ({ name }) => name === 'listPeers',
    )!;
    const page = async (query: object): Promise<Body> => {
      const call = { path: route.path, query: { limit: 2, ...query }, caller: {} } as unknown as Call;
      return ((await route.handle(call)) as Reply).body as Body;
    };
    const first = await page({});
    const multiaddrs: string[] = [];
    expect(first.peers).to.deep.equal([
      { did: 'b', multiaddrs },
      { did: 'd', multiaddrs },
    ]);
    dids = ['a', 'f', 'h'];
    const rest = await page({ after: first.pagination.after });
    expect(rest.peers).to.deep.equal([
      { did: 'f', multiaddrs },
      { did: 'h', multiaddrs },
    ]);
    expect(rest.pagination).to.include({ hasMore: false, after: null });
  });
});
