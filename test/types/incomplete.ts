/**
 * Code that must not compile. The build checks this file, and fails if one of these lines does compile. Each `@ts-expect-error`
 * is followed by a word that the compiler's message must contain (`not-vacuous.test.ts`).
 */
import { and } from 'xstate';
import * as is from '../../src/core/schema/scalar.js';
import { defineResource } from '../../src/machines/kernel/definition.js';
import type { Store, StoreReader } from '../../src/store/store.js';
import { changeOn, guardOn, hasOil, isShort, lampSetup, light, pay, quench, toy } from './toy.js';

export const anActionWithoutSchema = defineResource({
  ...toy,
  // @ts-expect-error quench
  actions: { light },
});

const { input: _, ...withoutInput } = light;
export const anActionWithoutInput = defineResource({
  ...toy,
  // @ts-expect-error input
  actions: { light: withoutInput, quench },
});

const { example: __, ...withoutExample } = light;
export const anActionWithoutExample = defineResource({
  ...toy,
  // @ts-expect-error example
  actions: { light: withoutExample, quench },
});

export const anActionWithAnotherInput = defineResource({
  ...toy,
  // @ts-expect-error string
  actions: { light: { ...light, input: is.object({ minutes: is.text(5) }) }, quench },
});

export const anActionThatTheMachineDoesNotKnow = defineResource({
  ...toy,
  // @ts-expect-error smash
  actions: { light, quench, smash: quench },
});

export const aGuardWithoutCode = defineResource({
  ...toy,
  // @ts-expect-error isShort
  guards: { hasOil },
});

export const aGuardWithoutItsCode = defineResource({
  ...toy,
  // @ts-expect-error code
  guards: { hasOil, isShort: { says: 'too long', over: 'input' } },
});

export const aCodeThatThereIsNot = defineResource({
  ...toy,
  // @ts-expect-error LAMP_BROKEN
  guards: { hasOil, isShort: { ...isShort, code: 'LAMP_BROKEN' } },
});

export const aGuardThatTheMachineDoesNotHave = defineResource({
  ...toy,
  // @ts-expect-error isFine
  guards: { hasOil, isShort, isFine: isShort },
});

export const anEffectWithoutExecutor = defineResource({
  ...toy,
  // @ts-expect-error note
  effects: { pay },
});

export const anEffectThatIsNoMove = defineResource({
  ...toy,
  // @ts-expect-error steal
  effects: { pay, note: () => [{ op: 'steal', from: 'a', amount: 1 }] },
});

export const anExecutorOfAChange = defineResource({
  ...toy,
  // @ts-expect-error burn
  effects: { pay, note: pay, burn: pay },
});

export const aChangeOfAMemberThatItDoesNotDeclare = changeOn(
  ['light'],
  // @ts-expect-error owner
  { lit: 'the minutes' },
  ({ event }) => ({ lit: event.input.minutes, owner: event.signer }),
);

export const aChangeOfAMemberThatThereIsNot = changeOn(
  ['light'],
  // @ts-expect-error colour
  { colour: 'red' },
  () => ({}),
);

// @ts-expect-error minutes
export const aGuardOnTheInputOfAnotherEvent = guardOn(['quench'], ({ event }) => event.input.minutes > 0);

export const aRoleThatIsNotDeclared = defineResource({
  ...toy,
  // @ts-expect-error neighbour
  actions: { light, quench: { ...quench, who: ['owner', 'neighbour'] } },
});

export const aListByARoleThatIsNotDeclared = defineResource({
  ...toy,
  // @ts-expect-error neighbour
  list: { ...toy.list, roles: ['neighbour'] },
});

export const aRefusalThatThereIsNot = defineResource({
  ...toy,
  // @ts-expect-error LAMP_NOT_FOUND
  refusals: { ...toy.refusals, unknown: 'LAMP_NOT_FOUND' },
});

const { check: ___, ...withoutCheck } = toy.create;
export const aCreateWithoutCheck = defineResource({
  ...toy,
  // @ts-expect-error check
  create: withoutCheck,
});

export const aViewThatIsNoJson = defineResource({
  ...toy,
  // @ts-expect-error Date
  view: () => ({ at: new Date(0) }),
});

const { alarm: ____, ...withoutAlarm } = toy;
// @ts-expect-error alarm
export const aDefinitionWithoutAlarm = defineResource(withoutAlarm);

export const aMachineWithAGuardThatWasNotSetUp = lampSetup.createMachine({
  context: ({ input }) => ({ ...input }),
  // @ts-expect-error isFine
  on: { light: { guard: and(['hasOil', 'isFine']) } },
});

export const aMachineWithAnEffectThatWasNotSetUp = lampSetup.createMachine({
  context: ({ input }) => ({ ...input }),
  // @ts-expect-error explode
  on: { light: { actions: 'explode' } },
});

// @ts-expect-error append
export const aReaderThatWrites = (reader: StoreReader) => reader.append([]);

// @ts-expect-error missing
export const aReaderWhereAStoreIsNeeded = (reader: StoreReader): Store => reader;
