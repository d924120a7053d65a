/**
 * A kind's chart as JSON for XState's `createMachine` and Stately's editor. Guards and effects appear by name. A
 * transition with several guards has the guard `all`, whose `params.guards` lists them; an implementation of `all` must
 * evaluate each. Machines inside the context are in `meta.nested`.
 */
import type { GuardView, StateView, TransitionView, UndrawnChart } from './chart-view.js';

type ExportedJson = { readonly [member: string]: unknown };

export function xstateOf(chart: UndrawnChart): ExportedJson {
  const { kind, title, version } = chart;
  const frames = chart.states.filter(({ type }) => type === 'machine').map(({ path }) => path);
  const create = chart.transitions.find(({ id }) => id === 'create');
  const nested = frames.map((path) => [path, { id: path, ...statesIn(chart, path, { id: path, root: `${path}/` }) }]);
  return {
    id: kind,
    description: `${title}, definition version ${version}.`,
    ...statesIn(chart, undefined, { id: kind, root: '' }),
    ...(create && create.effects.length > 0 ? { entry: named(create.effects) } : {}),
    meta: { kind, version, ...(frames.length > 0 ? { nested: Object.fromEntries(nested) } : {}) },
  };
}

/** The machine that contains a state: its id, and the prefix of its states' paths. */
interface ExportedMachine {
  readonly id: string;
  readonly root: string;
}

/** The states of a machine, or those nested in one of its states. */
function statesIn(chart: UndrawnChart, parent: string | undefined, machine: ExportedMachine): ExportedJson {
  const inside = chart.states.filter((state) => state.parent === parent && state.type !== 'machine');
  return {
    // A kind without a life cycle has one state, and its chart marks no state as initial.
    initial: (inside.find(({ initial }) => initial) ?? inside[0])?.name,
    states: Object.fromEntries(inside.map((state) => [state.name, stateOf(state, chart, machine)])),
  };
}

function stateOf(state: StateView, chart: UndrawnChart, machine: ExportedMachine): ExportedJson {
  const on: { [event: string]: ExportedJson[] } = {};
  for (const each of chart.transitions) {
    if (each.from === state.path) on[each.event] = [...(on[each.event] ?? []), transitionOf(each, machine)];
  }
  return {
    ...(state.type === 'final' ? { type: 'final' } : {}),
    ...(state.type === 'compound' ? statesIn(chart, state.path, machine) : {}),
    ...(state.entry ? { entry: named(state.entry) } : {}),
    ...(state.exit ? { exit: named(state.exit) } : {}),
    ...(Object.keys(on).length > 0 ? { on } : {}),
  };
}

/** A transition that stays in its state has no target, so that entry and exit effects do not run. */
const transitionOf = (
  { id, from, to, guards, effects, changes, roles, description }: TransitionView,
  { id: machine, root }: ExportedMachine,
): ExportedJson => ({
  ...(to === from ? {} : { target: `#${machine}.${to.slice(root.length)}` }),
  ...(guards.length > 0 ? { guard: guardOf(guards) } : {}),
  ...(effects.length > 0 ? { actions: named(effects) } : {}),
  ...(description === undefined ? {} : { description }),
  meta: { id, roles, ...(changes.length > 0 ? { changes } : {}) },
});

function guardOf(guards: readonly GuardView[]): ExportedJson {
  const each = guards.map(({ name, refusal }) => ({ type: name, params: { refusal } }));
  return each.length === 1 ? each[0]! : { type: 'all', params: { guards: each } };
}

const named = (effects: readonly string[]): ExportedJson[] => effects.map((type) => ({ type }));
