/** A minimal complete definition: a lamp. `incomplete.ts` removes one part at a time. */
import { and, setup } from 'xstate';
import * as is from '../../src/core/schema/scalar.js';
import { type CreateDefinition, defineResource } from '../../src/machines/kernel/definition.js';
import { functionsFor } from '../../src/machines/kernel/machine-functions.js';
import type { Move } from '../../src/machines/kernel/posting.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';

export interface Lamp {
  readonly owner: string;
  readonly lit: number;
}

type LampEvent = MachineEvent<'light', { readonly minutes: number }> | MachineEvent<'quench', Record<never, never>>;

export const { guardOn, changeOn } = functionsFor<Lamp, LampEvent>();

export const lampSetup = setup({
  types: { context: {} as Lamp, events: {} as LampEvent, input: {} as Lamp },
  guards: {
    hasOil: ({ context }) => context.lit < 100,
    isShort: guardOn(['light'], ({ event }) => event.input.minutes <= 10),
  },
  actions: {
    pay: () => {},
    note: () => {},
    burn: changeOn(['light'], { lit: '+ the minutes' }, ({ context, event }) => ({
      lit: context.lit + event.input.minutes,
    })),
  },
});

export const lampMachine = lampSetup.createMachine({
  id: 'lamp',
  context: ({ input }) => ({ ...input }),
  initial: 'dark',
  states: {
    dark: { on: { light: { target: 'bright', guard: and(['hasOil', 'isShort']), actions: ['pay', 'burn'] } } },
    bright: { on: { quench: { target: 'dark', actions: 'note' } } },
  },
});

const lightInput = is.object({ minutes: is.integer(1, 60) });
const create: CreateDefinition<Lamp, Record<never, never>> = {
  event: 'lamp.hung',
  input: is.object({}),
  example: {},
  summary: 'Hang a lamp.',
  idField: 'lampId',
  check: () => undefined,
  context: ({ signer }) => ({ owner: signer, lit: 0 }),
};

export const light = {
  event: 'lamp.lit',
  who: ['owner', 'anyone'],
  input: lightInput,
  example: { minutes: 5 },
  summary: 'Light it.',
} as const;
export const quench = {
  event: 'lamp.quenched',
  who: ['owner', 'clock'],
  input: is.object({}),
  example: {},
  summary: 'Quench it.',
} as const;
export const hasOil = { code: 'CONFLICT', says: 'no oil', over: 'state' } as const;
export const isShort = { code: 'UNPROCESSABLE', says: 'too long', over: 'input' } as const;
export const pay = (): readonly Move[] => [];

/** Everything except the machine, to be spread into a definition. */
export const toy = {
  kind: 'lamp',
  revision: 1,
  machine: lampMachine,
  route: { path: '/lamps', param: 'lampId', tag: 'Lamps', idPrefix: 'lamp-' },
  refusals: { unknown: 'NOT_FOUND', state: 'CONFLICT', stale: 'CONFLICT' },
  roles: { owner: (context: Lamp) => [context.owner] },
  create,
  actions: { light, quench },
  guards: { hasOil, isShort },
  effects: { pay, note: pay },
  alarm: () => null,
  labels: (context: Lamp) => [`owner:${context.owner}`],
  list: { name: 'lamps', roles: ['owner'], statuses: ['dark', 'bright'] },
  view: () => ({}),
  viewSchema: {},
} as const;

export const lamp = defineResource(toy);
