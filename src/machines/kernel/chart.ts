/**
 * A definition as data: states, transitions, guards with their codes, effects, roles. What auditors are shown, what
 * the version of a machine is a hash of, and what the model-based tests walk.
 */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { guardNames } from './law.js';
import { assert } from './refusal.js';
import type { AnyDefinition, AnyResource } from './resource.js';

export interface ChartTransition {
  readonly event: string;
  readonly from: string;
  readonly to: string;
  /** All must hold; each with the refusal it gives. */
  readonly guards: readonly { readonly name: string; readonly code: string }[];
  readonly effects: readonly string[];
  readonly who: readonly string[];
}

/** A machine inside another one's context. Who may, and the guards around it, are in the chart that it is nested in. */
export type Nested = Pick<Chart, 'initial' | 'states' | 'transitions'>;

export interface Chart {
  readonly kind: string;
  readonly revision: number;
  readonly form: string;
  readonly initial: { readonly state: string; readonly effects: readonly string[] } | null;
  /** `entry` and `exit`: effects of every transition into and out of it, where there are any. */
  readonly states: readonly {
    readonly name: string;
    readonly final: boolean;
    readonly entry?: readonly string[];
    readonly exit?: readonly string[];
  }[];
  readonly transitions: readonly ChartTransition[];
  /** By name, where there are any. */
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

function drawn(machine: AnyStateMachine, { guards, actions }: AnyResource): Nested {
  const transitions: ChartTransition[] = [];
  const nodes = Object.entries<AnyStateNode>(machine.states);
  // What a chart would not show must not be: the version of the law is a hash of it.
  assert(machine.root.transitions.size === 0, `machine ${machine.id}: transitions belong to a state`);
  for (const [from, node] of nodes) {
    assert(!node.always?.length, `machine ${machine.id}: ${from} has a transition without an event`);
    assert(node.invoke.length === 0, `machine ${machine.id}: ${from} waits for something`);
    assert(Object.keys(node.states).length === 0, `machine ${machine.id}: ${from} has states of its own`);
    for (const [event, candidates] of node.transitions) {
      for (const candidate of candidates) {
        transitions.push({
          event,
          from,
          to: candidate.target?.[0]?.key ?? from,
          guards: guardNames(candidate.guard).map((name) => ({ name, code: guards[name]?.code ?? '' })),
          effects: effectNames(candidate.actions),
          who: actions[event]?.who ?? [],
        });
      }
    }
  }
  const first = machine.root.initial;
  return {
    initial: { state: first.target?.[0]?.key ?? '', effects: effectNames([...machine.root.entry, ...first.actions]) },
    states: nodes.map(([name, node]) => {
      const [entry, exit] = [effectNames(node.entry), effectNames(node.exit)];
      return {
        name,
        final: node.type === 'final',
        ...(entry.length > 0 ? { entry } : {}),
        ...(exit.length > 0 ? { exit } : {}),
      };
    }),
    transitions,
  };
}

/** Named effects; changes of context (`assign`) have no name of their own. */
const effectNames = (actions: readonly unknown[]): string[] =>
  actions.flatMap((action) => {
    const name = typeof action === 'string' ? action : (action as { type?: string }).type;
    return name && !name.startsWith('xstate.') && typeof action !== 'function' ? [name] : [];
  });
