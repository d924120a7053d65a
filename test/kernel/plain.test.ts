/** What a transition of a flat machine comes to is known beforehand; XState itself must say the same. */
import { expect } from 'chai';
import { type AnyMachineSnapshot, type AnyStateMachine, and, setup, transition } from 'xstate';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import type { JsonObject } from '../../src/machines/kernel/canonical.js';
import { type Happening, Law } from '../../src/machines/kernel/law.js';
import { isFlat, plainOf, type Transition } from '../../src/machines/kernel/plain.js';

interface Tally {
  readonly count: number;
  readonly last: number;
}
type TallyEvent = Happening<'add', { readonly by: number }> | Happening<'end', object> | Happening<'look', object>;

const tally = setup({
  types: { context: {} as Tally, events: {} as TallyEvent, input: {} as Tally },
  guards: {
    isMore: ({ event }) => event.type === 'add' && event.input.by > 0,
    isSmall: ({ context }) => context.count < 9,
  },
  actions: { ring: () => expect.fail('effects are data, nobody runs them'), sing: () => {} },
});
const add = tally.assign(({ context, event }) =>
  event.type === 'add' ? { count: context.count + event.input.by } : {},
);

const machine = tally.createMachine({
  id: 'tally',
  context: ({ input }) => ({ ...input }),
  initial: 'open',
  states: {
    open: {
      on: {
        add: [
          // The second assignment sees what the first one left.
          {
            guard: and(['isMore', 'isSmall']),
            actions: [add, 'ring', tally.assign({ last: ({ context }) => context.count })],
          },
          { target: 'full', guard: 'isMore', actions: ['ring', add, 'sing'] },
        ],
        look: { actions: 'sing' },
        end: { target: 'ended', actions: tally.assign({ last: 0 }) },
      },
    },
    full: { on: { end: 'ended', look: {} } },
    ended: { type: 'final' },
  },
});

const happens = (type: string, input: JsonObject = {}): Happening => ({
  type,
  signer: 'did',
  roles: [],
  time: 0,
  input,
  network: 'devnet',
  id: 'tally-1',
  lastHash: null,
});

/** By XState alone, with everything that it does about states. */
function byXState(of: AnyStateMachine, state: string, context: JsonObject, event: Happening) {
  const [next, actions] = transition(of, of.resolveState({ value: state, context }) as never, event);
  const snapshot = next as AnyMachineSnapshot;
  return { state: snapshot.value, context: snapshot.context, effects: actions.map(({ type }) => type) };
}

describe('plain transitions', () => {
  const law = new Law(machine);

  for (const state of ['open', 'full', 'ended']) {
    for (const count of [0, 9]) {
      for (const event of [happens('add', { by: 3 }), happens('add', { by: 0 }), happens('end'), happens('look')]) {
        it(`${state} at ${count}, ${event.type} ${JSON.stringify(event.input)}: as XState has it`, () => {
          const context = { count, last: 1 };
          const before = structuredClone(context);
          expect(law.move(state, context, event)).to.deep.equal(byXState(machine, state, context, event));
          expect(context).to.deep.equal(before);
        });
      }
    }
  }

  it('taken or denied with one look at the guards', () => {
    const context = { count: 0, last: 1 };
    expect(law.take('open', context, happens('add', { by: 0 }))).to.deep.equal({ guard: 'isMore' });
    expect(law.take('full', context, happens('look'))).to.deep.equal({ guard: null });
    expect(law.take('open', context, happens('add', { by: 2 }))).to.deep.equal({
      state: 'open',
      context: { count: 2, last: 2 },
      effects: ['ring'],
    });
  });

  it('are all that the machines of the catalogue have', () => {
    for (const { kind, machine: own, nested } of machinesOf(catalogue)) {
      for (const [name, each] of Object.entries({ [kind]: own, ...nested })) {
        expect(isFlat(each), name).to.equal(true);
        const states = Object.values(each.states) as { transitions: Map<string, Transition[]> }[];
        const all = states.flatMap(({ transitions }) => [...transitions.values()].flat());
        for (const one of all) expect(plainOf(each, one), `${name} ${one.eventType}`).to.be.an('object');
      }
    }
  });
});

describe('a machine that is not flat', () => {
  const odd = {
    'on entry': { b: { entry: 'sing' } },
    'on exit': { a: { exit: 'sing', on: { end: 'b' } } },
    always: { b: { always: 'c' } },
    nested: { b: { initial: 'd', states: { d: {} } } },
  } as const;

  for (const [what, states] of Object.entries(odd)) {
    it(`${what}: is left to XState`, () => {
      const other = tally.createMachine({
        id: 'odd',
        context: ({ input }) => ({ ...input }),
        initial: 'a',
        states: { a: { on: { end: 'b' } }, b: {}, c: {}, ...states } as never,
      }) as unknown as AnyStateMachine;
      expect(isFlat(other)).to.equal(false);
      const context = { count: 0, last: 0 };
      if (what === 'nested') expect(() => new Law(other).move('a', context, happens('end'))).to.throw('flat states');
      else
        expect(new Law(other).move('a', context, happens('end'))).to.deep.equal(
          byXState(other, 'a', context, happens('end')),
        );
    });
  }

  it('a named assignment is left to XState, too', () => {
    const named = setup({
      types: { context: {} as Tally, events: {} as TallyEvent, input: {} as Tally },
      actions: { twice: tally.assign({ count: ({ context }) => context.count * 2 }) as never },
    }).createMachine({
      id: 'named',
      context: ({ input }) => ({ ...input }),
      initial: 'a',
      states: { a: { on: { end: { target: 'b', actions: ['twice'] } } }, b: {} },
    }) as unknown as AnyStateMachine;
    const context = { count: 4, last: 0 };
    const moved = new Law(named).move('a', context, happens('end'));
    expect(moved).to.deep.equal({ ...byXState(named, 'a', context, happens('end')), context: { count: 8, last: 0 } });
  });
});
