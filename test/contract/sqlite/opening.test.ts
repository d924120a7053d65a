import { chmod, chown, copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { databaseFile, openWriting, prepareDirectory } from '../../../src/store/sqlite/durable.js';
import { examineDatabase } from '../../../src/store/sqlite/examination.js';
import { schemaVersion } from '../../../src/store/sqlite/schema.js';
import { StoreRefused } from '../../../src/store/store.js';
import { EntryBuilder } from '../entries.js';
import { rejection } from '../fixture.js';
import { Directory, seqsOf, writers } from './support.js';

const ada = 'did:svc:ada';

describe('opening a SQLite store', () => {
  const directory = new Directory();
  const change = (sql: string) => {
    const connection = new SqliteConnection(databaseFile(directory.path), { cacheKiB: 100 });
    connection.exec(sql);
    connection.close();
  };

  it('writes with a write-ahead log and a full fsync', () => {
    prepareDirectory(directory.path);
    const connection = openWriting(directory.path);
    expect(connection.value('PRAGMA journal_mode')).to.equal('wal');
    expect(connection.value('PRAGMA synchronous')).to.equal(2);
    connection.close();
  });

  it('refuses to write when synchronous reads back as less than FULL', () => {
    prepareDirectory(directory.path);
    expect(() => openWriting(directory.path, { synchronous: 'NORMAL' })).to.throw(
      StoreRefused,
      /synchronous 1 instead of wal and 2/,
    );
  });

  it('keeps the database from other users', async () => {
    const store = await directory.open('inline', join(directory.path, 'deep', 'down'));
    await store.append([new EntryBuilder().mint(ada, 1)]);
    const mode = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await mode(store.dir)).to.equal(0o700);
    for (const suffix of ['', '-wal', '-shm']) expect(await mode(databaseFile(store.dir) + suffix)).to.equal(0o600);
  });

  it('locks with a file that no other user may lock, also if an older one was open to all', async () => {
    const mode = async () => (await stat(join(directory.path, 'lock.db'))).mode & 0o777;
    await (await directory.open('inline')).close();
    expect(await mode()).to.equal(0o600);
    await chmod(join(directory.path, 'lock.db'), 0o644);
    await (await directory.open('inline')).close();
    expect(await mode()).to.equal(0o600);
  });

  it('refuses a directory that others may write to, or that is another’s, and says how to fix it', async function () {
    await chmod(directory.path, 0o770);
    expect((await rejection(directory.open('inline'))).message).to.match(/mode 770.*chmod go-w /);
    await chmod(directory.path, 0o755);
    await (await directory.open('inline')).close();
    if (process.getuid?.() !== 0) this.skip();
    await chown(directory.path, 65_534, 65_534);
    expect((await rejection(directory.open('inline'))).message).to.match(
      /belongs to user id 65534, and this is 0: .*chown -R 0 /,
    );
  });

  it('refuses a directory below one that every user may change, unless that one is sticky', async () => {
    const above = join(directory.path, 'shared');
    const inside = join(above, 'data');
    await mkdir(above);
    await chmod(above, 0o777);
    await mkdir(inside, { mode: 0o700 });
    await symlink(inside, join(directory.path, 'link'));
    await mkdir(join(inside, 'deep'), { mode: 0o700 });
    for (const path of [inside, join(inside, 'deep'), join(above, 'new'), join(directory.path, 'link')]) {
      expect((await rejection(directory.open('inline', path))).message).to.match(/every user may replace .*chmod o-w /);
    }
    for (const mode of [0o1777, 0o775]) {
      await chmod(above, mode);
      await (await directory.open('inline', inside)).close();
    }
  });

  for (const name of ['journal.db', 'journal.db-wal', 'lock.db', 'lock.pid', 'node.json', 'keystore']) {
    it(`writes through no link at ${name}`, async () => {
      const precious = join(directory.path, 'precious');
      await writeFile(precious, 'kept');
      await mkdir(join(directory.path, 'data'), { mode: 0o700 });
      await symlink(precious, join(directory.path, 'data', name));
      const error = await rejection(directory.open('inline', join(directory.path, 'data')));
      expect(error).to.be.instanceOf(StoreRefused);
      expect(error.message)
        .to.include(join('data', name))
        .and.match(/is a symbolic link.* rm /);
      expect(await readFile(precious, 'utf8')).to.equal('kept');
    });
  }

  for (const writer of writers) {
    it(`refuses a schema newer than it knows and says so, writer ${writer}`, async () => {
      await (await directory.open()).close();
      change(`PRAGMA user_version = ${schemaVersion + 1}`);
      const error = await rejection(directory.open(writer));
      expect(error).to.be.instanceOf(StoreRefused);
      expect(error.message).to.match(/schema version \d+, and this program knows \d+: .*newer svc-node/);
      change(`PRAGMA user_version = ${schemaVersion}`);
      await directory.open(writer);
    });
  }

  it('refuses a database from before 0.1.0 in one sentence, and changes nothing that it holds', async () => {
    prepareDirectory(directory.path);
    const earlier = openWriting(directory.path);
    earlier.exec('CREATE TABLE journal (seq INTEGER PRIMARY KEY); PRAGMA application_id = 0x7376636e');
    earlier.exec('PRAGMA user_version = 10; INSERT INTO journal VALUES (1), (2)');
    const files = (dir: string) => ['', '-wal'].map((end) => databaseFile(dir) + end);
    // Not byte for byte: SQLite may move the log into the file when a connection is closed.
    const contents = (dir: string) => {
      const connection = new SqliteConnection(databaseFile(dir), { cacheKiB: 100 });
      const marks = ['application_id', 'user_version'].map((mark) => connection.value(`PRAGMA ${mark}`));
      const [tables, rows] = ['SELECT sql FROM sqlite_schema', 'SELECT seq FROM journal'].map((sql) =>
        connection.rows(sql),
      );
      connection.close();
      return { marks, tables, rows };
    };
    for (const isCheckpointed of [false, true]) {
      if (isCheckpointed) earlier.value('PRAGMA wal_checkpoint(TRUNCATE)');
      const dir = join(directory.path, String(isCheckpointed));
      await mkdir(dir, { mode: 0o700 });
      for (const [index, file] of files(directory.path).entries()) await copyFile(file, files(dir)[index]!);
      const error = await rejection(directory.open('inline', dir));
      expect(error).to.be.instanceOf(StoreRefused);
      expect(error.message).to.equal(
        `${databaseFile(dir)} was written by an svc-node from before 0.1.0, in a format that no release reads: start in a new ` +
          'data directory (SVC_DATA_DIR), into which you may copy keystore, node.json and passphrase of this one',
      );
      expect(() => examineDatabase(dir)).to.throw(StoreRefused, error.message);
      expect(contents(dir)).to.deep.equal({
        ...{ marks: [0x7376636e, 10], rows: [[1], [2]] },
        tables: [['CREATE TABLE journal (seq INTEGER PRIMARY KEY)']],
      });
    }
    earlier.close();
  });

  for (const writer of writers) {
    it(`leaves everything in one file when it is closed, writer ${writer}`, async () => {
      const store = await directory.open(writer, join(directory.path, 'one'));
      const builder = new EntryBuilder();
      await store.append(Array.from({ length: 100 }, () => builder.mint(ada, 1)));
      await Promise.all([store.head(), store.totals()]);
      await store.close();
      await mkdir(join(directory.path, 'two'));
      await copyFile(databaseFile(store.dir), databaseFile(join(directory.path, 'two')));
      const copy = await directory.open(writer, join(directory.path, 'two'));
      expect(await copy.head()).to.include({ seq: 100 });
    });
  }

  it("refuses another program's database, and a file that is none", async () => {
    prepareDirectory(directory.path);
    change('CREATE TABLE notes (text)');
    expect((await rejection(directory.open())).message).to.match(/another program/);
    await writeFile(databaseFile(directory.path), 'not a database, and long enough to be looked at'.repeat(100));
    const error = await rejection(directory.open());
    expect(error).to.be.instanceOf(StoreRefused);
    expect(error.message).to.match(/not a database/);
  });

  it('refuses a directory that cannot be made', async () => {
    await writeFile(join(directory.path, 'file'), '');
    expect(await rejection(directory.open('inline', join(directory.path, 'file', 'dir')))).to.be.instanceOf(
      StoreRefused,
    );
  });

  it('remembers accounts that it has put out of memory', async () => {
    const store = await directory.open();
    const builder = new EntryBuilder();
    const many = Array.from({ length: 20_500 }, (_, n) => ({ op: 'mint', to: `did:svc:${n}`, amount: 2 }) as const);
    await store.append([builder.commit({ issuer: ada, moves: many })]);
    for (const n of [0, 20_499]) {
      const spent = await store.append([
        builder.transfer(`did:svc:${n}`, ada, 1),
        builder.transfer(`did:svc:${n}`, ada, 1),
      ]);
      expect(seqsOf(spent)).to.have.length(2);
      expect(await store.account(`did:svc:${n}`)).to.include({ available: 0, version: 2, nonce: 2 });
    }
    expect(await store.totals()).to.include({ supply: 41_000, available: 41_000 });
  });
});
