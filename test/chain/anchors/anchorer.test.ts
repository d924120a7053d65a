/** Entries are anchored after a thousand of them or ten minutes. A journal that differs from the anchored one is detected. */
import { expect } from 'chai';
import sinon from 'sinon';
import { type Anchor, rootOf } from '../../../src/chain/anchors/anchor.js';
import type { AnchorChain } from '../../../src/chain/anchors/anchor-chain.js';
import { AnchorRecords } from '../../../src/chain/anchors/anchor-records.js';
import { Anchorer } from '../../../src/chain/anchors/anchorer.js';
import { ChainAway, type EvmReceipt } from '../../../src/chain/evm/evm.js';
import { RecentHashes } from '../../../src/chain/settlement/recent-hashes.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { EntryBuilder } from '../../contract/entries.js';
import { FakeWorld } from '../../world/fake-world.js';

const minute = 60_000;

class Chain implements AnchorChain {
  anchors: Anchor[] = [];
  trouble: 'away' | 'lost' | 'reverts' | undefined;
  #count = 0;

  async anchored() {
    if (this.trouble === 'away') throw new ChainAway('as the test asked');
    return this.anchors.at(-1)?.lastEntry ?? 0;
  }

  async since(entry: number) {
    return this.anchors.filter(({ lastEntry }) => lastEntry > entry);
  }

  async send(anchor: Pick<Anchor, 'firstEntry' | 'lastEntry' | 'root'>): Promise<EvmReceipt> {
    const { trouble } = this;
    this.trouble = undefined;
    expect(anchor.firstEntry, 'no gap').to.equal((this.anchors.at(-1)?.lastEntry ?? 0) + 1);
    const made = { ...anchor, txHash: `0x${++this.#count}`, blockNumber: this.#count };
    if (trouble !== 'reverts') this.anchors.push(made);
    if (trouble === 'lost') throw new ChainAway('the answer was lost');
    return { transactionHash: made.txHash, blockNumber: made.blockNumber, succeeded: trouble !== 'reverts' } as never;
  }

  get ranges(): [number, number][] {
    return this.anchors.map(({ firstEntry, lastEntry }) => [firstEntry, lastEntry]);
  }
}

class Scene {
  readonly world = new FakeWorld();
  readonly chain = new Chain();
  readonly logged: string[] = [];
  mine = true;
  store = new MemoryStore();
  builder = new EntryBuilder();
  records = new AnchorRecords(this.store);
  anchorer = this.start();

  start(): Anchorer {
    const { chain, store, world } = this;
    this.records = new AnchorRecords(store);
    const log = (message: string, detail: object) => this.logged.push(`${message} ${JSON.stringify(detail)}`);
    return new Anchorer({ chain, store, world, records: this.records, mine: async () => this.mine, log });
  }

  /** Writes entries with the current time. */
  async write(count: number, to = 'did:svc:ada'): Promise<void> {
    const time = this.world.now();
    const commits = Array.from({ length: count }, (_, n) => this.builder.mint(to, 1, { time: time + n / count }));
    for (const result of await this.store.append(commits)) expect(result.ok).to.equal(true);
  }

  look(): Promise<void> {
    return this.world.settle(this.anchorer.look());
  }

  /** Replaces this journal by another one, with or without its local records. */
  restore(store: MemoryStore, builder: EntryBuilder): void {
    this.store = store;
    this.builder = builder;
    this.anchorer = this.start();
  }
}

describe('anchors', () => {
  it('do not read entries that were announced', async () => {
    const scene = new Scene();
    await scene.write(2_100);
    const entries = await scene.store.entries({ after: 0, limit: 2_000 });
    const recent = new RecentHashes();
    for (const entry of entries.slice(1_000)) recent.note(entry);
    const { chain, store, world, records } = scene;
    const reads = sinon.spy(store, 'entries');
    const anchorer = new Anchorer({ chain, store, world, records, recent, log: () => {} });
    await world.settle(anchorer.look());
    expect(chain.anchors.map(({ root }) => root)).to.deep.equal([
      rootOf(entries.slice(0, 1_000)),
      rootOf(entries.slice(1_000)),
    ]);
    const asked = reads.args.flatMap(([{ after, limit }]) => (limit > 1 ? [after] : []));
    expect(Math.max(...asked)).to.be.below(1_000);
  });

  it('cover each full thousand of entries at once', async () => {
    const scene = new Scene();
    await scene.write(999);
    await scene.look();
    expect(scene.chain.ranges).to.deep.equal([]);
    await scene.write(1_003);
    await scene.look();
    expect(scene.chain.ranges).to.deep.equal([
      [1, 1_000],
      [1_001, 2_000],
    ]);
    const entries = await scene.store.entries({ after: 1_000, limit: 1_000 });
    expect(scene.chain.anchors[1]!.root).to.equal(rootOf(entries));
  });

  it('cover fewer entries once the oldest of them has waited for ten minutes, and none over a thousand', async () => {
    const scene = new Scene();
    await scene.write(3);
    await scene.look();
    await scene.world.advance(9 * minute);
    await scene.write(2);
    await scene.look();
    expect(scene.chain.ranges).to.deep.equal([]);
    await scene.world.advance(minute);
    await scene.look();
    expect(scene.chain.ranges).to.deep.equal([[1, 5]]);
    await scene.write(1_000);
    await scene.look();
    expect(scene.chain.ranges.slice(1)).to.deep.equal([[6, 1_000]]);
    await scene.world.advance(11 * minute);
    await scene.look();
    expect(scene.chain.ranges.slice(2)).to.deep.equal([[1_001, 1_005]]);
    await scene.world.advance(60 * minute);
    await scene.look();
    expect(scene.chain.ranges, 'nothing new, nothing to anchor').to.have.length(3);
  });

  it('are known by each entry that they cover, also in the next process', async () => {
    const scene = new Scene();
    await scene.write(2_000);
    await scene.look();
    const [first, second] = scene.chain.anchors;
    for (const [seq, anchor] of [
      [1, first],
      [1_000, first],
      [1_001, second],
      [2_000, second],
      [2_001, undefined],
    ] as const)
      expect(await scene.records.covering(seq), String(seq)).to.deep.equal(anchor);
    scene.anchorer = scene.start();
    await scene.look();
    expect(scene.chain.ranges).to.have.length(2);
    expect(await scene.records.covering(7)).to.deep.equal(first);
  });

  it('are made once where an answer is lost, and again where they were refused', async () => {
    const scene = new Scene();
    await scene.write(1_000);
    scene.chain.trouble = 'lost';
    await scene.look().catch(() => {});
    await scene.look();
    expect(scene.chain.ranges).to.deep.equal([[1, 1_000]]);
    expect((await scene.records.covering(5))?.txHash).to.equal('0x1');
    await scene.write(1_000);
    scene.chain.trouble = 'reverts';
    await scene.look().catch(() => {});
    expect(await scene.records.covering(1_005)).to.equal(undefined);
    await scene.look();
    expect(scene.chain.ranges).to.deep.equal([
      [1, 1_000],
      [1_001, 2_000],
    ]);
  });

  it('are made again where the chain has lost them, and what was recorded of them is forgotten', async () => {
    const scene = new Scene();
    await scene.write(3_000);
    await scene.look();
    scene.chain.anchors.splice(1);
    scene.anchorer = scene.start();
    scene.chain.trouble = 'reverts';
    await scene.look().catch(() => {});
    expect(await scene.records.covering(1_500)).to.equal(undefined);
    expect(await scene.records.covering(2_500)).to.equal(undefined);
    await scene.look();
    expect(scene.chain.ranges).to.have.length(3);
    expect((await scene.records.covering(1_500))?.txHash).to.equal('0x5');
  });

  it('are found on chain where the records of them are lost', async () => {
    const scene = new Scene();
    await scene.write(2_000);
    await scene.look();
    for (const { id } of await scene.store.listLocal('anchors')) await scene.store.deleteLocal('anchors', id);
    scene.anchorer = scene.start();
    await scene.look();
    expect(await scene.records.covering(1_999)).to.deep.equal(scene.chain.anchors[1]);
    expect(scene.anchorer.halted).to.equal(undefined);
  });

  it('find out a journal whose end was cut off', async () => {
    const scene = new Scene();
    await scene.write(2_000);
    await scene.look();
    const cut = new MemoryStore();
    const builder = new EntryBuilder();
    const kept = Array.from({ length: 1_500 }, () => builder.mint('did:svc:ada', 1));
    await cut.append(kept);
    scene.restore(cut, builder);
    await scene.look();
    expect(scene.anchorer.halted).to.match(/anchors entries up to 2000, and the journal ends at 1500/);
    expect(scene.chain.ranges).to.have.length(2);
  });

  it('find out a journal that was rolled back and went on', async () => {
    const scene = new Scene();
    await scene.write(1_500);
    await scene.look();
    const backup = scene.store.survivor();
    const [builder, journal] = [scene.builder.fork(), backup.tables.journal.slice()];
    await scene.write(600);
    await scene.look();
    expect(scene.chain.ranges).to.have.length(2);
    const other = new MemoryStore();
    // Equal up to the backup, then different entries.
    other.tables.journal.push(...journal);
    Object.assign(other.tables.house, { supply: -1_500 });
    for (const [did, account] of backup.tables.accounts) other.tables.accounts.set(did, account);
    scene.restore(other, builder);
    const issuer = 'did:svc:somebody';
    await other.append(Array.from({ length: 900 }, () => builder.commit({ issuer, type: 'other', moves: [] })));
    await scene.look();
    expect(scene.anchorer.halted).to.match(/entries 1001 to 2000 are not those that were anchored/);
    await scene.look();
    expect(scene.chain.ranges, 'nothing more is anchored').to.have.length(2);
  });

  it('are written by one process; an unreachable chain is reported once', async () => {
    const scene = new Scene();
    await scene.write(1_000);
    scene.mine = false;
    await scene.look();
    expect(scene.chain.ranges).to.deep.equal([]);
    scene.mine = true;
    scene.anchorer.start();
    scene.chain.trouble = 'away';
    await scene.world.advance(5 * minute);
    expect(scene.logged).to.have.length(1);
    scene.chain.trouble = undefined;
    await scene.world.advance(10_000);
    expect(scene.chain.ranges).to.deep.equal([[1, 1_000]]);
    await scene.anchorer.stop();
    await scene.write(1_000);
    await scene.world.advance(minute);
    expect(scene.chain.ranges).to.have.length(1);
  });
});
