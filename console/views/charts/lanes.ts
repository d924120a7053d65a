/** The lanes of a resource: what moves inside its context, as the milestones of a contract, each through its states. */
import type { AnyView, MachineStep, Milestone } from '../../api/types.ts';
import { innerState } from '../../format/states.ts';

export interface Lane {
  /** Name of the inner machine: `milestone`. */
  readonly machine: string;
  readonly id: string;
  /** Undefined if this reader may not see it, or there is none. */
  readonly title: string | undefined;
  readonly amount: number | undefined;
  /** Name of its first state. */
  readonly first: string;
  /** The steps that moved it, in order, and the states to which they led. */
  readonly moves: readonly { readonly step: number; readonly to: string }[];
}

/** @param view gives those that have not moved, and all of them their order */
export function lanesOf(steps: readonly MachineStep[], view: AnyView | undefined): readonly Lane[] {
  const lanes = new Map<string, Lane>();
  const milestones = Array.isArray(view?.milestones) ? (view.milestones as readonly Milestone[]) : [];
  for (const { id, title, amount, status } of milestones) {
    const shown = typeof title === 'string' ? title : undefined;
    lanes.set(id, { machine: 'milestone', id, title: shown, amount, first: status, moves: [] });
  }
  for (const { step, nested } of steps) {
    if (!nested) continue;
    const { machine, id, from, to } = nested;
    const known = lanes.get(id) ?? { machine, id, title: undefined, amount: undefined, first: '', moves: [] };
    const first = known.moves.length === 0 ? innerState(from) : known.first;
    lanes.set(id, { ...known, first, moves: [...known.moves, { step, to: innerState(to) }] });
  }
  return [...lanes.values()];
}

/** The name of its state after a step. */
export const stateAfter = ({ first, moves }: Lane, step: number): string =>
  moves.findLast((each) => each.step <= step)?.to ?? first;
