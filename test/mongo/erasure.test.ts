/** A process ends while it projects an erasure: the next one finishes it, and the search index has no word of the text. */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { realEnvironment } from '../../src/core/environment.js';
import { newLeaf } from '../../src/core/leaf.js';
import type { Searched } from '../../src/machines/kernel/searched.js';
import { noHash } from '../../src/store/entry.js';
import { Commands } from '../../src/store/mongo/commands.js';
import { Contents } from '../../src/store/mongo/contents.js';
import { Database } from '../../src/store/mongo/database.js';
import { systemId } from '../../src/store/mongo/documents.js';
import { Outage } from '../../src/store/mongo/outage.js';
import { Projection } from '../../src/store/mongo/projection.js';
import type { Rewording } from '../../src/store/search.js';
import type { Commit, Store } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { rejection } from '../contract/fixture.js';
import { everything, listing, searched, words } from '../contract/shelf.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

/** Ends before it changes the search index. */
class Ending extends Commands {
  override write(command: Document): Promise<number[]> {
    return command.update === 'search' ? Promise.reject(new Error('the process ends')) : super.write(command);
  }
}

describeMongo('an erasure whose process ends', () => {
  const { leaf, content } = newLeaf('secret', new Uint8Array(16));
  const texts: Searched['texts'] = [
    [leaf, 4],
    ['plain', 1],
  ];
  const found = { ...searched({}), texts };
  const reworded: Rewording = { id: 'a', version: 1, found: { ...found, texts: texts.slice(1) }, before: found };
  let target: TestDatabase;
  let database: Database;
  let contents: Contents;
  let projection: Projection;
  let published: Commit;
  let builder: EntryBuilder;

  beforeEach(async () => {
    target = await TestDatabase.fresh();
    database = new Database(target.url, target.network);
    await database.connect();
    const commands = new Ending(
      () => database.db(),
      () => 'local',
    );
    const outage = new Outage({ world: realEnvironment, log: () => {} });
    contents = new Contents(database.collections().contents, outage);
    projection = new Projection(commands, outage, contents);
    builder = new EntryBuilder();
    published = { ...builder.resource({ ...listing('a', {}), found }), contents: [content] };
  });

  afterEach(async () => {
    await database.close(realEnvironment);
    await target.dispose();
  });

  const erased = (erases: Commit['erases']) => ({ ...builder.resource({ kind: 'leaf', id: content.hash }), erases });

  /** Appends, then projects these entries again from what was there before, in a process that ends. */
  async function endWithin(erasing: Commit, before: () => Promise<unknown>): Promise<void> {
    const store = await target.open();
    await store.append([erasing]);
    await store.close();
    await target.rewind();
    await contents.put([published]);
    await before();
    const entries = await database.collections().entries.find({}).toArray();
    const done = {
      writes: entries.flatMap(({ writes }) => writes),
      erasures: entries.flatMap(({ erases }) => erases ?? []),
    };
    const system = { _id: systemId, seq: 2, chain: noHash, supply: 0, fees: 0 } as const;
    expect(await rejection(projection.write(done, [], system))).to.have.property('message', 'the process ends');
  }

  async function publish(): Promise<Document> {
    const store = await target.open();
    await store.append([published]);
    await store.close();
    return (await database.collections().search.findOne({ _id: 'a' }))!;
  }

  const ids = async (store: Store, word: string) =>
    (await store.search({ ...everything, ...words(word) })).items.map(({ id }) => id);

  async function isFinished(): Promise<void> {
    const store = await target.open();
    expect([await ids(store, 'secret'), await ids(store, 'plain')]).to.deep.equal([[], ['a']]);
    expect(await store.content(content.hash)).to.equal(undefined);
  }

  it('before the index has the resource: the text is gone first, so that its words never get there', async () => {
    await publish();
    await endWithin(erased({ hash: content.hash }), async () => {
      for (const part of ['search', 'resources'] as const) await database.collections()[part].deleteMany({});
    });
    expect(await contents.texts([content.hash])).to.deep.equal(new Map());
    await isFinished();
  });

  it('before its words are taken from the index: the text is still there, and the next process takes them', async () => {
    const indexed = await publish();
    await endWithin(erased({ hash: content.hash, reworded }), () =>
      database.collections().search.replaceOne({ _id: 'a' }, indexed as never),
    );
    expect(await contents.texts([content.hash])).to.have.all.keys(content.hash);
    await isFinished();
  });
});
