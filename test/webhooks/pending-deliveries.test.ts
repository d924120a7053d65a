/** Which deliveries may start: never two of one resource at once, never a later one first. */
import { expect } from 'chai';
import fc from 'fast-check';
import { PendingDeliveries, type PendingDelivery } from '../../src/projections/webhooks/pending-deliveries.js';
import { isLong } from '../support/long.js';

const from = (at: number, done: readonly number[] = [], window = 100) =>
  new PendingDeliveries({ at, done, failed: [] }, window);
const on = (...names: string[]) => new Set(names);

const begun = (pending: PendingDeliveries): PendingDelivery => Object.assign(pending.ready(0)!, { isUnderWay: true });

describe('Outstanding deliveries', () => {
  it('of different resources go side by side, those of one resource one after the other', () => {
    const pending = from(0);
    pending.take(1, on('escrow/a'));
    pending.take(2, on('escrow/a'));
    pending.take(3, on('escrow/b'));
    const first = pending.ready(0)!;
    first.isUnderWay = true;
    const other = pending.ready(0)!;
    other.isUnderWay = true;
    expect([first.seq, other.seq]).to.deep.equal([1, 3]);
    expect(pending.ready(0)).to.equal(undefined);
    pending.finish(first);
    expect(pending.ready(0)!.seq).to.equal(2);
  });

  it('one that rests holds back what shares a resource with it, also through a third', () => {
    const pending = from(0);
    for (const [seq, ...names] of [
      [1, 'a'],
      [2, 'a', 'b'],
      [3, 'b'],
      [4, 'c'],
    ] as const)
      pending.take(seq, on(...names));
    const first = pending.ready(0)!;
    first.notBefore = 50;
    const fourth = pending.ready(10)!;
    expect(fourth.seq).to.equal(4);
    pending.finish(fourth);
    expect(pending.ready(10)).to.equal(undefined);
    expect(pending.wakesAt).to.equal(50);
    expect(pending.ready(50)!.seq).to.equal(1);
  });

  it('up to which all are delivered advances, and after a gap it lists the delivered ones', () => {
    const pending = from(5);
    pending.take(6, undefined);
    pending.take(7, on('a'));
    pending.take(8, undefined);
    pending.take(9, on('b'));
    expect(pending.at).to.equal(6);
    const [seventh, ninth] = [begun(pending), begun(pending)];
    pending.finish(ninth);
    expect(pending.progress).to.deep.equal({ at: 6, done: [9], failed: [] });
    seventh.attempts = 2;
    seventh.failedSince = 77;
    expect(pending.progress.failed).to.deep.equal([[7, 2, 77]]);
    pending.finish(seventh);
    expect(pending.progress).to.deep.equal({ at: 9, done: [], failed: [] });
  });

  it('takes no more than its window', () => {
    const pending = from(0, [], 3);
    for (const seq of [1, 2]) pending.take(seq, on(`${seq}`));
    pending.finish(begun(pending) && begun(pending));
    expect(pending.hasRoom).to.equal(true);
    pending.take(3, on('3'));
    expect(pending.hasRoom, 'what is done behind a gap counts: it has to be written down').to.equal(false);
  });

  it('resuming from its progress misses nothing, and repeats nothing that was recorded', () => {
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
          let pending = from(0);
          const underWay: PendingDelivery[] = [];
          const draw = () => chance.next().value as number;
          const isLeft = () => pending.read < entries.length || pending.at < pending.read;
          for (let step = 0; isLeft() && step < 2_000; step++) {
            const dice = draw();
            if (dice < 3 && pending.read < entries.length) pending.take(pending.read + 1, resources[pending.read]);
            else if (dice < 6) {
              const item = pending.ready(0);
              if (item) underWay.push(Object.assign(item, { isUnderWay: true }));
            } else if (dice < 9 && underWay.length > 0) {
              const [item] = underWay.splice(draw() % underWay.length, 1);
              arrived.push(item!.seq);
              pending.finish(item!);
              if (draw() < 5) noted = pending.progress;
            } else if (dice === 9 && draw() === 9) {
              // A crash: only what was recorded counts.
              pending = new PendingDeliveries(noted, 100);
              underWay.splice(0);
            }
          }
          expect([...new Set(arrived)].sort((a, b) => a - b)).to.deep.equal(wanted);
          // The first deliveries of each resource are in order.
          for (const name of ['a', 'b', 'c', 'd']) {
            const of = [...new Set(arrived)].filter((seq) => resources[seq - 1]!.has(name));
            expect(of).to.deep.equal([...of].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: isLong ? 2_000 : 200 },
    );
  });
});
