/** The reputation projection over a store: new records, records in between, memory that is freed, tampered records. */
import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { realEnvironment } from '../../src/core/environment.js';
import { aboutLabel, type Dimension, dimensions } from '../../src/machines/reputation/record.js';
import type { ReputationScores } from '../../src/machines/reputation/scores.js';
import { ReputationReader } from '../../src/projections/reputations.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { EntryBuilder } from '../contract/entries.js';
import { isLong } from '../support/long.js';

const roomy = { records: 1_000, page: 7 };

class Shelf {
  readonly builder = new EntryBuilder();
  readonly store = new MemoryStore();
  readonly #all: { readonly at: number; readonly id: string; readonly about: string; readonly score: number }[] = [];
  /** Counts the pages that are read. */
  readonly find = sinon.spy(this.store, 'find');

  async add(about: string, score: number, { at = this.builder.time + 1, dimension = 'quality' as Dimension } = {}) {
    const id = `rev-${String(this.#all.length).padStart(4, '0')}`;
    const context = { issuer: `by-${score % 3}`, target: about, dimension, score, ref: `ord-${id}`, source: 'review' };
    const change = { kind: 'reputation', id, state: 'current', context, add: [aboutLabel(about)] };
    this.builder.time = at;
    await this.store.append([this.builder.resource(change, { time: at })]);
    this.#all.push({ at, id, about, score });
  }

  /** As if everything were read for the first time. */
  fresh(about: string): Promise<ReputationScores> {
    return new ReputationReader(this.store, realEnvironment, roomy).of(about);
  }
}

describe('Reputations of a store', () => {
  let shelf: Shelf;
  let reputations: ReputationReader;
  beforeEach(() => {
    shelf = new Shelf();
    reputations = new ReputationReader(shelf.store, realEnvironment, roomy);
  });
  const now = () => shelf.builder.time + 1;
  const expectFresh = async (about = 'ada') =>
    expect((await reputations.of(about)).at(now())).to.deep.equal((await shelf.fresh(about)).at(now()));

  it('are read whole once, and then what is new', async () => {
    for (let i = 0; i < 50; i++) await shelf.add('ada', i);
    expect((await reputations.of('ada')).count).to.equal(50);
    shelf.find.resetHistory();
    await shelf.add('ada', 700);
    await shelf.add('ben', 700);
    expect((await reputations.of('ada')).count).to.equal(51);
    sinon.assert.calledOnce(shelf.find);
    await expectFresh();
  });

  it('read more new records than a page holds', async () => {
    await shelf.add('ada', 1);
    await reputations.of('ada');
    for (let i = 0; i < 60; i++) await shelf.add('ada', i);
    expect((await reputations.of('ada')).count).to.equal(61);
    await expectFresh();
  });

  it('see a record that another process made a little earlier than the last one known', async () => {
    await shelf.add('ada', 100);
    await shelf.add('ada', 200, { at: shelf.builder.time + 1_000 });
    await reputations.of('ada');
    await shelf.add('ada', 300, { at: shelf.builder.time - 500 });
    expect((await reputations.of('ada')).count).to.equal(3);
    await expectFresh();
  });

  it('give each caller what was recorded when it asked, although reads are shared', async () => {
    for (let i = 0; i < 30; i++) await shelf.add('ada', i);
    const first = Array.from({ length: 20 }, () => reputations.of('ada'));
    await shelf.add('ada', 30);
    const after = await Promise.all(Array.from({ length: 20 }, () => reputations.of('ada')));
    expect(after.map(({ count }) => count)).to.deep.equal(after.map(() => 31));
    for (const { count } of await Promise.all(first)) expect(count).to.be.at.least(30);
    expect(shelf.find.callCount, 'of 40 callers').to.be.below(15);
  });

  it('continue after a read that failed', async () => {
    await shelf.add('ada', 1);
    const { find } = shelf.store;
    shelf.store.find = () => Promise.reject(new TypeError('away'));
    const failing = [reputations.of('ada'), reputations.of('ada')];
    for (const each of await Promise.allSettled(failing)) expect(each.status).to.equal('rejected');
    shelf.store.find = find;
    expect((await reputations.of('ada')).count).to.equal(1);
  });

  it('are let go beyond the bound, longest unasked first', async () => {
    const small = new ReputationReader(shelf.store, realEnvironment, { records: 5, page: 7 });
    for (const [about, count] of Object.entries({ ada: 3, ben: 2, cyd: 9 })) {
      for (let i = 0; i < count; i++) await shelf.add(about, i);
    }
    const pagesOf = async (about: string): Promise<number> => {
      shelf.find.resetHistory();
      await small.of(about);
      return shelf.find.callCount;
    };
    for (const about of ['ada', 'ben', 'ada', 'ben']) await small.of(about);
    // A page without new records costs one read; the first reading takes whole pages.
    expect(await pagesOf('cyd'), 'first').to.equal(2);
    expect(await pagesOf('cyd'), 'kept, although it is over the bound').to.equal(1);
    await small.of('ada');
    expect(await pagesOf('cyd'), 'let go').to.equal(2);
  });

  it('out of the journal fail where a record is not what its entry says', async () => {
    await shelf.add('ada', 100);
    await shelf.add('ada', 200);
    expect((await reputations.fromLog('ada')).at(now())).to.deep.equal((await reputations.of('ada')).at(now()));
    const { snapshots } = shelf.store.tables;
    const [key, text] = [...snapshots].at(-1)!;
    snapshots.set(key, text.replace('"score":200', '"score":900'));
    const failed = await reputations.fromLog('ada').then(
      () => 'no failure',
      (error: Error) => error.message,
    );
    expect(failed).to.match(/^reputation\/rev-0001 is not what its entry says$/);
  });

  it('out of the journal are read one DID at a time, shared by those who wait', async () => {
    for (const about of ['ada', 'ben']) for (let i = 0; i < 3; i++) await shelf.add(about, i);
    const asked = ['ada', 'ben', 'ben', 'ben'].map((about) => reputations.fromLog(about));
    const standings = await Promise.all(asked);
    expect(standings.map(({ count }) => count)).to.deep.equal([3, 3, 3, 3]);
    expect(new Set(standings).size).to.equal(2);
    await shelf.add('ben', 3);
    expect((await reputations.fromLog('ben')).count, 'what came meanwhile').to.equal(4);
  });

  it('are what the journal gives, whatever was recorded and looked at in whatever order', async () => {
    const about = fc.constantFrom('ada', 'ben');
    const adding = fc.record({
      about,
      score: fc.integer({ min: 0, max: 1000 }),
      dimension: fc.constantFrom(...dimensions),
      hours: fc.integer({ min: -2, max: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(adding, fc.record({ look: about })), { maxLength: 60 }), async (steps) => {
        const other = new Shelf();
        const known = new ReputationReader(other.store, realEnvironment, { records: 20, page: 3 });
        for (const step of steps) {
          if ('look' in step) await known.of(step.look);
          else {
            const at = Math.max(1, other.builder.time + step.hours * 3_600_000);
            await other.add(step.about, step.score, { at, dimension: step.dimension });
          }
        }
        for (const each of ['ada', 'ben']) {
          const time = other.builder.time + 86_400_000;
          const logged = await known.fromLog(each);
          expect((await known.of(each)).at(time)).to.deep.equal(logged.at(time));
        }
      }),
      { numRuns: isLong ? 1_000 : 60 },
    );
  });
});
