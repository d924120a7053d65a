/** Other homes' listings and identities over HTTP, from an index filled by hand (docs/reference/other-homes.md). */
import { expect } from 'chai';
import { createLog } from '../../src/core/log.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { didOf, ben as seller } from '../world/people.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { DescribedClient, Description } from './support/described.js';
import { HandmadeCards } from './support/handmade-cards.js';
import { publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const [north, south] = [didOf('north'), didOf('south')];
const tag = (home: string): string => home.slice(12, 20);
const asOf = 1_700_000_000_000;
const search = '/markets/search';
/** What was logged. */
const logged: Body[] = [];
const destination = { write: (line: string) => void logged.push(JSON.parse(line)) };

describe('Cards of other homes', () => {
  const cards = new HandmadeCards();
  const node = nodeForSuite({ parts: { cards, log: createLog({ level: 'warn', destination }) } });
  let client: DescribedClient;
  let own: Person;
  /** Before everything that this node has. */
  let past: number;

  const get = async (path: string, status = 200): Promise<Body> =>
    expectStatus(await client.get(`/api/v1${path}`), status);
  const refused = async (path: string) => client.get(`/api/v1${path}`);
  const named = ({ id, home }: Body): string =>
    home === undefined ? id : `${id} ${home === north ? 'north' : 'south'}`;
  const ids = async (query: string, path = search): Promise<string[]> =>
    (await get(`${path}?${query}`)).listings.map(named);
  const problems = () => logged.filter(({ msg }) => msg === 'a card of another home cannot be shown');

  before(async () => {
    client = new DescribedClient(node().url, new Description((await node().client.get('/openapi.json')).body));
    own = await node().rich(1_000);
    past = node().world.now() - 1_000_000;
    cards.follow(north, asOf);
    cards.follow(south);
    for (const [id, price] of [
      ['lst-own', 20],
      ['lst-same', 40],
    ] as const)
      await publishes(own, { listingId: id, title: 'Rain', category: 'rain', pricing: { price } });
    const rain = { title: 'Rain', category: 'rain' };
    const future = node().world.now() + 1_000_000;
    const listing = { seller, at: past };
    await cards.listing(infoListing, {
      ...listing,
      home: north,
      id: 'lst-north',
      body: { ...rain, pricing: { price: 10 } },
    });
    await cards.listing(infoListing, {
      ...listing,
      home: north,
      id: 'lst-same',
      body: { ...rain, pricing: { price: 30 } },
    });
    await cards.listing(infoListing, {
      ...listing,
      home: north,
      id: 'lst-both',
      body: { ...rain, pricing: { price: 50 } },
    });
    await cards.listing(infoListing, {
      ...{ ...listing, home: south, id: 'lst-both', at: future, body: { ...rain, pricing: { price: 60 } } },
      stats: { orders: 7, completedOrders: 2, ratingSum: 9, ratingCount: 2 },
    });
    await cards.listing(taskListing, {
      ...{ ...listing, home: south, id: 'lst-task' },
      stats: { orders: 0, completedOrders: 0, ratingSum: 0, ratingCount: 0, bidCount: 3 },
    });
    await cards.listing(capabilityListing, { ...listing, home: south, id: 'lst-lease' });
    await cards.identity({ home: north, id: seller, at: past, document: { displayName: 'Ben of the north' } });
    await cards.identity({ home: south, id: seller, at: past + 1, document: { displayName: 'Ben of the south' } });
  });
  after(() => client.close());

  const rainy = 'category=rain';
  const orders: { readonly [query: string]: readonly string[] } = {
    'sort=newest': ['lst-both south', 'lst-same', 'lst-own', 'lst-same north', 'lst-north north', 'lst-both north'],
    'sort=price_asc': ['lst-north north', 'lst-own', 'lst-same north', 'lst-same', 'lst-both north', 'lst-both south'],
    'sort=price_desc': ['lst-both south', 'lst-both north', 'lst-same', 'lst-same north', 'lst-own', 'lst-north north'],
  };

  for (const [query, expected] of Object.entries(orders)) {
    it(`${query} is one list, by pages and by cursors`, async () => {
      expect(await ids(`${rainy}&${query}`)).to.have.ordered.members(expected);
      for (const limit of [1, 2, 4]) {
        const [byPage, byCursor]: [string[], string[]] = [[], []];
        for (let page = 1; byPage.length < expected.length; page++)
          byPage.push(...(await ids(`${rainy}&${query}&page=${page}&pageSize=${limit}`)));
        for (let after: string | null = ''; after !== null; ) {
          const found = await get(`${search}?${rainy}&${query}&limit=${limit}${after && `&after=${after}`}`);
          byCursor.push(...found.listings.map(named));
          after = found.pagination.after;
        }
        expect(byPage).to.have.ordered.members(expected);
        expect(byCursor).to.have.ordered.members(expected);
      }
    });
  }

  it('counts all homes in totals and facets, in the search and in each market', async () => {
    for (const path of [search, '/markets/info']) {
      const { total, pagination, facets } = await get(`${path}?${rainy}&includeFacets=true&pageSize=1`);
      expect(total).to.equal(6);
      expect(pagination).to.include({ total: 6, hasMore: true });
      expect(facets.categories).to.deep.equal([{ key: 'rain', count: 6 }]);
      expect(facets.price).to.deep.equal([{ key: '10-99', count: 6 }]);
      expect(facets).to.have.all.keys('markets', 'categories', 'tags', 'types', 'price');
    }
    expect(await ids('', '/markets/tasks')).to.deep.equal(['lst-task south']);
    expect(await ids('q=speech')).to.deep.equal(['lst-lease south']);
    expect(await ids(`seller=${seller}&maxPrice=10`)).to.have.members(['lst-north north', 'lst-lease south']);
  });

  it('lists one home, by DID or tag', async () => {
    const mine = ['lst-same', 'lst-own'];
    for (const home of ['own', node().did, tag(node().did)])
      expect(await ids(`${rainy}&sort=newest&home=${home}`)).to.have.ordered.members(mine);
    for (const home of [south, tag(south)]) {
      expect(await ids(`${rainy}&home=${home}`, '/markets/info')).to.deep.equal(['lst-both south']);
      const { total, facets } = await get(`${search}?home=${home}&includeFacets=true`);
      expect(total).to.equal(3);
      expect(facets.markets).to.have.length(3);
    }
    for (const home of [didOf('nobody'), tag(south).slice(1), 'x', 'OWN'])
      expectInvalid(await refused(`${search}?home=${home}`), 'home');
    expectInvalid(await refused(`/markets/tasks?home=x`), 'home');
  });

  it('ranks no card by reputation or rating', async () => {
    expect((await ids(`${rainy}&sort=rating`)).at(0), 'equal ones: the newest').to.equal('lst-both south');
    expect((await ids(`${rainy}&minRating=1`)).filter((each) => each.includes(' '))).to.deep.equal([]);
    expect((await ids(`${rainy}&minReputation=1`)).filter((each) => each.includes(' '))).to.deep.equal([]);
  });

  it('shows a listing as its home does, with home and time', async () => {
    const view = await get('/markets/info/lst-north');
    const mine = await get('/markets/info/lst-own');
    const { permittedActions: _, ...members } = mine;
    expect(Object.keys(view)).to.have.members([...Object.keys(members), 'home', 'asOf']);
    expect(view).to.include({
      id: 'lst-north',
      listingId: 'lst-north',
      seller,
      title: 'Rain',
      home: north,
      asOf,
      createdAt: past,
    });
    expect(view.stats).to.deep.equal({ orders: 0, completedOrders: 0, averageRating: null, ratingCount: 0 });
    const [listed] = (await get(`${search}?home=${north}&maxPrice=10&include=permittedActions`)).listings;
    expect(listed).to.deep.equal(view);
    expect(mine).not.to.have.any.keys('home', 'asOf');
    const south1 = await get(`/markets/info/lst-both~${tag(south)}`);
    expect(south1).to.include({ home: south }).and.not.to.have.property('asOf');
    expect(south1.stats).to.deep.equal({ orders: 7, completedOrders: 2, averageRating: 4.5, ratingCount: 2 });
    const { bidding } = await get('/markets/tasks/lst-task');
    expect(bidding).to.include({ bidCount: 3, open: true });
  });

  it('closes the bidding of a task by the number of its bids', async () => {
    await cards.listing(taskListing, {
      ...{ seller, home: north, id: 'lst-full', at: past, body: { bidding: { maxBids: 2 } } },
      stats: { orders: 0, completedOrders: 0, ratingSum: 0, ratingCount: 0, bidCount: 2 },
    });
    expect((await get('/markets/tasks/lst-full')).bidding).to.include({ bidCount: 2, open: false });
    await cards.listing(taskListing, { seller, home: north, id: 'lst-awarded', at: past, state: 'active.awarded' });
    const awarded = await get('/markets/tasks/lst-awarded');
    expect(awarded).to.include({ status: 'active', substate: 'awarded' });
    expect(awarded.bidding).to.include({ bidCount: 0, open: false, orderId: null });
  });

  it('finds its own by a bare id, else the only one, else asks which', async () => {
    expect(named(await get('/markets/info/lst-same'))).to.equal('lst-same');
    for (const text of [tag(node().did), node().did])
      expect(named(await get(`/markets/info/lst-same~${text}`))).to.equal('lst-same');
    for (const text of [tag(north), north, north.slice(12)])
      expect(named(await get(`/markets/info/lst-same~${text}`))).to.equal('lst-same north');
    const { detail } = expectProblem(await refused('/markets/info/lst-both'), 'CONFLICT');
    for (const home of [north, south]) expect(detail).to.include(`lst-both~${tag(home)}`);
    await cards.listing(infoListing, {
      seller,
      home: north,
      id: 'lst-closed',
      at: past,
      body: { visibility: 'private' },
    });
    for (const text of [
      'lst-closed',
      'lst-nowhere',
      `lst-same~${tag(south)}`,
      'lst-same~',
      'lst-same~x',
      'lst-task',
      'lst%25~',
      '~',
      `lst-own~${tag(north)}`,
    ])
      expectProblem(await refused(`/markets/info/${text}`), 'LISTING_NOT_FOUND');
  });

  it('refuses writes on what another home has, after what is wrong otherwise', async () => {
    const path = (text: string, action = 'purchase') => `/api/v1/markets/info/${text}/actions/${action}`;
    const elsewhere = async (at: string, home: string, body: Body = {}) => {
      const refusal = expectProblem(await own.through(client).write(at, body), 'UNPROCESSABLE');
      expect(refusal).to.include({ home: north.includes(home) ? north : south });
      expect(refusal.detail).to.include(home);
    };
    const before = await node().state();
    await elsewhere(path('lst-north'), north);
    for (const home of [north, tag(north)]) await elsewhere(path(`lst-same~${home}`), north);
    for (const action of ['pause', 'update'])
      await elsewhere(path('lst-north', action), north, action === 'update' ? { title: 'x' } : {});
    await elsewhere(path('lst-north', 'confirm'), north);
    await elsewhere(path('lst-north', 'confirm'), north, { orderId: 'ord-nowhere' });
    await elsewhere('/api/v1/markets/tasks/lst-task/bids', south, { price: 1, timeline: 'soon', approach: 'x' });
    await elsewhere('/api/v1/markets/tasks/lst-task/bids/bid-1/actions/accept', south);
    await elsewhere('/api/v1/markets/capabilities/lst-lease/leases', south, { plan: { budget: 100 } });
    const both = expectProblem(await own.write(path('lst-both'), {}), 'CONFLICT');
    expect(both.detail).to.include(`lst-both~${tag(south)}`);
    const mine = expectProblem(await own.write(path(`lst-own~${tag(node().did)}`), {}), 'UNPROCESSABLE');
    expect(mine.detail).to.include('name it lst-own');
    expect(await node().state()).to.deep.equal(before);

    // What is refused earlier than an unknown listing is refused earlier here as well.
    for (const [action, body, code] of [
      ['purchase', { quantity: 0 }, 'INVALID_REQUEST'],
      ['pause', { passphrase: 'wrong' }, 'LISTING_NOT_FOUND'],
      ['pause', { nonce: 99 }, 'LISTING_NOT_FOUND'],
      ['pause', { prev: 'a'.repeat(64) }, 'LISTING_NOT_FOUND'],
    ] as const) {
      expectProblem(await own.write(path('lst-nowhere', action), body), code);
      const here = code === 'LISTING_NOT_FOUND' ? 'UNPROCESSABLE' : code;
      const { detail } = expectProblem(await own.write(path('lst-north', action), body), here);
      if (here === 'UNPROCESSABLE') expect(detail).to.include(north);
    }
    const other = await node().keyed({ did: didOf('nobody'), scope: 'write' });
    expectProblem(await other.post(path('lst-north', 'pause'), own.signed), 'FORBIDDEN');
    // What this node has, or no home, is answered as ever.
    expectProblem(await own.write(path('lst-nowhere')), 'LISTING_NOT_FOUND');
    expectProblem(await own.write(path(`lst-nowhere~${tag(north)}`)), 'LISTING_NOT_FOUND');
    expectProblem(await own.write(path('lst-own', 'confirm'), { orderId: 'ord-nowhere' }), 'ORDER_NOT_FOUND');
    expectProblem(await own.write(path('lst-same', 'confirm'), { orderId: 'ord-nowhere' }), 'ORDER_NOT_FOUND');
    expectProblem(
      await own.write('/api/v1/escrows/lst-north/actions/release', { amount: 1, resourcePrev: 'a'.repeat(64) }),
      'ESCROW_NOT_FOUND',
    );
  });

  it('hides its own private listing behind another home’s of that id', async () => {
    const other = await node().person();
    await publishes(own, { listingId: 'lst-hidden', visibility: 'private' });
    expectProblem(await refused('/markets/info/lst-hidden'), 'LISTING_NOT_FOUND');
    await cards.listing(infoListing, { seller, home: north, id: 'lst-hidden', at: past });
    expect(await get('/markets/info/lst-hidden')).to.include({ home: north });
    expectProblem(await other.write('/api/v1/markets/info/lst-hidden/actions/purchase', {}), 'UNPROCESSABLE');
    expectStatus(await own.write('/api/v1/markets/info/lst-hidden/actions/pause', {}));
  });

  it('shows an identity that it does not know: the newest of several homes', async () => {
    const view = await get(`/identities/${seller}`);
    expect(view).to.include({
      did: seller,
      displayName: 'Ben of the south',
      home: south,
      created: null,
      updated: past + 1,
    });
    expect(view).not.to.have.property('asOf');
    expect((await get(`/identities/${seller}/capabilities`)).capabilities).to.deep.equal([]);
    expectProblem(await refused(`/identities/${seller}?source=log`), 'DID_NOT_FOUND');
    expectProblem(await refused(`/identities/${didOf('nobody')}`), 'DID_NOT_FOUND');
    await cards.identity({ home: north, id: own.did, at: past, document: { displayName: 'Not of this node' } });
    expect(await get(`/identities/${own.did}`)).not.to.have.any.keys('home', 'displayName');
  });

  it('looks up beginnings of ids and names in cards, too', async () => {
    const matches = async (text: string): Promise<Body[]> =>
      (await get(`/lookup?text=${encodeURIComponent(text)}`)).matches;
    expect(await matches('lst-nor')).to.deep.equal([
      { what: 'resource', kind: 'info-listing', id: 'lst-north', state: 'active.open', home: north },
    ]);
    const same = await matches('lst-same');
    expect(same.map(named)).to.deep.equal(['lst-same', 'lst-same north']);
    expect((await matches('lst-both')).map(named)).to.have.members(['lst-both north', 'lst-both south']);
    expect(await matches('ben of')).to.deep.equal([
      { what: 'identity', id: seller, displayName: 'Ben of the south', home: south },
    ]);
    expect(await matches(seller.slice(0, -4))).to.deep.equal([{ what: 'identity', id: seller, home: north }]);
    expect(await matches('lst-hid')).to.deep.equal([
      { what: 'resource', kind: 'info-listing', id: 'lst-hidden', state: 'active.open', home: north },
    ]);
  });

  it('hides and logs the one card that can’t be shown', async () => {
    const broken = { seller, home: north, id: 'lst-broken', at: past, body: { category: 'broken' } };
    await cards.listing(infoListing, { ...broken, context: { own: null } });
    await cards.listing(infoListing, { ...broken, id: 'lst-whole' });
    logged.length = 0;
    const found = await get(`${search}?category=broken`);
    expect(found.listings.map(named)).to.deep.equal(['lst-whole north']);
    expect(found.total).to.equal(2);
    expectProblem(await refused('/markets/info/lst-broken'), 'LISTING_NOT_FOUND');
    expect(problems()).to.have.length(2);
    expect(problems()[0]).to.include({ kind: 'info-listing', id: 'lst-broken', home: north });
  });

  it('fills no card with a text of this node', async () => {
    await publishes(own, { listingId: 'lst-secret', title: 'A private title', visibility: 'private' });
    const { context } = (await node().store.load('info-listing', 'lst-secret'))!;
    const thief = { seller, home: north, at: past, body: { category: 'theft' } };
    await cards.listing(infoListing, { ...thief, id: 'lst-thief', context: { title: context.title! } });
    expect(await get('/markets/info/lst-thief')).to.include({ title: null, home: north });
    await cards.listing(infoListing, {
      ...thief,
      id: 'lst-thief-2',
      body: { category: 'theft', metadata: { x: context.title } },
    });
    logged.length = 0;
    expect(JSON.stringify(await get(`${search}?category=theft`))).not.to.include('A private title');
    expect(await ids('category=theft')).to.deep.equal(['lst-thief north']);
    expect(problems()[0]).to.include({ id: 'lst-thief-2' });
  });

  it('asks for a longer tag where homes share one', async () => {
    const twin = `${north.slice(0, -1)}${north.endsWith('a') ? 'b' : 'a'}`;
    cards.follow(twin);
    await cards.listing(infoListing, { seller, home: twin, id: 'lst-north', at: past });
    expectInvalid(await refused(`${search}?home=${tag(north)}`), 'home');
    expect(await ids(`home=${twin}`)).to.have.length(1);
    for (const text of ['lst-north', `lst-north~${tag(north)}`]) {
      const { detail } = expectProblem(await refused(`/markets/info/${text}`), 'CONFLICT');
      for (const home of [north, twin]) expect(detail).to.include(`lst-north~${home.slice(12)}`);
    }
  });

  it('knows nothing of homes without an index', async () => {
    const { index } = cards;
    Object.assign(cards, { index: undefined });
    try {
      expect(await ids(rainy)).to.have.members(['lst-own', 'lst-same']);
      expect(await ids(`${rainy}&home=own`)).to.have.members(['lst-own', 'lst-same']);
      expectProblem(await refused('/markets/info/lst-north'), 'LISTING_NOT_FOUND');
      expectProblem(await own.write('/api/v1/markets/info/lst-north/actions/purchase', {}), 'LISTING_NOT_FOUND');
      expectProblem(await refused(`/identities/${seller}`), 'DID_NOT_FOUND');
      expect((await get('/lookup?text=lst-nor')).matches).to.deep.equal([]);
    } finally {
      Object.assign(cards, { index });
    }
  });
});
