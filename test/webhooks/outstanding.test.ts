/** Which deliveries may go: never two of one resource at once, never a later one first. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type Item, Outstanding } from '../../src/webhooks/outstanding.js';

const from = (at: number, done: readonly number[] = [], window = 100) =>
  new Outstanding({ at, done, failed: [] }, window);
const on = (...names: string[]) => new Set(names);

const begun = (outstanding: Outstanding): Item => Object.assign(outstanding.ready(0)!, { isUnderWay: true });

describe('Outstanding deliveries', () => {
  it('of different resources go side by side, those of one resource one after the other', () => {
    const outstanding = from(0);
    outstanding.take(1, on('escrow/a'));
    outstanding.take(2, on('escrow/a'));
    outstanding.take(3, on('escrow/b'));
    const first = outstanding.ready(0)!;
    first.isUnderWay = true;
    const other = outstanding.ready(0)!;
    other.isUnderWay = true;
    expect([first.seq, other.seq]).to.deep.equal([1, 3]);
    expect(outstanding.ready(0)).to.equal(undefined);
    outstanding.finish(first);
    expect(outstanding.ready(0)!.seq).to.equal(2);
  });

  it('one that rests holds back what shares a resource with it, also through a third', () => {
    const outstanding = from(0);
    for (const [seq, ...names] of [
      [1, 'a'],
      [2, 'a', 'b'],
      [3, 'b'],
      [4, 'c'],
    ] as const)
      outstanding.take(seq, on(...names));
    const first = outstanding.ready(0)!;
    first.notBefore = 50;
    const fourth = outstanding.ready(10)!;
    expect(fourth.seq).to.equal(4);
    outstanding.finish(fourth);
    expect(outstanding.ready(10)).to.equal(undefined);
    expect(outstanding.wakesAt).to.equal(50);
    expect(outstanding.ready(50)!.seq).to.equal(1);
  });

  it('where all are done with it goes on, and behind a gap it says which', () => {
    const outstanding = from(5);
    outstanding.take(6, undefined);
    outstanding.take(7, on('a'));
    outstanding.take(8, undefined);
    outstanding.take(9, on('b'));
    expect(outstanding.at).to.equal(6);
    const [seventh, ninth] = [begun(outstanding), begun(outstanding)];
    outstanding.finish(ninth);
    expect(outstanding.progress).to.deep.equal({ at: 6, done: [9], failed: [] });
    seventh.attempts = 2;
    seventh.failedSince = 77;
    expect(outstanding.progress.failed).to.deep.equal([[7, 2, 77]]);
    outstanding.finish(seventh);
    expect(outstanding.progress).to.deep.equal({ at: 9, done: [], failed: [] });
  });

  it('takes no more than its window', () => {
    const outstanding = from(0, [], 3);
    for (const seq of [1, 2]) outstanding.take(seq, on(`${seq}`));
    outstanding.finish(begun(outstanding) && begun(outstanding));
    expect(outstanding.hasRoom).to.equal(true);
    outstanding.take(3, on('3'));
    expect(outstanding.hasRoom, 'what is done behind a gap counts: it has to be written down').to.equal(false);
  });

  it('what goes on from its progress misses nothing, and sends nothing again that was noted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 3 }), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.infiniteStream(fc.nat(9)),
        (entries, chance) => {
          const resources = entries.map((names) => (names.includes('') ? undefined : on(...names)));
          const wanted = resources.flatMap((names, index) => (names ? [index + 1] : []));
          const arrived: number[] = [];
          let noted = from(0).progress;
          let outstanding = from(0);
          const underWay: Item[] = [];
          const draw = () => chance.next().value as number;
          const isLeft = () => outstanding.read < entries.length || outstanding.size > 0;
          for (let step = 0; isLeft() && step < 2_000; step++) {
            const dice = draw();
            if (dice < 3 && outstanding.read < entries.length)
              outstanding.take(outstanding.read + 1, resources[outstanding.read]);
            else if (dice < 6) {
              const item = outstanding.ready(0);
              if (item) underWay.push(Object.assign(item, { isUnderWay: true }));
            } else if (dice < 9 && underWay.length > 0) {
              const [item] = underWay.splice(draw() % underWay.length, 1);
              arrived.push(item!.seq);
              outstanding.finish(item!);
              if (draw() < 5) noted = outstanding.progress;
            } else if (dice === 9 && draw() === 9) {
              // A crash: what was noted counts.
              outstanding = new Outstanding(noted, 100);
              underWay.splice(0);
            }
          }
          expect([...new Set(arrived)].sort((a, b) => a - b)).to.deep.equal(wanted);
          // First arrivals of each resource are in their order.
          for (const name of ['a', 'b', 'c', 'd']) {
            const of = [...new Set(arrived)].filter((seq) => resources[seq - 1]!.has(name));
            expect(of).to.deep.equal([...of].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: process.env.SVC_TEST_LONG ? 2_000 : 200 },
    );
  });
});
