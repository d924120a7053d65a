/** A resource's path through its chart up to one step. */
import type { MachineStep } from '../../api/types.ts';
import { type Lane, stateAfter } from './lanes.ts';

export interface ChartProgress {
  /** Number of the selected step; 0 if there is none. */
  readonly step: number;
  /** Path of the state after that step. */
  readonly state: string | undefined;
  /** Path of the state that the step led to; of the inner machine if the step moved that one. */
  readonly reached: string | undefined;
  /** Paths of all states that the resource, and what moves inside it, was in up to that step. */
  readonly been: ReadonlySet<string>;
  /** Ids of the transitions of that step. */
  readonly now: ReadonlySet<string>;
  /** Step numbers by the transition that the steps took. A loop has several. */
  readonly steps: ReadonlyMap<string, readonly number[]>;
  /** By state of an inner machine (milestones): which of its instances are in that state. */
  readonly inside: ReadonlyMap<string, readonly string[]>;
}

export const noProgress: ChartProgress = {
  step: 0,
  state: undefined,
  reached: undefined,
  been: new Set(),
  now: new Set(),
  steps: new Map(),
  inside: new Map(),
};

/** The transitions of a step that the chart shows, with those of the inner machine. */
export const transitionsOf = ({ transitions, nested }: MachineStep): string[] => [
  ...transitions.flatMap((id) => id ?? []),
  ...(nested ? [nested.transition] : []),
];

/** @param step number of one of the steps */
export function progressOf(all: readonly MachineStep[], step: number, lanes: readonly Lane[]): ChartProgress {
  const walked = all.filter((each) => each.step <= step);
  const here = walked.at(-1);
  if (!here) return noProgress;
  const steps = new Map<string, number[]>();
  for (const each of all) {
    for (const id of transitionsOf(each)) steps.set(id, [...(steps.get(id) ?? []), each.step]);
  }
  const inside = new Map<string, string[]>();
  for (const lane of lanes) {
    const state = `${lane.machine}/${stateAfter(lane, step)}`;
    inside.set(state, [...(inside.get(state) ?? []), lane.title ?? lane.id]);
  }
  return {
    step: here.step,
    state: here.to,
    reached: here.nested?.to ?? here.to,
    been: new Set([
      ...walked.flatMap(({ path, nested }) => (nested ? [...path, nested.from, nested.to] : path)),
      ...inside.keys(),
    ]),
    now: new Set(transitionsOf(here)),
    steps,
    inside,
  };
}
