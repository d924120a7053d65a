/** A journal that was edited: the audit finds the change, and names the first bad entry. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { historyTypes } from '../../src/machines/kernel/posting.js';
import { ways } from '../../src/store/sqlite/secondary-index.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { AuditReport } from '../../src/verify/audit.js';
import { expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { auditOf } from './support/process.js';

const bad = 6;

const listing = {
  title: 'Rain',
  description: 'Of one day.',
  category: 'weather',
  pricing: { price: 1 },
  infoType: 'dataset',
  accessMethod: { type: 'download' },
  license: { type: 'CC0' },
};

const segmentsOf = (dir: string): string[] => {
  const folder = join(dir, 'segments');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** One label of the newest resource. */
const oneLabel = `(kind, label, id) = (SELECT kind, label, id FROM labels ORDER BY resource DESC, label LIMIT 1)`;

/** The encrypted package; the others are texts. */
const largest = 'content = (SELECT content FROM contents ORDER BY length(bytes) DESC LIMIT 1)';

describe('a tampered journal', () => {
  let original: string;
  let hashes: (string | null)[];

  before(async () => {
    const node = await TestNode.start();
    const [ada, ben] = [await node.rich(100), await node.rich(100)];
    const escrow = { beneficiary: ben.did, amount: 6, releaseRules: [{ type: 'manual' }], autoFund: true };
    await ada.pays(ben.did, 7, { memo: 'seven' });
    const { escrowId } = await ada.does('/api/v1/escrows', escrow);
    await ben.pays(ada.did, 3, { memo: 'three' });
    await ada.does(`/api/v1/escrows/${escrowId}/actions/release`, { amount: 2 });
    const content = { format: 'text/plain', data: 'rain' };
    expectStatus(await ada.write('/api/v1/markets/info', { ...listing, content }), 201);
    await ada.does('/api/v1/escrows', { ...escrow, autoFund: false });
    await ben.does('/api/v1/transfers', { to: ada.did, amount: 1 }, { 'Idempotency-Key': 'once' });
    hashes = [null, ...(await node.store.entries({ after: 0, limit: 100 })).map(({ core }) => core.event.hash)];
    await node.stop();
    original = scratch();
    cpSync(node.dir, original, { recursive: true });
    rmSync(node.dir, { recursive: true });
    expect(await auditOf(original)).to.include({ ok: true, supply: 200 });
  });
  after(tidy);

  /** Audits a copy in which only these rows were changed. */
  async function auditAfter(...statements: string[]): Promise<AuditReport> {
    const copy = join(scratch(), 'copy');
    cpSync(original, copy, { recursive: true });
    const database = new Database(join(copy, 'journal.db'));
    for (const sql of statements) expect(database.prepare(sql).run().changes, sql).to.equal(1);
    database.close();
    return auditOf(copy);
  }

  const flipText = (column: string, where = `seq = ${bad}`, at = `length(${column}) / 2`) =>
    `UPDATE journal SET ${column} = substr(${column}, 1, ${at}) ||
       char(unicode(substr(${column}, ${at} + 1, 1)) + 1) || substr(${column}, ${at} + 2) WHERE ${where}`;

  describe('names the entry whose', () => {
    for (const column of ['entry_hash', 'chain_hash', 'core', 'payload']) {
      for (const at of ['0', `length(${column}) / 3`, `length(${column}) / 2`, `length(${column}) - 1`]) {
        it(`${column} has another byte at ${at}`, async () => {
          const { ok, flaw } = await auditAfter(flipText(column, undefined, at));
          expect({ ok, ...flaw }).to.include({ ok: false, seq: bad, eventHash: hashes[bad] });
        });
      }
    }

    for (const [name, way, seq] of [
      ['event hash', ways.event, bad],
      ['issuer', ways.issuer, bad],
      ['type', ways.type, bad],
      ['resource', ways.resource, bad + 1],
      ...historyTypes.map((type, index) => [`line ${type}`, index, type === 'escrow' ? bad + 1 : bad] as const),
    ] as const) {
      for (const change of ['what = -what', 'seq = seq + 1000', 'move = move + 1']) {
        it(`lead by its ${name} has ${change}`, async () => {
          const one = `way = ${way} AND seq = ${seq} AND
            what = (SELECT min(what) FROM new_leads WHERE way = ${way} AND seq = ${seq})`;
          const { ok, flaw } = await auditAfter(`UPDATE new_leads SET ${change} WHERE ${one}`);
          expect({ ok, ...flaw }).to.include({ ok: false, seq, eventHash: hashes[seq] });
        });
      }
    }

    it('number is another', async () => {
      const { ok, flaw } = await auditAfter(`UPDATE journal SET seq = 1000 WHERE seq = ${bad}`);
      expect({ ok, ...flaw }).to.include({ ok: false, seq: bad, eventHash: hashes[bad + 1] });
    });

    it('place was swapped with its neighbour’s', async () => {
      const move = (from: number, to: number) => `UPDATE journal SET seq = ${to} WHERE seq = ${from}`;
      const { ok, flaw } = await auditAfter(move(bad, 1000), move(bad + 1, bad), move(1000, bad + 1));
      expect({ ok, ...flaw }).to.include({ ok: false, seq: bad, eventHash: hashes[bad + 1] });
    });

    it('successor is gone', async () => {
      const { ok, flaw } = await auditAfter(`DELETE FROM journal WHERE seq = ${bad}`);
      expect({ ok, ...flaw }).to.include({ ok: false, seq: bad, eventHash: hashes[bad + 1] });
    });
  });

  it('finds every byte of an entry’s core that was changed', async () => {
    const database = new Database(join(original, 'journal.db'), { readonly: true });
    const { size } = database.prepare(`SELECT length(core) size FROM journal WHERE seq = ${bad}`).get() as {
      size: number;
    };
    database.close();
    for (let at = 0; at < size; at += 41) {
      const { ok, flaw } = await auditAfter(flipText('core', undefined, String(at)));
      expect({ ok, seq: flaw?.seq }, `byte ${at}`).to.deep.equal({ ok: false, seq: bad });
    }
  });

  it('finds every byte of a segment that was changed, and a segment that is missing', async () => {
    const copy = join(scratch(), 'copy');
    cpSync(original, copy, { recursive: true });
    const store = await SqliteStore.open({ dir: copy, segmentEntries: 3 });
    const { seq } = await store.head();
    const sealed = seq - (seq % 3) - 3;
    const file = await until('entries are sealed', () =>
      segmentsOf(copy).find((name) => name.startsWith(`${sealed}-`) && name.endsWith('.segment')),
    );
    await store.close();
    expect(await auditOf(copy)).to.include({ ok: true, entries: seq });
    const path = join(copy, 'segments', file!);
    const bytes = readFileSync(path);
    const said = {
      ok: false,
      check: 'file',
      reason: `the segment ${path} with the entries ${sealed - 2} to ${sealed}`,
    };
    for (let at = 0; at < bytes.length; at += 149) {
      writeFileSync(path, Buffer.from(bytes).fill(bytes[at]! ^ 1, at, at + 1));
      const { ok, flaw } = await auditOf(copy);
      expect({ ok, check: flaw?.check, reason: flaw?.what.slice(0, said.reason.length) }, `byte ${at}`).to.deep.equal(
        said,
      );
    }
    rmSync(path);
    expect((await auditOf(copy)).flaw?.what)
      .to.include(said.reason)
      .and.include('it is missing');
  });

  describe('finds that the entries do not give', () => {
    for (const [title, sql] of [
      ['the missing last entry', 'DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)'],
      [
        'a snapshot’s context',
        `UPDATE resources SET context = replace(context, '"amount":6', '"amount":7')
        WHERE resource = (SELECT max(resource) FROM resources)`,
      ],
      [
        'a snapshot’s state',
        `UPDATE resources SET state = 'refunded' WHERE resource = (SELECT max(resource) FROM resources)`,
      ],
      [
        'a snapshot’s version',
        'UPDATE resources SET version = 9 WHERE resource = (SELECT max(resource) FROM resources)',
      ],
      ['a missing snapshot', 'DELETE FROM resources WHERE resource = (SELECT max(resource) FROM resources)'],
      ...['available', 'reserved', 'escrowed', 'version', 'frozen', 'nonce', 'seq'].map((column) => [
        `an account’s ${column}`,
        `UPDATE accounts SET ${column} = 1 - ${column} WHERE account = (SELECT max(account) FROM accounts)`,
      ]),
      [
        'an account’s last hash',
        `UPDATE accounts SET last_hash = '${'0'.repeat(64)}' WHERE account = (SELECT max(account) FROM accounts)`,
      ],
      ...['sent', 'received', 'escrow'].map((column) => [
        `the length of a history, ${column}`,
        `UPDATE accounts SET ${column} = ${column} + 1 WHERE account = (SELECT max(account) FROM accounts)`,
      ]),
      ['the supply', 'UPDATE house SET supply = supply - 1'],
      ['the fees', 'UPDATE house SET fees = fees + 1'],
      ['supply and fees, which are gone', 'DELETE FROM house'],
      ['the census', "UPDATE census SET count = count + 1 WHERE kind = 'escrow' AND state LIKE 'created%'"],
      ['a missing line of the census', "DELETE FROM census WHERE kind = 'escrow' AND state LIKE 'created%'"],
      ['a missing Idempotency-Key', 'DELETE FROM idempotency WHERE seq = (SELECT max(seq) FROM idempotency)'],
      [
        'the entry of an Idempotency-Key',
        'UPDATE idempotency SET seq = 1 WHERE seq = (SELECT max(seq) FROM idempotency)',
      ],
      ['a content', `UPDATE contents SET bytes = CAST('other' AS BLOB) WHERE ${largest}`],
      ['a missing content', `DELETE FROM contents WHERE ${largest}`],
      ['a text', "UPDATE contents SET bytes = CAST('other' AS BLOB) WHERE content = 1"],
      ['a missing text that no entry has erased', 'DELETE FROM contents WHERE content = 1'],
    ] as [string, string][]) {
      it(title, async () => {
        const { ok, flaw } = await auditAfter(sql);
        expect(ok).to.equal(false);
        expect(flaw?.what).to.be.a('string');
      });
    }
  });

  describe('finds too', () => {
    for (const [title, sql] of [
      [
        'a snapshot of nothing',
        `INSERT INTO resources SELECT 999, kind, 'esc-forged', version, state, last_hash, machine,
        created_at, updated_at, alarm_at, alarm_action, context, context_at FROM resources WHERE resource = (SELECT max(resource) FROM resources)`,
      ],
      ['a lead of nothing', `INSERT INTO leads SELECT way, what + 1, seq, move FROM new_leads LIMIT 1`],
      ['a missing label', `DELETE FROM labels WHERE ${oneLabel}`],
      ['a label of another resource', `UPDATE labels SET resource = resource - 1 WHERE ${oneLabel}`],
      ['another label', `UPDATE labels SET label = label || 'x' WHERE ${oneLabel}`],
      [
        'a label of nothing',
        `INSERT INTO labels SELECT kind, 'depositor:nobody', created_at, id, resource FROM labels WHERE ${oneLabel}`,
      ],
      [
        'an alarm',
        'UPDATE resources SET alarm_at = alarm_at + 1 WHERE resource = (SELECT max(resource) FROM resources)',
      ],
    ] as [string, string][]) {
      it(title, async () => expect((await auditAfter(sql)).ok).to.equal(false));
    }
  });

  describe('finds in the search index', () => {
    const lost = 'searches do not find a listing by all of its words';
    const first = '(block, word, place) = (SELECT block, word, place FROM search_terms ORDER BY word LIMIT 1)';
    const last = '(block, word, place) = (SELECT block, word, place FROM search_terms ORDER BY word DESC LIMIT 1)';
    for (const [title, sql, what] of [
      ['a missing word', `DELETE FROM search_terms WHERE ${first}`, lost],
      ['a missing last word', `DELETE FROM search_terms WHERE ${last}`, lost],
      ['another word', `UPDATE search_terms SET word = word + 1000 WHERE ${first}`, lost],
      ['a word of nothing', `INSERT INTO search_terms SELECT block, 0, place, 1 FROM search_terms WHERE ${first}`],
      ['a further word', `INSERT INTO search_terms SELECT block, 1000, place, 1 FROM search_terms WHERE ${last}`],
      ['another weight', `UPDATE search_terms SET weight = weight + 1 WHERE ${first}`],
      // The audit has each term as one number, which these would have as well.
      ['a place beyond the block', `UPDATE search_terms SET word = word - 1, place = place + 2048 WHERE ${last}`],
      [
        'a weight beyond the largest',
        `UPDATE search_terms SET place = place - 1, weight = weight + 8192 WHERE ${last}`,
      ],
    ] as const) {
      it(title, async () => {
        const { flaw } = await auditAfter(sql);
        expect(flaw?.check).to.equal('search');
        if (what) expect(flaw?.what).to.equal(what);
        else expect(flaw?.what).to.match(/^searches find .* by what it does not say$/);
      });
    }
  });

  it('finds a record that the program has not written, though the journal says nothing of it', async () => {
    const forged = "INSERT INTO local VALUES ('api-keys', 'mine', 1, '{}', x'00')";
    expect((await auditAfter(forged)).flaw?.what).to.equal('the record api-keys/mine is not what was written');
  });
});
