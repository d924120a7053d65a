/** Finds the ways to each situation of a setting with XState's graph tools over the pure machine. */
import type { AnyMachineSnapshot } from 'xstate';
import { getAdjacencyMap, getShortestPaths } from 'xstate/graph';
import type { JsonObject } from '../../../src/core/canonical.js';
import type { MachineEvent } from '../../../src/machines/kernel/resource.js';
import { statePath, stateValue } from '../../../src/machines/kernel/state-path.js';
import type { At, Fixture, Try } from './fixture.js';
import type { View } from './scenario.js';
import type { Situation } from './verdict.js';

interface Tried extends MachineEvent {
  readonly asked: Try;
}

export interface Way {
  /** State, and what distinguishes situations within it. */
  readonly name: string;
  readonly state: string;
  readonly path: readonly Try[];
}

export interface Beginning extends Situation {
  /** The resource as its view shows it. */
  readonly view: View;
}

export interface Walking extends At {
  /** Whether a request may be part of a way; absent: all may. */
  readonly only?: (asked: Try) => boolean;
}

const nameIn =
  ({ scenario }: Fixture) =>
  ({ value, context }: AnyMachineSnapshot): string =>
    `${statePath(value)} ${scenario.situation(context as JsonObject)}`.trim();

/** Options of the graph tools: the initial state, and all events. */
function optionsFor(fixture: Fixture, { state, context, view: created }: Beginning, walking: Walking) {
  const { definition, scenario } = fixture;
  const { network, time: now, only } = walking;
  const events = (snapshot: AnyMachineSnapshot): Tried[] => {
    const resource = { ...created, state: statePath(snapshot.value), context: snapshot.context, lastHash: 'x' };
    const view = definition.view({ ...resource, kind: definition.kind, version: 1, machine: '' } as never, { time: 0 });
    return fixture
      .tries()
      .filter((asked) => only?.(asked) ?? true)
      .map((asked) => {
        const time = asked.late ? now + scenario.laterMs : now;
        return { ...fixture.event(asked, snapshot.context as JsonObject, view, { time, network }), asked };
      })
      .filter(({ type, roles }) => definition.actions[type]!.who.some((role: string) => roles.includes(role)));
  };
  // If the creation has already taken further transitions, the ways begin after them.
  const fromState = definition.machine.resolveState({ value: stateValue(state), context } as never);
  return { fromState, events, serializeState: nameIn(fixture) } as never;
}

/** The shortest way to each situation. */
export function waysOf(fixture: Fixture, from: Beginning, walking: Walking): Way[] {
  const found = getShortestPaths(
    fixture.definition.machine as never,
    optionsFor(fixture, from, walking),
  ) as unknown as {
    state: AnyMachineSnapshot;
    steps: { event: Tried }[];
  }[];
  const nameOf = nameIn(fixture);
  return found.map(({ state, steps }) => ({
    name: nameOf(state),
    state: statePath(state.value),
    path: steps.flatMap(({ event }) => (event.asked ? [event.asked] : [])),
  }));
}

interface PathNode {
  readonly state: AnyMachineSnapshot;
  readonly transitions: { readonly [event: string]: { readonly event: Tried; readonly state: AnyMachineSnapshot } };
}

/** Every way that visits no situation twice and has at most `steps` steps, shorter ones first. */
export function* simpleWays(fixture: Fixture, from: Beginning, walking: Walking, steps: number): Generator<Way> {
  const options = optionsFor(fixture, from, walking);
  const nodes = getAdjacencyMap(fixture.definition.machine as never, options) as unknown as {
    [name: string]: PathNode;
  };
  const nameOf = nameIn(fixture);
  const first = nameOf((options as { fromState: AnyMachineSnapshot }).fromState);
  let ends: { name: string; path: readonly Try[]; met: readonly string[] }[] = [{ name: first, path: [], met: [] }];
  for (let length = 0; length <= steps && ends.length > 0; length++) {
    const longer: typeof ends = [];
    for (const { name, path, met } of ends) {
      yield { name, state: statePath(nodes[name]!.state.value), path };
      if (length === steps) continue;
      for (const { event, state } of Object.values(nodes[name]!.transitions)) {
        const next = nameOf(state);
        if (next === name || met.includes(next)) continue;
        longer.push({ name: next, path: [...path, event.asked], met: [...met, name] });
      }
    }
    ends = longer;
  }
}
