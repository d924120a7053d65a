/** What an erasure leaves in the files of the embedded store, and what a restored backup brings back. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SqliteConnection } from '../../src/store/sqlite/connection.js';
import { databaseFile } from '../../src/store/sqlite/durable.js';
import { writeSegment } from '../../src/store/sqlite/sealing.js';
import { Segment, segmentFile, segmentsFolder } from '../../src/store/sqlite/segment.js';
import { scratch, tidy } from '../support/scratch.js';
import { ended, json, spawnCommand, svcNode } from './support/command.js';
import { type Answer, get, post, startHere, type TestNode } from './support/node.js';

const passphrase = 'correct horse battery 1';

const run = async <T>(...words: string[]): Promise<T> => {
  const end = await svcNode([...words, '--json']);
  expect(end.code, end.stderr).to.equal(0);
  return json<T>(end);
};

describe('erased texts', () => {
  let node: TestNode;
  let did: string;
  let key: string;
  let nonce = 1;
  const api = (path: string) => `${node.url}/api/v1${path}`;
  const done = ({ status, body }: Answer) => {
    expect(status, JSON.stringify(body)).to.be.within(200, 299);
    return body;
  };
  const write = async (path: string, body: object) =>
    done(await post(api(path), { did, passphrase, nonce: nonce++, ...body }));
  const publish = (title: string, description: string) =>
    write('/markets/info', {
      ...{ title, description, category: 'weather', pricing: { price: 7 }, infoType: 'dataset' },
      ...{ content: { format: 'text/csv' }, accessMethod: { type: 'download' }, license: { type: 'CC0' } },
    });
  const leafAt = async (listing: string, at: string): Promise<string> => {
    const { leaves } = done(await get(api(`/admin/leaves?resource=info-listing/${listing}`), key));
    return leaves.find((leaf: { pointer: string }) => leaf.pointer === at).leaf;
  };
  const erase = async (leaf: string) =>
    done(await post(api(`/admin/leaves/${leaf}/actions/redact`), { reason: 'asked for' }, key));
  /** Which of the texts, or of their words, are in the files of the database. */
  const found = (texts: readonly string[]): readonly string[] => {
    const files = ['journal.db', 'journal.db-wal'].map((name) => join(node.dataDir, name)).filter(existsSync);
    const held = files.map((file) => readFileSync(file, 'latin1').toLowerCase()).join('');
    return texts.filter((text) => held.includes(text.toLowerCase()));
  };

  before(async () => {
    node = await startHere();
    did = done(await post(api('/identities'), { passphrase })).did;
    ({ key } = await run<{ key: string }>(
      'api-key',
      'create',
      '--scope',
      'admin',
      '--label',
      'op',
      '--data',
      node.dataDir,
    ));
  });
  after(tidy);

  it('are in no file of the database, though pages were split and rows moved', async () => {
    const erased: string[] = [];
    const kept: string[] = [];
    for (let each = 0; each < 60; each++) {
      const mark = `MARK${each}QXJ`;
      const { listingId } = await publish(`Listing ${each}`, `${mark} `.repeat(3 + ((each * 37) % 60)));
      (each % 3 === 0 ? erased : kept).push(mark);
      if (each % 3 === 0) await erase(await leafAt(listingId, '/description'));
    }
    expect(found(kept)).to.deep.equal(kept);
    expect(found(erased)).to.deep.equal([]);
    const database = new SqliteConnection(databaseFile(node.dataDir), { cacheKiB: 100, readOnly: true });
    const name = writeSegment(database, 75);
    const segment = new Segment(join(segmentsFolder(database.file), segmentFile(name)), 1, name);
    const texts = Array.from({ length: 75 }, (_, each) => segment.texts(1 + each).join(''));
    database.close();
    expect(texts.join('')).to.include('info-listing').and.not.include('MARK');
  });

  it('are not in the words of the search, also those that a later text had replaced before', async () => {
    const { listingId, resourcePrev } = await publish('Zebrafinch secret one', 'plain');
    const leaf = await leafAt(listingId, '/title');
    await write(`/markets/info/${listingId}/actions/update`, { title: 'harmless', resourcePrev });
    expect(found(['zebrafinch'])).to.have.length(1);
    await erase(leaf);
    expect(found(['zebrafinch'])).to.deep.equal([]);
  });

  describe('of which a restored backup has copies', () => {
    const again = ' (applied again after a restore)';
    let early: string;
    let late: string;
    let known: string;
    let listing: string;
    let leaves: readonly string[];
    let erased: number;
    const restore = (file: string, ...words: string[]) =>
      run<{ redactions: number; knowsAll: boolean }>('restore', file, '--data', node.dataDir, ...words);
    const reasons = async (): Promise<readonly string[]> => {
      const { events } = done(await get(api('/events?type=leaf.redacted&order=newest&limit=3')));
      return events.map(({ payload }: { payload: { input: { reason: string } } }) => payload.input.reason);
    };
    /** Starts the node, and checks that no text is readable. */
    const erasedAfterStart = async () => {
      node = await startHere(node.dataDir);
      const view = done(await get(api(`/markets/info/${listing}`)));
      expect(view).to.deep.include({ title: null, description: null, erased: ['title', 'description'] });
      expect(await reasons()).to.deep.equal([`asked for${again}`, `asked for${again}`, `asked for${again}`]);
      await node.stop();
      expect(found(['axolotl', 'newt'])).to.deep.equal([]);
      expect(await run('audit', '--data', node.dataDir)).to.include({ ok: true, erased });
    };

    before(async () => {
      const files = scratch();
      [early, late, known] = [join(files, 'early.db'), join(files, 'late.db'), join(files, 'erased.json')];
      await run('backup', early, '--data', node.dataDir);
      ({ listingId: listing } = await publish('Axolotl of Ada', 'Axolotl and newt'));
      const other = await publish('A newt', 'plain');
      leaves = [
        await leafAt(listing, '/title'),
        await leafAt(listing, '/description'),
        await leafAt(other.listingId, '/title'),
      ];
      await run('backup', late, '--data', node.dataDir);
      for (const leaf of leaves) await erase(leaf);
      const listed = await svcNode([
        'event',
        'list',
        '--type',
        'leaf.redacted',
        '--all',
        '--json',
        '--data',
        node.dataDir,
      ]);
      writeFileSync(known, listed.stdout);
      await node.stop();
      ({ erased } = await run<{ erased: number }>('audit', '--data', node.dataDir));
    });

    it('are erased again by the next start, before it answers', async () => {
      const end = await svcNode(['restore', late, '--data', node.dataDir, '--force']);
      expect(end.code, end.stderr).to.equal(0);
      expect(end.stderr).to.include('It lacks 3 erasures: the next start applies them before it answers.');
      expect(await run('audit', '--data', node.dataDir), 'before the start').to.include({
        ok: true,
        erased: erased - 3,
      });
      await erasedAfterStart();
    });

    it('also by a start after one that was killed', async () => {
      expect(await restore(late, '--force')).to.include({ redactions: 3, knowsAll: true });
      const killed = spawnCommand(['start', '--port', '0', '--data', node.dataDir]);
      const end = ended(killed);
      killed.stderr.on('data', (text) => String(text).includes('was erased') && killed.kill('SIGKILL'));
      expect(await end).to.include({ signal: 'SIGKILL' });
      await erasedAfterStart();
    });

    it('also after restores of several backups, of which one has not the texts', async () => {
      for (const file of [late, early, late]) expect(await restore(file, '--force')).to.include({ redactions: 3 });
      await erasedAfterStart();
      expect(await restore(early, '--force')).to.include({ redactions: 3 });
      node = await startHere(node.dataDir);
      await node.stop();
      expect(await restore(late, '--force')).to.include({ redactions: 3 });
      await erasedAfterStart();
    });

    it('also after a move to another file of what was restored', async () => {
      await restore(late, '--force');
      await run('rebuild', '--data', node.dataDir);
      rmSync(join(node.dataDir, 'journal.db.before-rebuild'));
      await erasedAfterStart();
    });

    it('also if the replaced database is damaged, as far as it can be read, or by a list', async () => {
      const database = join(node.dataDir, 'journal.db');
      writeFileSync(database, 'damaged');
      expect(await restore(late, '--force')).to.include({ redactions: 0, knowsAll: false });
      expect(found(['axolotl', 'newt']), 'as in the backup').to.deep.equal(['axolotl', 'newt']);
      rmSync(database);
      expect(await restore(late, '--redactions', known)).to.include({ redactions: 3, knowsAll: true });
      await erasedAfterStart();

      writeFileSync(known, '{"events":[{"payload":{"id":"x"}}]}');
      const end = await svcNode(['restore', late, '--data', node.dataDir, '--force', '--redactions', known]);
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr).to.include('events.0.payload');
    });
  });
});
