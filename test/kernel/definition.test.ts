import { expect } from 'chai';
import { and, not, or, setup } from 'xstate';
import { AssertionError } from '../../src/core/refusal.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';
import { MachineStepper } from '../../src/machines/kernel/stepper.js';

interface Door {
  readonly locked: boolean;
  readonly opened: number;
}
type Input = { readonly key?: string };
type DoorEvent = MachineEvent<'open', Input> | MachineEvent<'close', Input> | MachineEvent<'knock', Input>;

const door = setup({
  types: { context: {} as Door, events: {} as DoorEvent, input: {} as Door },
  guards: {
    isUnlocked: ({ context }) => !context.locked,
    hasKey: ({ event }) => event.input.key !== undefined,
    inTime: ({ event }) => event.time < 100,
  },
  actions: { hang: () => expect.fail('effects are data and never run'), creak: () => {}, greet: () => {} },
});

const machine = door.createMachine({
  id: 'door',
  context: ({ input }) => ({ ...input }),
  initial: 'closed',
  entry: 'hang',
  states: {
    closed: {
      on: {
        open: [
          { target: 'open', guard: and(['isUnlocked', 'inTime']), actions: ['creak', door.assign({ opened: 1 })] },
          { target: 'open', guard: and(['hasKey', 'inTime']), actions: ['greet', 'creak'] },
        ],
        knock: { guard: 'hasKey', actions: 'greet' },
      },
    },
    open: { on: { close: 'closed' } },
  },
});

const stepper = new MachineStepper(machine);
const context = { locked: false, opened: 0 };
const happens = (type: string, input: Input = {}, time = 0): MachineEvent => ({
  type,
  signer: 'did',
  roles: [],
  time,
  input: input as never,
  network: 'devnet',
  home: '',
  id: 'door-1',
  lastHash: null,
});

describe('definition', () => {
  it('begins in the initial state, effects named and not run', () => {
    expect(stepper.begin(context)).to.deep.equal({ state: 'closed', context, effects: ['hang'] });
  });

  it('moves, with the effects in order and the context as it becomes', () => {
    expect(stepper.move('closed', context, happens('open'))).to.deep.equal({
      state: 'open',
      context: { locked: false, opened: 1 },
      effects: ['creak'],
    });
  });

  it('is pure: the context given is not the context changed, and calls do not see each other', () => {
    const before = structuredClone(context);
    const first = stepper.move('closed', context, happens('open'));
    expect(stepper.move('closed', context, happens('open'))).to.deep.equal(first);
    expect(context).to.deep.equal(before);
    expect(stepper.move('open', first.context, happens('close')).effects).to.deep.equal([]);
  });

  it('goes by the first candidate that accepts', () => {
    const moved = stepper.move('closed', { locked: true, opened: 0 }, happens('open', { key: 'k' }));
    expect(moved.effects).to.deep.equal(['greet', 'creak']);
  });

  it('denies nothing that the machine accepts', () => {
    expect(stepper.denial('closed', context, happens('open'))).to.equal(undefined);
    expect(stepper.denial('open', context, happens('close'))).to.equal(undefined);
  });

  it('denies an event that the state does not know, without a guard’s name', () => {
    expect(stepper.denial('open', context, happens('open'))).to.deep.equal({ guard: null });
    expect(stepper.denial('closed', context, happens('explode'))).to.deep.equal({ guard: null });
  });

  it('names the first failing guard of the last, most general candidate', () => {
    const locked = { locked: true, opened: 0 };
    expect(stepper.denial('closed', locked, happens('open'))).to.deep.equal({ guard: 'hasKey' });
    expect(stepper.denial('closed', locked, happens('open', { key: 'k' }, 100))).to.deep.equal({ guard: 'inTime' });
    expect(stepper.denial('closed', context, happens('knock'))).to.deep.equal({ guard: 'hasKey' });
  });

  it('agrees with itself: what is denied does not move', () => {
    for (const locked of [true, false]) {
      for (const time of [0, 100]) {
        for (const key of [undefined, 'k']) {
          const event = happens('open', key ? { key } : {}, time);
          const moved = stepper.move('closed', { locked, opened: 0 }, event).state === 'open';
          expect(stepper.denial('closed', { locked, opened: 0 }, event) === undefined).to.equal(moved);
        }
      }
    }
  });

  it('asks a single guard by its name', () => {
    expect(stepper.guardHolds('inTime', context, happens('open', {}, 99))).to.equal(true);
    expect(stepper.guardHolds('inTime', context, happens('open', {}, 100))).to.equal(false);
    expect(() => stepper.guardHolds('noSuch', context, happens('open'))).to.throw(AssertionError, 'no guard noSuch');
  });
});

describe('definition: a machine that it cannot explain', () => {
  const single = (guard: unknown) =>
    new MachineStepper(
      door.createMachine({
        id: 'odd',
        context: ({ input }) => ({ ...input }),
        initial: 'closed',
        states: { closed: { on: { knock: { guard: guard as never, actions: 'greet' } } } },
      }),
    );

  for (const [what, guard] of [
    ['not', not('hasKey')],
    ['or', or(['hasKey', 'isUnlocked'])],
    ['and of or', and(['inTime', or(['hasKey', 'isUnlocked'])])],
    ['an inline function', ({ event }: { event: DoorEvent }) => event.input.key !== undefined],
  ] as const) {
    it(`a guard made with ${what} is no named fact: an assertion, not a misleading refusal`, () => {
      const locked = { locked: true, opened: 0 };
      const event = what === 'not' ? happens('knock', { key: 'k' }) : happens('knock', {});
      expect(() => single(guard).denial('closed', locked, event)).to.throw(AssertionError, 'guards are names');
    });
  }

  it('a guard that throws is a fault of ours, not a refusal', () => {
    const broken = setup({
      types: { context: {} as Door, events: {} as DoorEvent, input: {} as Door },
      guards: {
        breaks: () => {
          throw new RangeError('broken');
        },
      },
    }).createMachine({
      id: 'broken',
      context: ({ input }) => ({ ...input }),
      initial: 'closed',
      states: { closed: { on: { knock: { guard: 'breaks', target: 'closed' } } } },
    });
    expect(() => new MachineStepper(broken).denial('closed', context, happens('knock'))).to.throw();
  });
});
