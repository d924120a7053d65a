/** One database, several processes, one home (docs/reference/events-and-entries.md#home). */
import { expect } from 'chai';
import { EntryBuilder } from '../contract/entries.js';
import { TestNode } from '../node/support/node.js';
import { until } from '../support/until.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

const [ada, bob] = ['did:svc:ada', 'did:svc:bob'];
const home = 'did:svc:home';

describeMongo('the home of a shared journal', () => {
  let database: TestDatabase;
  let builder: EntryBuilder;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
    builder = new EntryBuilder();
  });

  afterEach(() => database.dispose());

  const unnumbered = () =>
    database.raw(async (client, name) => {
      const db = client.db(name);
      return (await db.collection('entries').countDocuments()) - (await db.collection('order').countDocuments());
    });

  it('is begun by the node that it names, where several start at once on an empty database', async () => {
    const nodes = await Promise.all(Array.from({ length: 3 }, () => TestNode.start({ store: () => database.open() })));
    try {
      const { store } = nodes[0]!;
      const entries = await store.entries({ after: 0, limit: 10 });
      expect(entries.map(({ core }) => core.event.type)).to.deep.equal(Array(3).fill('node.appointed'));
      const { event, home: by } = entries[0]!.core;
      expect([event.issuer, by]).to.deep.equal([event.home, event.home]);
      expect(new Set(entries.map(({ core }) => core.event.home)).size).to.equal(1);
      for (const node of nodes) expect((await node.audit()).flaw).to.equal(undefined);
    } finally {
      for (const node of nodes) await node.discard();
    }
  });

  it('is of the first numbered entry: one that begins it for another home gets no number', async () => {
    const stores = [await database.open(), await database.open(), await database.open()];
    const begun = await Promise.all(
      stores.map((store, index) =>
        store.append([new EntryBuilder().mint(ada, 1, { home: `${home}${index}`, issuer: `${home}${index}` })]),
      ),
    );
    expect(begun.flat().filter(({ ok }) => ok)).to.have.length(1);
    expect(await stores[0]!.head()).to.include({ seq: 1 });
    await until('the others are given up', unnumbered, { is: (left) => left === 0 });
  });

  it('passes on while it has written nothing, from a process that is gone and from none that lives', async () => {
    const [first, second] = [await database.open(), await database.open()];
    await first.announce('did:svc:first', 'no chain');
    await second.announce('did:svc:second', 'no chain');
    expect(await first.claimHome('did:svc:first')).to.equal('did:svc:first');
    expect(await second.claimHome('did:svc:second'), 'the first lives').to.equal('did:svc:first');
    await first.close();
    expect(await second.claimHome('did:svc:second'), 'the first has left').to.equal('did:svc:second');
    await database.raw(async (client, name) => {
      const control = client.db(name).collection('control');
      const killed = { beat: 1, ready: [], settled: 0, home: 'did:svc:killed', settlesOn: 'no chain', now: 0 };
      await control.insertOne({ _id: 'process/killed' as never, ...killed });
      await control.updateOne({ _id: 'home' as never }, { $set: { did: 'did:svc:killed' } });
    });
    expect(await second.claimHome('did:svc:second'), 'it may be alive').to.equal('did:svc:killed');
    const claim = () => second.claimHome('did:svc:second');
    await until('it passes on', claim, { is: (did) => did === 'did:svc:second' });
  });

  it('numbers no entry that a killed process has left for another home', async () => {
    const store = await database.open();
    await store.append([builder.mint(ada, 100, { home })]);
    const next = builder.fork();
    await database.leave(builder.transfer(ada, bob, 30, { home: `${home}2` }), 1);
    // The entry holds the nonce, so a process that needs this nonce resolves the entry first.
    const commit = next.transfer(ada, bob, 1, { home });
    const [lost] = await store.append([commit]);
    expect(lost).to.deep.equal({ ok: false, taken: `nonce/${ada}#1` });
    expect(await unnumbered(), 'it was given up').to.equal(0);
    expect((await store.append([commit]))[0]).to.include({ ok: true, seq: 2 });
    expect(await store.account(bob)).to.include({ available: 1 });
  });

  it('numbers what a killed process has left for this home', async () => {
    const store = await database.open();
    await store.append([builder.mint(ada, 100, { home })]);
    const next = builder.fork();
    await database.leave(builder.transfer(ada, bob, 30, { home }), 1);
    expect((await store.append([next.transfer(ada, bob, 1, { home })]))[0]).to.include({ ok: false });
    expect(await store.account(bob)).to.include({ available: 30 });
  });

  it('is known after a restart', async () => {
    const store = await database.open();
    await store.append([builder.mint(ada, 100, { home })]);
    await store.close();
    const again = await database.open();
    const [lost] = await again.append([builder.fork().mint(ada, 1, { home: `${home}2` })]);
    expect(lost).to.deep.equal({ ok: false, taken: `home/${home}` });
  });

  it('keeps valid times when one node corrects its clock, while both write', async () => {
    const nodes = await Promise.all([1, 2].map(() => TestNode.start({ store: () => database.open() })));
    try {
      const [one] = nodes as [TestNode, TestNode];
      const people = await Promise.all(nodes.flatMap((node) => Array.from({ length: 6 }, () => node.rich())));
      const transfers = () => people.map((person) => person.pays(one.did, 1));
      for (const minutes of [5, 9]) {
        one.world.outrun(minutes * 60_000);
        await Promise.all(transfers());
        one.world.outrun(-minutes * 60_000);
        const correction = { reason: 'it was ahead', operator: 'a test' };
        const before = transfers();
        const corrected = one.operate('node', one.did, 'correct-clock', correction);
        await Promise.all([...before, corrected]);
        await Promise.all(transfers());
      }
      expect((await one.audit()).flaw).to.equal(undefined);
    } finally {
      for (const node of nodes) await node.discard();
    }
  });
});
