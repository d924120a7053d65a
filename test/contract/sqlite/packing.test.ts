import { expect } from 'chai';
import fc from 'fast-check';
import Database from 'libsql';
import type { JsonObject } from '../../../src/core/canonical.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { packed, unpacked } from '../../../src/store/sqlite/packing.js';
import { EntryBuilder } from '../entries.js';
import { everything, listing } from '../shelf.js';
import { Directory } from './support.js';

const ada = 'did:svc:ada';
const text = (length: number) => Array.from({ length }, (_, index) => `word ${index * 7919}`).join(' ');

describe('Long entries', () => {
  const directory = new Directory();
  const file = <T>(use: (database: InstanceType<typeof Database>) => T): T => {
    const database = new Database(databaseFile(directory.path));
    try {
      return use(database);
    } finally {
      database.close();
    }
  };

  it('are packed and unpacked to the letter, short ones left alone', () => {
    const any = fc.tuple(fc.string({ unit: 'grapheme', minLength: 0 }), fc.json(), fc.option(fc.json()));
    fc.assert(
      fc.property(
        any,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 400 }),
        ([core, payloadText, context], length, more) => {
          const long = JSON.stringify(core) + text(length);
          const payload = payloadText + text(more);
          const bytes = packed(long, payload, context ?? undefined);
          if (bytes) expect(unpacked(bytes)).to.deep.equal([long, payload, context ?? '']);
          else expect(payload.length < 400 || long.length + payload.length < 1_500).to.equal(true);
        },
      ),
    );
  });

  it('are those with long words, not those that move many things', () => {
    const payloadText = text(40);
    expect(payloadText.length).to.be.within(400, 1_000);
    expect(packed(text(300), payloadText)).to.be.instanceOf(Uint8Array);
    expect(packed(text(300), payloadText.slice(0, 399))).to.equal(undefined);
  });

  it('give a text that is none where they were damaged', () => {
    const bytes = packed('{}', text(300))!;
    for (const damaged of [Buffer.alloc(0), Buffer.of(9), bytes.subarray(0, 20), Buffer.from(bytes).fill(255, 1, 9)]) {
      expect(unpacked(damaged)[0]).to.equal('');
    }
  });

  it('are read in every way as they were written, in a third of the space, next to short ones', async () => {
    const store = await directory.open();
    const builder = new EntryBuilder();
    const context = { what: text(120) };
    const idem = { principal: ada, key: 'once' };
    const long = builder.commit({
      issuer: ada,
      resources: [{ kind: 'thing', id: 'a', context: { text: text(400) } }],
      idem,
    });
    const short = builder.mint(ada, 5);
    const paying = builder.commit({
      issuer: 'did:svc:faucet',
      moves: [{ op: 'mint', to: ada, amount: 1 }],
      resources: [{ kind: 'thing', id: 'b', context }],
    });
    await store.append([long, short, paying]);
    await store.close();
    const again = await directory.open('thread');
    const entries = await again.entries({ after: 0, limit: 9 });
    expect(
      entries.map(({ coreText, payloadText, core, payload }) => ({ coreText, payloadText, core, payload })),
    ).to.deep.equal(
      [long, short, paying].map(({ entry: { coreText, payloadText, core, payload } }) => ({
        coreText,
        payloadText,
        core,
        payload,
      })),
    );
    const { hash } = long.entry.core.event;
    expect((await again.entryByEvent(hash))?.coreText).to.equal(long.entry.coreText);
    expect((await again.recall(ada, 'once', builder.time))?.entry.payloadText).to.equal(long.entry.payloadText);
    expect((await again.entries({ after: 0, limit: 9, issuer: ada }))[0]?.payloadText).to.equal(long.entry.payloadText);
    const { items } = await again.history(ada, undefined, { limit: 9, offset: 0 });
    expect(items.map(({ entry }) => entry.payloadText)).to.deep.equal(
      [paying, short].map(({ entry }) => entry.payloadText),
    );
    const rows = file((database) =>
      database.prepare('SELECT length(packed), length(core) FROM journal').raw().all(),
    ) as [number | null, number][];
    expect(rows[0]![0]).to.be.lessThan((long.entry.coreText.length + long.entry.payloadText!.length) / 2);
    expect(rows.map(([bytes, core]) => [bytes === null, core === 0])).to.deep.equal([
      [false, true],
      [true, false],
      [false, true],
    ]);
  });

  it('hold the context of what they make for searches, until it changes', async () => {
    const store = await directory.open();
    const builder = new EntryBuilder();
    const at = { limit: 9, offset: 0 };
    const make = (id: string, context: JsonObject) =>
      builder.commit({ issuer: ada, resources: [{ ...listing(id, {}), context }] });
    const long = (what: string) => ({ what, text: text(200) });
    // Only the first resource of a commit is packed. Short contexts, and those of kinds without search, stay as they are.
    const two = () =>
      builder.commit({
        issuer: ada,
        resources: ['b', 'c'].map((id) => ({ ...listing(id, {}), context: long(id) })),
      });
    const plain = () => builder.commit({ issuer: ada, resources: [{ kind: 'thing', id: 'e', context: long('e') }] });
    const commits = [make('a', long('a')), two(), make('d', { what: 'd' }), plain()];
    await store.append(commits);
    const held = () =>
      file((database) =>
        database.prepare("SELECT id, context_at FROM resources WHERE context = '' ORDER BY id").raw().all(),
      );
    const read = async () => {
      const { items } = await store.find({ kind: 'listing', page: at });
      const searched = await store.search({ ...everything, page: at });
      expect(searched.items).to.deep.equal(items);
      for (const item of items) expect(await store.load('listing', item.id)).to.deep.equal(item);
      return items.map(({ context }) => context).reverse();
    };
    expect(held()).to.deep.equal([
      ['a', 1],
      ['b', 2],
    ]);
    expect(await read()).to.deep.equal([long('a'), long('b'), long('c'), { what: 'd' }]);
    commits.push(make('a', long('another a')));
    await store.append(commits.slice(-1));
    expect(held()).to.deep.equal([['b', 2]]);
    expect(await read()).to.deep.equal([long('another a'), long('b'), long('c'), { what: 'd' }]);
    const entries = await store.entries({ after: 0, limit: 9 });
    expect(entries.map(({ payloadText }) => payloadText)).to.deep.equal(commits.map(({ entry }) => entry.payloadText));
  });

  it('that an older program has written stay readable', async () => {
    const store = await directory.open();
    const builder = new EntryBuilder();
    const long = builder.commit({ issuer: ada, resources: [{ kind: 'thing', id: 'a', context: { text: text(400) } }] });
    await store.append([long]);
    await store.close();
    file((database) =>
      database
        .prepare('UPDATE journal SET core = ?, payload = ?, packed = NULL')
        .run(long.entry.coreText, long.entry.payloadText),
    );
    const again = await directory.open();
    expect((await again.entries({ after: 0, limit: 1 }))[0]).to.deep.include(long.entry);
  });
});
