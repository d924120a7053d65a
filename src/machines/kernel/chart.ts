/**
 * A definition as data: states, transitions, guards with their codes, effects, roles. Auditors see it as a chart, its
 * hash is the definition version, and the model-based tests walk it.
 */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { assert } from '../../core/refusal.js';
import type { AnyDefinition, AnyResource } from './definition.js';
import { assertForEvent, changeNamed } from './machine-functions.js';
import { type Candidate, guardNames } from './stepper.js';

export interface ChartTransition {
  readonly event: string;
  /** State path. A transition of a state with nested states applies in each of these. */
  readonly from: string;
  /** Equal to `from` if the resource keeps its state. */
  readonly to: string;
  /** All guards must hold; each has the code of its refusal. */
  readonly guards: readonly { readonly name: string; readonly code: string }[];
  readonly effects: readonly string[];
  readonly who: readonly string[];
}

/** A machine inside another machine's context. Its roles and outer guards are in the outer chart. */
export type Nested = Pick<Chart, 'initial' | 'states' | 'transitions'>;

export interface Chart {
  readonly kind: string;
  readonly revision: number;
  readonly form: string;
  readonly initial: { readonly state: string; readonly effects: readonly string[] } | null;
  /** `entry` and `exit`: effects of every transition into and out of the state, if any. */
  readonly states: readonly {
    /** For a nested state its path: `created.open`. */
    readonly name: string;
    readonly final: boolean;
    /** Path of the initial nested state; absent if there are none. */
    readonly initial?: string;
    readonly entry?: readonly string[];
    readonly exit?: readonly string[];
  }[];
  readonly transitions: readonly ChartTransition[];
  /** Nested machines by name, if any. */
  readonly nested?: { readonly [name: string]: Nested };
}

export function chartOf(definition: AnyDefinition): Chart {
  if (definition.form === 'machine') return machineChart(definition);
  return {
    kind: definition.kind,
    revision: definition.revision,
    form: definition.form,
    initial: null,
    states: [{ name: 'current', final: false }],
    transitions: Object.entries(definition.actions).map(([event, action]) => ({
      event,
      from: 'current',
      to: 'current',
      guards: [],
      effects: [],
      who: action.who,
    })),
  };
}

/** The state that the machine enters first, with those nested in it. */
export const initialPath = (machine: AnyStateMachine): string => pathOf(entered(machine.root));

function machineChart(definition: AnyResource): Chart {
  const nested = Object.entries(definition.nested ?? {}).map(([name, machine]) => [name, drawn(machine, definition)]);
  return {
    kind: definition.kind,
    revision: definition.revision,
    form: definition.form,
    ...drawn(definition.machine, definition),
    ...(nested.length > 0 ? { nested: Object.fromEntries(nested) } : {}),
  };
}

/** The transitions of a machine, in the order of its chart. */
export function transitionsIn(machine: AnyStateMachine): { event: string; from: string; candidate: Candidate }[] {
  // The definition version is a hash of the chart, so a machine must not have features that the chart does not contain.
  assert(machine.root.transitions.size === 0, `machine ${machine.id}: transitions belong to a state`);
  return nodesOf(machine).flatMap((node) => {
    const from = pathOf(node);
    assert(!node.always?.length, `machine ${machine.id}: ${from} has a transition without an event`);
    assert(node.invoke.length === 0, `machine ${machine.id}: ${from} waits for something`);
    assert(node.type !== 'parallel' && node.type !== 'history', `machine ${machine.id}: ${from} is ${node.type}`);
    return [...node.transitions].flatMap(([event, all]) => all.map((candidate) => ({ event, from, candidate })));
  });
}

function drawn(machine: AnyStateMachine, { guards, actions }: AnyResource): Nested {
  const transitions = transitionsIn(machine).map(({ event, from, candidate }): ChartTransition => {
    const target = candidate.target?.[0];
    const names = guardNames(candidate.guard);
    assertForEvent(machine, event, names, actionNames(candidate.actions));
    return {
      event,
      from,
      to: target ? pathOf(entered(target)) : from,
      guards: names.map((name) => ({ name, code: guards[name]?.code ?? '' })),
      effects: effectNames(machine, candidate.actions),
      who: actions[event]?.who ?? [],
    };
  });
  const first = machine.root.initial;
  return {
    initial: {
      state: initialPath(machine),
      effects: effectNames(machine, [...machine.root.entry, ...first.actions]),
    },
    states: nodesOf(machine).map((node) => {
      const [entry, exit] = [effectNames(machine, node.entry), effectNames(machine, node.exit)];
      return {
        name: pathOf(node),
        final: node.type === 'final',
        ...(node.type === 'compound' ? { initial: pathOf(entered(node)) } : {}),
        ...(entry.length > 0 ? { entry } : {}),
        ...(exit.length > 0 ? { exit } : {}),
      };
    }),
    transitions,
  };
}

const pathOf = (node: AnyStateNode): string => node.path.join('.');

const nodesOf = ({ states }: AnyStateMachine): AnyStateNode[] =>
  Object.values<AnyStateNode>(states).flatMap(withChildren);

/** The state and its nested states. */
const withChildren = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(withChildren),
];

/** The innermost state that is entered with a state. */
function entered(node: AnyStateNode): AnyStateNode {
  const child = node.type === 'compound' ? node.initial.target?.[0] : undefined;
  return child ? entered(child) : node;
}

/** Names of effects. Assignments (`assign`) are not effects, whether they have a name or not. */
const effectNames = (machine: AnyStateMachine, actions: readonly unknown[]): string[] =>
  actionNames(actions).filter((name) => !changeNamed(machine, name));

export const actionNames = (actions: readonly unknown[]): string[] =>
  actions.flatMap((action) => {
    const name = typeof action === 'string' ? action : (action as { type?: string }).type;
    return name && !name.startsWith('xstate.') && typeof action !== 'function' ? [name] : [];
  });

/**
 * A change of one member of the context, described for people. The words are not part of the definition version.
 */
export interface ContextChange {
  /** The name of the action that makes it. */
  readonly action: string;
  readonly member: string;
  /** The new value, in words. */
  readonly to: string;
}

export const changesBy = (machine: AnyStateMachine, { actions }: Pick<Candidate, 'actions'>): ContextChange[] =>
  actionNames(actions).flatMap((action) =>
    Object.entries(changeNamed(machine, action)?.sets ?? {}).map(([member, to]) => ({ action, member, to })),
  );

/** The changes of each transition, in the order of the machine's chart. */
export const changesOf = (machine: AnyStateMachine): ContextChange[][] =>
  transitionsIn(machine).map(({ candidate }) => changesBy(machine, candidate));
