import { expect } from 'chai';
import fc from 'fast-check';
import Database from 'libsql';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { packed, unpacked } from '../../../src/store/sqlite/packing.js';
import { Scribe } from '../entries.js';
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
    const any = fc.tuple(fc.string({ unit: 'grapheme', minLength: 0 }), fc.option(fc.json()));
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: 400 }), ([core, payload], length) => {
        const long = JSON.stringify(core) + text(length);
        const bytes = packed(long, payload);
        if (bytes) expect(unpacked(bytes)).to.deep.equal([long, payload]);
        else expect(long.length + (payload?.length ?? 0)).to.be.lessThan(1_500);
      }),
    );
  });

  it('give a text that is none where they were damaged', () => {
    const bytes = packed(text(300), null)!;
    for (const damaged of [Buffer.alloc(0), Buffer.of(9), bytes.subarray(0, 20), Buffer.from(bytes).fill(255, 1, 9)]) {
      expect(unpacked(damaged)[0]).to.equal('');
    }
  });

  it('are read in every way as they were written, in a third of the room, beside short ones', async () => {
    const store = await directory.open();
    const scribe = new Scribe();
    const context = { what: text(120) };
    const idem = { principal: ada, key: 'once' };
    const long = scribe.commit({
      issuer: ada,
      resources: [{ kind: 'thing', id: 'a', context: { text: text(400) } }],
      idem,
    });
    const short = scribe.mint(ada, 5);
    const paying = scribe.commit({
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
    expect((await again.recall(ada, 'once', scribe.time))?.entry.payloadText).to.equal(long.entry.payloadText);
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

  it('that an older program has written stay readable', async () => {
    const store = await directory.open();
    const scribe = new Scribe();
    const long = scribe.commit({ issuer: ada, resources: [{ kind: 'thing', id: 'a', context: { text: text(400) } }] });
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
