import { expect } from 'chai';
import type { AuditReport } from '../../src/actors/audit.js';
import { canonical } from '../../src/machines/kernel/canonical.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Account, Snapshot } from '../../src/store/store.js';
import type { Bench } from '../world/bench.js';
import { changes, coreOf, forge, life, overwrite, rechain } from '../world/history.js';
import { ada, ben, didOf } from '../world/people.js';

/** One honest life; each test falsifies it and puts it back. */
let bench: Bench;
let saved: { [table: string]: unknown[] };

const tables = () => bench.store.tables;
const rows = () => tables().journal;

/** The verdict on the falsified store. */
async function flaw(): Promise<NonNullable<AuditReport['flaw']> | undefined> {
  return (await bench.audit()).flaw;
}

before(async () => {
  bench = await life();
  saved = { journal: [...rows()], accounts: [...tables().accounts], snapshots: [...tables().snapshots] };
});

function restore(): void {
  rows().splice(0, rows().length, ...(saved.journal as typeof rows extends () => (infer R)[] ? R[] : never));
  for (const name of ['accounts', 'snapshots'] as const) {
    const map = tables()[name] as Map<unknown, unknown>;
    map.clear();
    for (const [key, value] of saved[name] as [unknown, unknown][]) map.set(key, value);
  }
}

describe('audit', () => {
  afterEach(restore);

  it('finds nothing wrong with an honest life', async () => {
    const report = await bench.audit();
    expect(report).to.include({ ok: true, entries: rows().length, supply: 1_000, head: rows().at(-1)!.chainHash });
    expect(report.flaw).to.equal(undefined);
    expect(rows().length).to.be.at.least(16);
  });

  it('tells how far it is', async () => {
    const { audit } = await import('../../src/actors/audit.js');
    const told: [number, number][] = [];
    await audit(bench.store, bench.catalogue, 'devnet', (done, total) => told.push([done, total]));
    expect(told.at(-1)).to.deep.equal([rows().length, rows().length]);
  });

  it('finds an entry of another network', async () => {
    const { audit } = await import('../../src/actors/audit.js');
    const report = await audit(bench.store, bench.catalogue, 'mainnet');
    expect(report.flaw).to.include({ seq: 1, what: 'it belongs to devnet' });
  });

  describe('of a changed text names that entry', () => {
    it('whatever place of whatever entry is changed', async () => {
      for (let seq = 1; seq <= rows().length; seq++) {
        for (const { path, changed } of changes(JSON.parse(rows()[seq - 1]!.coreText))) {
          overwrite(bench, seq, { coreText: canonical(changed) });
          expect(await flaw(), `entry ${seq}${path}`).to.include({ seq });
          restore();
        }
      }
    }).timeout(120_000);

    it('whatever place of whatever payload is changed', async () => {
      for (let seq = 1; seq <= rows().length; seq++) {
        for (const { path, changed } of changes(JSON.parse(rows()[seq - 1]!.payloadText!))) {
          overwrite(bench, seq, { payloadText: canonical(changed) });
          expect(await flaw(), `payload of ${seq}${path}`).to.include({ seq });
          restore();
        }
      }
    }).timeout(120_000);

    it('also where the text means the same and is only written otherwise', async () => {
      overwrite(bench, 4, { coreText: `${rows()[3]!.coreText.slice(0, -1)} }` });
      expect(await flaw()).to.include({ seq: 4, what: 'the entry is not in canonical form' });
      restore();
      overwrite(bench, 4, { payloadText: rows()[3]!.payloadText!.replace('{', '{ ') });
      expect(await flaw()).to.include({ seq: 4, what: 'payloadHash is not the hash of the payload' });
    });

    it('also where it is no JSON at all, or gone', async () => {
      overwrite(bench, 5, { payloadText: null });
      expect(await flaw()).to.include({ seq: 5 });
      restore();
      for (const field of ['entryHash', 'prevEntry', 'chainHash'] as const) {
        overwrite(bench, 5, { [field]: 'f'.repeat(64) });
        expect(await flaw(), field).to.include({ seq: 5 });
        restore();
      }
    });
  });

  describe('of an entry that was forged, and all hashes made to fit, names that entry', () => {
    /** What the home alone says: nobody signed it. Only the chain of entries, which peers and anchors hold, fixes it. */
    const unsigned = /^\.(time|home|idem)/;

    it('whatever was signed or follows from it', async () => {
      for (let seq = 1; seq <= rows().length; seq++) {
        for (const { path, changed } of changes(JSON.parse(rows()[seq - 1]!.coreText))) {
          if (unsigned.test(path)) continue;
          forge(bench, seq, changed);
          expect(await flaw(), `entry ${seq}${path}`).to.include({ seq });
          restore();
        }
      }
    }).timeout(120_000);

    it('an entry signed with another key', async () => {
      const { signer } = await import('../world/people.js');
      const core = coreOf(rows()[3]!);
      const { hash, sig: _, ...body } = core.event;
      const sig = signer('eve').sign(`svc:event:v1:${canonical(body)}`);
      forge(bench, 4, { ...core, event: { ...body, hash, sig } });
      expect(await flaw()).to.include({ seq: 4, what: 'the signature does not verify' });
    });

    it('a time that goes back', async () => {
      const core = coreOf(rows()[3]!);
      forge(bench, 4, { ...core, time: core.time - 86_400_000 });
      expect(await flaw()).to.include({ seq: 4, what: 'its time is before that of an earlier entry of its home' });
    });

    it('a home that did not appoint its system key', async () => {
      const core = coreOf(rows()[1]!);
      forge(bench, 2, { ...core, home: didOf('other node') });
      expect(await flaw()).to.include({ seq: 2 });
    });
  });

  describe('of the order of entries', () => {
    it('one dropped: names the place', async () => {
      for (let seq = 1; seq < rows().length; seq++) {
        rows().splice(seq - 1, 1);
        expect(await flaw(), `without ${seq}`).to.include({ seq });
        restore();
      }
    });

    it('one dropped and the chain made to fit: names where it is missed', async () => {
      for (let seq = 1; seq < rows().length; seq++) {
        rows().splice(seq - 1, 1);
        rechain(bench);
        // The signer's next entry shows the gap, wherever it is; all before it is honest.
        expect((await flaw())?.seq, `without ${seq}`).to.satisfy((at: number) => at === 0 || at >= seq);
        restore();
      }
    });

    it('the last ones cut off: the projections are ahead', async () => {
      for (const cut of [1, 2, 5]) {
        rows().splice(-cut, cut);
        expect(await flaw(), `${cut} cut off`).to.include({ seq: 0 });
        restore();
      }
    });

    it('two exchanged: names the first', async () => {
      for (let seq = 1; seq < rows().length; seq++) {
        const [a, b] = [rows()[seq - 1]!, rows()[seq]!];
        rows().splice(seq - 1, 2, b, a);
        expect(await flaw(), `${seq} and ${seq + 1}`).to.include({ seq });
        restore();
      }
    });

    it('one twice: names the second', async () => {
      rows().splice(5, 0, rows()[4]!);
      rechain(bench);
      expect(await flaw()).to.include({ seq: 6 });
    });
  });

  describe('of the projections', () => {
    it('a snapshot that was changed, whatever place of it', async () => {
      for (const [key, text] of [...tables().snapshots]) {
        for (const { path, changed } of changes(JSON.parse(text))) {
          tables().snapshots.set(key, JSON.stringify(changed));
          const found = await flaw();
          expect(found, `${key}${path}`).to.include({ seq: 0, eventHash: null });
          restore();
        }
      }
    }).timeout(120_000);

    it('a snapshot that is missing, and one that nobody made', async () => {
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
          // `seq` is the store's own bookkeeping for caches.
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
      for (const row of rows().slice(0, 4)) {
        await bench.store.appendReceipts([
          { entryHash: row.entryHash, status: 'confirmed', txHash: '0xab', blockNumber: 1 },
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

  it('of an empty journal is good', async () => {
    const { audit } = await import('../../src/actors/audit.js');
    const report = await audit(new MemoryStore(), bench.catalogue, 'devnet');
    expect(report).to.include({ ok: true, entries: 0, supply: 0 });
  });
});
