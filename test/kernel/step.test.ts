/** The stepper, which reuses one actor scope, returns the same as XState's own `transition()`. */
import { expect } from 'chai';
import { type AnyMachineSnapshot, type AnyStateMachine, and, setup, transition } from 'xstate';
import type { JsonObject } from '../../src/core/canonical.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';
import { statePath, stateValue } from '../../src/machines/kernel/state-path.js';
import { MachineStepper } from '../../src/machines/kernel/stepper.js';

interface Tally {
  readonly count: number;
  readonly last: number;
}
type TallyEvent =
  | MachineEvent<'add', { readonly by: number }>
  | MachineEvent<'end', object>
  | MachineEvent<'look', object>;

const tally = setup({
  types: { context: {} as Tally, events: {} as TallyEvent, input: {} as Tally },
  guards: {
    isMore: ({ event }) => event.type === 'add' && event.input.by > 0,
    isSmall: ({ context }) => context.count < 9,
  },
  actions: { ring: () => expect.fail('effects are data and never run'), sing: () => {} },
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
          // The second assign sees the result of the first.
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

const happens = (type: string, input: JsonObject = {}): MachineEvent => ({
  type,
  signer: 'did',
  roles: [],
  time: 0,
  input,
  network: 'devnet',
  home: '',
  id: 'tally-1',
  lastHash: null,
});

/** A step by XState alone. */
function byXState(of: AnyStateMachine, state: string, context: JsonObject, event: MachineEvent) {
  const [next, actions] = transition(of, of.resolveState({ value: stateValue(state), context }) as never, event);
  const snapshot = next as AnyMachineSnapshot;
  return { state: statePath(snapshot.value), context: snapshot.context, effects: actions.map(({ type }) => type) };
}

describe('a step', () => {
  const stepper = new MachineStepper(machine);

  for (const state of ['open', 'full', 'ended']) {
    for (const count of [0, 9]) {
      for (const event of [happens('add', { by: 3 }), happens('add', { by: 0 }), happens('end'), happens('look')]) {
        it(`${state} at ${count}, ${event.type} ${JSON.stringify(event.input)}: as XState has it`, () => {
          const context = { count, last: 1 };
          const before = structuredClone(context);
          expect(stepper.move(state, context, event)).to.deep.equal(byXState(machine, state, context, event));
          expect(context).to.deep.equal(before);
        });
      }
    }
  }

  it('taken or denied with one look at the guards', () => {
    const context = { count: 0, last: 1 };
    expect(stepper.take('open', context, happens('add', { by: 0 }))).to.deep.equal({ guard: 'isMore' });
    expect(stepper.take('full', context, happens('look'))).to.deep.equal({ guard: null });
    expect(stepper.take('open', context, happens('add', { by: 2 }))).to.deep.equal({
      state: 'open',
      context: { count: 2, last: 2 },
      effects: ['ring'],
    });
  });
});

describe('a step of a machine with', () => {
  const odd = {
    'effects on entry': { b: { entry: 'sing' } },
    'effects on exit': { a: { exit: 'sing', on: { end: 'b' } } },
    'a transition without an event': { b: { always: 'c' } },
    'nested states': { b: { initial: 'd', states: { d: {} } } },
    'final nested states': { b: { initial: 'd', states: { d: { type: 'final' } }, on: { look: { actions: 'sing' } } } },
  } as const;

  for (const [what, states] of Object.entries(odd)) {
    it(`${what}: as XState has it`, () => {
      const other = tally.createMachine({
        id: 'odd',
        context: ({ input }) => ({ ...input }),
        initial: 'a',
        states: { a: { on: { end: 'b' } }, b: {}, c: {}, ...states } as never,
      }) as unknown as AnyStateMachine;
      const context = { count: 0, last: 0 };
      const stepped = new MachineStepper(other).move('a', context, happens('end'));
      expect(stepped).to.deep.equal(byXState(other, 'a', context, happens('end')));
      const again = new MachineStepper(other).move(stepped.state, context, happens('look'));
      expect(again).to.deep.equal(byXState(other, stepped.state, context, happens('look')));
    });
  }

  it('nested states: the path of the innermost one, whose own transitions come before those around it', () => {
    const nested = tally.createMachine({
      id: 'nested',
      context: ({ input }) => ({ ...input }),
      initial: 'a',
      states: {
        a: {
          initial: 'in',
          states: { in: { on: { add: { target: 'out', guard: 'isSmall' } } }, out: {} },
          on: { add: { guard: 'isMore', actions: 'ring' }, end: 'b' },
        },
        b: {},
      },
    }) as unknown as AnyStateMachine;
    const stepper = new MachineStepper(nested);
    expect(stepper.begin({ count: 0, last: 0 }).state).to.equal('a.in');
    expect(stepper.take('a.in', { count: 0, last: 0 }, happens('add', { by: 1 }))).to.include({ state: 'a.out' });
    const around = { state: 'a.in', effects: ['ring'], context: { count: 9, last: 0 } };
    expect(stepper.take('a.in', { count: 9, last: 0 }, happens('add', { by: 1 }))).to.deep.equal(around);
    expect(stepper.take('a.in', { count: 9, last: 0 }, happens('add', { by: 0 }))).to.deep.equal({ guard: 'isMore' });
    expect(stepper.take('a.out', { count: 9, last: 0 }, happens('end'))).to.include({ state: 'b' });
  });

  it('a named assignment: it changes the context, and is no effect', () => {
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
    const moved = new MachineStepper(named).move('a', context, happens('end'));
    expect(moved).to.deep.equal({ state: 'b', effects: [], context: { count: 8, last: 0 } });
  });
});
