/** A home's start: it asks its peers for its own newest checkpoint before it writes, and restores the entries that it lost. */
import { expect } from 'chai';
import { sha256Hex } from '../../src/core/canonical.js';
import { realEnvironment } from '../../src/core/environment.js';
import type { Catalogue } from '../../src/machines/kernel/step.js';
import { type Checkpoint, signCheckpoint } from '../../src/peers/checkpoint.js';
import { catchUpOwnHead, type OwnHeadOutcome, type OwnHeadPeer } from '../../src/peers/own-head.js';
import { type FeedEntry, Replica } from '../../src/peers/replica/replica.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { JournalHead, Store } from '../../src/store/store.js';
import { audit } from '../../src/verify/audit.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { accepted, Bench, network } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { life } from '../world/history.js';
import { didOf, signer } from '../world/people.js';

const home = signer('node');

/** The state before the disk was lost. */
interface Past {
  readonly bench: Bench;
  readonly entries: readonly NumberedEntry[];
}

async function past(): Promise<Past> {
  const bench = await life();
  return { bench, entries: await bench.store.entries({ after: 0, limit: 1_000 }) };
}

const signed = ({ entries, bench }: Past, seq: number): Checkpoint =>
  signCheckpoint(home, entries[seq - 1]!, { network, time: bench.world.now() });

/** A peer that has our entries up to a number. */
class KnowingPeer implements OwnHeadPeer {
  readonly did: string;
  asked = 0;

  constructor(
    name: string,
    private readonly past: Past,
    readonly knows: number,
  ) {
    this.did = didOf(name);
  }

  async end(_: AbortSignal): Promise<{ checkpoint?: unknown; adopted: number }> {
    this.asked++;
    return { checkpoint: JSON.parse(JSON.stringify(signed(this.past, this.knows))), adopted: this.knows };
  }

  async *entries({ seq }: JournalHead, upTo: number): AsyncIterable<FeedEntry> {
    for (const entry of this.past.entries.slice(seq, Math.min(upTo, this.knows))) yield { entry: this.shown(entry) };
  }

  protected shown(entry: NumberedEntry): NumberedEntry {
    return entry;
  }
}

/** A peer that knows the checkpoint at the end of our journal, and holds a copy of another branch. */
class PeerBetween extends KnowingPeer {
  constructor(
    past: Past,
    private readonly copied: Checkpoint,
  ) {
    super('between', past, past.entries.length);
  }

  override async end(signal: AbortSignal) {
    return { ...(await super.end(signal)), held: this.copied };
  }
}

class AbsentPeer extends KnowingPeer {
  override async end(): Promise<never> {
    throw new TypeError('connection refused');
  }
}

/** Neither answers nor refuses. */
class SilentPeer extends KnowingPeer {
  override end(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new TypeError('given up')), { once: true });
    });
  }
}

/** Lacks the payload of one entry, which was withheld from it. */
class PeerWithout extends KnowingPeer {
  lacking = 0;

  protected override shown(entry: NumberedEntry): NumberedEntry {
    return entry.seq === this.lacking ? { ...entry, payload: null, payloadText: null } : entry;
  }
}

const withheldAt = (at: Past, knows: number, lacking: number): PeerWithout =>
  Object.assign(new PeerWithout('withholding', at, knows), { lacking });

/** The journal as it was after that many entries. */
async function backup<T extends Store>(store: T, { entries, bench }: Past, upTo: number): Promise<T> {
  const replica = await Replica.open({ store, home: home.did, network, catalogue: bench.catalogue });
  await replica.adopt(entries.slice(0, upTo).map((entry) => ({ entry })));
  await store.deleteLocal('replica', 'state');
  return store;
}

interface Start {
  readonly store: Store;
  readonly peers: readonly OwnHeadPeer[];
  readonly world?: FakeWorld;
  readonly catalogue: Catalogue;
}

async function start({ store, peers, catalogue, world = new FakeWorld() }: Start) {
  const logged: string[] = [];
  const begun = world.monotonic();
  const outcome = await world.settle<OwnHeadOutcome>(
    catchUpOwnHead({
      ...{ home: home.did, network, store, catalogue, peers, world, aloneMs: 10_000 },
      log: (message) => logged.push(message),
    }),
  );
  return { outcome, logged, tookMs: world.monotonic() - begun };
}

describe('A start behind an old backup', () => {
  let whole: Past;
  const end = () => whole.entries.length;
  const restored = (upTo: number) => backup(new MemoryStore({ world: new FakeWorld() }), whole, upTo);
  const startOn = async (store: Store, ...peers: OwnHeadPeer[]) =>
    start({ store, peers, catalogue: whole.bench.catalogue });

  before(async () => {
    whole = await past();
  });
  after(tidy);

  it('restores the entries that a peer has, and continues after them', async () => {
    const store = await restored(5);
    const { outcome, tookMs } = await startOn(store, new KnowingPeer('peer', whole, end()));
    expect(outcome).to.deep.equal({ outcome: 'level', taken: end() - 5 });
    expect(tookMs).to.be.below(1_000);
    expect(await store.head()).to.deep.equal(await whole.bench.store.head());
    expect(await audit(store, whole.bench.catalogue, network)).to.include({ ok: true, entries: end() });
    expect(store.tables.alarms).to.deep.equal(whole.bench.store.tables.alarms);
    expect(await store.localTables()).to.deep.equal([]);
    // The committer is at the new head, so the next entry continues the journal.
    const bench = await whole.bench.restart({ store });
    accepted(await bench.transfer('ada', 'ben', 1));
    expect((await store.head()).seq).to.equal(end() + 1);
  });

  it('takes back a whole journal where the disk was lost and the key was not', async () => {
    const store = await restored(0);
    const { outcome } = await startOn(store, new KnowingPeer('peer', whole, end()));
    expect(outcome).to.deep.equal({ outcome: 'level', taken: end() });
  });

  it('does the same on the embedded store', async () => {
    const store = await backup(await SqliteStore.open({ dir: scratch(), writer: 'inline' }), whole, 7);
    try {
      // Its files take real time, so the clock is the real one.
      const outcome = await catchUpOwnHead({
        ...{ home: home.did, network, store, catalogue: whole.bench.catalogue, aloneMs: 10_000, log: () => {} },
        ...{ peers: [new KnowingPeer('peer', whole, end())], world: realEnvironment },
      });
      expect(outcome).to.deep.equal({ outcome: 'level', taken: end() - 7 });
      expect(await audit(store, whole.bench.catalogue, network)).to.include({ ok: true, entries: end() });
      expect(await store.due(Number.MAX_SAFE_INTEGER, 100)).to.deep.equal(
        await whole.bench.store.due(Number.MAX_SAFE_INTEGER, 100),
      );
    } finally {
      await store.close();
    }
  });

  it('asks the peer that knows more when another one answers first', async () => {
    const store = await restored(5);
    const less = new KnowingPeer('less', whole, 8);
    const more = new KnowingPeer('more', whole, end());
    const { outcome } = await startOn(store, less, more);
    expect(outcome).to.deep.equal({ outcome: 'level', taken: end() - 5 });
    expect([less.asked, more.asked]).to.deep.equal([1, 1]);
  });

  it('takes from another peer what one has only withheld', async () => {
    const store = await restored(5);
    const { outcome } = await startOn(store, withheldAt(whole, end(), 9), new KnowingPeer('other', whole, end()));
    expect(outcome).to.deep.equal({ outcome: 'level', taken: end() - 5 });
  });

  it('is refused where all peers have something only withheld, and nothing is written', async () => {
    const store = await restored(5);
    const { outcome } = await startOn(store, withheldAt(whole, end(), 9));
    expect(outcome).to.have.property('outcome', 'refused');
    expect((outcome as { why: string }).why).to.match(/entry 9 is confidential.*restore a newer backup/);
    expect((await store.head()).seq).to.equal(5);
  });

  it('is refused where a peer shows another journal of this key, behind the backup or within it', async () => {
    const other = await Bench.open({ catalogue: whole.bench.catalogue }, { ada: 2_000, ben: 1, cyd: 1 });
    const fork: Past = { bench: other, entries: await other.store.entries({ after: 0, limit: 1_000 }) };
    expect(fork.entries[3]!.chainHash).to.not.equal(whole.entries[3]!.chainHash);
    const peers = { within: [new KnowingPeer('peer', fork, 4)], behind: [new KnowingPeer('peer', fork, 4)] };
    for (const [upTo, [peer]] of [
      [8, peers.within],
      [3, peers.behind],
    ] as const) {
      const store = await restored(upTo);
      const { outcome } = await startOn(store, peer!);
      expect(outcome).to.have.property('outcome', 'refused');
      expect((await store.head()).seq).to.equal(upTo);
    }
    const store = await restored(2);
    const { outcome } = await startOn(store, new KnowingPeer('one', whole, 4), new KnowingPeer('two', fork, 4));
    expect((outcome as { why: string }).why).to.include('has signed two journals');
    expect((await store.head()).seq).to.equal(2);
  });

  it('is refused where the copy of a peer is of another journal, although the newest checkpoint is ours', async () => {
    const other = await Bench.open({ catalogue: whole.bench.catalogue }, { ada: 2_000, ben: 1, cyd: 1 });
    const fork: Past = { bench: other, entries: await other.store.entries({ after: 0, limit: 1_000 }) };
    const { outcome } = await startOn(await restored(end()), new PeerBetween(whole, signed(fork, 4)));
    expect((outcome as { why: string }).why).to.include('has signed two journals');
  });

  it('believes nothing that its own key has not signed', async () => {
    const store = await restored(5);
    class Liar extends KnowingPeer {
      override async end() {
        return { checkpoint: { ...signed(whole, 12), seq: 999 }, adopted: 999 };
      }
    }
    const { outcome, logged } = await startOn(store, new Liar('liar', whole, end()));
    expect(outcome).to.deep.equal({ outcome: 'level', taken: 0 });
    expect(logged.join()).to.include('has not signed');
  });

  it('writes nothing of entries that do not lead to what its key has signed', async () => {
    const dressed = (entry: NumberedEntry): NumberedEntry => ({
      ...entry,
      coreText: entry.coreText.replace('"v":1', '"v":2'),
    });
    class Forger extends KnowingPeer {
      protected override shown(entry: NumberedEntry): NumberedEntry {
        if (entry.seq !== 9) return entry;
        const forged = dressed(entry);
        return { ...forged, entryHash: sha256Hex(forged.coreText) };
      }
    }
    /** Sends the true entries the first time only. */
    class TwoFaced extends KnowingPeer {
      #times = 0;
      override async *entries(from: JournalHead, upTo: number): AsyncIterable<FeedEntry> {
        const isFirst = this.#times++ === 0;
        for await (const { entry } of super.entries(from, upTo)) {
          yield { entry: isFirst || entry.seq < 7 ? entry : { ...entry, chainHash: 'f'.repeat(64) } };
        }
      }
    }
    for (const peer of [new Forger('peer', whole, end()), new TwoFaced('peer', whole, end())]) {
      const store = await restored(5);
      const { outcome } = await startOn(store, peer);
      expect(outcome).to.have.property('outcome', 'refused');
      expect((await store.head()).seq).to.equal(5);
    }
  });

  it('writes nothing of entries that are valid and in another order than its key has signed', async () => {
    const other = await Bench.open({ catalogue: whole.bench.catalogue }, { ada: 2_000, ben: 1, cyd: 1 });
    const entries = await other.store.entries({ after: 0, limit: 1_000 });
    class Reordering extends KnowingPeer {
      override async *entries({ seq }: JournalHead, upTo: number): AsyncIterable<FeedEntry> {
        for (const entry of entries.slice(seq, upTo)) yield { entry };
      }
    }
    const store = await restored(0);
    const { outcome } = await startOn(store, new Reordering('peer', whole, 4));
    expect((outcome as { why: string }).why).to.include('not those that this node has signed');
    expect((await store.head()).seq).to.equal(0);
  });

  it('continues alone after ten seconds if no peer answers, and says so', async () => {
    const store = await restored(5);
    const { outcome, logged, tookMs } = await startOn(
      store,
      new AbsentPeer('one', whole, 9),
      new SilentPeer('two', whole, 9),
    );
    expect(outcome).to.deep.equal({ outcome: 'alone' });
    expect(tookMs).to.be.within(10_000, 10_500);
    expect(logged.join()).to.include('continues without peers');
  });

  it('waits two seconds for peers that are out of reach once one has answered, and longer for one that hangs', async () => {
    const here = () => new KnowingPeer('here', whole, 9);
    const gone = await startOn(await restored(9), here(), new AbsentPeer('gone', whole, 9));
    expect(gone.tookMs).to.be.within(2_000, 2_500);
    const hung = await startOn(await restored(9), here(), new SilentPeer('hung', whole, 9));
    expect(hung.tookMs).to.be.within(10_000, 10_500);
    expect(hung.outcome).to.deep.equal({ outcome: 'level', taken: 0 });
  });

  it('reaches a peer that comes up while it waits', async () => {
    class Late extends KnowingPeer {
      override async end(signal: AbortSignal) {
        if (this.asked++ < 12) throw new TypeError('connection refused');
        return super.end(signal);
      }
    }
    const { outcome } = await startOn(await restored(5), new Late('late', whole, end()));
    expect(outcome).to.deep.equal({ outcome: 'level', taken: end() - 5 });
  });

  const rounds = isLong ? 100 : 20;

  it(`makes no fork in ${rounds} starts with a peer in reach`, async function () {
    this.timeout(120_000);
    const draws = (round: number, what: string, below: number) =>
      Number.parseInt(sha256Hex(`${round} ${what}`).slice(0, 8), 16) % below;
    let taken = 0;
    for (let round = 0; round < rounds; round++) {
      const peers: KnowingPeer[] = [];
      const seen = [1 + draws(round, 'first', end())];
      peers.push(new KnowingPeer('first', whole, seen[0]!));
      for (let i = 0; i < draws(round, 'more', 3); i++) {
        const knows = 1 + draws(round, `knows ${i}`, end());
        const sort = draws(round, `sort ${i}`, 4);
        const lacking = 1 + draws(round, `lacking ${i}`, knows);
        if (sort === 0) peers.push(new AbsentPeer(`absent ${i}`, whole, knows));
        else if (sort === 1 && knows <= seen[0]!) peers.push(withheldAt(whole, knows, lacking));
        else {
          peers.push(new KnowingPeer(`peer ${i}`, whole, knows));
          seen.push(knows);
        }
      }
      const store = await restored(draws(round, 'backup', end()));
      const { seq: from } = await store.head();
      const { outcome } = await startOn(store, ...peers);
      const known = Math.max(from, ...seen);
      expect(outcome, `round ${round}`).to.deep.equal({ outcome: 'level', taken: known - from });
      // It accepts writes, because its journal contains everything that reachable peers have.
      const bench = await whole.bench.restart({ store });
      accepted(await bench.mint('dan', 1));
      for (const upTo of seen) {
        const [own] = await store.entries({ after: upTo - 1, limit: 1 });
        expect(own!.chainHash, `round ${round}`).to.equal(whole.entries[upTo - 1]!.chainHash);
      }
      taken += known - from;
    }
    expect(taken).to.be.above(rounds);
  });
});
