import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { catalogue } from '../../src/machines/catalogue.js';
import { docHashOf, emptyIdentity } from '../../src/machines/identity/identity.js';
import { withheldContext } from '../../src/machines/kernel/visibility.js';
import type { ForeignHome, ForeignHomes } from '../../src/peers/reading/foreign.js';
import { spelled, tagOf } from '../../src/peers/tag.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { StoreReader } from '../../src/store/store.js';
import { rebuild } from '../../src/verify/move/rebuild.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body, Client } from '../node/support/client.js';
import { dataset, publishes } from '../node/support/market.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { accepted, Bench, network } from '../world/bench.js';
import { didOf } from '../world/people.js';

const asOf = 1_700_000_000_000;

/** A home's journal: escrows, listings, a bid, a contract that only its parties may read, a reputation. */
async function historyOf(node: string, publicOf: string): Promise<Bench> {
  const bench = await Bench.open({ node }, { ada: 1_000, ben: 500 });
  const act = async (...asked: Parameters<Bench['ask']>) => accepted(await bench.ask(...asked));
  const escrow = { beneficiary: didOf('ben'), amount: 50, releaseRules: [{ type: 'manual' }] };
  await act('ada', 'escrow', 'esc-same', 'create', escrow);
  await act('ada', 'escrow', `esc-${node}`, 'create', { ...escrow, autoFund: true });
  await act(
    'ada',
    'info-listing',
    `lst-${node}`,
    'create',
    dataset({ title: `rain of ${publicOf}`, tags: ['rain', node] }),
  );
  await act('ada', 'info-listing', `lst-${node}-private`, 'create', dataset({ title: 'rain', visibility: 'private' }));
  const task = {
    title: 'Translate',
    description: 'x',
    category: 'c',
    pricing: { budget: 400 },
    taskType: 'translation',
    task: {},
    timeline: {},
  };
  await act('ada', 'task-listing', `lst-task-${node}`, 'create', task);
  await act('ben', 'identity', didOf('ben'), 'update', {
    document: { displayName: `Ben at ${node}` },
    prevDocHash: docHashOf(didOf('ben'), emptyIdentity.document),
  });
  return bench;
}

class Homes implements ForeignHomes {
  list: readonly ForeignHome[] = [];
  all = () => this.list;

  add(bench: Bench, store: StoreReader = bench.store): ForeignHome {
    const home = didOf(bench.node);

    const foreign = { home, tag: tagOf(home, []), store, asOf: () => ({ seq: Number.MAX_SAFE_INTEGER, time: asOf }) };

    this.list = [...this.list, foreign].sort((a, b) => (a.home < b.home ? -1 : 1));
    return foreign;
  }
}

describe('reading other homes over HTTP', function () {
  this.timeout(120_000);
  const homes = new Homes();
  let dir: string;
  let embedded: SqliteStore;
  let node: TestNode;
  let client: Client;
  let own: Person;
  let north: ForeignHome;
  let south: ForeignHome;
  const get = async (path: string, status = 200): Promise<Body> =>
    expectStatus(await client.get(`/api/v1${path}`), status);

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-reading-'));
    node = await TestNode.start({ parts: { foreignHomes: homes } });
    client = node.client;
    own = await node.rich();
    const [first, second] = [await historyOf('north', 'the north'), await historyOf('south', 'the south')];
    // One home's copy is in memory, the other's in the embedded database.
    embedded = await SqliteStore.open({ dir, writer: 'inline' });
    await rebuild({ source: second.store, target: embedded, catalogue, network });
    north = homes.add(first);
    south = homes.add(second, embedded);
  });
  after(async () => {
    await node.discard();
    await embedded?.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('finds the only one of an id, marked with its home', async () => {
    for (const text of ['esc-north', spelled('esc-north', north.tag), spelled('esc-north', north.home)]) {
      const body = await get(`/escrows/${text}`);
      expect(body).to.include({ id: 'esc-north', home: north.home, asOf, funded: 50 });
      expect(body.permittedActions).to.be.an('object');
    }
    expectProblem(await client.get(`/api/v1/escrows/${spelled('esc-north', south.tag)}`), 'ESCROW_NOT_FOUND');
    expectProblem(await client.get('/api/v1/escrows/esc-north~nonesuch'), 'ESCROW_NOT_FOUND');
  });

  it('asks which one is meant where several homes have an id, until this node has one', async () => {
    const { detail } = expectProblem(await client.get('/api/v1/escrows/esc-same'), 'CONFLICT');
    for (const { tag } of [north, south]) expect(detail).to.include(`esc-same~${tag}`);
    expect(await get(`/escrows/esc-same~${south.tag}`)).to.include({ home: south.home });
    const create = { escrowId: 'esc-same', beneficiary: didOf('cyd'), amount: 5, releaseRules: [{ type: 'manual' }] };
    expectStatus(await own.write('/api/v1/escrows', create), 201);
    const mine = await get('/escrows/esc-same');
    expect(mine).to.include({ depositor: own.did }).and.not.to.have.any.keys('home', 'asOf');
    expect(await get(`/escrows/esc-same~${node.did}`)).to.deep.equal(mine);
    expect(await get(`/escrows/esc-same~${north.tag}`)).to.include({ home: north.home, depositor: didOf('ada') });
  });

  it('lists the resources of all homes, or of one', async () => {
    const named = ({ id, home }: Body) => `${id} ${home ?? 'own'}`;
    const all = await get('/escrows?limit=100');
    const expected = [north, south].flatMap(({ home }) => [
      `esc-same ${home}`,
      `esc-${home === north.home ? 'north' : 'south'} ${home}`,
    ]);
    expect(all.escrows.map(named)).to.have.members(['esc-same own', ...expected]);
    expect(all.total).to.equal(5);
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const page = await get(`/escrows?limit=2${after}`);
      seen.push(...page.escrows.map(named));
      if (page.pagination.after === null) break;
      after = `&after=${page.pagination.after}`;
    }
    expect(seen).to.deep.equal(all.escrows.map(named));
    expect((await get('/escrows?home=own')).escrows.map(named)).to.deep.equal(['esc-same own']);
    expect((await get(`/escrows?home=${node.did}`)).total).to.equal(1);
    expect((await get(`/escrows?home=${south.tag}`)).escrows.map(named)).to.have.members(expected.slice(2));
    expectProblem(await client.get(`/api/v1/escrows?home=${didOf('nobody')}`), 'INVALID_REQUEST');
    expect((await get(`/escrows?did=${didOf('ben')}&role=beneficiary`)).total).to.equal(4);
  });

  it('searches all homes with one count, and no private listing of another reader', async () => {
    await publishes(own, { title: 'rain of this node', tags: ['rain', 'own'] });
    const found = await get('/markets/search?q=rain&includeFacets=true');
    expect(found.listings.map(({ id }: Body) => id)).to.include.members(['lst-north', 'lst-south']);
    expect(found.total).to.equal(3);
    expect(found.listings.map(({ home }: Body) => home ?? 'own')).to.have.members(['own', north.home, south.home]);
    expect(found.facets.tags[0]).to.deep.equal({ key: 'rain', count: 3 });
    expect((await get('/markets/search?q=rain&home=own')).total).to.equal(1);
    expect((await get(`/markets/info?q=rain&home=${north.home}`)).listings[0]).to.include({ home: north.home });
    expectProblem(await client.get('/api/v1/markets/info/lst-north-private'), 'LISTING_NOT_FOUND');
    expect((await get('/markets/search?q=rain&visibility=private')).total).to.equal(0);
    const ada = await node.keyed({ did: didOf('ada') });
    const hers = expectStatus(await ada.get('/api/v1/markets/search?q=rain&visibility=private'), 200);
    expect(hers.listings.map(({ id }: Body) => id)).to.have.members(['lst-north-private', 'lst-south-private']);
    expect(expectStatus(await ada.get('/api/v1/markets/info/lst-north-private'))).to.include({ home: north.home });
  });

  it('lists below a resource what that resource’s home has', async () => {
    const bids = await get(`/markets/tasks/lst-task-north~${north.tag}/bids`);
    expect(bids.total).to.equal(0);
    expectProblem(await client.get('/api/v1/markets/tasks/lst-task-nowhere/bids'), 'LISTING_NOT_FOUND');
  });

  it('shows history, state and permitted actions of another home’s resource', async () => {
    const at = `/machines/escrow/esc-south~${south.tag}`;
    const history = await get(`${at}/history`);
    expect(history).to.include({ id: 'esc-south', home: south.home, total: 1 });
    expect(history.steps[0]).to.include({ to: 'funded', signer: didOf('ada'), role: 'depositor' });
    const state = await get(`${at}/state`);
    const entry = await get(`/events/${state.eventHash}`);
    expect(entry).to.include({ journal: south.home });
    expect(entry.versions[0]).to.include({ kind: 'escrow', id: 'esc-south' });
    expect((await get(`${at}/permitted`)).actions).to.be.an('array').that.is.not.empty;
    const own = await get('/machines/escrow/esc-same/history');
    expect(own).not.to.have.any.keys('home', 'asOf');
  });

  it('reads another home’s journal where it is asked for', async () => {
    const mine = await get('/events?limit=1');
    expect(mine.events[0]).not.to.have.property('journal');
    const theirs = await get(`/events?limit=100&home=${south.home}`);
    expect(theirs).to.include({ home: south.home, asOf });
    expect(theirs.events.map(({ seq }: Body) => seq)).to.deep.equal(theirs.events.map((_: Body, at: number) => at + 1));
    expect(theirs.events[0].event.home).to.equal(south.home);
    const secret = theirs.events.find(({ versions }: Body) => versions[0]?.id === 'lst-south-private');
    expect(secret).to.be.an('object').and.not.to.have.property('payload');
    const some = await get(`/events?resource=escrow/esc-south~${south.tag}`);
    expect(some.events).to.have.length(1);
    expect((await get(`/events?resource=info-listing/lst-south-private~${south.tag}`)).events).to.deep.equal([]);
    expectProblem(await client.get(`/api/v1/events?resource=escrow/x~${south.tag}&home=own`), 'INVALID_REQUEST');
    expectProblem(await client.get(`/api/v1/events/stream?resource=escrow/x~${south.tag}`), 'INVALID_REQUEST');
    expectProblem(await client.get(`/api/v1/events/${theirs.events[0].event.hash}/proof`), 'UNPROCESSABLE');
  });

  it('reads another home’s ledger and identities', async () => {
    const [ada, ben] = [didOf('ada'), didOf('ben')];
    expect((await get(`/wallets/${ada}`)).availableBalance).to.equal(0);
    expect(await get(`/wallets/${ada}?home=${north.tag}`)).to.include({ escrowed: 50, home: north.home });
    expect((await get(`/wallets?home=${north.home}`)).wallets[0]).to.include({ home: north.home });
    expect((await get(`/wallets/${ada}/transactions?home=${south.home}`)).total).to.be.greaterThan(0);
    expectProblem(await client.get(`/api/v1/identities/${ben}`), 'CONFLICT');
    for (const source of ['store', 'log']) {
      const identity = await get(`/identities/${ben}~${north.tag}?source=${source}`);
      expect(identity).to.include({ did: ben, home: north.home });
      expect(JSON.stringify(identity)).to.include('Ben at north');
    }
    expect(await get(`/identities/${own.did}`)).not.to.have.any.keys('home', 'asOf');
    expectProblem(await client.get(`/api/v1/identities/${didOf('cyd')}~${north.tag}`), 'DID_NOT_FOUND');
    expectProblem(await client.get('/api/v1/identities/nonsense~x'), 'DID_INVALID');
    expectProblem(await client.get(`/api/v1/reputations/${ben}`), 'REPUTATION_NOT_FOUND');
  });

  it('refuses writes on what another home has, and names that home', async () => {
    const before = await node.state();
    const refused = async (path: string, body: Body, home: string) => {
      const { detail } = expectProblem(await own.write(`/api/v1${path}`, body), 'UNPROCESSABLE');
      expect(detail).to.include(home);
    };
    const fund = { amount: 1, resourcePrev: 'a'.repeat(64) };
    await refused('/escrows/esc-north/actions/fund', fund, north.home);
    await refused(`/escrows/esc-same~${south.tag}/actions/fund`, fund, south.home);
    await refused(`/escrows/esc-same~${south.home}/actions/fund`, fund, south.home);
    await refused('/markets/info/lst-north/actions/purchase', {}, north.home);
    const escrow = {
      escrowId: `esc-x~${north.tag}`,
      beneficiary: didOf('cyd'),
      amount: 5,
      releaseRules: [{ type: 'manual' }],
    };
    await refused('/escrows', escrow, north.home);
    expect(await node.state()).to.deep.equal(before);
    expectProblem(await own.write('/api/v1/escrows/esc-nowhere/actions/fund', fund), 'ESCROW_NOT_FOUND');
  });

  it('shows of a withheld resource only what is known', async () => {
    const snapshot = (await (homes.list.find(({ home }) => home === north.home)!.store as StoreReader).load(
      'escrow',
      'esc-north',
    ))!;
    const kept = homes.list;
    const withheld = { ...snapshot, kind: 'contract', id: 'ctr-hidden', state: 'active', context: withheldContext };
    const store = Object.assign(Object.create(north.store), {
      load: async (kind: string, id: string) =>
        id === 'ctr-hidden' && kind === 'contract' ? withheld : north.store.load(kind, id),
      find: async (query: Parameters<StoreReader['find']>[0]) =>
        query.kind === 'contract' && !query.anyLabel
          ? { items: [withheld], total: 1, next: null }
          : { items: [], total: 0, next: null },
    }) as StoreReader;
    homes.list = [{ ...north, store }];
    try {
      const shown = await get('/contracts/ctr-hidden');
      expect(shown).to.deep.equal({
        ...{ kind: 'contract', id: 'ctr-hidden', state: 'active', version: snapshot.version, withheld: true },
        ...{ createdAt: snapshot.createdAt, updatedAt: snapshot.updatedAt },
        ...{ resourcePrev: snapshot.lastHash, txHash: snapshot.lastHash, home: north.home, asOf },
      });
      expect((await get('/contracts')).contracts).to.deep.equal([shown]);
      expectProblem(await client.get('/api/v1/machines/contract/ctr-hidden/state'), 'FORBIDDEN');
      expectProblem(await client.get('/api/v1/machines/contract/ctr-hidden/permitted'), 'FORBIDDEN');
    } finally {
      homes.list = kept;
    }
  });

  it('answers as ever once no home is followed', async () => {
    const kept = homes.list;
    homes.list = [];
    try {
      expectProblem(await client.get('/api/v1/escrows/esc-north'), 'ESCROW_NOT_FOUND');
      expectProblem(await client.get(`/api/v1/escrows/esc-north~${north.tag}`), 'ESCROW_NOT_FOUND');
      expect((await get('/escrows')).total).to.equal(1);
      expectProblem(
        await own.write('/api/v1/escrows/esc-north/actions/fund', { amount: 1, resourcePrev: 'a'.repeat(64) }),
        'ESCROW_NOT_FOUND',
      );
    } finally {
      homes.list = kept;
    }
  });
});
