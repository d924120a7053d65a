/**
 * A kind's definition as the API shows it: states, transitions (their ids are those in histories), and drawings. All of
 * it is derived from the definition; the drawings were laid out at build time.
 */
import type { AnyStateMachine } from 'xstate';
import type { MachineChart } from '../../../packages/client/src/wire.js';
import { type Chart, type ChartTransition, changesOf, chartOf, type Nested } from '../../machines/kernel/chart.js';
import type { AnyDefinition, Movement } from '../../machines/kernel/definition.js';
import { isIn } from '../../machines/kernel/state-path.js';
import { definitionVersion } from '../../machines/kernel/versioning.js';
import { drawnLayout } from './drawn.js';
import { layouts } from './layouts.js';

/** The chart as the description of the API has it (http/openapi/schemas/machines.ts). */
export type StateView = MachineChart['states'][number];
export type TransitionView = MachineChart['transitions'][number];
export type GuardView = TransitionView['guards'][number];

export type UndrawnChart = Omit<MachineChart, 'layout' | 'layoutDown'>;

const transitionId = (from: string, event: string, to: string): string => `${from}.${event}.${to}`;

/** `info-listing` becomes `Info listing`. */
const kindTitle = (kind: string): string => {
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const views = new WeakMap<AnyDefinition, MachineChart>();

export function chartViewOf(definition: AnyDefinition): MachineChart {
  const view = views.get(definition) ?? drawnChartOf(definition);
  views.set(definition, view);
  return view;
}

function drawnChartOf(definition: AnyDefinition): MachineChart {
  const chart = undrawnChartOf(definition);
  const found = layouts[chart.version];
  return {
    ...chart,
    layout: found ? drawnLayout(chart, found.wide, 'high') : null,
    layoutDown: found ? drawnLayout(chart, found.tall, 'flat') : null,
  };
}

export function undrawnChartOf(definition: AnyDefinition): UndrawnChart {
  const chart = chartOf(definition);
  const nested = Object.entries(chart.nested ?? {});
  return {
    kind: definition.kind,
    title: kindTitle(definition.kind),
    version: definitionVersion(definition),
    revision: definition.revision,
    isMachine: definition.form === 'machine',
    initial: chart.initial?.state ?? null,
    states: [...statesOf(chart), ...nested.flatMap(([name, inner]) => [frameOf(name), ...statesOf(inner, name)])].map(
      (state) => toned(state, definition),
    ),
    transitions: [
      ...transitionsOf(chart, definition),
      ...nested.flatMap(([name, inner]) => transitionsOf(inner, definition, name)),
    ],
  };
}

const frameOf = (name: string): StateView => ({
  name,
  path: name,
  type: 'machine',
  initial: false,
  description: `Each ${name} inside the context has a state of its own; its steps are transitions of the same name.`,
});

function toned(state: StateView, definition: AnyDefinition): StateView {
  const tone = definition.form === 'machine' ? definition.tones?.[state.path] : undefined;
  return tone ? { ...state, tone } : state;
}

const below = (parent: string | undefined, path: string): string => (parent === undefined ? path : `${parent}/${path}`);

const statesOf = ({ states, initial }: Nested, parent?: string): StateView[] =>
  states.map(({ name, final, initial: first, entry, exit }) => ({
    name: name.slice(name.lastIndexOf('.') + 1),
    path: below(parent, name),
    type: first === undefined ? (final ? 'final' : 'atomic') : 'compound',
    initial: isFirst(name, states) || (initial !== null && isIn(initial.state, name)),
    ...parentOf(name, parent),
    ...(entry ? { entry } : {}),
    ...(exit ? { exit } : {}),
  }));

/** Whether the state is the initial one of the state around it. */
const isFirst = (name: string, states: Nested['states']): boolean =>
  states.some((around) => around.initial !== undefined && around.name !== name && isIn(around.initial, name));

function parentOf(name: string, machine: string | undefined): { readonly parent?: string } {
  const dot = name.lastIndexOf('.');
  if (dot >= 0) return { parent: below(machine, name.slice(0, dot)) };
  return machine === undefined ? {} : { parent: machine };
}

function transitionsOf({ initial, transitions }: Nested, definition: AnyDefinition, parent?: string): TransitionView[] {
  const machine = machineOf(definition, parent);
  const changes = machine ? changesOf(machine) : [];
  const drawn = transitions.map((each, index) => ({
    id: below(parent, transitionId(each.from, each.event, each.to)),
    from: below(parent, each.from),
    to: below(parent, each.to),
    event: each.event,
    guards: guardsOf(each, definition),
    effects: each.effects,
    moves: parent === undefined ? movesOf(each, definition) : [],
    changes: (changes[index] ?? []).map(({ member, to }) => ({ member, to })),
    roles: each.who,
    ...summaryOf(definition, each.event),
  }));
  return initial ? [creationOf(initial, definition, parent), ...drawn] : drawn;
}

/** The kind's own machine, or the named one inside its context; undefined for a kind without a machine. */
function machineOf(definition: AnyDefinition, nested?: string): AnyStateMachine | undefined {
  if (definition.form !== 'machine') return undefined;
  return nested === undefined ? definition.machine : definition.nested?.[nested];
}

function creationOf(
  initial: NonNullable<Chart['initial']>,
  definition: AnyDefinition,
  parent?: string,
): TransitionView {
  const create = parent === undefined && definition.form === 'machine' ? definition.create : undefined;
  const maker = create?.internal ? ['workflow'] : ['anyone'];
  return {
    id: below(parent, 'create'),
    from: null,
    to: below(parent, initial.state),
    event: 'create',
    guards: [],
    effects: initial.effects,
    moves: create?.moves ?? [],
    changes: [],
    roles: parent === undefined ? (create?.who ?? maker) : ['workflow'],
    ...(create ? { description: create.summary } : {}),
  };
}

function guardsOf({ guards }: ChartTransition, definition: AnyDefinition): GuardView[] {
  const known = definition.form === 'machine' ? definition.guards : {};
  return guards.map(({ name, code }) => {
    const { says } = known[name]!;
    return { name, refusal: code, meaning: typeof says === 'string' ? says : says[0] };
  });
}

/**
 * A transition that stays in its state moves Tokens only if the action says so: a proposal, or a call within the
 * budget, moves nothing.
 */
function movesOf({ event, from, to }: ChartTransition, definition: AnyDefinition): readonly Movement[] {
  const action = definition.form === 'machine' ? definition.actions[event] : undefined;
  const { movesNothing = {} } = action ?? {};
  const isStill = movesNothing.from?.includes(from) || movesNothing.to?.some((state) => isIn(to, state));
  if (isStill) return [];
  return from !== to || action?.movesInPlace ? (action?.moves ?? []) : [];
}

const summaryOf = (definition: AnyDefinition, action: string): { readonly description?: string } =>
  definition.form === 'machine' && definition.actions[action]
    ? { description: definition.actions[action].summary }
    : {};
