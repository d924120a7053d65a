/** A peer in Python that was written from the documents alone: it reads a node's feed, is followed as a home, and lies. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { expect } from 'chai';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import type { Person } from '../../node/support/person.js';
import { acquaint, discard, Home } from '../../peers/nodes/network.js';
import { isLong } from '../../support/long.js';
import { until } from '../../support/until.js';
import { Monitor } from '../support/monitor.js';
import { describeInPython, outputOf, startPython } from '../support/python.js';

const market = '/api/v1/markets/info';

interface Place {
  readonly address: string;
  readonly did: string;
}

/** Homes in one process of Python, each of a kind. It ends with its standard input. */
class PythonHomes {
  readonly #lines: Interface;
  places: { readonly [kind: string]: Place } = {};

  private constructor(private readonly child: ChildProcess) {
    this.#lines = createInterface({ input: child.stdout! });
  }

  static async start(...args: readonly string[]): Promise<PythonHomes> {
    const started = new PythonHomes(startPython('home.py', args, 'pipe'));
    started.places = await started.#next();
    return started;
  }

  async #next(): Promise<Body> {
    const [line] = await once(this.#lines, 'line');
    return JSON.parse(line);
  }

  /** @returns the listing's id */
  async publish(home: string, title: string): Promise<string> {
    const answer = this.#next();
    this.child.stdin!.write(`${JSON.stringify({ home, publish: title })}\n`);
    return (await answer).id;
  }

  /** How often the feed of a home was asked for. */
  async asked(home: string): Promise<number> {
    const answer = this.#next();
    this.child.stdin!.write(`${JSON.stringify({ home })}\n`);
    return (await answer).asked;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'close');
    this.child.stdin!.end();
    await ended;
  }
}

const read = (...args: readonly string[]): Promise<string> => outputOf('reader.py', ...args);

const publish = async (seller: Person, more: Body): Promise<Body> =>
  expectStatus(await seller.write(market, { ...infoListing.create.example, ...more }), 201);

const found = async (home: Home, query: string): Promise<readonly Body[]> =>
  (await home.get(`/markets/search?${query}`)).listings;

const isFound = (home: Home, keyword: string) =>
  until(`${keyword} is found`, () => found(home, `keyword=${keyword}`), { is: (all) => all.length > 0 });

async function restarted(home: Home): Promise<Home> {
  const variables = { SVC_LISTEN: (await home.address()).replace(/\/p2p.*/, '') };
  await home.stop();
  return Home.start({ dir: home.node.dir, variables });
}

describeInPython('A peer in Python', () => {
  let homes: Home[] = [];
  let python: PythonHomes | undefined;
  afterEach(async () => {
    await python?.stop();
    python = undefined;
    await discard(homes);
    homes = [];
  });

  it('reads what a node says of its listings and identities, and nothing of private ones', async () => {
    const home = await Home.start();
    homes = [home];
    const seller = await home.node.rich();
    await publish(seller, { title: 'Rainfall of Ahaus' });
    await publish(seller, { title: 'Hidden', visibility: 'private' });
    const removed = await publish(seller, { title: 'Removed' });
    await seller.does(`${market}/${removed.listingId}/actions/remove`, { resourcePrev: removed.resourcePrev });
    const changed = await publish(seller, { title: 'Before', stock: 3 });
    const update = { title: 'After', tags: ['other'], resourcePrev: changed.resourcePrev };
    await seller.does(`${market}/${changed.listingId}/actions/update`, update);
    const { docHash } = await home.get(`/identities/${seller.did}`);
    const document = { displayName: 'Ada of A' };
    await seller.does(`/api/v1/identities/${seller.did}/actions/update`, { document, prevDocHash: docHash });
    await home.operator('peers.add', { address: await read('a reader') });
    const { events } = await home.get('/events?order=newest&limit=1');
    const shown = await found(home, 'statuses=active,paused&limit=100');
    expect(shown).to.have.length(2);
    for (const form of [[], ['--plain']]) {
      const output = await read('a reader', await home.address(), ...form);
      const { listings, identities, ...said } = JSON.parse(output);
      expect(output).not.to.include('Hidden').and.not.to.include('Removed');
      expect(said).to.include({
        home: home.did,
        network: 'devnet',
        seq: events[0].seq,
        chainHash: events[0].chainHash,
      });
      expect(said.counts).to.include({ statements: 4, statuses: 2, withdrawn: 2 });
      expect(identities).to.deep.equal({ [seller.did]: document });
      expect(listings.map(({ id }: Body) => id)).to.have.members(shown.map(({ id }) => id));
      for (const { pricing, lastHash, state, ...one } of listings as readonly Body[]) {
        const view = shown.find(({ id }) => id === one.id)!;
        const same = ['seller', 'title', 'description', 'category', 'tags', 'infoType', 'content', 'license'];
        for (const name of [...same, 'createdAt', 'updatedAt']) expect(one[name], name).to.deep.equal(view[name]);
        expect(one.stock ?? undefined).to.equal(view.stock);
        expect([lastHash, state]).to.deep.equal([view.resourcePrev, 'active.open']);
        expect(view.pricing).to.include(pricing);
      }
    }
  });

  it('is followed as a home, and its listings are found, also after a restart of the node', async () => {
    homes = [await Home.start(), await Home.start()];
    const [a] = homes as [Home, Home];
    await acquaint(homes);
    python = await PythonHomes.start('honest');
    const { address, did } = python.places.honest!;
    await a.operator('peers.add', { address });
    const [first] = await isFound(a, 'honest');
    expect(first).to.deep.include({
      home: did,
      title: 'Python honest',
      description: 'Made in Python.',
      tags: ['python'],
    });
    const id = await python.publish('honest', 'Another of snakes');
    const [second] = await isFound(a, 'snakes');
    expect(second).to.include({ id, home: did });
    const [match] = (await a.get(`/lookup?text=${id.slice(0, -2)}`)).matches;
    expect(match).to.include({ home: did });
    homes[0] = await restarted(a);
    await python.publish('honest', 'Third of birds');
    for (const keyword of ['snakes', 'birds']) await isFound(homes[0], keyword);
    expect(await homes[0].isCurrentWith({ did })).to.include({ followed: 4, head: 4 });
  });
});

/** Lies that stop the feed, and what the node says of each. */
const bad: { readonly [kind: string]: RegExp } = {
  'wrong-signature': /not signed by the home/,
  'others-card': /signature does not verify/,
  'others-key': /pub is not the key/,
  'others-listing': /another DID/,
  'restated-by-another': /another DID/,
  'other-home': /another home/,
  'other-network': /another home or network/,
  'wrong-text': /not that of its leaf/,
  'wrong-payload': /payloadHash/,
  'wrong-core': /another journal/,
  'other-versions': /does not change/,
  replayed: /something newer/,
  'republished-old': /something newer/,
  'long-line': /more than 65536 bytes/,
  deep: /objects and lists/,
  heartbeats: /too many checkpoints/,
};
/** What is followed as it comes, with the titles that are found. */
const followed: { readonly [kind: string]: readonly string[] } = {
  // Nothing of it is shown any more that an update could change.
  reappears: [],
  'reappears-status': [],
  // The owner has signed it, and its home says that it is there.
  'reappears-published': ['Python undead'],
  figures: ['Python figures'],
  'forged-head': ['Python forged-head'],
  'forged-held': ['Python forged-held'],
  controls: [
    '\u001b[31mPython\u0007\u0008 red',
    'Python \u202egnp.exe\u2066\u200f',
    'Python \u2028\u007f\u0085\u0001 lines',
  ],
};
const cards = isLong ? 10_000 : 2_000;
const longestP99Ms = isLong ? 250 : 500;

describeInPython('Lies of a peer in Python', () => {
  let homes: Home[] = [];
  let [a, b] = homes as [Home, Home];
  let python: PythonHomes;
  let monitor: Monitor;
  let own: Body;
  let seller: Person;

  before(async () => {
    homes = [await Home.start(), await Home.start()];
    [a, b] = homes as [Home, Home];
    await acquaint(homes);
    seller = await a.node.rich();
    own = await publish(seller, { title: 'Own of A' });
    const kinds = [...Object.keys(bad), ...Object.keys(followed)];
    const others = [
      'honest',
      'two-journals',
      'rewritten',
      'shortened',
      'same-id',
      'times',
      'half',
      'flood',
      'shared-leaf',
      'shared-erasure',
      'erasing',
      'restoring',
    ];
    const options = ['--victim', seller.did, '--ids', own.listingId, '--cards', String(cards)];
    python = await PythonHomes.start(...kinds, ...others, ...options);
    monitor = new Monitor({ url: a.node.url, pid: process.pid });
    await add('honest');
    await isFound(a, 'honest');
  });
  after(async () => {
    await python?.stop();
    await discard(homes);
  });

  const add = (kind: string, home = a) => home.operator('peers.add', { address: python.places[kind]!.address });
  const peer = (kind: string, home = a) => home.peer(python.places[kind]!);
  const becomes = (kind: string, status: string, home = a) =>
    until(`${kind} is ${status}`, () => peer(kind, home), { is: (seen) => seen.status === status });
  const evidence = (kind: string, home = a) => home.get(`/node/peers/${python.places[kind]!.did}/evidence`);
  const ofHome = (kind: string, more = '') => found(a, `home=${python.places[kind]!.did}&limit=100${more}`);
  const titles = async (kind: string) => (await ofHome(kind)).map(({ title }) => title);
  /** Waits until the node has followed all that the home has. */
  const isFollowed = (kind: string, least: number) =>
    until(`${kind} is followed`, () => peer(kind), {
      is: (seen) => seen.followed >= least && seen.followed === seen.head,
    });

  before(async () => {
    // Both last while the others lie.
    await add('half');
    await add('times');
  });

  for (const [kind, what] of Object.entries(bad)) {
    it(`are named, and nothing is kept: ${kind}`, async () => {
      await add(kind);
      const { violation } = await becomes(kind, 'stopped');
      expect(violation!.what).to.match(what);
      expect(await evidence(kind)).to.include({ cause: 'bad-line', what: violation!.what });
      expect(await ofHome(kind, '&statuses=active,paused,expired')).to.deep.equal([]);
    });
  }

  for (const [kind, expected] of Object.entries(followed)) {
    it(`harm nothing: ${kind}`, async () => {
      await add(kind);
      await isFollowed(kind, 2);
      expect(await titles(kind)).to.have.members(expected);
      await a.isCurrentWith(python.places[kind]!);
    });
  }

  it('are proven: two journals', async () => {
    for (const home of [a, b]) await add('two-journals', home);
    for (const home of [a, b]) {
      await becomes('two-journals', 'forked', home);
      expect(await evidence('two-journals', home)).to.include({ cause: 'equivocation' });
    }
  });

  it('are proven: another journal after a lost connection', async () => {
    await add('rewritten');
    await becomes('rewritten', 'forked');
    expect(await evidence('rewritten')).to.include({ cause: 'equivocation' });
  });

  it('are seen: a journal that is shorter than before', async () => {
    await add('shortened');
    await until('it was asked again', () => python.asked('shortened'), { is: (times) => times >= 3 });
    expect((await becomes('shortened', 'unreachable')).followed).to.equal(2);
    expect(await titles('shortened')).to.deep.equal(['Python one']);
  });

  it('hide nothing: the id of another home’s listing', async () => {
    await add('same-id');
    await isFound(a, 'same');
    expect(await a.get(`/markets/info/${own.listingId}`)).to.include({ title: 'Own of A' });
    const spelled = `${own.listingId}~${python.places['same-id']!.did}`;
    expect(await a.get(`/markets/info/${spelled}`)).to.include({ title: 'Python same id' });
    expect((await a.get(`/lookup?text=${own.listingId}`)).matches).to.have.length(2);
  });

  for (const kind of ['shared-leaf', 'shared-erasure']) {
    it(`take no text from the card of another home: ${kind}`, async () => {
      await add(kind);
      await isFollowed(kind, 4);
      expect(await titles('honest')).to.deep.equal(['Python honest']);
      await isFound(a, 'honest');
    });
  }

  it('bring back no text that another home has erased', async () => {
    await add('erasing');
    await isFollowed('erasing', 3);
    expect(await titles('erasing')).to.deep.equal([null]);
    await add('restoring');
    await isFollowed('restoring', 3);
    expect(await titles('restoring')).to.deep.equal(['Python erased']);
    expect(await titles('erasing')).to.deep.equal([null]);
  });

  it('cost no more than their bytes: thousands of cards at full speed', async () => {
    await add('flood');
    await isFollowed('flood', cards + 1);
    const { pagination } = await a.get(`/markets/search?home=${python.places.flood!.did}&limit=1`);
    expect(pagination).to.include({ total: cards });
  });

  it('are dialled again, and block nothing: half a line, and clocks that are ahead', async () => {
    for (const kind of ['half', 'times']) {
      await until(`${kind} is dialled again`, () => python.asked(kind), { is: (times) => times >= 2 });
      expect(await peer(kind))
        .to.include({ followed: 0 })
        .and.not.to.have.property('violation');
      expect(await ofHome(kind)).to.deep.equal([]);
    }
  });

  it('leave health, the honest home and all reads as they were, also after a restart', async () => {
    await python.publish('honest', 'Heron');
    await isFound(a, 'heron');
    const seen = await monitor.stop();
    expect(seen.failures).to.equal(0);
    expect(seen.p99Ms, 'p99 of /healthz, ms').to.be.below(longestP99Ms);
    for (const round of ['before', 'after']) {
      for (const kind of Object.keys(bad)) {
        expect(await peer(kind), `${kind}, ${round}`).to.include({ status: 'stopped' });
        expect(await evidence(kind)).to.include({ cause: 'bad-line' });
      }
      expect(await peer('two-journals')).to.include({ status: 'forked' });
      const search = '/markets/search?includeFacets=true&limit=100';
      const sorts = ['newest', 'price_desc', 'rating', 'popular', 'reputation'].map((sort) => `${search}&sort=${sort}`);
      const lists = ['info', 'tasks', 'capabilities'].map((market) => `/markets/${market}?sort=price_asc`);
      const reads = [
        search,
        `${search}&keyword=python`,
        `${search}&statuses=active,paused,expired,removed`,
        ...sorts,
        ...lists,
      ];
      for (const path of [...reads, '/lookup?text=lst', `/identities/${seller.did}`, '/node']) await a.get(path);
      const keyword = round === 'before' ? 'heron' : 'osprey';
      if (round === 'before') {
        homes[0] = a = await restarted(a);
        await python.publish('honest', 'Osprey');
      }
      await isFound(a, keyword);
    }
    expect(await titles('controls')).to.have.members(followed.controls!);
    for (const home of homes) expect((await home.node.audit()).ok).to.equal(true);
  });
});
