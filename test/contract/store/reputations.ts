import { expect } from 'chai';
import fc from 'fast-check';
import { dayMs } from '../../../src/core/bounds.js';
import { realEnvironment } from '../../../src/core/environment.js';
import {
  aboutLabel,
  dealRecordIdOf,
  type ReputationRecord,
  reviewIdOf,
} from '../../../src/machines/reputation/record.js';
import { ReputationReader } from '../../../src/projections/reputations.js';
import type { Commit } from '../../../src/store/store.js';
import { isLong } from '../../support/long.js';
import type { Bench } from '../fixture.js';

const providers = 8;

/** One finished deal, or a review of one of the previous deals, some time after the last event. */
const happening = fc.record({
  client: fc.constantFrom('did:svc:ada', 'did:svc:bob'),
  score: fc.constantFrom(200, 500, 1000),
  reviewed: fc.option(fc.nat(20), { nil: undefined }),
  afterMs: fc.constantFrom(0, 0, 1, 40 * dayMs, 200 * dayMs),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** Parts of ids that a client may choose. */
const seeds = fc.array(fc.stringMatching(/^[0-9a-z]{6}$/), { minLength: providers, maxLength: providers });

/** Two deals of the same millisecond, the one with the lower score first. */
const atOnce: Happening[] = ([200, 1000] as const).map((score) => ({
  client: 'did:svc:ada',
  score,
  reviewed: undefined,
  afterMs: 0,
}));

export function reputations(bench: Bench): void {
  const record = (id: string, of: ReputationRecord) => ({
    kind: 'reputation',
    id,
    state: 'current',
    context: of as never,
    add: [aboutLabel(of.target)],
  });

  /** The history of each provider, interleaved step by step. */
  function histories(dids: readonly string[], chosen: readonly string[], history: readonly Happening[]): Commit[] {
    const deals: { ref: string; client: string; isReviewed: boolean }[][] = dids.map(() => []);
    bench.builder.time += dayMs;
    return history.flatMap(({ client, score, reviewed, afterMs }, step) => {
      bench.builder.time += afterMs;
      const { time } = bench.builder;
      return dids.flatMap((target, index): Commit[] => {
        const made = deals[index]!;
        const deal = reviewed === undefined ? undefined : made[reviewed % made.length];
        if (deal) {
          if (deal.isReviewed) return [];
          deal.isReviewed = true;
          const { ref, client: issuer } = deal;
          const review = { issuer, target, dimension: 'quality', score, ref, source: 'review' } as const;
          return [bench.builder.resource(record(reviewIdOf(issuer, ref, 'quality'), review), { time })];
        }
        const ref = `ord-${chosen[index]}.${step}.${target.slice(8)}`;
        made.push({ ref, client, isReviewed: false });
        const resources = (['transaction', 'fulfillment'] as const).map((dimension) => {
          const of = { issuer: client, target, ref, dimension, source: 'deal' } as const;
          const full = { ...of, score: dimension === 'transaction' ? 1000 : score };
          return record(dealRecordIdOf(ref, dimension, target), full);
        });
        return [bench.builder.commit({ issuer: client, time, resources })];
      });
    });
  }

  describe('reputations', () => {
    it('are equal for equal histories, whatever the ids of the deals, also out of the journal', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(happening, { minLength: 2, maxLength: 9 }), seeds, async (history, chosen) => {
          const dids = chosen.map((_, index) => `did:svc:${run}-${index}`);
          run++;
          await bench.accept(...histories(dids, chosen, history));
          const known = new ReputationReader(bench.store, realEnvironment, { records: 1_000, page: 5 });
          const now = bench.builder.time + 30 * dayMs;
          const [first, ...others] = await Promise.all(dids.map(async (did) => (await known.of(did)).at(now)));
          for (const other of others) expect(other).to.deep.equal(first);
          expect((await known.fromLog(dids[0]!)).at(now)).to.deep.equal(first);
          expect((await known.fromLog(dids[1]!)).at(now)).to.deep.equal(first);
        }),
        { numRuns: isLong ? 100 : 3, examples: [[atOnce, 'abcdefgh'.split('')]] },
      );
    });
  });
}
