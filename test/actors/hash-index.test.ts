/** The index of hashes: what it finds, how it is built, and that an audit compares it with the journal. */
import { expect } from 'chai';
import { realEnvironment } from '../../src/core/environment.js';
import { entryByHash, HashIndex, type HashRole } from '../../src/projections/hash-index.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { hashIndexTable as table } from '../../src/store/store.js';
import { until } from '../support/until.js';
import { Falsified } from '../world/falsified.js';

const size = 4;

describe('the index of hashes', () => {
  let life: Falsified;
  let index: HashIndex;
  const store = () => life.bench.store;

  beforeEach(async () => {
    life = await Falsified.open();
    const world = realEnvironment;
    index = new HashIndex({ store: store(), world, size, onFailure: (error) => expect.fail(String(error)) });
  });
  afterEach(() => index.stop());

  const segments = async () => Number((await store().getLocal(table, 'built'))?.value.segments ?? 0);
  const isBuilt = () =>
    until('the index', async () => (await segments()) === Math.floor((await store().head()).seq / size));

  async function build(): Promise<void> {
    index.start();
    await isBuilt();
  }

  const hashesOf = ({ chainHash, entryHash, core }: NumberedEntry): readonly (readonly [HashRole, string])[] => [
    ['chain', chainHash],
    ['entry', entryHash],
    ['payload', core.event.payloadHash],
    ...core.versions.map(({ stateHash }) => ['state', stateHash] as const),
  ];
  const journal = () => store().entries({ after: 0, limit: 100 });

  it('leads to every entry of its segments by each of its hashes', async () => {
    await build();
    const entries = await journal();
    const indexed = entries.length - (entries.length % size);
    expect(indexed).to.be.at.least(16);
    for (const entry of entries) {
      const wanted = (by: HashRole) => (entry.seq > indexed ? undefined : { seq: entry.seq, by });
      // With 0, entries after the indexed ones are not searched, so every hash that is found is in the index.
      for (const [by, hash] of hashesOf(entry)) expect(await entryByHash(store(), hash, 0)).to.deep.equal(wanted(by));
    }
    expect(await entryByHash(store(), 'f'.repeat(64))).to.equal(undefined);
  });

  it('is not needed for the entries behind it', async () => {
    for (const entry of await journal())
      for (const [by, hash] of hashesOf(entry))
        expect(await entryByHash(store(), hash)).to.deep.equal({ seq: entry.seq, by });
  });

  it('grows when a segment is full, whatever a process left that ended in between', async () => {
    await store().putLocal(table, '0.0', { keys: 'AAAA' }, 0);
    await build();
    const before = await segments();
    do await life.bench.mint('ada', 1);
    while ((await store().head()).seq % size !== 0);
    for (const entry of (await journal()).slice(before * size)) index.saw(entry);
    await isBuilt();
    expect(await segments()).to.equal(before + 1);
    // An index that has not seen the first entries of a segment reads them from the store.
    for (let at = 0; at < size; at++) await life.bench.mint('ada', 1);
    const fresh = new HashIndex({
      store: store(),
      world: realEnvironment,
      size,
      onFailure: (error) => expect.fail(String(error)),
    });
    fresh.start();
    await isBuilt();
    await fresh.stop();
    expect(await life.flaw()).to.equal(undefined);
  });

  it('reads no entries that the process has seen, though the next segment begins before it is built', async () => {
    await build();
    while ((await store().head()).seq % size !== 0) await life.bench.mint('ada', 1);
    await isBuilt();
    const before = (await store().head()).seq;
    for (let at = 0; at <= size; at++) await life.bench.mint('ada', 1);
    const { entries } = store();
    const reads: number[] = [];
    const seen = await store().entries({ after: before, limit: size + 1 });
    store().entries = (range) => {
      reads.push(range.after);
      return entries.call(store(), range);
    };
    for (const entry of seen) index.saw(entry);
    await isBuilt();
    expect(reads).to.deep.equal([]);
  });

  it('is compared by an audit', async () => {
    await build();
    expect(await life.flaw()).to.equal(undefined);
    const records = (await store().listLocal(table)).filter(
      ({ value }) => value.keys !== undefined && value.keys !== '',
    );
    for (const { id, revision, value } of records.slice(0, 5)) {
      await store().putLocal(table, id, { keys: '' }, revision);
      const segment = Number.parseInt(id, 10);
      expect(await life.flaw(), id).to.include({
        check: 'index',
        what: `the index of hashes does not lead to the entries of segment ${segment}`,
      });
      await store().putLocal(table, id, value, revision + 1);
    }
  });
});
