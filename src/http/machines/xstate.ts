/**
 * A kind's law as the JSON that `createMachine` of XState takes and Stately's editor opens. Guards and effects are names
 * there; guards that must all hold are one, their names joined by `and`. Machines inside the context are in `meta`.
 */
import type { ChartView, GuardView, StateView, TransitionView } from './chart-view.js';

type Json = { readonly [member: string]: unknown };
type Law = Omit<ChartView, 'layout'>;

export function xstateOf(law: Law): Json {
  const { kind, title, version } = law;
  const frames = law.states.filter(({ type }) => type === 'machine').map(({ path }) => path);
  const create = law.transitions.find(({ id }) => id === 'create');
  return {
    id: kind,
    description: `${title}, law ${version}.`,
    ...machineOf(law, undefined),
    ...(create && create.effects.length > 0 ? { entry: named(create.effects) } : {}),
    meta: {
      kind,
      version,
      ...(frames.length > 0
        ? { nested: Object.fromEntries(frames.map((path) => [path, { id: path, ...machineOf(law, path) }])) }
        : {}),
    },
  };
}

function machineOf({ states, transitions }: Law, parent: string | undefined): Json {
  const inside = states.filter((state) => state.parent === parent && state.type !== 'machine');
  return {
    ...initialOf(inside),
    states: Object.fromEntries(inside.map((state) => [state.name, stateOf(state, transitions, inside)])),
  };
}

/** Without a life cycle there is one state, and a chart names none as its first. */
const initialOf = (inside: readonly StateView[]): Json => ({
  initial: (inside.find(({ initial }) => initial) ?? inside[0])?.name,
});

function stateOf(state: StateView, transitions: readonly TransitionView[], inside: readonly StateView[]): Json {
  const on: { [event: string]: Json[] } = {};
  for (const each of transitions) {
    if (each.from === state.path) on[each.event] = [...(on[each.event] ?? []), transitionOf(each, inside)];
  }
  return {
    ...(state.type === 'final' ? { type: 'final' } : {}),
    ...(state.entry ? { entry: named(state.entry) } : {}),
    ...(state.exit ? { exit: named(state.exit) } : {}),
    ...(Object.keys(on).length > 0 ? { on } : {}),
  };
}

/** Who stays where it is has no target: it neither leaves nor enters. */
const transitionOf = (
  { id, from, to, guards, effects, roles, description }: TransitionView,
  inside: readonly StateView[],
) => ({
  ...(to === from ? {} : { target: inside.find(({ path }) => path === to)?.name }),
  ...(guards.length > 0 ? { guard: guardOf(guards) } : {}),
  ...(effects.length > 0 ? { actions: named(effects) } : {}),
  ...(description === undefined ? {} : { description }),
  meta: { id, roles },
});

const guardOf = (guards: readonly GuardView[]): Json => ({
  type: guards.map(({ name }) => name).join(' and '),
  params: { refusals: Object.fromEntries(guards.map(({ name, refusal }) => [name, refusal])) },
});

const named = (effects: readonly string[]): Json[] => effects.map((type) => ({ type }));
