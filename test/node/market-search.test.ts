/** Every filter, sort, facet and page of searches, over HTTP (docs/reference/markets.md#search). */
import { expect } from 'chai';
import { Client as ApiClient } from '../../packages/client/src/index.js';
import { catalogueOf } from '../../src/machines/catalogue.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import type { Workflow } from '../../src/machines/kernel/resource.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { tally } from '../../src/machines/listing/stats.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { until } from '../support/until.js';
import { withToyDeals } from '../world/toy-deal.js';
import { expectInvalid, expectPage, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { finishedDeal } from './support/deals.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

/** A toy deal that ends under a listing's name counts for the listing. */
const rating: Workflow = {
  revision: 1,
  subCommands: (request) => [request, tally(request.id.slice('toy-'.length), { orders: 1, rating: 4 })],
};
const catalogue = catalogueOf(Object.values(withToyDeals.definitions), {
  ...withToyDeals.workflows,
  'toy-deal.open': rating,
});

const markets = { info: infoListing, task: taskListing, capability: capabilityListing } as const;
const pathOf = {
  info: '/api/v1/markets/info',
  task: '/api/v1/markets/tasks',
  capability: '/api/v1/markets/capabilities',
};
const all = '/api/v1/markets/search';

describe('Market search', () => {
  const node = nodeForSuite({ parts: { catalogue } });
  let ada: Person;
  let ben: Person;

  const publish = async (who: Person, market: keyof typeof markets, body: Body): Promise<Body> =>
    expectStatus(await who.write(pathOf[market], { ...markets[market].create.example, ...body }), 201);
  const get = (query: string, path = all, client: Client = node().client) => client.get(`${path}?${query}`);
  const search = async (query: string, path = all, client?: Client): Promise<Body> =>
    expectStatus(await get(query, path, client));
  const titles = async (query: string, path = all, client?: Client): Promise<string> =>
    (await search(query, path, client)).listings.map(({ title }: Body) => title).join(', ');

  before(async () => {
    [ada, ben] = (await node().people(2)) as [Person, Person];
    await publish(ada, 'info', {
      title: 'Road maps',
      description: 'Of Europe.',
      category: 'maps',
      tags: ['road', 'europe'],
      pricing: { price: 30 },
    });
    await publish(ada, 'info', {
      title: 'Weather',
      description: 'Crème de la crème, with a map of rain.',
      category: 'weather',
      tags: ['rain'],
      pricing: { price: 10 },
      infoType: 'report',
      content: { format: 'application/pdf' },
      accessMethod: { type: 'stream' },
    });
    await publish(ben, 'task', {
      title: 'Mapping',
      description: 'Walk and draw.',
      category: 'maps',
      tags: ['road'],
      pricing: { budget: 400 },
      taskType: 'survey',
      skills: ['drawing', 'walking'],
      task: {
        skills: ['surveying', { name: 'photography', level: 2 }, ' cafe\u0301 ', { level: 3 }, null, 7, 'x'.repeat(65)],
      },
    });
    await publish(ben, 'capability', {
      title: '地图服务',
      description: 'Tiles.',
      category: 'maps',
      tags: ['europe'],
      pricing: { usagePrice: { unit: 'call', pricePerUnit: 2 } },
    });
  });

  it('shows what is active and public, newest first, in the whole', async () => {
    const found = await search('');
    expect(found.listings.map(({ title }: Body) => title)).to.deep.equal([
      '地图服务',
      'Mapping',
      'Weather',
      'Road maps',
    ]);
    expect(found).to.include({ total: 4 });
    expect(found.pagination).to.include({ page: 1, pageSize: 20 });
    expectPage(found.pagination, { total: 4, limit: 20, offset: 0, hasMore: false });
    expect(found).not.to.have.property('facets');
    const [one] = found.listings;
    const read = expectStatus(await node().client.get(`${pathOf.capability}/${one.listingId}`));
    const { permittedActions, ...view } = read;
    expect(one).to.deep.equal(view);
    const [full] = (await search('include=permittedActions')).listings;
    expect(full.permittedActions).to.deep.equal(permittedActions);
  });

  it('takes keywords by prefix, whatever case and accents, also under the name q', async () => {
    expect(await titles('keyword=map')).to.equal('Mapping, Road maps, 地图服务, Weather');
    expect(await titles('q=MAPS')).to.equal('Road maps, 地图服务, Mapping');
    expect(await titles('keyword=creme+rai')).to.equal('Weather');
    expect(await titles(`keyword=${encodeURIComponent('地图')}`)).to.equal('地图服务');
    expect(await titles('keyword=map+nowhere')).to.equal('');
    expect(await titles(`keyword=${encodeURIComponent('🦊')}`)).to.equal('');
    expect(await titles('keyword=---')).to.equal('');
    expect(await titles('keyword=')).to.equal('地图服务, Mapping, Weather, Road maps');
    expect(await titles('keyword=map&q=map')).to.equal('Mapping, Road maps, 地图服务, Weather');
  });

  const filters: readonly (readonly [string, string])[] = [
    ['markets=info', 'Weather, Road maps'],
    ['markets=task,capability', '地图服务, Mapping'],
    ['category=maps', '地图服务, Mapping, Road maps'],
    ['category=maps,weather&tags=rain', 'Weather'],
    ['tags=road,rain', 'Mapping, Weather, Road maps'],
    ['tags=road&category=maps&markets=info', 'Road maps'],
    ['skills=walking,flying', 'Mapping'],
    ['skills=surveying', 'Mapping'],
    ['skills=photography&markets=task', 'Mapping'],
    [`skills=${encodeURIComponent('café')}`, 'Mapping'],
    [`skills=${'x'.repeat(65)}`, ''],
    ['infoTypes=report', 'Weather'],
    ['taskTypes=survey', 'Mapping'],
    ['taskTypes=survey&infoTypes=report', ''],
    ['capabilityType=transcription', '地图服务'],
    ['type=report,survey', 'Mapping, Weather'],
    ['type=info', 'Weather, Road maps'],
    ['contentFormats=text/csv', 'Road maps'],
    ['accessMethods=stream', 'Weather'],
    ['minPrice=10&maxPrice=30', 'Weather, Road maps'],
    ['minPrice=31', 'Mapping'],
    ['maxPrice=2', '地图服务'],
    ['statuses=paused,removed,expired', ''],
    ['sort=newest&keyword=map', '地图服务, Mapping, Weather, Road maps'],
    ['sort=price_asc', '地图服务, Weather, Road maps, Mapping'],
    ['sort=price_desc', 'Mapping, Road maps, Weather, 地图服务'],
    ['sortBy=price&sortOrder=asc', '地图服务, Weather, Road maps, Mapping'],
    ['sortBy=price', '地图服务, Weather, Road maps, Mapping'],
    ['sortBy=price&sortOrder=desc&sort=price_desc', 'Mapping, Road maps, Weather, 地图服务'],
    ['sortBy=createdAt&sortOrder=desc&keyword=map', '地图服务, Mapping, Weather, Road maps'],
  ];
  for (const [query, expected] of filters) {
    it(`${query} gives ${expected || 'nothing'}`, async () => {
      expect(await titles(query)).to.equal(expected);
    });
  }

  it('of one market takes the same filters, and finds nothing of the others', async () => {
    expect(await titles('keyword=map', pathOf.info)).to.equal('Road maps, Weather');
    expect(await titles('keyword=map&sort=price_asc', pathOf.info)).to.equal('Weather, Road maps');
    expect(await titles('type=survey', pathOf.task)).to.equal('Mapping');
    expect(await titles('category=maps&maxPrice=2', pathOf.capability)).to.equal('地图服务');
    expect(await titles('infoTypes=report', pathOf.task)).to.equal('');
    expect((await search('limit=1&offset=1', pathOf.info)).listings[0].title).to.equal('Road maps');
  });

  it('counts facets over the whole result', async () => {
    const { facets, listings } = await search('includeFacets=true&pageSize=1&category=maps');
    expect(listings).to.have.length(1);
    expect(facets).to.deep.equal({
      markets: ['capability', 'info', 'task'].map((key) => ({ key, count: 1 })),
      categories: [{ key: 'maps', count: 3 }],
      tags: ['europe', 'road'].map((key) => ({ key, count: 2 })),
      types: ['dataset', 'survey', 'transcription'].map((key) => ({ key, count: 1 })),
      price: ['1-9', '10-99', '100-999'].map((key) => ({ key, count: 1 })),
    });
  });

  it('pages in both spellings and by cursor, and no page repeats or skips', async () => {
    for (const query of ['', 'keyword=map&', 'sort=price_desc&', 'sort=rating&']) {
      const whole = await titles(query);
      expect(await titles(`${query}page=2&pageSize=2`)).to.equal(await titles(`${query}limit=2&offset=2`));
      const seen: string[] = [];
      for (let after = ''; after !== null; ) {
        const found = await search(`${query}limit=1${after && `&after=${after}`}`);
        seen.push(...found.listings.map(({ title }: Body) => title));
        after = found.pagination.after;
      }
      expect(seen.join(', ')).to.equal(whole);
    }
  });

  it('names the parameter that is malformed', async () => {
    const malformed: readonly (readonly [string, string])[] = [
      ['sort=best', 'sort'],
      ['sortBy=constructor', 'sortBy'],
      ['sortBy=createdAt&sortOrder=asc', 'sortBy'],
      ['sortBy=price&sort=price_desc', 'sortBy'],
      ['sortOrder=desc', 'sortBy'],
      ['sortBy=price&sortOrder=up', 'sortOrder'],
      ['statuses=active,new', 'statuses'],
      ['status=x', 'status'],
      ['visibility=secret', 'visibility'],
      ['markets=food', 'markets'],
      ['minPrice=cheap', 'minPrice'],
      ['minPrice=1.5', 'minPrice'],
      ['maxPrice=-1', 'maxPrice'],
      ['minPrice=2&maxPrice=1', 'maxPrice'],
      ['minRating=6', 'minRating'],
      ['minReputation=1001', 'minReputation'],
      ['includeFacets=maybe', 'includeFacets'],
      ['page=0', 'page'],
      ['pageSize=101', 'pageSize'],
      ['limit=1&pageSize=2', 'pageSize'],
      ['page=502', 'page'],
      ['offset=10001', 'offset'],
      ['after=x', 'after'],
      ['keyword=a&q=b', 'q'],
      ['status=active&statuses=paused', 'status'],
      ['seller=nobody', 'seller'],
      ['role=seller', 'did'],
      [`keyword=${'x'.repeat(201)}`, 'keyword'],
      [`keyword=${Array.from({ length: 17 }, (_, i) => `w${i}`).join('+')}`, 'keyword'],
      [`tags=${Array.from({ length: 33 }, (_, i) => `t${i}`)}`, 'tags'],
      [`category=${'x'.repeat(129)}`, 'category'],
    ];
    for (const [query, field] of malformed) expectInvalid(await get(query), field);
    const { pagination } = await search('limit=1');
    expectInvalid(await get(`limit=1&sort=rating&after=${pagination.after}`), 'after');
    expectInvalid(await get('minPrice=x', pathOf.task), 'minPrice');
  });

  it('ranks by rating, popularity and reputation, and takes bounds of them', async () => {
    const [maps] = (await search('keyword=road+maps&markets=info')).listings;
    const unfiltered = await titles('');
    expect(await titles('minRating=0')).to.equal(unfiltered);
    expect(await titles('minReputation=0&minRating=0.0')).to.equal(unfiltered);
    const signer = await import('../../src/keys/signing.js');
    const { seedIn } = await import('./support/kdf.js');
    const unlocked = signer.signerOf(await seedIn(node().dir, ben.address, ben.passphrase));
    const accepted = await node().running.actors.execute({
      kind: 'toy-deal',
      id: `toy-${maps.listingId}`,
      action: 'open',
      input: { provider: ada.did, price: 1 },
      signer: ben.did,
      unlock: () => unlocked,
    });
    expect(accepted).to.have.property('entry');
    ben.nonce += 1;
    expect(await titles('minRating=4')).to.equal('Road maps');
    expect(await titles('minRating=4.1')).to.equal('');
    expect(await titles('sort=rating')).to.equal('Road maps, 地图服务, Mapping, Weather');
    expect(await titles('sort=popular&tags=road')).to.equal('Road maps, Mapping');
    expect((await search('sort=rating&limit=1')).listings[0].stats).to.include({ orders: 1, averageRating: 4 });

    expect(await titles('minReputation=1')).to.equal('');
    await finishedDeal(node(), ben, ada);
    // The ranking follows a moment after the record.
    await until('it is ranked', async () => (await search('minReputation=1')).total === 4);
    await finishedDeal(node(), ada, ben, { inTime: false });
    await until('it is ranked anew', async () => (await search('minReputation=999')).total === 2);
    expect(await titles('minReputation=999')).to.equal('Weather, Road maps');
    expect(await titles('sort=reputation&limit=2')).to.equal('Weather, Road maps');
    expect((await search('minReputation=500')).total).to.equal(4);
  });

  it('follows what its owner does, and the time', async () => {
    const soon = await publish(ada, 'info', { title: 'Fleeting', expiresAt: node().world.now() + 60_000 });
    const at = (action: string, body: Body = {}) =>
      ada.does(`${pathOf.info}/${soon.listingId}/actions/${action}`, body);
    expect(await titles('keyword=fleeting')).to.equal('Fleeting');
    await at('pause');
    expect(await titles('keyword=fleeting')).to.equal('');
    expect(await titles('keyword=fleeting&status=paused')).to.equal('Fleeting');
    await at('resume');
    await at('update', { title: 'Lasting', tags: ['long'] });
    expect(await titles('keyword=fleeting')).to.equal('');
    expect(await titles('keyword=lasting&tags=long')).to.equal('Lasting');
    node().world.outrun(60_001);
    expect(await titles('keyword=lasting')).to.equal('');
    const [expired] = (await search('keyword=lasting&statuses=expired')).listings;
    expect(expired).to.include({ title: 'Lasting', status: 'expired' });
  });

  it('shows private ones to their owner alone', async () => {
    await publish(ada, 'info', { title: 'Hidden', visibility: 'private' });
    const [own, other] = [await node().keyed({ did: ada.did }), await node().keyed({ did: ben.did })];
    for (const query of ['visibility=private', 'visibility=private&keyword=hidden']) {
      expect(await titles(query)).to.equal('');
      expect(await titles(query, all, other)).to.equal('');
      expect(await titles(query, all, own)).to.equal('Hidden');
      expect(await titles(query, pathOf.info, own)).to.equal('Hidden');
    }
    expect(await titles('keyword=hidden', all, own)).to.equal('');
    expect(await titles('keyword=hidden&visibility=public,private', all, own)).to.equal('Hidden');
    expect((await search('visibility=private&includeFacets=true', all, other)).facets.markets).to.deep.equal([]);
  });

  it('is asked by the client with lists and numbers', async () => {
    const client = new ApiClient({ url: node().url });
    const found = await client.search.all({ category: ['maps', 'weather'], tags: ['road'], sort: 'price_asc' });
    expect(found.listings.map(({ title }) => title)).to.deep.equal(['Road maps', 'Mapping']);
    const { listings, facets } = await client.search.tasks({ keyword: 'map', includeFacets: true, limit: 1 });
    expect(listings[0]).to.include({ title: 'Mapping', taskType: 'survey' });
    expect(facets?.markets).to.deep.equal([{ key: 'task', count: 1 }]);
    const labels = { category: 'Arts, Crafts', tags: ['a, b'], infoType: 'one, two' };
    await publish((await node().people(1))[0]!, 'info', labels);
    for (const filter of [{ category: [labels.category] }, { tags: labels.tags }, { type: [labels.infoType] }])
      expect((await client.search.all(filter)).listings, JSON.stringify(filter)).to.have.length(1);
  });

  it('finds what a seller has', async () => {
    expect(await titles(`seller=${ben.did}`)).to.equal('地图服务, Mapping');
    expect(await titles(`did=${ben.did}&role=seller`, pathOf.task)).to.equal('Mapping');
    expect(await titles('role=seller', all, await node().keyed({ did: ben.did }))).to.equal('地图服务, Mapping');
    expect(await titles(`seller=${(await node().people(1))[0]!.did}`)).to.equal('');
  });
});
