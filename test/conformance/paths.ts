/** The shortest way to each situation of a setting, found by XState over the pure machine. */
import type { AnyMachineSnapshot } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import type { JsonObject } from '../../src/machines/kernel/canonical.js';
import type { Happening } from '../../src/machines/kernel/law.js';
import type { Body } from '../node/support/client.js';
import type { Stage, Try } from './stage.js';

interface Tried extends Happening {
  readonly asked: Try;
}

export interface Way {
  /** State, and what beside it makes the situation. */
  readonly name: string;
  readonly state: string;
  readonly path: readonly Try[];
}

/** @param created a resource of the setting as it was created */
export async function waysOf(stage: Stage, created: Body): Promise<Way[]> {
  const { definition, inputs, node } = stage;
  const { state, context } = await stage.situation(created);
  // Where its creation has gone on by itself, the ways begin behind that.
  const fromState = definition.machine.resolveState({ value: state, context } as never);
  const nameOf = ({ value, context }: AnyMachineSnapshot): string =>
    `${String(value)} ${inputs.situation(context as JsonObject)}`.trim();
  const now = node.world.now();
  const events = (snapshot: AnyMachineSnapshot): Tried[] => {
    const resource = { ...created, state: String(snapshot.value), context: snapshot.context, lastHash: 'x' };
    const view = definition.view({ ...resource, kind: definition.kind, version: 1, machine: '' } as never, { time: 0 });
    return stage
      .tries()
      .map((asked) => {
        const time = asked.late ? now + inputs.laterMs : now;
        return { ...stage.happening(asked, snapshot.context as JsonObject, view, time), asked };
      })
      .filter(({ type, roles }) => definition.actions[type]!.who.some((role: string) => roles.includes(role)));
  };
  const options = { fromState, events, serializeState: nameOf };
  const found = getShortestPaths(definition.machine as never, options as never) as unknown as {
    state: AnyMachineSnapshot;
    steps: { event: Tried }[];
  }[];
  return found.map(({ state, steps }) => ({
    name: nameOf(state),
    state: String(state.value),
    path: steps.flatMap(({ event }) => (event.asked ? [event.asked] : [])),
  }));
}
