/** The audit of a store: a correct one passes, and one whose projections differ from the journal fails. */
import { expect } from 'chai';
import sinon from 'sinon';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Account, Snapshot } from '../../src/store/store.js';
import { audit } from '../../src/verify/audit.js';
import type { Bench } from '../world/bench.js';
import { Falsified } from '../world/falsified.js';
import { changes } from '../world/history.js';
import { ada, ben } from '../world/people.js';

/** One journal for all tests: each falsifies it and restores it. */
let life: Falsified;
let bench: Bench;

const tables = () => life.tables;
const rows = () => life.rows;
const flaw = () => life.flaw();
const restore = () => life.restore();

async function live(): Promise<void> {
  life = await Falsified.open();
  bench = life.bench;
}

describe('audit', () => {
  before(live);
  afterEach(restore);

  it('finds nothing wrong with an honest life', async () => {
    const report = await bench.audit();
    expect(report).to.include({ ok: true, entries: rows().length, supply: 1_000, head: rows().at(-1)!.chainHash });
    expect(report.flaw).to.equal(undefined);
    expect(rows().length).to.be.at.least(16);
  });

  it('reports its progress', async () => {
    const progress = sinon.spy();
    await audit(bench.store, bench.catalogue, 'devnet', { progress });
    expect(progress.lastCall.args).to.deep.equal([rows().length, rows().length]);
  });

  it('finds an entry of another network', async () => {
    const report = await audit(bench.store, bench.catalogue, 'mainnet');
    expect(report.flaw).to.include({ seq: 1, what: 'it belongs to devnet' });
  });

  it('of an empty journal is good', async () => {
    const { audit } = await import('../../src/verify/audit.js');
    const report = await audit(new MemoryStore(), bench.catalogue, 'devnet');
    expect(report).to.include({ ok: true, entries: 0, supply: 0 });
  });
});

describe('audit of the projections', () => {
  before(live);
  afterEach(restore);

  it('a snapshot that was changed, whatever place of it', async () => {
    for (const [key, text] of [...tables().snapshots]) {
      // Every seventh place, because all of them would only take longer.
      for (const { path, changed } of [...changes(JSON.parse(text))].filter((_, index) => index % 7 === 0)) {
        tables().snapshots.set(key, JSON.stringify(changed));
        const found = await flaw();
        expect(found, `${key}${path}`).to.include({ seq: 0, eventHash: null });
        restore();
      }
    }
  });

  it('a missing snapshot, and one that no entry wrote', async () => {
    const text = tables().snapshots.get('escrow/esc-1')!;
    tables().snapshots.delete('escrow/esc-1');
    expect((await flaw())?.what).to.match(/snapshot of escrow\/esc-1/);
    restore();
    const invented: Snapshot = { ...(JSON.parse(text) as Snapshot), id: 'esc-none' };
    tables().snapshots.set('escrow/esc-none', JSON.stringify(invented));
    expect((await flaw())?.what).to.match(/the store has \d escrow in/);
  });

  it('an account that was changed, whatever place of it', async () => {
    for (const [did, account] of [...tables().accounts]) {
      for (const { path, changed } of changes(account as never)) {
        // `seq` belongs to the store's caches.
        if (/^\.seq/.test(path)) continue;
        tables().accounts.set(did, changed as never);
        expect(await flaw(), `${did}${path}`).to.include({ seq: 0 });
        restore();
      }
    }
  });

  it('Tokens moved from one row to another, and Tokens out of nowhere', async () => {
    const row = (did: string) => tables().accounts.get(did)!;
    const set = (did: string, change: Partial<Account>) => tables().accounts.set(did, { ...row(did), ...change });
    set(ada, { available: row(ada).available - 1 });
    set(ben, { available: row(ben).available + 1 });
    expect((await flaw())?.what).to.match(/account of .* is not what the entries give/);
    restore();
    tables().accounts.set('did:svc:nobody', { ...row(ada), did: 'did:svc:nobody' });
    expect((await flaw())?.what).to.match(/ledger rows sum to/);
    restore();
    tables().house.fees += 1;
    expect((await flaw())?.what).to.match(/ledger rows sum to/);
    tables().house.fees -= 1;
  });

  it('a receipt that was changed, dropped or exchanged', async () => {
    const { receipts } = tables();
    for (const [index, { entryHash }] of rows().slice(0, 4).entries()) {
      await bench.store.appendReceipts([
        { entryHash, seq: index + 1, status: 'confirmed', txHash: '0xab', blockNumber: 1 },
      ]);
    }
    const honest = [...receipts];
    expect(await flaw()).to.equal(undefined);
    receipts[1] = { ...receipts[1]!, text: receipts[1]!.text.replace('confirmed', 'reverted') };
    expect((await flaw())?.what).to.equal('receipt 2 was changed');
    receipts.splice(0, 4, ...honest.toSpliced(1, 1));
    expect((await flaw())?.what).to.equal('receipt 2 does not follow the one before');
    receipts.splice(0, receipts.length, honest[0]!, honest[2]!, honest[1]!, honest[3]!);
    expect((await flaw())?.what).to.equal('receipt 2 does not follow the one before');
    receipts.splice(0, receipts.length);
  });
});
