import { expect } from 'chai';
import sinon from 'sinon';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { chainHashOf, noHash } from '../../src/store/entry.js';
import { Ingest } from '../../src/store/mongo/ingest.js';
import type { MongoStore } from '../../src/store/mongo/mongo-store.js';
import { Projection } from '../../src/store/mongo/projection.js';
import type { AppendResult } from '../../src/store/store.js';
import { type EntryBuilder, forged, EntryBuilder as NewScribe } from '../contract/entries.js';
import { expectUpToDate, listings } from '../contract/store/up-to-date.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

const ada = 'did:svc:ada';
const bob = 'did:svc:bob';

const accepted = (results: readonly AppendResult[]) =>
  results.map((result) => {
    expect(result).to.have.property('ok', true);
    return result as AppendResult & { ok: true };
  });

describeMongo('several processes on one database', () => {
  let database: TestDatabase;
  let stores: MongoStore[];
  let builder: EntryBuilder;

  beforeEach(async () => {
    database = await TestDatabase.fresh();
    stores = [await database.open(), await database.open(), await database.open()];
    builder = new NewScribe();
  });

  afterEach(() => database.dispose());

  it('report a settled entry once, if one process was delayed and another reported it meanwhile', async () => {
    const receiptOf = (entryHash: string, blockNumber: number) =>
      ({ entryHash, seq: 1, status: 'confirmed', txHash: 'tx', blockNumber }) as const;
    await stores[0]!.appendReceipts([receiptOf('a', 1), receiptOf('b', 1)]);
    await stores[1]!.appendReceipts([receiptOf('a', 1), receiptOf('b', 1), receiptOf('c', 1)]);
    // Every change of the block is reported, also a change back to the first one.
    await stores[2]!.appendReceipts([receiptOf('a', 2)]);
    await stores[1]!.appendReceipts([receiptOf('a', 1)]);
    const receipts = await stores[0]!.receipts(0, 100);
    expect(receipts.map(({ entryHash, blockNumber }) => `${entryHash} ${blockNumber}`)).to.deep.equal([
      'a 1',
      'b 1',
      'c 1',
      'a 2',
      'a 1',
    ]);
    expect(receipts.map(({ number }) => number)).to.deep.equal([1, 2, 3, 4, 5]);
  });

  /** The whole journal through one store: numbers without a gap, each entry chained to the previous one. */
  async function wholeJournal(store: MongoStore) {
    const entries = await store.entries({ after: 0, limit: 10_000 });
    let prev = noHash;
    for (const [index, entry] of entries.entries()) {
      expect(entry).to.include({ seq: index + 1, prevEntry: prev });
      expect(entry.chainHash).to.equal(chainHashOf(index + 1, prev, entry.entryHash));
      prev = entry.chainHash;
    }
    expect(await store.head()).to.deep.equal({ seq: entries.length, chainHash: prev });
    return entries;
  }

  it('number their entries in one order, and each reads what another was answered', async () => {
    for (let round = 0; round < 10; round++) {
      for (const store of stores) {
        const [place] = accepted(await store.append([builder.mint(ada, 1)]));
        for (const reader of stores) expect(await reader.account(ada)).to.include({ available: place!.seq });
      }
    }
    expect(await wholeJournal(stores[2]!)).to.have.length(30);
  });

  it('read each entry of another process once', async () => {
    const leader = () => stores.findIndex((store) => store.stats().order.holds);
    const fetch = sinon.spy(Ingest.prototype, 'fetch');
    try {
      for (let before = -1; before === -1 || before !== leader(); ) {
        before = leader();
        fetch.resetHistory();
        for (let round = 0; round < 10; round++) {
          for (const store of stores) accepted(await store.append([builder.mint(ada, 1)]));
        }
      }
      const read = fetch.getCalls().flatMap(({ thisValue, args: [hashes] }) => hashes.map((hash) => [thisValue, hash]));
      const readers = new Map(read.map(([reader]) => [reader, read.filter(([by]) => by === reader)]));
      expect(readers.size).to.equal(stores.length);
      for (const all of readers.values()) expect(all).to.have.length(new Set(all.map(([, hash]) => hash)).size);
    } finally {
      fetch.restore();
    }
  });

  describe('whose projections come long after the numbers', () => {
    const { write } = Projection.prototype;
    before(() => {
      Projection.prototype.write = async function (...of) {
        await pause(realEnvironment, 50);
        await write.apply(this, of);
      };
    });
    after(() => {
      Projection.prototype.write = write;
    });

    for (const [name, list] of Object.entries(listings)) {
      it(`read nothing older than what they have listed: ${name}`, () =>
        expectUpToDate(stores[0]!, stores[2]!, list, builder));
    }
  });

  it('append at once, each its own streams', async () => {
    const each = 20;
    const calls = stores.flatMap((store, index) => {
      const own = new NewScribe();
      const issuer = `did:svc:issuer-${index}`;
      return Array.from({ length: each }, () => store.append([own.mint(ada, 1, { issuer })]));
    });
    const places = accepted((await Promise.all(calls)).flat()).map(({ seq }) => seq);
    expect(new Set(places).size).to.equal(3 * each);
    const entries = await wholeJournal(stores[1]!);
    expect(entries).to.have.length(3 * each);
    for (const [index, store] of stores.entries()) {
      const own = entries.filter(({ core }) => core.event.issuer === `did:svc:issuer-${index}`);
      expect(own.map(({ core }) => core.event.nonce)).to.deep.equal(Array.from({ length: each }, (_, n) => n + 1));
      expect(await store.account(ada)).to.include({ available: 3 * each, seq: 3 * each });
      expect(await store.totals()).to.include({ supply: 3 * each, available: 3 * each });
    }
  });

  it('only one of several wins a key; the others learn which, and can read the winner', async () => {
    accepted(await stores[0]!.append([builder.mint(ada, 100)]));
    for (let round = 1; round <= 10; round++) {
      const before = await stores[0]!.account(ada);
      const forks = stores.map(() => builder.fork());
      const commits = forks.map((fork, index) => fork.transfer(ada, bob, index + 1));
      const results = await Promise.all(
        stores.map(async (store, index) => {
          const [result] = await store.append([commits[index]!]);
          return { result: result!, seen: await store.account(ada) };
        }),
      );
      const winner = results.findIndex(({ result }) => result.ok);
      expect(results.filter(({ result }) => result.ok)).to.have.length(1);
      for (const { result, seen } of results) {
        if (!result.ok) expect(result.taken).to.equal(`nonce/${ada}#${round}`);
        expect(seen).to.include({ nonce: round, available: before!.available - (winner + 1) });
      }
      builder.learn(commits[winner]!);
    }
    await wholeJournal(stores[1]!);
  });

  it('number no entry whose decision rests on what another one has changed since', async () => {
    const order = { kind: 'order', id: 'o1' };
    accepted(await stores[0]!.append([builder.resource(order)]));
    const outcomes = { ok: 0, lost: 0 };
    for (let version = 1; version <= 25; version++) {
      const [writer, ...readers] = [0, 1, 2].map((n) => stores[(version + n) % 3]!);
      const reading = readers.map((_, n) => {
        const commit = builder.fork().mint(bob, 1, { issuer: `did:svc:reader-${n}` });
        return forged(commit, { reads: [{ ...order, version }] });
      });
      const changing = builder.resource(order);
      const [changed, ...read] = await Promise.all([
        writer!.append([changing]),
        ...readers.map((store, n) => store.append([reading[n]!])),
      ]);
      const { seq } = accepted(changed!)[0]!;
      for (const [n, [result]] of read.entries()) {
        if (result!.ok) {
          outcomes.ok++;
          expect(result!.seq).to.be.below(seq);
          builder.learn(reading[n]!);
        } else {
          outcomes.lost++;
          expect(result).to.deep.equal({ ok: false, taken: `order/o1@${version + 1}` });
        }
      }
    }
    const entries = await wholeJournal(stores[0]!);
    expect(entries).to.have.length(26 + outcomes.ok);
    expect(await stores[1]!.totals()).to.include({ supply: outcomes.ok });
  });

  it('notify their listeners of each entry of the others, in order, when it can be read', async () => {
    const heard = stores.map((): { seq: number; versions: number[]; readable: boolean }[] => []);
    const readings: Promise<void>[] = [];
    for (const [index, store] of stores.entries()) {
      store.follow(({ entry, snapshots }) => {
        const line = { seq: entry.seq, versions: snapshots.map(({ version }) => version), readable: false };
        heard[index]!.push(line);
        const read = async () => {
          line.readable = ((await store.load('order', 'o1'))?.version ?? 0) >= line.versions[0]!;
        };
        readings.push(read());
      });
    }
    for (let n = 0; n < 9; n++) {
      accepted(await stores[n % 3]!.append([builder.resource({ kind: 'order', id: 'o1', context: { n } })]));
    }
    await Promise.all(stores.map((store) => store.catchUp()));
    await Promise.all(readings);
    for (const [index, lines] of heard.entries()) {
      const others = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((seq) => (seq - 1) % 3 !== index);
      expect(lines.map(({ seq }) => seq)).to.deep.equal(others);
      expect(lines.map(({ versions }) => versions)).to.deep.equal(others.map((seq) => [seq]));
      expect(lines.every(({ readable }) => readable)).to.equal(true);
    }
  });

  it('have one holder of a lease, which another one takes when it leaves', async () => {
    const [first, second, third] = stores as [MongoStore, MongoStore, MongoStore];
    expect(await first.holds('alarms')).to.equal(1);
    const both = await Promise.all([second.holds('alarms'), third.holds('alarms'), first.holds('alarms')]);
    expect(both).to.deep.equal([undefined, undefined, 1]);
    expect(stores.map((store) => store.stats().order.holds)).to.deep.equal([true, false, false]);
    accepted(await second.append([builder.mint(ada, 1)]));
    await first.close();
    const tokens = await Promise.all([second.holds('alarms'), third.holds('alarms')]);
    expect(tokens.filter((token) => token !== undefined)).to.deep.equal([2]);
    accepted(await third.append([builder.mint(ada, 1)]));
    accepted(await second.append([builder.mint(ada, 1)]));
    expect(await wholeJournal(third)).to.have.length(3);
  });

  it('are one node each: a second one with the same key is refused while the first lives', async () => {
    const [first, second] = stores as [MongoStore, MongoStore];
    await first.announce('did:svc:node-1', 'no chain');
    await second.announce('did:svc:node-2', 'no chain');
    const again = await database.open();
    let refusal: unknown;
    await again.announce('did:svc:node-1', 'no chain').catch((error: unknown) => {
      refusal = error;
    });
    expect(String(refusal)).to.match(/another process works on mongodb:.* as did:svc:node-1/);
    await first.close();
    await again.announce('did:svc:node-1', 'no chain');
  });
});
