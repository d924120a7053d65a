/** The checker of linearizability (test/support/linearizability.ts), on histories of which the answer is known. */
import { expect } from 'chai';
import { notLinearizable, type Operation, type SequentialModel } from '../support/linearizability.js';
import { Draws } from './peers/draws.js';

type Input = { readonly write: number } | 'read';
type Op = Operation<Input, number>;

const register: SequentialModel<number, Input, number> = {
  start: () => 0,
  step: (state, input, output) => {
    if (input !== 'read') return input.write;
    return output === undefined || output === state ? state : undefined;
  },
  text: String,
};

/** An operation by its call and return; `pending` if it has no return. */
const op = (input: Input, called: number, returned: number | 'pending', output?: number, key = 'x'): Op => ({
  ...{ key, input, called, output },
  returned: returned === 'pending' ? undefined : returned,
});
const isLinearizable = (...history: Op[]): boolean => notLinearizable(history, register) === undefined;

describe('simulation: linearizability', () => {
  it('is given if each operation can have happened between its call and its return', () => {
    expect(isLinearizable(op({ write: 1 }, 1, 2), op('read', 3, 4, 1)), 'one after the other').to.equal(true);
    expect(isLinearizable(op({ write: 1 }, 1, 4), op('read', 2, 3, 0)), 'before the write').to.equal(true);
    expect(isLinearizable(op({ write: 1 }, 1, 4), op('read', 2, 3, 1)), 'after the write').to.equal(true);
    expect(isLinearizable(op({ write: 1 }, 1, 6), op('read', 2, 3, 0), op('read', 4, 5, 1)), 'both').to.equal(true);
  });

  it('is not given if a read is of the past or of the future', () => {
    expect(isLinearizable(op({ write: 1 }, 1, 2), op('read', 3, 4, 0)), 'stale').to.equal(false);
    expect(isLinearizable(op('read', 1, 2, 1), op({ write: 1 }, 3, 4)), 'of the future').to.equal(false);
    expect(isLinearizable(op({ write: 1 }, 1, 6), op('read', 2, 3, 1), op('read', 4, 5, 0)), 'back').to.equal(false);
    // Example 3 of porcupine’s documentation, and its counterpart: two readers see two writes in different orders.
    const writes = [op({ write: 1 }, 1, 20), op({ write: 2 }, 2, 21)];
    const one = [op('read', 3, 4, 1), op('read', 5, 6, 2)];
    expect(isLinearizable(...writes, ...one, op('read', 7, 8, 2)), 'the same order').to.equal(true);
    expect(isLinearizable(...writes, ...one, op('read', 7, 8, 1)), 'another order').to.equal(false);
  });

  it('lets a pending operation happen at any later time, or never', () => {
    const pending = op({ write: 1 }, 1, 'pending');
    expect(isLinearizable(pending, op('read', 2, 3, 0), op('read', 4, 5, 1)), 'late').to.equal(true);
    expect(isLinearizable(pending, op('read', 2, 3, 0), op('read', 4, 5, 0)), 'never').to.equal(true);
    expect(isLinearizable(pending, op('read', 2, 3, 1), op('read', 4, 5, 0)), 'undone').to.equal(false);
    expect(isLinearizable(op('read', 1, 2, 1), op({ write: 1 }, 3, 'pending')), 'before its call').to.equal(false);
  });

  it('is decided for each key separately, and names the key and the operations without a place', () => {
    const good = op({ write: 1 }, 1, 2);
    const bad = op('read', 3, 4, 7, 'y');
    expect(isLinearizable(good, op('read', 3, 4, 0, 'y'))).to.equal(true);
    expect(notLinearizable([good, bad], register)).to.deep.equal({ key: 'y', longest: [], rest: [bad] });
  });

  it('agrees with all orders tried, on random histories', () => {
    const answers = new Map([
      [true, 0],
      [false, 0],
    ]);
    for (let seed = 0; seed < 2_000; seed++) {
      const history = randomHistory(new Draws(`linearizability ${seed}`));
      const expected = someOrder(history, [], 0);
      expect(isLinearizable(...history), JSON.stringify(history)).to.equal(expected);
      answers.set(expected, answers.get(expected)! + 1);
    }
    expect(Math.min(...answers.values()), 'of each kind').to.be.above(200);
  });

  it('takes moments for a thousand operations of eight clients', () => {
    const history: Op[] = [];
    let [value, time] = [0, 0];
    for (let round = 0; round < 125; round++) {
      const began = time;
      for (let client = 0; client < 8; client++) {
        value = client % 2 === 0 ? round * 8 + client : value;
        const input = client % 2 === 0 ? { write: value } : 'read';
        history.push(op(input, began + client, began + 8 + client, input === 'read' ? value : undefined));
      }
      time += 16;
    }
    expect(isLinearizable(...history)).to.equal(true);
    expect(isLinearizable(...history, op('read', time, time + 1, -1))).to.equal(false);
  });
});

/** Up to six overlapping operations, some of them pending. */
function randomHistory(draws: Draws): Op[] {
  const times = Array.from({ length: 12 }, (_, index) => index);
  const taken = () => times.splice(draws.below(times.length), 1)[0]!;
  return Array.from({ length: draws.between(2, 6) }, () => {
    const [called, returned] = [taken(), taken()].sort((one, other) => one - other) as [number, number];
    const input: Input = draws.chance(0.5) ? { write: draws.below(3) } : 'read';
    const end = draws.chance(0.15) ? ('pending' as const) : returned;
    const isKnown = input === 'read' && end !== 'pending';
    return op(input, called, end, isKnown ? draws.below(3) : undefined);
  });
}

/** Whether some order of the operations is possible, by trying all. */
function someOrder(history: readonly Op[], placed: readonly Op[], state: number): boolean {
  const rest = history.filter((each) => !placed.includes(each));
  if (rest.every(({ returned }) => returned === undefined)) return true;
  const firstReturn = Math.min(...rest.map(({ returned }) => returned ?? Number.POSITIVE_INFINITY));
  return rest.some((each) => {
    if (each.called > firstReturn) return false;
    const after = register.step(state, each.input, each.output);
    return after !== undefined && someOrder(history, [...placed, each], after);
  });
}
