/**
 * Typed functions of a machine: guards, and named changes of the context.
 * A guard or a change may be limited to some events: its function then has the input type of these events, without
 * narrowing by hand. The chart rejects a machine that uses it for another event. XState's own `params` carry the
 * event's type only for a single guard, and lose it inside of `and([...])`, which transitions use for guards that each
 * have their own refusal.
 * A change declares which members of the context it sets, and to what in words. The types restrict it to these members,
 * and a test compares them with what real transitions do (test/kernel/changes.test.ts).
 */
import { type AnyStateMachine, assign } from 'xstate';
import { assert } from '../../core/refusal.js';

/** What a change sets: for each member of the context, its new value in words. */
export type Sets = { readonly [member: string]: string };

declare const isChange: unique symbol;
/**
 * Distinguishes names of changes from those of effects, in types only: XState gives a named action its parameters'
 * type.
 */
export interface ChangeMark {
  readonly [isChange]: true;
}

/** Names of the actions that are effects. */
export type EffectIn<Action> = Action extends { readonly type: infer N extends string; readonly params: infer P }
  ? ChangeMark extends P
    ? unknown extends P
      ? N
      : never
    : N
  : never;

/** Properties of a machine's function. */
interface About {
  /** Types of the events that it is limited to; absent: any. */
  readonly on?: readonly string[];
  /** Present only for a change. */
  readonly sets?: Sets;
}

export interface MachineArgs<Context, Event> {
  readonly context: Context;
  readonly event: Event;
}

/**
 * Builders for a machine's functions. Each returns or contains the very function that it was given, so that its source
 * can be hashed.
 */
export function functionsFor<Context extends object, Event extends { readonly type: string }>() {
  type Of<Type> = Extract<Event, { readonly type: Type }>;
  type SetsOf<Member extends keyof Context> = { readonly [M in Member]: string };
  type Assigned<Member extends keyof Context> = Partial<Pick<Context, Member>>;

  const withAbout = <F>(body: F, about: About): F => Object.assign(body as object, about) as F;
  const asChange = (body: (args: MachineArgs<Context, never>) => object, about: About) =>
    assign<Context, Event, ChangeMark | undefined, Event, never>(withAbout(body, about) as never);

  return {
    /** A guard of transitions for these events. */
    guardOn: <const Type extends Event['type']>(
      on: readonly Type[],
      guard: (args: MachineArgs<Context, Of<Type>>) => boolean,
    ): ((args: MachineArgs<Context, Event>) => boolean) => withAbout(guard as unknown as () => boolean, { on }),

    /** Words of a guard's refusal, for a guard that is limited to these events. */
    wordsOn: <const Type extends Event['type']>(
      on: readonly Type[],
      words: (context: Context, event: Of<Type>) => string,
    ): ((context: Context, event: Event) => string) => withAbout(words as unknown as () => string, { on }),

    /** A change of the context by any event. */
    change: <const Member extends keyof Context = never>(
      sets: SetsOf<Member>,
      change: (args: MachineArgs<Context, Event>) => Assigned<Member>,
    ) => asChange(change, { sets }),

    /** A change of the context by these events. */
    changeOn: <const Type extends Event['type'], const Member extends keyof Context = never>(
      on: readonly Type[],
      sets: SetsOf<Member>,
      change: (args: MachineArgs<Context, Of<Type>>) => Assigned<Member>,
    ) => asChange(change, { on, sets }),
  };
}

type Change = About & ((...args: never[]) => object);

/** The function behind a change, with its declarations; undefined if the action is an effect. */
export const changeNamed = (machine: AnyStateMachine, name: string): Change | undefined =>
  (machine.implementations.actions[name] as { readonly assignment?: Change } | undefined)?.assignment;

/** Fails if a function that is limited to some events is used for another one, because its types would be wrong. */
export function assertForEvent(machine: AnyStateMachine, event: string, guards: string[], actions: string[]): void {
  const isFor = (body: unknown): boolean => (body as About | undefined)?.on?.includes(event) ?? true;
  const wrong = [
    ...guards.filter((name) => !isFor(machine.implementations.guards[name])),
    ...actions.filter((name) => !isFor(changeNamed(machine, name))),
  ];
  assert(wrong.length === 0, `machine ${machine.id}: ${wrong.join(', ')} is not for ${event}`);
}
