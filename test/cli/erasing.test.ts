/** What an erasure leaves in the files of the embedded store, and what a restored backup brings back. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { json, svcNode } from './support/command.js';
import { type Answer, get, post, startNode, type TestNode } from './support/node.js';

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
    return leaves.find((leaf: { at: string }) => leaf.at === at).leaf;
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
    node = await startNode();
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
  });

  it('are not in the words of the search, also those that a later text had replaced before', async () => {
    const { listingId, resourcePrev } = await publish('Zebrafinch secret one', 'plain');
    const leaf = await leafAt(listingId, '/title');
    await write(`/markets/info/${listingId}/actions/update`, { title: 'harmless', resourcePrev });
    expect(found(['zebrafinch'])).to.have.length(1);
    await erase(leaf);
    expect(found(['zebrafinch'])).to.deep.equal([]);
  });

  it('come back with a backup from before, and restore says so', async () => {
    const file = join(scratch(), 'ledger.db');
    const { listingId } = await publish('Axolotl of Ada', 'plain');
    const leaf = await leafAt(listingId, '/title');
    await run('backup', file, '--data', node.dataDir);
    await erase(leaf);
    await node.stop();
    expect(found(['axolotl'])).to.deep.equal([]);
    expect(await run('audit', '--data', node.dataDir)).to.include({ ok: true, erased: 22 });

    const end = await svcNode(['restore', file, '--data', node.dataDir, '--force']);
    expect(end.code, end.stderr).to.equal(0);
    expect(end.stderr).to.include(`svc-node redact ${leaf} --reason TEXT`).and.not.include('undefined');
    const { broughtBack } = await run<{ broughtBack: string[] }>('restore', file, '--data', node.dataDir, '--force');
    expect(broughtBack, 'this database has erased nothing that the backup has').to.deep.equal([]);
  });
});
