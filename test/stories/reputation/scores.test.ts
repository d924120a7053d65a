/** Scores computed from records, compared with a model that follows docs/reference/reputation.md#weights literally. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dayMs } from '../../../src/core/bounds.js';
import { type Dimension, dimensions } from '../../../src/machines/reputation/record.js';
import { type Noted, ReputationScores, type Scores } from '../../../src/machines/reputation/scores.js';
import { isLong } from '../../support/long.js';

const start = Date.UTC(2026, 0, 1);

const shares = { transaction: 0.25, fulfillment: 0.3, quality: 0.2, social: 0.15, behavior: 0.1 };
const mean = (values: readonly (readonly [value: number, weight: number])[]): number | null => {
  const weight = values.reduce((sum, [, each]) => sum + each, 0);
  return weight === 0 ? null : values.reduce((sum, [value, each]) => sum + value * each, 0) / weight;
};

/** Weight max(0.1, 0.5^(age/180 days)), 0 past two years, and 1/n for the n-th deal of one issuer within 180 days. */
function weightOf(records: readonly Noted[], index: number, now: number): number {
  const { at, ref } = records[index]!;
  const age = now - at;
  if (age > 2 * 365 * dayMs) return 0;
  const first = records.findIndex((each) => each.ref === ref);
  const { at: begun, issuer } = records[first]!;
  const before = records.slice(0, first).filter((each) => each.issuer === issuer && begun - each.at <= 180 * dayMs);
  const deals = new Set(
    before.filter((each) => records.find(({ ref }) => ref === each.ref) === each).map((each) => each.ref),
  );
  return Math.max(0.1, 0.5 ** (age / (180 * dayMs))) / (deals.size + 1);
}

function model(records: readonly Noted[], now: number): { score: number | null; by: Map<Dimension, number | null> } {
  const weighed = records.map((each, index) => ({ ...each, weight: weightOf(records, index, now) }));
  const by = new Map<Dimension, number | null>();
  for (const dimension of dimensions) {
    const of = weighed.filter((each) => each.dimension === dimension);
    if (of.length > 0) by.set(dimension, mean(of.map(({ score, weight }) => [score, weight])));
  }
  const living = [...by].flatMap(([d, score]) => (score === null ? [] : [[score, shares[d]] as const]));
  return { score: mean(living), by };
}

const standingOf = (records: readonly Noted[]): ReputationScores => {
  const standing = new ReputationScores();
  for (const record of records) standing.add(record);
  return standing;
};
const at = (records: readonly Noted[], now: number): Scores => standingOf(records).at(now) ?? expect.fail('no records');

let deals = 0;
/** A review of a new deal, unless one is named. */
const review = (day: number, score: number, more: Partial<Noted> = {}): Noted => ({
  at: start + day * dayMs,
  issuer: 'ada',
  ref: `ord-${deals++}`,
  dimension: 'quality',
  score,
  source: 'review',
  ...more,
});

/** Rounded scores may differ by one, because of floating-point rounding. */
function expectClose(shown: number | null | undefined, exact: number | null, what: string): void {
  if (exact === null) expect(shown, what).to.equal(null);
  else expect(Math.abs(shown! - exact), `${what}: ${shown} for ${exact}`).to.be.at.most(0.500001);
}

describe('A standing', () => {
  it('of nothing is nothing', () => {
    expect(new ReputationScores().at(start)).to.equal(undefined);
  });

  it('weighs a record half after 180 days', () => {
    const records = [review(0, 1000), review(180, 0, { issuer: 'ben' })];
    expect(at(records, start + 180 * dayMs).score).to.equal(Math.round(500 / 1.5));
  });

  it('weighs no record under a tenth, until two years are over', () => {
    const records = [review(0, 1000), review(730, 0, { issuer: 'ben' })];
    expect(at(records, start + 730 * dayMs).score).to.equal(Math.round(100 / 1.1));
    expect(at(records, start + 730 * dayMs + 1).score).to.equal(0);
  });

  it('counts what has lost its weight, and leaves it out of the score', () => {
    const shown = at([review(0, 1000)], start + 731 * dayMs);
    expect(shown).to.deep.include({ score: null, level: 'unrated', averageRating: 5 });
    expect(shown.dimensions.quality).to.deep.equal({ score: null, count: 1, updatedAt: start });
    const mixed = at([review(0, 1000), review(700, 400, { dimension: 'social' })], start + 731 * dayMs);
    expect(mixed.score).to.equal(400);
  });

  it('weighs the n-th deal of one issuer within 180 days 1/n, in all its records', () => {
    const both = (ref: string, score: number) => [
      review(0, score, { ref }),
      review(0, score, { ref, dimension: 'social' }),
    ];
    const shown = at([...both('ord-a', 1000), ...both('ord-b', 0)], start);
    for (const { score } of Object.values(shown.dimensions)) expect(score).to.equal(Math.round(1000 / 1.5));
    const late = [review(0, 1000, { ref: 'ord-a' }), review(1, 0), review(2, 0, { ref: 'ord-a', dimension: 'social' })];
    const later = at([...late, review(2, 1000, { issuer: 'ben', dimension: 'social' })], start + 2 * dayMs);
    expect(later.dimensions.social?.score, 'a late review weighs what its deal does').to.equal(500);
    expect(at([review(0, 1000), review(180, 0)], start + 180 * dayMs).score).to.equal(500);
    const afterwards = at([review(0, 1000), review(180 + 1e-6, 0)], start + 180 * dayMs + 86);
    expect(afterwards.score).to.equal(Math.round(500 / 1.5));
  });

  it('shares the overall score among the dimensions that have records', () => {
    const records = [review(0, 1000, { dimension: 'fulfillment', source: 'deal' }), review(0, 500, { issuer: 'ben' })];
    expect(at(records, start).score).to.equal(800);
  });

  it('names a level', () => {
    const levels = [1000, 900, 899, 750, 749, 500, 499, 0].map((score) => at([review(0, score)], start).level);
    expect(levels).to.deep.equal(['excellent', 'excellent', 'good', 'good', 'fair', 'fair', 'poor', 'poor']);
  });

  it('shows the number of transactions, the share without a lost dispute, and the mean of reviews', () => {
    const deal = (score: number, issuer: string): Noted[] => [
      review(0, 1000, { dimension: 'transaction', source: 'deal', issuer, ref: `ord-${issuer}` }),
      review(0, score, { dimension: 'fulfillment', source: 'deal', issuer, ref: `ord-${issuer}` }),
    ];
    const records = [...deal(1000, 'ada'), ...deal(500, 'ben'), ...deal(200, 'cyd'), review(1, 800), review(2, 500)];
    const shown = at(records, start + 2 * dayMs);
    expect(shown).to.include({ totalTransactions: 3, successRate: 0.6667, averageRating: 3.25 });
    expect(shown.updatedAt).to.equal(start + 2 * dayMs);
    const reviewedOnly = at([review(0, 200, { dimension: 'fulfillment' })], start);
    expect(reviewedOnly).to.include({ totalTransactions: 0, successRate: null });
  });

  it('is the same before a clock that was set back', () => {
    const records = [review(0, 1000), review(10, 0, { issuer: 'ben' })];
    expect(at(records, start)).to.deep.equal(at(records, start + 10 * dayMs));
  });

  const record = fc.record({
    day: fc.double({ min: 0, max: 900, noNaN: true }),
    issuer: fc.constantFrom('ada', 'ben', 'cyd'),
    dimension: fc.constantFrom(...dimensions),
    score: fc.integer({ min: 0, max: 1000 }),
    source: fc.constantFrom('deal' as const, 'review' as const),
    deal: fc.nat(15),
  });
  const records = fc
    .array(record, { minLength: 1, maxLength: 60 })
    .map((all) =>
      all.map(({ day, deal, ...each }) => ({
        ...each,
        // Each deal has one issuer only.
        ref: `${each.issuer}-${deal}`,
        at: start + Math.floor(day * dayMs),
      })),
    )
    .map((all) => all.sort((one, other) => one.at - other.at));

  it('is what the model says, at any time', () => {
    fc.assert(
      fc.property(records, fc.double({ min: 0, max: 1500, noNaN: true }), (all, day) => {
        const now = Math.max(all.at(-1)!.at, start + Math.floor(day * dayMs));
        const [shown, exact] = [at(all, now), model(all, now)];
        expectClose(shown.score, exact.score, 'overall');
        expect(Object.keys(shown.dimensions)).to.have.members([...exact.by.keys()]);
        for (const [dimension, score] of exact.by) expectClose(shown.dimensions[dimension]?.score, score, dimension);
      }),
      { numRuns: isLong ? 20_000 : 1_000 },
    );
  });

  it('is the same whether it was added to before or after it was looked at', () => {
    fc.assert(
      fc.property(records, fc.nat(59), (all, cut) => {
        const standing = standingOf(all.slice(0, cut));
        standing.at(start + 2000 * dayMs);
        for (const each of all.slice(cut)) standing.add(each);
        const now = start + 950 * dayMs;
        expect(standing.at(now)).to.deep.equal(at(all, now));
      }),
      { numRuns: 200 },
    );
  });

  it('keeps its precision where old weight is large against what is new', () => {
    const old = Array.from({ length: 20_000 }, (_, i) => review(i / 1_000, 1000, { issuer: `old-${i}` }));
    const few = Array.from({ length: 60 }, (_, i) => review(400 + i / 100, i === 59 ? 700 : 100));
    const now = start + 1100 * dayMs;
    const exact = model(few, now);
    expectClose(at([...old, ...few], now).score, exact.score, 'overall');
  });
});
