/**
 * A kind's law as everybody may look at it (issue of the machines shown): states, transitions with ids that the history
 * names, and where they are drawn. All of it is derived from the definition; the drawing was laid out at build time.
 */
import { type Chart, type ChartTransition, chartOf, type Nested } from '../../machines/kernel/chart.js';
import { machineVersion } from '../../machines/kernel/lineage.js';
import type { AnyDefinition } from '../../machines/kernel/resource.js';
import { type Layout, layoutOf } from './layout.js';

export interface StateView {
  readonly name: string;
  /** Its own in the chart: the name, behind the machine's it is nested in: `milestone/pending`. */
  readonly path: string;
  /** `machine`: not a state but the frame of a machine inside the context, the parent of its states. */
  readonly type: 'atomic' | 'final' | 'machine';
  readonly initial: boolean;
  readonly parent?: string;
  readonly description?: string;
  /** Effects of every transition into and out of it. */
  readonly entry?: readonly string[];
  readonly exit?: readonly string[];
}

export interface GuardView {
  readonly name: string;
  /** The code that it refuses with. */
  readonly refusal: string;
  /** What the refusal says; absent where that depends on the request. */
  readonly meaning?: string;
}

export interface TransitionView {
  /** `<from>.<action>.<to>`, of creations `create`; behind the nested machine's name and a slash. */
  readonly id: string;
  /** Null for a creation. */
  readonly from: string | null;
  readonly to: string;
  /** The action. */
  readonly event: string;
  readonly guards: readonly GuardView[];
  readonly effects: readonly string[];
  readonly roles: readonly string[];
  readonly description?: string;
}

export interface ChartView {
  readonly kind: string;
  readonly title: string;
  /** Of the law: what entries and resources name as `machine`. */
  readonly version: string;
  readonly revision: number;
  readonly isMachine: boolean;
  readonly initial: string | null;
  readonly states: readonly StateView[];
  readonly transitions: readonly TransitionView[];
  /** Null where none was made at build time. */
  readonly layout: Layout | null;
}

const transitionId = (from: string, event: string, to: string): string => `${from}.${event}.${to}`;

/** `info-listing`: Info listing. */
export const titleOf = (kind: string): string => {
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const views = new WeakMap<AnyDefinition, ChartView>();

export function chartViewOf(definition: AnyDefinition): ChartView {
  const view = views.get(definition) ?? { ...lawView(definition), layout: layoutOf(machineVersion(definition)) };
  views.set(definition, view);
  return view;
}

/** The same before it was laid out. */
export function lawView(definition: AnyDefinition): Omit<ChartView, 'layout'> {
  const chart = chartOf(definition);
  const nested = Object.entries(chart.nested ?? {});
  return {
    kind: definition.kind,
    title: titleOf(definition.kind),
    version: machineVersion(definition),
    revision: definition.revision,
    isMachine: definition.form === 'machine',
    initial: chart.initial?.state ?? null,
    states: [...statesOf(chart), ...nested.flatMap(([name, inner]) => [frameOf(name), ...statesOf(inner, name)])],
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

const below = (parent: string | undefined, path: string): string => (parent === undefined ? path : `${parent}/${path}`);

const statesOf = ({ states, initial }: Nested, parent?: string): StateView[] =>
  states.map(({ name, final, entry, exit }) => ({
    name,
    path: below(parent, name),
    type: final ? 'final' : 'atomic',
    initial: name === initial?.state,
    ...(parent === undefined ? {} : { parent }),
    ...(entry ? { entry } : {}),
    ...(exit ? { exit } : {}),
  }));

function transitionsOf({ initial, transitions }: Nested, definition: AnyDefinition, parent?: string): TransitionView[] {
  const drawn = transitions.map((each) => ({
    id: below(parent, transitionId(each.from, each.event, each.to)),
    from: below(parent, each.from),
    to: below(parent, each.to),
    event: each.event,
    guards: guardsOf(each, definition),
    effects: each.effects,
    roles: each.who,
    ...summaryOf(definition, each.event),
  }));
  return initial ? [creationOf(initial, definition, parent), ...drawn] : drawn;
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
    roles: parent === undefined ? (create?.who ?? maker) : ['workflow'],
    ...(create ? { description: create.summary } : {}),
  };
}

function guardsOf({ guards }: ChartTransition, definition: AnyDefinition): GuardView[] {
  const known = definition.form === 'machine' ? definition.guards : {};
  return guards.map(({ name, code }) => {
    const says = known[name]?.says;
    return { name, refusal: code, ...(typeof says === 'string' ? { meaning: says } : {}) };
  });
}

const summaryOf = (definition: AnyDefinition, action: string): { readonly description?: string } =>
  definition.form === 'machine' && definition.actions[action]
    ? { description: definition.actions[action].summary }
    : {};
