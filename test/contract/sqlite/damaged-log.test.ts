/** One flipped bit in the write-ahead log of a killed process: the start is refused, or no acknowledged entry is lost. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import { violationOfLog } from '../../../src/store/sqlite/log-inspection.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { StoreRefused } from '../../../src/store/store.js';
import { EntryBuilder } from '../entries.js';
import { Directory } from './support.js';

const written = 8;

describe('the write-ahead log that a killed process left', () => {
  const directory = new Directory();
  let log: Buffer;
  let copies = 0;

  /** Copies the files of an open store, as a kill would leave them. */
  beforeEach(async () => {
    const store = await directory.open('inline');
    const builder = new EntryBuilder();
    for (let nonce = 0; nonce < written; nonce++) await store.append([builder.mint('did:svc:ada', 1)]);
    log = await readFile(`${databaseFile(directory.path)}-wal`);
  });

  /** A data directory with this write-ahead log. */
  async function withLog(bytes: Uint8Array): Promise<string> {
    const dir = join(directory.path, `copy-${copies++}`);
    await mkdir(dir, { mode: 0o700 });
    await copyFile(databaseFile(directory.path), databaseFile(dir));
    await writeFile(`${databaseFile(dir)}-wal`, bytes);
    return dir;
  }

  /** @returns the journal's last number, or `refused` */
  async function opened(bytes: Uint8Array): Promise<number | 'refused'> {
    const dir = await withLog(bytes);
    try {
      const store = await SqliteStore.open({ dir, writer: 'inline' });
      const { seq } = await store.head();
      await store.close();
      return seq;
    } catch (error) {
      expect(error).to.be.instanceOf(StoreRefused);
      return 'refused';
    } finally {
      await rm(dir, { recursive: true });
    }
  }

  it('is taken whole', async () => {
    expect(await opened(log)).to.equal(written);
  });

  it('with a flipped bit is refused, or loses the last transaction at most, which looks as if a power cut tore it', async () => {
    const seen = new Set<number | 'refused'>();
    for (let at = 3; at < log.length; at += Math.ceil(log.length / 150)) {
      const flipped = Buffer.from(log);
      flipped[at]! ^= 1 << (at % 8);
      const came = await opened(flipped);
      expect(came, `byte ${at}`).to.be.oneOf(['refused', written - 1, written]);
      seen.add(came);
    }
    for (let at = 0; at < 32; at++) {
      const flipped = Buffer.from(log);
      flipped[at]! ^= 1 << (at % 8);
      // The start is refused, or nothing is lost: SQLite does not use two of the header's numbers.
      expect(await opened(flipped), `byte ${at} of the header`).to.be.oneOf(['refused', written]);
    }
    expect([...seen]).to.include.members(['refused']);
  });

  it('is named by an audit of the stopped node, too', async () => {
    const flipped = Buffer.from(log);
    flipped[200]! ^= 4;
    const dir = await withLog(flipped);
    expect(() => openFrozen(dir)).to.throw(StoreRefused, /damaged: its write-ahead log is damaged in frame 1,/);
  });

  it('whose header names another page size is refused: the database file names the right one', async () => {
    const resized = Buffer.from(log);
    resized.writeUInt32BE(8_192, 8);
    expect(await opened(resized)).to.equal('refused');
  });

  it('without a database has nothing to lose', async () => {
    const flipped = Buffer.from(log);
    flipped[200]! ^= 4;
    const dir = await withLog(flipped);
    await rm(databaseFile(dir));
    expect(violationOfLog(databaseFile(dir))).to.equal(undefined);
  });

  it('cut off anywhere is a torn write: what is whole of it is taken', async () => {
    for (let at = 0; at < log.length; at += 1_700) {
      const dir = await withLog(log.subarray(0, at));
      expect(violationOfLog(databaseFile(dir)), `${at} bytes`).to.equal(undefined);
      await rm(dir, { recursive: true });
    }
  });

  it('whose last transaction was torn is taken up to it', async () => {
    const torn = Buffer.from(log);
    torn.fill(0, torn.length - 3_000);
    expect(await opened(torn)).to.be.oneOf([written - 1, written]);
  });

  it('that began anew, with frames of the time before behind, is taken', async () => {
    const store = await directory.open('inline', join(directory.path, 'anew'));
    const builder = new EntryBuilder();
    for (let nonce = 0; nonce < 600; nonce++) await store.append([builder.mint('did:svc:ada', 1)]);
    const file = databaseFile(store.dir);
    const bytes = await readFile(`${file}-wal`);
    const salts = (at: number) => bytes.subarray(at, at + 8).toString('hex');
    const frames = new Set(
      Array.from({ length: Math.floor((bytes.length - 32) / 4_120) }, (_, n) => salts(40 + n * 4_120)),
    );
    expect(frames.size, 'generations in the log').to.be.above(1);
    expect(violationOfLog(file)).to.equal(undefined);
  });
});
