/** The audit of a store to which others write meanwhile: its rows may be ahead of the entries that were replayed. */
import { expect } from 'chai';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { JournalHead } from '../../src/store/store.js';
import { audit } from '../../src/verify/audit.js';
import { type Bench, network } from '../world/bench.js';
import { life } from '../world/history.js';
import { ben } from '../world/people.js';

/** Reports a head from some entries ago, and lets something happen when its sums are read. */
class MovingStore extends MemoryStore {
  constructor(
    bench: Bench,
    private readonly first: number,
    private readonly happen: () => Promise<unknown> = async () => {},
  ) {
    super({ tables: bench.store.tables });
  }

  #asked = 0;

  override async head(): Promise<JournalHead> {
    if (this.#asked++ > 0) return super.head();
    const chainHash = this.tables.journal[this.first - 1]?.chainHash ?? '0'.repeat(64);
    return { seq: this.first, chainHash };
  }

  override async totals(): ReturnType<MemoryStore['totals']> {
    await this.happen();
    return super.totals();
  }
}

/** A store whose head is one entry late, and whose sums are one Token short, until the sums are first read. */
class LateStore extends MemoryStore {
  constructor(bench: Bench) {
    super({ tables: bench.store.tables });
  }

  #isLate = true;

  override async head(): Promise<JournalHead> {
    if (!this.#isLate) return super.head();
    const { journal } = this.tables;
    return { seq: journal.length - 1, chainHash: journal.at(-2)!.chainHash };
  }

  override async totals(): ReturnType<MemoryStore['totals']> {
    const totals = await super.totals();
    const missing = this.#isLate ? 1 : 0;
    this.#isLate = false;
    return { ...totals, available: totals.available - missing };
  }
}

describe('audit of a store that others write to', () => {
  let bench: Bench;
  before(async () => {
    bench = await life();
  });

  const verdict = (store: MemoryStore) => audit(store, bench.catalogue, network);
  const length = () => bench.store.tables.journal.length;

  it('finds nothing wrong with rows that later entries explain, however far it had come', async () => {
    for (let first = 0; first <= length(); first++) {
      const report = await verdict(new MovingStore(bench, first));
      expect(report, `from ${first}`).to.include({ ok: true, entries: length(), supply: 1_000 });
      expect(report).not.to.have.property('note');
    }
  });

  it('still finds a row that no entry explains', async () => {
    const { tables } = bench.store;
    const account = tables.accounts.get(ben)!;
    const text = tables.snapshots.get('escrow/esc-1')!;
    for (const first of [0, 5, length()]) {
      tables.accounts.set(ben, { ...account, available: account.available + 1 });
      const report = await verdict(new MovingStore(bench, first));
      // If the replay had not reached the account yet, the difference shows in the sums.
      expect(report.flaw?.what, `from ${first}`).to.match(/account of did:svc:.* is not what|ledger rows sum to/);
      tables.accounts.set(ben, account);
      tables.snapshots.set('escrow/esc-1', text.replace('"version":4', '"version":5'));
      // Resources that were created after the audit began are not checked.
      expect(await verdict(new MovingStore(bench, first)), `from ${first}`).to.include({ ok: first === 0 });
      tables.snapshots.set('escrow/esc-1', text);
    }
  });

  it('sums up again where rows were still being written behind their entry', async () => {
    expect(await verdict(new LateStore(bench)))
      .to.include({ ok: true, supply: 1_000 })
      .and.not.have.property('note');
  });

  it('says so where entries came in whenever it summed up', async () => {
    const write = async () => bench.mint('dan', 1);
    const moving = await verdict(new MovingStore(bench, 5, write));
    expect(moving).to.include({ ok: true });
    expect(moving).to.have.property('note').that.includes('sums over the store were not compared');
    let left = 3;
    const settling = await verdict(new MovingStore(bench, 5, async () => left-- > 0 && write()));
    expect(settling).to.include({ ok: true }).and.not.to.have.property('note');
  });
});
