/** What is published at one home is found at the others, through HTTP, and still found after anything that befalls the index. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { elapsed, expectWithin } from '../../support/within.js';
import { acquaint, discard, Home } from './network.js';

const market = '/markets/info';

describe('Listings of three homes', () => {
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  let seller: Person;

  before(async () => {
    homes = [await Home.start(), await Home.start(), await Home.start()];
    [a, b, c] = homes as [Home, Home, Home];
    await acquaint(homes);
    seller = await a.node.rich();
  });
  after(() => discard(homes));

  const publish = async (more: Body = {}, by = seller): Promise<string> =>
    expectStatus(await by.write(`/api/v1${market}`, { ...infoListing.create.example, ...more }), 201).listingId;
  const found = async (home: Home, query: string): Promise<readonly Body[]> =>
    (await home.get(`/markets/search?${query}`)).listings;
  const ids = async (home: Home, query: string) => (await found(home, query)).map(({ listingId }) => listingId);
  const isFound = (home: Home, query: string, id: string) =>
    until(`${id} is found`, () => ids(home, query), { is: (all) => all.includes(id) });

  it('are found at the others within five seconds, in search, list, look-up and by id, with their home', async () => {
    const published: string[] = [];
    let word = '';
    await expectWithin(5_000, async (round) => {
      word = `ahaus${round}`;
      const id = await publish({ title: `Rainfall of ${word}` });
      published.push(id);
      return elapsed(async () => {
        for (const home of [b, c]) await isFound(home, `keyword=${word}`, id);
      });
    });
    const id = published.at(-1)!;
    const own = await a.get(`${market}/${id}`);
    for (const home of [b, c]) {
      const [shown] = await found(home, `keyword=${word}&includeFacets=true`);
      expect(shown).to.include({ listingId: id, home: a.did, seller: seller.did, title: `Rainfall of ${word}` });
      const view = await home.get(`${market}/${id}`);
      const { permittedActions: _, txHash: __, home: at, asOf, ...same } = view;
      expect(at).to.equal(a.did);
      expect(asOf).to.be.a('number');
      for (const [name, value] of Object.entries(same)) expect(value, name).to.deep.equal(own[name]);
      expect(await ids(home, `home=${a.did}`)).to.have.members(published);
      expect(await ids(home, 'home=own')).to.deep.equal([]);
      expect((await home.get(`/lookup?text=${id.slice(0, -2)}`)).matches[0]).to.include({ home: a.did });
    }
    expect(await ids(a, `keyword=${word}`)).to.deep.equal([id]);
  });

  it('follow what their owner and their home say of them', async () => {
    const id = await publish({ title: 'Changing', stock: 5 });
    await isFound(b, 'keyword=changing', id);
    const { resourcePrev } = await a.get(`${market}/${id}`);
    const path = `/api/v1${market}/${id}/actions`;
    const paused = await seller.does(`${path}/update`, { title: 'Changed', tags: ['new'], resourcePrev });
    await isFound(b, 'keyword=changed&tags=new', id);
    expect(await ids(b, 'keyword=changing')).to.deep.equal([]);
    await seller.does(`${path}/pause`, { resourcePrev: paused.resourcePrev });
    await isFound(b, 'keyword=changed&statuses=paused', id);
    const removed = await a.get(`${market}/${id}`);
    await seller.does(`${path}/remove`, { resourcePrev: removed.resourcePrev });
    await until('it is withdrawn', () => ids(b, 'statuses=active,paused,removed'), { is: (all) => !all.includes(id) });
    await b.get(`${market}/${id}`, 404);
  });

  it('are dealt with at their home, and nowhere else', async () => {
    const id = await publish({ title: 'Elsewhere' });
    await isFound(b, 'keyword=elsewhere', id);
    const buyer = await b.node.rich();
    const { status, body } = await buyer.write(`/api/v1${market}/${id}/actions/purchase`, {});
    expect(status, JSON.stringify(body)).to.equal(422);
    expect(body).to.include({ home: a.did });
  });

  it('show an identity with what it says of itself', async () => {
    const { docHash } = await a.get(`/identities/${seller.did}`);
    const path = `/api/v1/identities/${seller.did}/actions/update`;
    await seller.does(path, { document: { displayName: 'Ada of A' }, prevDocHash: docHash });
    const view = await until('the name is known', () => b.node.client.get(`/api/v1/identities/${seller.did}`), {
      is: ({ body }) => body.displayName === 'Ada of A',
    });
    expect(view.body).to.include({ home: a.did });
    const nameAt = async (home: Home) => (await home.get(`/names?dids=${seller.did}`)).names;
    const name = { did: seller.did, displayName: 'Ada of A', part: null };
    expect(await nameAt(b)).to.deep.equal([{ ...name, home: a.did }]);
    expect(await nameAt(a)).to.deep.equal([{ ...name, home: null }]);
  });

  it('come back where the index is deleted under a running node, and after a restart without it', async () => {
    const id = await publish({ title: 'Persistent' });
    await isFound(b, 'keyword=persistent', id);
    const folder = join(b.node.dir, 'peers');
    const before = (await stat(join(folder, 'journal.db'))).ino;
    await rm(folder, { recursive: true });
    await until('there is another file', () => stat(join(folder, 'journal.db')).catch(() => undefined), {
      is: (file) => file !== undefined && file.ino !== before,
    });
    await isFound(b, 'keyword=persistent', id);
    await until('its feed is current', () => b.peer(a), { is: ({ status }) => status === 'current' });
    const { seq } = await a.node.store.head();
    const variables = { SVC_LISTEN: (await b.address()).replace(/\/p2p.*/, '') };
    await b.stop();
    await rm(folder, { recursive: true });
    b = await Home.start({ dir: b.node.dir, variables });
    homes = [a, b, c];
    await isFound(b, 'keyword=persistent', id);
    await until('it is followed as far as before', () => b.peer(a), { is: ({ followed }) => followed >= seq });
    for (const home of homes) expect((await home.node.audit()).ok).to.equal(true);
  });

  it('of a home that is a peer no more are gone, those of the others stay', async () => {
    const id = await publish({ title: 'Lasting' });
    const other = await publish({ title: 'Remaining' }, await c.node.rich());
    await isFound(b, 'keyword=lasting', id);
    await isFound(b, 'keyword=remaining', other);
    await b.operator('peers.remove', { did: a.did });
    await isFound(b, 'keyword=remaining', other);
    expect(await ids(b, 'keyword=lasting')).to.deep.equal([]);
  });
});
