/** A damaged database from the operator's view: a clear message, and a command that repairs it. */
import { cpSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { hashIndexTable, statisticsTable } from '../../src/store/store.js';
import { scratch, tidy } from '../support/scratch.js';
import { json, svcNode } from './support/command.js';
import { faucet, startHere } from './support/node.js';

const flipped = (bytes: Buffer, at: number, bit: number): Buffer => {
  bytes[at]! ^= 1 << bit;
  return bytes;
};

/** How the file is damaged, and the message. */
const damages: { readonly [title: string]: readonly [(file: string) => void, RegExp] } = {
  'another first byte': [(file) => writeFileSync(file, flipped(readFileSync(file), 0, 3)), /not a database/],
  'an entry with a byte that no text has': [
    (file) => {
      const bytes = readFileSync(file);
      writeFileSync(file, flipped(bytes, bytes.lastIndexOf('"event":{"hash"'), 7));
    },
    /entry \d+ was changed/,
  ],
  'another name of a column': [(file) => flipInSchema(file, 1), /the table receipts is not that of schema version \d+/],
  'a column whose name is no text': [(file) => flipInSchema(file, 7), /damaged|can't be used/],
  'half of it gone': [(file) => truncateSync(file, readFileSync(file).length / 2), /damaged|malformed/],
};

/** Flips one bit in every copy of the schema's text, because unused parts of the page may contain older ones. */
function flipInSchema(file: string, bit: number): void {
  const bytes = readFileSync(file);
  const text = 'receipt_hash TEXT';
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) flipped(bytes, at, bit);
  writeFileSync(file, bytes);
}

const widerKey = (file: string) =>
  change(file, `UPDATE local SET value = replace(value, '"read"', '"admin"') WHERE name = 'api-keys'`);

function change(file: string, sql: string): void {
  const database = new Database(file);
  expect(database.prepare(sql).run().changes, sql).to.be.at.least(1);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

const oneSentence = /^svc-node: [^\n]+\n$/;

describe('a damaged database', () => {
  let original: string;
  before(async () => {
    const node = await startHere();
    await faucet(node, node.did);
    await svcNode(['api-key', 'create', '--scope', 'read', '--data', node.dataDir]);
    await node.stop();
    original = node.dataDir;
  });
  after(tidy);

  function damaged(harm: (file: string) => void): string {
    const dir = join(scratch(), 'data');
    cpSync(original, dir, { recursive: true });
    harm(join(dir, 'journal.db'));
    return dir;
  }

  for (const [title, [harm, says]] of Object.entries(damages)) {
    it(`with ${title} is reported in a sentence, by a start and an audit`, async () => {
      const dir = damaged(harm);
      const start = await svcNode(['start', '--port', '0', '--data', dir]);
      expect(start, start.stderr).to.include({ code: 1, stdout: '' });
      expect(start.stderr).to.match(oneSentence).and.match(says);
      const audit = await svcNode(['audit', '--data', dir], { apart: true });
      expect(audit.code, audit.stderr).to.equal(1);
      expect(audit.stderr).to.match(oneSentence);
      const doctor = await svcNode(['doctor', '--data', dir]);
      expect(doctor.code, doctor.stderr).to.equal(1);
      expect(doctor.stderr).not.to.match(/panic|internal error/);
    });
  }

  const derived = (file: string) => change(file, `UPDATE accounts SET available = available + 1 WHERE frozen = 0`);

  it('is repaired by a rebuild, after which a node continues from it', async () => {
    const dir = damaged(derived);
    expect((await svcNode(['audit', '--data', dir])).code).to.equal(1);
    const end = await svcNode(['rebuild', '--data', dir, '--json']);
    expect(end.code, end.stderr).to.equal(0);
    const file = join(dir, 'journal.db');
    expect(json(end)).to.deep.include({ file, entries: 2, supply: 100, dropped: [], before: `${file}.before-rebuild` });
    expect(json(await svcNode(['audit', '--data', dir, '--json']))).to.include({ ok: true, entries: 2 });
    const node = await startHere(dir);
    const running = await svcNode(['rebuild', '--data', dir]);
    expect(running.code).to.equal(1);
    expect(running.stderr).to.match(/in use by process/);
    await node.stop();
  });

  it('with another index of hashes is named by an audit, and repaired by a rebuild, which leaves the index to a node', async () => {
    const dir = damaged(() => {});
    const store = await SqliteStore.open({ dir });
    await store.putLocal(hashIndexTable, 'built', { size: 2, segments: 1 }, 0);
    await store.putLocal(statisticsTable, 'all', { upTo: 1, sums: {} }, 0);
    await store.close();
    const audit = await svcNode(['audit', '--data', dir]);
    expect(audit.stderr).to.match(/the index of hashes does not lead to the entries of segment 0\n$/);
    const end = await svcNode(['rebuild', '--data', dir]);
    expect(end.code, end.stderr).to.equal(0);
    expect(json(await svcNode(['audit', '--data', dir, '--json']))).to.include({ ok: true, entries: 2 });
    const rebuilt = await SqliteStore.open({ dir });
    expect(await rebuilt.getLocal(statisticsTable, 'all'), 'the statistics are counted anew').to.equal(undefined);
    await rebuilt.close();
  });

  it('is repaired in a backup, which is then restored', async () => {
    const dir = damaged(derived);
    const backup = join(scratch(), 'ledger.db');
    expect((await svcNode(['backup', backup, '--data', dir])).code).to.equal(0);
    const end = await svcNode(['rebuild', backup]);
    expect(end.code, end.stderr).to.equal(0);
    expect(end.stdout).to.match(/was rebuilt from its journal\n(.*\n)+OK: it passes the audit\.\n$/);
    expect(existsSync(`${backup}.rebuilding`)).to.equal(false);
    await svcNode(['restore', backup, '--data', dir, '--force']);
    expect(json(await svcNode(['audit', '--data', dir, '--json']))).to.include({ ok: true, entries: 2 });
  });

  it('whose records are damaged is repaired without them, when that is asked for', async () => {
    const dir = damaged(widerKey);
    const audit = await svcNode(['audit', '--data', dir]);
    expect(audit.stderr).to.match(/: the record api-keys\/\S+ is not what was written\n$/);
    const refused = await svcNode(['rebuild', '--data', dir]);
    expect(refused.code).to.equal(1);
    expect(refused.stderr)
      .to.match(oneSentence)
      .and.match(/--drop-damaged/);
    const end = await svcNode(['rebuild', '--data', dir, '--drop-damaged', '--json']);
    expect(json<{ dropped: string[] }>(end).dropped).to.have.length(1);
    expect(json(await svcNode(['audit', '--data', dir, '--json']))).to.include({ ok: true });
  });
});
