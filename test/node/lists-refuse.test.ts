/** A list applies or refuses each parameter that looks like a filter (docs/reference/requests.md#lists). */
import { expect } from 'chai';
import { parametersOf } from '../../src/http/server/paths.js';
import { expectInvalid, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { buys, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, bids, publishesTask } from './support/requester.js';

const api = '/api/v1';

describe('A parameter that looks like a filter', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let cyd: Person;
  before(async () => {
    [ada, ben, cyd] = [await node().rich(1_000), await node().rich(1_000), await node().person()];
    await accepts(ada, await bids(ben, await publishesTask(ada), { price: 7 }));
    await buys(ada, await publishes(ben));
    const escrow = { beneficiary: ben.did, amount: 3, releaseRules: [{ type: 'manual' }] };
    await ada.does(`${api}/escrows`, { ...escrow, arbiter: cyd.did });
    const draft = await ada.does(`${api}/contracts`, { provider: ben.did, terms: {} });
    for (const who of [ada, ben]) await who.does(`${api}/contracts/${draft.contractId}/actions/sign`, {});
    await ada.does(`${api}/contracts`, { provider: ben.did, terms: {} });
  });

  const get = (path: string) => node().client.get(`${api}${path}`);
  const total = async (path: string): Promise<number> => expectStatus(await get(path)).total;

  it('party selects in every list of resources, for each position, and gives a stranger none', async () => {
    const stranger = (await node().person()).did;
    for (const [path, who, others] of [
      ['/markets/tasks', [ada], [ben]],
      ['/markets/info', [ben], [ada]],
      ['/markets/search', [ada, ben], [cyd]],
      ['/markets/tasks/bids', [ada, ben], [cyd]],
      ['/orders', [ada, ben], [cyd]],
      ['/contracts', [ada, ben], [cyd]],
      ['/escrows', [ada, ben, cyd], []],
    ] as const) {
      for (const { did } of who) expect(await total(`${path}?party=${did}`), path).to.be.above(0);
      for (const did of [...others.map((each) => each.did), stranger]) {
        expect(await total(`${path}?party=${did}`), path).to.equal(0);
      }
      expectInvalid(await get(`${path}?party=${ada.did}&did=${stranger}`), 'did');
      expectInvalid(await get(`${path}?party=x`), 'did');
    }
  });

  it('names a role, in place of `did` and `role`', async () => {
    expect(await total(`/orders?buyer=${ada.did}`)).to.equal(2);
    expect(await total(`/orders?seller=${ada.did}`)).to.equal(0);
    expect(await total(`/orders?requester=${ada.did}`)).to.equal(1);
    expect(await total(`/orders?buyer=${ada.did}&did=${ada.did}&role=buyer`)).to.equal(2);
    expect(await total(`/contracts?client=${ada.did}&role=all`)).to.equal(2);
    expect(await total(`/contracts?client=${ben.did}`)).to.equal(0);
    expect(await total(`/escrows?arbiter=${cyd.did}`)).to.equal(1);
    expectInvalid(await get(`/orders?buyer=${ada.did}&seller=${ben.did}`), 'seller');
    expectInvalid(await get(`/orders?buyer=${ada.did}&role=seller`), 'buyer');
    expectInvalid(await get(`/orders?buyer=${ada.did}&did=${ben.did}`), 'buyer');
    expectInvalid(await get('/orders?buyer=x'), 'buyer');
  });

  it('state selects by the member of that name, within the status', async () => {
    const ofAda = `/contracts?did=${ada.did}`;
    expect(await total(`${ofAda}&status=draft`)).to.equal(2);
    expect(await total(`${ofAda}&state=draft`)).to.equal(1);
    expect(await total(`${ofAda}&state=signed&status=draft`)).to.equal(1);
    expect(await total(`${ofAda}&state=signed&status=active`)).to.equal(0);
    expectInvalid(await get('/contracts?state=cancelled'), 'state');
    expect(await total('/orders?state=accepted')).to.equal(1);
    expect(await total('/orders?state=paid')).to.equal(1);
    expect(await total('/markets/tasks?state=paused')).to.equal(0);
    expectInvalid(await get('/markets/tasks?state=draft'), 'statuses');
  });

  it('sorts by sortBy and sortOrder as by sort', async () => {
    const ids = async (query: string) =>
      expectStatus(await get(`/escrows?${query}`)).escrows.map(({ id }: Body) => id) as string[];
    for (const [one, other] of [
      ['sortBy=createdAt', 'sort=newest'],
      ['sortBy=date&sortOrder=asc', 'sort=oldest'],
      ['sortOrder=asc', 'sort=oldest'],
      ['sortBy=updatedAt', 'sort=updated'],
      ['sortBy=amount', 'sort=amount_asc'],
      ['sortBy=price&sortOrder=desc', 'sort=amount_desc'],
      ['sortBy=price&sortOrder=desc&sort=amount_desc', 'sort=amount_desc'],
    ]) {
      expect(await ids(one!), one).to.deep.equal(await ids(other!));
    }
    expect(await ids('sortBy=amount')).not.to.deep.equal(await ids('sortBy=amount&sortOrder=desc'));
    expectInvalid(await get('/escrows?sortBy=colour'), 'sortBy');
    expectInvalid(await get('/escrows?sortBy=updatedAt&sortOrder=asc'), 'sortOrder');
    expectInvalid(await get('/escrows?sortBy=amount&sort=newest'), 'sortBy');
  });

  it('is refused where the end of a range is before its beginning, in every list', async () => {
    const ranges: string[] = [];
    for (const { path, query } of node().running.routes) {
      for (const to of Object.keys(query?.fields ?? {})) {
        const from = to
          .replace(/^max/, 'min')
          .replace(/To$/, 'From')
          .replace(/^until$/, 'since');
        if (from === to) continue;
        const of = path.replace('/:taskId', '/lst-1').replace('/:contractId', '/ctr-1').slice(api.length);
        expectInvalid(await get(`${of}?${from}=1900000000001&${to}=1900000000000`), to);
        expect((await get(`${of}?${from}=1900000000000&${to}=1900000000000`)).status, of).to.be.oneOf([200, 404]);
        ranges.push(`${of} ${to}`);
      }
    }
    expect(ranges).to.include.members(['/events until', '/events maxAmount', '/markets/search maxPrice']);
    expect(ranges.length).to.be.above(20);
  });

  it('is refused by name on every list that lacks it, and all else is ignored', async () => {
    const lists = node().running.routes.filter(
      ({ method, name, query }) => method === 'GET' && (/^(list|stream)/.test(name) || query?.fields?.limit),
    );
    const page = ['limit', 'offset', 'page', 'pageSize', 'per_page', 'after', 'include'];
    const filters = lists
      .flatMap(({ query }) => Object.entries(query?.fields ?? {}))
      .flatMap(([name, { schema }]) => (schema.type === 'boolean' || page.includes(name) ? [] : [name]));
    expect(filters).to.include.members(['did', 'status', 'sort', 'sortBy', 'sortOrder', 'since', 'minAmount', 'tags']);
    const admin = await node().keyed({ scope: 'admin' });
    expect(lists.length).to.be.above(25);
    for (const { name, path, query } of lists.filter((each) => each.path.startsWith(api))) {
      const of = parametersOf(path).reduce(
        (at, each) => at.replace(`:${each}`, each === 'did' || each === 'address' ? ada.did : 'x'),
        path,
      );
      for (const each of new Set(['party', 'state', ...filters])) {
        const isTaken = query?.fields?.[each] || query?.aliases?.[each] || parametersOf(path).includes(each);
        if (!isTaken) expectInvalid(await admin.get(`${of}?${each}=x`), each);
      }
      if (name.startsWith('stream')) continue;
      const needed = { listNames: `&dids=${ada.did}`, listLeaves: '&resource=escrow/x' }[name] ?? '';
      const { code } = (await admin.get(`${of}?utm=a&utm=b&_=1${needed}`)).body;
      expect(code, name).not.to.equal('INVALID_REQUEST');
    }
    const said = expectInvalid(await get('/contracts?amount=5'), 'amount').detail;
    expect(said).to.match(/^amount: is no filter of this list: it has did, role, client, provider, status, /);
    for (const path of [
      `/contracts?buyer=${ada.did}`,
      '/events?escrowId=x',
      '/escrows?orderId=x',
      '/wallets?did=x',
      '/events?did=x',
      '/events/stream?minAmount=5',
      '/escrows?since=2026-01-01T00:00:00Z',
      `/reputations/${ada.did}/reviews?rating=5`,
    ]) {
      expectInvalid(await get(path), /\?(\w+)/.exec(path)![1]!);
    }
  });
});
