import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Environment, realEnvironment } from '../../../src/core/environment.js';
import { backup, restore } from '../../../src/store/sqlite/backup.js';
import { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { type JournalHead, StoreRefused } from '../../../src/store/store.js';
import { EntryBuilder } from '../entries.js';
import { rejection } from '../fixture.js';
import { Directory, seqsOf } from './support.js';

const ada = 'did:svc:ada';

describe('backup and restore of a SQLite store', () => {
  const directory = new Directory();
  const file = () => join(directory.path, 'backups', 'one.db');
  const elsewhere = () => join(directory.path, 'restored');
  const refusal = async (promise: Promise<unknown>): Promise<string> => {
    const error = await rejection(promise);
    expect(error).to.be.instanceOf(StoreRefused);
    return error.message;
  };

  const alter = (path: string, sql: string): void => {
    const connection = new SqliteConnection(path, { cacheKiB: 100 });
    connection.exec(sql);
    connection.close();
  };

  /** A store with some entries, and a copy of it at `file()`. */
  async function saved(): Promise<{ store: SqliteStore; builder: EntryBuilder; head: JournalHead }> {
    const store = await directory.open('thread', join(directory.path, 'data'));
    const builder = new EntryBuilder();
    await store.append(Array.from({ length: 300 }, () => builder.mint(ada, 1)));
    await store.putLocal('keys', 'k', { a: 1 }, 0);
    return { store, builder, head: await backup(store, file()) };
  }

  it('copies one moment while entries are written, and restores to the same head', async () => {
    const store = await directory.open('thread', join(directory.path, 'data'));
    const builder = new EntryBuilder();
    const heads = new Map<number, string>();
    let writing = true;
    const writer = (async () => {
      while (writing) {
        const [result] = await store.append([builder.mint(ada, 1)]);
        if (result?.ok) heads.set(result.seq, result.chainHash);
      }
    })();
    while (heads.size < 200) await store.putLocal('tick', 'tock', {}, 0);
    const atLeast = heads.size;
    const head = await backup(store, file());
    writing = false;
    await writer;
    expect(head.seq).to.be.at.least(atLeast);
    expect(head.chainHash).to.equal(heads.get(head.seq));

    expect(await restore(file(), elsewhere())).to.deep.equal({ head, redactions: 0, knowsAll: true });
    const restored = await directory.open('inline', elsewhere());
    expect(await restored.head()).to.deep.equal(head);
    expect(await restored.account(ada)).to.include({ available: head.seq });
    const places = (await restored.entries({ after: 0, limit: 100_000 })).map((e) => [e.seq, e.chainHash]);
    expect(places).to.deep.equal([...heads].filter(([seq]) => seq <= head.seq));
  });

  it('continues from the restored head', async () => {
    const { builder, head } = await saved();
    await restore(file(), elsewhere());
    const restored = await directory.open('thread', elsewhere());
    expect(seqsOf(await restored.append([builder.mint(ada, 1)]))).to.deep.equal([head.seq + 1]);
    expect(await restored.getLocal('keys', 'k')).to.deep.include({ revision: 1 });
  });

  it('is complete or absent, and readable by its owner alone', async () => {
    await saved();
    expect(await readdir(join(directory.path, 'backups'))).to.deep.equal(['one.db']);
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect(await refusal(backup(join(directory.path, 'data'), file()))).to.match(/exists already/);
    expect(await refusal(backup(elsewhere(), join(directory.path, 'two.db')))).to.match(/no database/);
  });

  it('reports its progress', async () => {
    const { store } = await saved();
    const reports: number[] = [];
    let tick: (() => void) | undefined;
    const world: Environment = {
      ...realEnvironment,
      after(_, call) {
        tick = call;
        return { cancel() {} };
      },
    };
    const done = backup(store, join(directory.path, 'two.db'), {
      onProgress: (copied, total) => reports.push(copied / total),
      world,
    });
    while (!tick) await new Promise((resolve) => setImmediate(resolve));
    tick();
    await done;
    expect(reports.every((part) => part >= 0 && part <= 1)).to.equal(true);
    expect(reports).to.have.length(1);
  });

  it('replaces data only by force, and never under a running node', async () => {
    const { store, head } = await saved();
    const { dir } = store;
    await store.append([new EntryBuilder().resource({ kind: 'order', id: 'newer' })]);
    expect(await refusal(restore(file(), dir))).to.match(/force/);
    expect(await refusal(restore(file(), dir, { force: true }))).to.match(/in use by process/);
    await store.close();
    await restore(file(), dir, { force: true });
    expect(await readdir(dir)).to.have.members(['journal.db', 'lock.db', 'lock.pid']);
    expect(await (await directory.open('inline', dir)).head()).to.deep.equal(head);
  });

  it('never lets log frames of the replaced database meet the restored one', async () => {
    const { store, head } = await saved();
    await store.close();
    for (const suffix of ['-wal', '-shm']) await writeFile(databaseFile(store.dir) + suffix, 'x'.repeat(9_000));
    await restore(file(), store.dir, { force: true });
    expect(await (await directory.open('inline', store.dir)).head()).to.deep.equal(head);
  });

  it('refuses a damaged backup, one that is none, and one of a newer version, and leaves nothing behind', async () => {
    await saved();
    const broken = async (change: (path: string) => Promise<void> | void): Promise<string> => {
      const path = join(directory.path, 'broken.db');
      await backup(join(directory.path, 'data'), path);
      await change(path);
      const message = await refusal(restore(path, elsewhere()));
      expect(await readdir(elsewhere())).to.not.include('journal.db');
      await rm(path);
      return message;
    };
    expect(await broken(async (path) => truncate(path, ((await stat(path)).size / 4096 / 2) * 4096))).to.match(
      /damaged|malformed/,
    );
    const receipt = `INSERT INTO receipts (number, entry_hash, receipt_hash, receipt, tx) VALUES (1, 'entry', 'hash', '{}', 0)`;
    const index = "UPDATE sqlite_schema SET sql = 'CREATE INDEX receipts_entry ON receipts (receipt_hash)'";
    const lying = `${receipt}; PRAGMA writable_schema = ON; ${index} WHERE name = 'receipts_entry'`;
    expect(await broken((path) => alter(path, lying))).to.match(/is damaged: .*receipts_entry/);
    expect(await broken((path) => writeFile(path, 'no database at all'.repeat(300)))).to.match(/not a database/);
    expect(await broken((path) => writeFile(path, ''))).to.match(/is empty/);
    expect(await broken((path) => alter(path, 'PRAGMA user_version = 99'))).to.match(/newer svc-node/);
    expect(await refusal(restore(join(directory.path, 'nothing.db'), elsewhere()))).to.match(/no backup/);
  });
});
