import { expect } from 'chai';
import { type Noted, ReputationScores } from '../../src/machines/reputation/scores.js';
import { CombinedReputations, type CountedHome } from '../../src/projections/combined-reputations.js';
import { ada } from '../world/people.js';

const day = 86_400_000;
const now = 1_000 * day;

/** A review of one day, by an issuer. */
const review = (on: number, score: number, more: Partial<Noted> = {}): Noted => ({
  ...{ at: on * day, issuer: `issuer ${on}`, dimension: 'quality', score, ref: `ref ${on}`, source: 'review' },
  ...more,
});

interface Counting extends CountedHome {
  readonly reads: number;
}

function homeWith(home: string, records: Noted[], weight = 1): Counting {
  let reads = 0;
  const of = async () => {
    const scores = new ReputationScores();
    for (const record of records) scores.add(record);
    return scores;
  };
  const all = async () => {
    reads++;
    return records;
  };
  return {
    home,
    weight,
    reader: { of, fromLog: of, records: all },
    get reads() {
      return reads;
    },
  };
}

describe('Reputations over several homes', () => {
  let combined: CombinedReputations;
  beforeEach(() => {
    combined = new CombinedReputations(1_000);
  });
  const at = async (...homes: CountedHome[]) => (await combined.of(ada, homes)).at(now);

  it('merge the records of all homes by time', async () => {
    const records = [review(990, 900), review(991, 100), review(992, 500)];
    const expected = new ReputationScores();
    for (const record of records) expected.add(record);
    const [first, second, third] = records as [Noted, Noted, Noted];
    expect(await at(homeWith('a', [first, third]), homeWith('b', [second]))).to.deep.equal(expected.at(now));
  });

  it('count a home less, or not at all', async () => {
    const praise = [review(999, 1_000), review(999, 1_000, { issuer: 'x', ref: 'x' })];
    const [inbred, others] = [homeWith('a', praise), homeWith('b', [review(999, 400, { issuer: 'y' })])];
    expect((await at(inbred, others))?.score).to.equal(800);
    expect((await at({ ...inbred, weight: 0.25 }, others))?.score).to.equal(600);
    expect(await at({ ...inbred, weight: 0 }, others)).to.include({ score: 400, averageRating: 2 });
    expect(await at({ ...inbred, weight: 0 })).to.equal(undefined);
  });

  it('keep trades of one id at two homes apart', async () => {
    const same = { issuer: 'x', ref: 'ord-1' };
    const both = await at(homeWith('a', [review(999, 1_000, same)]), homeWith('b', [review(999, 400, same)]));
    // The second trade of one issuer counts half.
    expect(both?.score).to.equal(800);
  });

  it('read the records again only if a home has further ones', async () => {
    const [one, other] = [[review(990, 900)], [review(991, 100)]];
    const homes = [homeWith('a', one), homeWith('b', other)];
    await at(...homes);
    await at(...homes);
    expect(homes.map(({ reads }) => reads)).to.deep.equal([1, 1]);
    other.push(review(992, 400));
    expect((await at(...homes))?.dimensions.quality?.count).to.equal(3);
    expect(homes.map(({ reads }) => reads)).to.deep.equal([2, 2]);
  });
});
