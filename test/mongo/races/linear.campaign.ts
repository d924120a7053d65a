/** Tests the linearizability check itself: it accepts what one order explains, and finds contradictions. */
import { expect } from 'chai';
import { contradiction } from '../support/linear.js';

const write = (place: number, from: number, until: number, through = 0) => ({ place, from, until, through });
const observed = (stood: number, from: number, until: number, lateMs = 0) => ({
  stood,
  from,
  until,
  through: 0,
  lateMs,
});

describe('one order that explains all answers', () => {
  it('is found where requests overlap', () => {
    const writes = [write(2, 0, 10), write(1, 5, 8), write(3, 9, 12)];
    expect(contradiction(writes, [observed(0, 0, 6), observed(1, 5, 9), observed(3, 10, 11)])).to.equal(undefined);
    expect(contradiction([], [observed(0, 0, 1)])).to.equal(undefined);
  });

  it('is found if two writes won one place, or none did', () => {
    expect(contradiction([write(1, 0, 1), write(1, 0, 1)], [])).to.match(/won twice/);
    expect(contradiction([write(1, 0, 1), write(3, 2, 3)], [])).to.match(/place 2 has no winner/);
  });

  it('is none where a later place was over before an earlier one began', () => {
    expect(contradiction([write(1, 5, 6), write(2, 0, 4)], [])).to.match(/2 was over before 1 had begun/);
    expect(contradiction([write(1, 9, 10), write(2, 0, 10), write(3, 1, 8)], [])).to.match(/3 was over before 1/);
  });

  it('is none where an answer knows the future, or has slept', () => {
    const writes = [write(1, 5, 6), write(2, 10, 11, 1)];
    expect(contradiction(writes, [observed(1, 0, 4)])).to.match(/before any write had asked/);
    expect(contradiction(writes, [observed(3, 20, 21)])).to.match(/no write has brought it/);
    expect(contradiction(writes, [observed(0, 7, 8)])).to.match(/1 was long over/);
    expect(contradiction(writes, [observed(1, 500, 501)])).to.match(/2 was long over/);
    expect(contradiction(writes, [observed(1, 500, 501, 1_000)])).to.equal(undefined);
    // A process sees its own writes at once.
    expect(contradiction(writes, [observed(0, 7, 8, 1_000)])).to.match(/1 was long over/);
  });
});
