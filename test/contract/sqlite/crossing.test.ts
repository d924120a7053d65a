import { expect } from 'chai';
import { type AscendingNumbers, intersection } from '../../../src/store/sqlite/index-intersection.js';

describe('crossing', () => {
  let given = 0;
  let asked = 0;
  beforeEach(() => {
    given = 0;
    asked = 0;
  });

  const row =
    (numbers: readonly number[]): AscendingNumbers =>
    (from, limit) => {
      const found = numbers.filter((each) => each >= from).slice(0, limit);
      given += found.length;
      asked += 1;
      return found;
    };

  const upTo = (count: number, of: (index: number) => number): number[] =>
    Array.from({ length: count }, (_, i) => of(i));

  it('gives what all rows have, in order, beyond a number and as many as asked for', () => {
    const rows = [upTo(2_000, (i) => 2 * i), upTo(2_000, (i) => 3 * i), upTo(2_000, (i) => 5 * i)].map(row);
    expect(intersection(rows, 0, 3)).to.deep.equal([30, 60, 90]);
    expect(intersection(rows, 60, 2)).to.deep.equal([90, 120]);
    expect(intersection(rows, 0, 1_000)).to.deep.equal(upTo(133, (i) => 30 * (i + 1)));
  });

  it('takes one row as it is', () => {
    expect(intersection([row([1, 2, 5, 9])], 1, 2)).to.deep.equal([2, 5]);
    expect(intersection([row([])], 0, 2)).to.deep.equal([]);
  });

  it('gives the same as going through all, whatever the rows are like', () => {
    let seed = 7;
    const below = (bound: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % bound;
    };
    for (let round = 0; round < 200; round++) {
      const some = () => [...new Set(upTo(below(300), () => 1 + below(400)))].sort((a, b) => a - b);
      const rows = upTo(1 + below(3), () => 0).map(some);
      const [after, limit] = [below(200), 1 + below(50)];
      const all = rows[0]!.filter((each) => each > after && rows.every((one) => one.includes(each)));
      expect(intersection(rows.map(row), after, limit), `round ${round}`).to.deep.equal(all.slice(0, limit));
    }
  });

  it('leaps over what another row has nothing of', () => {
    const long = upTo(20_000, (i) => i + 1);
    expect(intersection([row(long), row([20_001, 20_002])], 0, 100)).to.deep.equal([]);
    expect(given, 'numbers read, of rows one after the other').to.be.below(50);
    given = 0;
    expect(intersection([row(long), row([7, 10_000, 19_999])], 0, 100)).to.deep.equal([7, 10_000, 19_999]);
    expect(given, 'numbers read, of a long row and a short one').to.be.below(150);
    given = 0;
    const short = upTo(100, (i) => 200 * i + 50.5);
    expect(intersection([row(long), row(short)], 0, 100)).to.deep.equal([]);
    expect(given, 'numbers read, of rows that never meet').to.be.below(2_000);
  });

  it('reads a few at a time again once rows that met don’t any more', () => {
    const long = upTo(120_000, (i) => i + 1);
    const met = [...upTo(2_000, (i) => i + 1), ...upTo(45, (i) => 2_500 * i + 4_500)];
    expect(intersection([row(long), row(met)], 0, 2_045)).to.deep.equal(met);
    expect(given).to.be.below(10_000);
  });

  it('reads each number once where the rows take turns, and many at a time', () => {
    const rows = [row(upTo(20_000, (i) => 2 * i + 1)), row(upTo(20_000, (i) => 2 * i + 2))];
    expect(intersection(rows, 0, 100)).to.deep.equal([]);
    expect(given).to.be.below(45_000);
    expect(asked).to.be.below(100);
  });
});
