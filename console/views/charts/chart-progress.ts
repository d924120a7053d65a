/** A resource's way through its chart, up to one of its steps. */
import type { MachineStep } from '../../api/types.ts';

export interface ChartProgress {
  /** The step that is looked at; 0 without one. */
  readonly step: number;
  /** Path of the state after it. */
  readonly state: string | undefined;
  /** Path of the state that the step led to: of the inner machine, where that is what moved. */
  readonly reached: string | undefined;
  /** Paths of the states that it was in up to there. */
  readonly been: ReadonlySet<string>;
  /** Ids of the transitions of that step. */
  readonly now: ReadonlySet<string>;
  /** Numbers of all steps, by the transition that they took: a loop has several. */
  readonly steps: ReadonlyMap<string, readonly number[]>;
  /** What is in a state of a machine inside the context: milestones, by the path of their state. */
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

/** Those that its chart can show, its inner machine's included. */
export const transitionsOf = ({ transitions, nested }: MachineStep): string[] => [
  ...transitions.flatMap((id) => id ?? []),
  ...(nested ? [nested.transition] : []),
];

/** @param step number of one of them */
export function progressOf(all: readonly MachineStep[], step: number): ChartProgress {
  const walked = all.filter((each) => each.step <= step);
  const here = walked.at(-1);
  if (!here) return noProgress;
  const steps = new Map<string, number[]>();
  for (const each of all) {
    for (const id of transitionsOf(each)) steps.set(id, [...(steps.get(id) ?? []), each.step]);
  }
  const at = new Map<string, { readonly name: string; readonly state: string }>();
  for (const { nested } of walked) {
    if (nested) at.set(`${nested.machine}/${nested.id}`, { name: `${nested.machine} ${nested.id}`, state: nested.to });
  }
  const inside = new Map<string, string[]>();
  for (const { name, state } of at.values()) inside.set(state, [...(inside.get(state) ?? []), name]);
  return {
    step: here.step,
    state: here.to,
    reached: here.nested?.to ?? here.to,
    been: new Set(walked.flatMap(({ path }) => path)),
    now: new Set(transitionsOf(here)),
    steps,
    inside,
  };
}
