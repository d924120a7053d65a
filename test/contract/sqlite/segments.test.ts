import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { backup, restore } from '../../../src/store/sqlite/backup.js';
import { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { databaseFile, openWriting } from '../../../src/store/sqlite/durable.js';
import { violationOfSegments } from '../../../src/store/sqlite/entry-rows.js';
import type { SegmentName } from '../../../src/store/sqlite/job.js';
import { writeSegment } from '../../../src/store/sqlite/sealing.js';
import { segmentFile } from '../../../src/store/sqlite/segment.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { Writer } from '../../../src/store/sqlite/writer.js';
import { type AppendResult, type Commit, StoreDamaged } from '../../../src/store/store.js';
import { until } from '../../support/until.js';
import { answers } from '../answers.js';
import { EntryBuilder, firstDay } from '../entries.js';
import { rejection } from '../fixture.js';
import { listing } from '../shelf.js';
import { Directory, writers } from './support.js';

const [ada, bob] = ['did:svc:ada', 'did:svc:bob'];
const size = 8;
const long = (what: string) => ({
  what,
  text: Array.from({ length: 300 }, (_, index) => `word ${index * 7919}`).join(' '),
});

/** Commits of several kinds, some of which are packed and hold the context of a listing. */
function someCommits(count: number, builder = new EntryBuilder()): Commit[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `r${builder.time}`;
    if (index % 5 === 0) return builder.mint(ada, 9, { idem: { principal: ada, key: id } });
    if (index % 5 === 1) return builder.transfer(ada, bob, 1);
    if (index % 5 === 2) return builder.commit({ issuer: bob, resources: [{ ...listing(id, {}), context: long(id) }] });
    if (index % 5 === 3) return builder.resource({ kind: 'thing', id, context: { text: `é ${id}` } });
    return builder.commit({ issuer: ada, type: 'long.done', resources: [{ kind: 'thing', id, context: long(id) }] });
  });
}

describe('Segments of a SQLite store', () => {
  const directory = new Directory();
  const segments = (dir = directory.path) => join(dir, 'segments');
  const filesIn = (folder: string) =>
    existsSync(folder) ? readdirSync(folder).sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)) : [];
  const open = (options: object = {}) => directory.open({ segmentEntries: size, ...options });
  const look = <T>(use: (connection: SqliteConnection) => T, dir = directory.path): T => {
    const connection = new SqliteConnection(databaseFile(dir), { cacheKiB: 100, readOnly: true });
    try {
      return use(connection);
    } finally {
      connection.close();
    }
  };
  const firstRow = (dir?: string) => look((connection) => connection.value('SELECT min(seq) FROM journal'), dir);
  const sealed = (to: number, dir?: string) =>
    until(`entries up to ${to} are sealed`, () => firstRow(dir), { is: (seq) => seq === to + 1 });

  for (const writer of writers) {
    it(`hold what the rows held, to every reader, while the store writes (${writer})`, async () => {
      const rows = await directory.open('inline', join(directory.path, 'rows'));
      const store = await open({ writer });
      const builder = new EntryBuilder();
      const stores = [rows, store];
      for (let part = 0; part < 6; part++) {
        const commits = someCommits(10, builder);
        for (const each of stores) await each.append(commits);
      }
      await sealed(48);
      expect(filesIn(segments())).to.have.length(6);
      const [expected, found] = await Promise.all(stores.map((each) => answers(each, builder.time)));
      expect(found).to.deep.equal(expected);
      for (const query of [
        ...Array.from({ length: 60 }, (_, after) => ({ after, limit: 11 })),
        { after: 3, limit: 60, characters: 20_000 },
        { after: 0, limit: 20, before: 55 },
        { after: 0, limit: 60, issuer: ada },
        { after: 0, limit: 60, type: 'minted', before: 60 },
        { after: 0, limit: 9, resource: `thing/r${firstDay + 3}` },
      ])
        expect(await store.entries(query)).to.deep.equal(await rows.entries(query));
    });
  }

  it('are written along with entries from another store', async () => {
    const other = await directory.open('inline', join(directory.path, 'other'));
    const commits = someCommits(40);
    const places = await other.append(commits);
    const store = await open();
    await store.takeOver(
      commits.map((commit, index) => {
        const { seq, prevEntry, chainHash } = places[index] as Extract<AppendResult, { ok: true }>;
        return { ...commit, entry: { ...commit.entry, seq, prevEntry, chainHash } };
      }),
    );
    expect(firstRow()).to.equal(33);
    const all = { after: 0, limit: 99 };
    expect(await store.entries(all)).to.deep.equal(await other.entries(all));
  });

  it('are each written once where old entries and those from another store are sealed together', async () => {
    const part = 64;
    const builder = new EntryBuilder();
    const commits = Array.from({ length: 10 * part }, () => builder.mint(ada, 1));
    const other = await directory.open('inline', join(directory.path, 'other'));
    const places = await other.append(commits);
    const from = (start: number, end: number) =>
      commits.slice(start, end).map((commit, index) => {
        const { seq, prevEntry, chainHash } = places[start + index] as Extract<AppendResult, { ok: true }>;
        return { ...commit, entry: { ...commit.entry, seq, prevEntry, chainHash } };
      });
    const before = await directory.open('inline');
    await before.takeOver(from(0, 6 * part));
    await before.close();
    const store = await open({ writer: 'thread', segmentEntries: part });
    const sealing = store as unknown as { writeSegment(entries: number): Promise<SegmentName> };
    const write = sealing.writeSegment;
    let [now, most] = [0, 0];
    sealing.writeSegment = (entries) => {
      most = Math.max(most, ++now);
      return write(entries).finally(() => now--);
    };
    await store.takeOver(from(6 * part, 8 * part));
    await store.takeOver(from(8 * part, 10 * part));
    expect(most).to.equal(1);
    expect(filesIn(segments()).map((name) => Number.parseInt(name, 10))).to.deep.equal(
      Array.from({ length: 9 }, (_, index) => (index + 1) * part),
    );
    const all = { after: 0, limit: 999 };
    expect(await store.entries(all)).to.deep.equal(await other.entries(all));
  });

  it('are not written while the file of the one before is missing, as on a disk that is not there', async () => {
    const store = await open();
    await store.append(someCommits(30));
    await sealed(16);
    await store.close();
    const files = filesIn(segments()).map((name) => join(segments(), name));
    const bytes = readFileSync(files[1]!);
    rmSync(files[1]!);
    look((connection) =>
      expect(() => writeSegment(connection, size)).to.throw(`the segment ${files[1]} with the entries 9 to 16`),
    );
    expect(filesIn(segments())).to.have.length(1);
    writeFileSync(files[1]!, bytes);
    expect(look((connection) => writeSegment(connection, size).last)).to.equal(24);
  });

  it('are written again after a crash before or after a file has its name', async () => {
    const store = await directory.open();
    await store.append(someCommits(20));
    const before = await store.entries({ after: 0, limit: 99 });
    await store.close();
    const name = look((connection) => writeSegment(connection, size));
    const file = join(segments(), segmentFile(name));
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, 500));
    writeFileSync(`${file}.partial`, 'half');
    const again = await open();
    await sealed(size);
    expect(await again.entries({ after: 0, limit: 99 })).to.deep.equal(before);
    expect(filesIn(segments())).to.deep.equal([segmentFile(name)]);
    expect(readFileSync(file)).to.deep.equal(bytes);
  });

  it('replace no rows if the transaction fails', async () => {
    const store = await directory.open();
    await store.append(someCommits(20));
    const before = await store.entries({ after: 0, limit: 99 });
    await store.close();
    const broken = await SqliteStore.open({ dir: directory.path, writer: 'inline', segmentEntries: size });
    await broken.break('commit');
    await broken.lost;
    await broken.close();
    expect(firstRow()).to.equal(1);
    const again = await open();
    await sealed(size);
    expect(await again.entries({ after: 0, limit: 99 })).to.deep.equal(before);
  });

  it('are not made of damaged rows', async () => {
    const store = await directory.open();
    await store.append(someCommits(20));
    await store.close();
    const connection = new SqliteConnection(databaseFile(directory.path), { cacheKiB: 100 });
    for (const [damage, repair] of [
      ['core = substr(core, 2) WHERE seq = 1', `core = '{' || core WHERE seq = 1`],
      [
        `core = replace(core, 'transferred', 'transferres') WHERE seq = 2`,
        `core = replace(core, 'transferres', 'transferred') WHERE seq = 2`,
      ],
      [
        'payload = payload || char(10) WHERE seq = 2',
        'payload = substr(payload, 1, length(payload) - 1) WHERE seq = 2',
      ],
    ]) {
      connection.exec(`UPDATE journal SET ${damage}`);
      expect(() => writeSegment(connection, size), damage).to.throw("the entries from 1 on can't be sealed");
      expect(filesIn(segments())).to.deep.equal([]);
      connection.exec(`UPDATE journal SET ${repair}`);
    }
    connection.exec('UPDATE journal SET seq = 99 WHERE seq = 5');
    expect(() => writeSegment(connection, size)).to.throw("the entries from 1 on can't be sealed");
    connection.exec('UPDATE journal SET seq = 5 WHERE seq = 99');
    expect(writeSegment(connection, size).last).to.equal(size);
    connection.close();
  });

  it('replace rows once, and only those of their journal', async () => {
    const store = await directory.open();
    await store.append(someCommits(20));
    await store.close();
    const name = look((connection) => writeSegment(connection, size));
    const seal = { do: 'seal', segment: name } as const;
    const writer = new Writer(openWriting(directory.path));
    writer.write([seal, seal]);
    writer.write([seal]);
    expect(firstRow()).to.equal(9);
    const foreign = { do: 'seal', segment: { ...name, last: 16 } } as const;
    expect(() => writer.write([foreign])).to.throw('a segment ends with an entry of this journal');
    writer.close();
    expect(firstRow()).to.equal(9);
  });

  describe('that are lost', () => {
    let store: SqliteStore;
    let files: string[];
    const file = (index: number) => join(segments(), files[index]!);
    const failure = async (after: number) => (await rejection(store.entries({ after, limit: 4 }))).message;

    beforeEach(async () => {
      store = await open();
      await store.append(someCommits(60));
      await sealed(48);
      files = filesIn(segments());
    });

    it('are named, with their entries and what to do, by a start and each read', async () => {
      rmSync(file(1));
      const expected = `the segment ${file(1)} with the entries 9 to 16 can't be read: it is missing. Copy the file of that name`;
      expect(await failure(10)).to.include(expected);
      expect(await store.entries({ after: 0, limit: 8 })).to.have.length(8);
      await store.close();
      expect((await rejection(open())).message).to.include(expected);
    });

    it('are named where a bit was flipped', async () => {
      const bytes = readFileSync(file(2));
      for (const at of [10, 400, bytes.length - 100]) {
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= 1;
        writeFileSync(file(2), flipped);
        expect(look((connection) => violationOfSegments(connection, { whole: true }))).to.include(
          `the segment ${file(2)} with the entries 17 to 24 can't be read: it was changed`,
        );
      }
      expect(await failure(20)).to.include(`the segment ${file(2)} with the entries 17 to 24 can't be read`);
      writeFileSync(file(2), bytes);
    });

    it('are not called damaged where the machine can not read them now', async () => {
      const bytes = readFileSync(file(1));
      rmSync(file(1));
      symlinkSync(file(1), file(1));
      const error = await rejection(store.entries({ after: 10, limit: 4 }));
      expect(error.message).to.include('ELOOP');
      expect(error).not.to.be.instanceOf(StoreDamaged);
      expect(() => look(violationOfSegments)).to.throw('ELOOP');
      rmSync(file(1));
      writeFileSync(file(1), bytes);
      expect(await store.entries({ after: 10, limit: 4 })).to.have.length(4);
    });

    it('are named where they are those of other entries', async () => {
      copyFileSync(file(0), file(3));
      expect(await failure(26)).to.include('it has other entries');
    });
  });

  describe('in backups', () => {
    const data = () => join(directory.path, 'data');
    const backups = (name: string) => join(directory.path, 'backups', name);

    it('are copied once, beside the database, and restored from there', async () => {
      const store = await open({ dir: data() });
      const builder = new EntryBuilder();
      await store.append(someCommits(30, builder));
      await sealed(16, data());
      await backup(store, backups('one.db'));
      const copied = filesIn(backups('segments'));
      expect(copied).to.deep.equal(filesIn(segments(data())));
      const ages = await Promise.all(copied.map((name) => stat(join(backups('segments'), name))));
      await store.append(someCommits(10, builder));
      await sealed(32, data());
      const head = await backup(store, backups('two.db'));
      expect(filesIn(backups('segments'))).to.deep.equal(filesIn(segments(data())));
      for (const [index, name] of copied.entries())
        expect((await stat(join(backups('segments'), name))).ino).to.equal(ages[index]!.ino);
      const restored = join(directory.path, 'restored');
      expect((await restore(backups('two.db'), restored)).head).to.deep.equal(head);
      const again = await open({ dir: restored });
      expect(await again.entries({ after: 0, limit: 99 })).to.deep.equal(await store.entries({ after: 0, limit: 99 }));
    });

    it('are those of each backup, though an earlier one has the same entries in others, and what is left is whole', async () => {
      const places = ['one', 'two'].map((name) => join(directory.path, name));
      const commits = someCommits(30);
      for (const [index, dir] of places.entries()) {
        const store = await open({ dir, segmentEntries: size / (1 + index) });
        await store.append(commits);
        await sealed([16, 24][index]!, dir);
        await store.close();
        await backup(dir, backups(`${index}.db`));
        // A file of the earlier backup that has rotted is written again by a later one.
        const [rotten] = filesIn(backups('segments'));
        writeFileSync(join(backups('segments'), rotten!), 'rotten');
        await backup(dir, backups(`${index}-again.db`));
      }
      const all = { after: 0, limit: 99 };
      const [expected] = await Promise.all(
        places.map(async (dir) => (await open({ dir, segmentEntries: 99 })).entries(all)),
      );
      for (const name of ['0.db', '1.db', '0-again.db', '1-again.db']) {
        const restored = join(directory.path, 'restored', name);
        await restore(backups(name), restored);
        const again = await open({ dir: restored, segmentEntries: 99 });
        expect(await again.entries(all), name).to.deep.equal(expected);
      }
    });

    it('are refused where a name leads out of the folder', async () => {
      const store = await open({ dir: data() });
      await store.append(someCommits(30));
      await sealed(16, data());
      await backup(store, backups('one.db'));
      const connection = new SqliteConnection(backups('one.db'), { cacheKiB: 100 });
      connection.exec(`UPDATE segments SET sha256 = '/../../../evil' WHERE last = 8`);
      connection.close();
      const restored = join(directory.path, 'restored');
      expect((await rejection(restore(backups('one.db'), restored))).message).to.include(
        "the database names a segment that can't be: the one up to entry 8",
      );
      expect(existsSync(databaseFile(restored))).to.equal(false);
    });

    it('are refused where one is damaged or missing, and nothing is replaced', async () => {
      const store = await open({ dir: data() });
      await store.append(someCommits(30));
      await sealed(16, data());
      await backup(store, backups('one.db'));
      const [first, second] = filesIn(backups('segments')).map((name) => join(backups('segments'), name));
      writeFileSync(first!, readFileSync(first!).fill(1, 300, 310));
      const restored = join(directory.path, 'restored');
      expect((await rejection(restore(backups('one.db'), restored))).message).to.include(
        `${first}, up to entry 8, is damaged`,
      );
      rmSync(second!);
      copyFileSync(join(segments(data()), filesIn(segments(data()))[0]!), first!);
      expect((await rejection(restore(backups('one.db'), restored))).message).to.include(
        `${second}, up to entry 16, is missing`,
      );
      expect(existsSync(databaseFile(restored))).to.equal(false);
    });
  });

  it('lie in another directory where the configuration says so', async () => {
    const segmentsDir = join(directory.path, 'disk');
    const dir = join(directory.path, 'data');
    const store = await open({ dir, segmentsDir });
    await store.append(someCommits(20));
    await sealed(8, dir);
    expect(filesIn(segmentsDir)).to.have.length(1);
    expect(readlinkSync(segments(dir))).to.equal(segmentsDir);
    await store.close();
    const refusal = await rejection(open({ dir, segmentsDir: join(directory.path, 'other') }));
    expect(refusal.message).to.include(`${segments(dir)} does not lead to ${join(directory.path, 'other')}`);
    const again = await open({ dir, segmentsDir });
    expect(await again.entries({ after: 0, limit: 99 })).to.have.length(20);
    await again.close();
    await backup(dir, join(directory.path, 'backups', 'one.db'));
    const [restored, disk] = [join(directory.path, 'restored'), join(directory.path, 'disk', 'of', 'restored')];
    await restore(join(directory.path, 'backups', 'one.db'), restored, { segmentsDir: disk });
    expect(filesIn(disk)).to.deep.equal(filesIn(segmentsDir).filter((name) => name !== 'of'));
    expect(readlinkSync(segments(restored))).to.equal(disk);
    chmodSync(disk, 0o777);
    expect((await rejection(open({ dir: restored, segmentsDir: disk }))).message).to.include(
      `users other than its owner may write to the directory of segments ${disk}`,
    );
    rmSync(segments(dir));
    mkdirSync(segments(dir));
    expect((await rejection(open({ dir, segmentsDir }))).message).to.include('move its files there');
  });
});
