/** The lanes of a resource: what moves inside its context, as the milestones of a contract, each through its states. */

import type { AnyView, MachineChart, MachineStep, Milestone } from '../../api/types.ts';
import { words } from '../../format/format.ts';
import { innerState, statusOf } from '../../format/states.ts';
import { isFinal } from './story/view.ts';

export interface Lane {
  /** Name of the inner machine: `milestone`. */
  readonly machine: string;
  readonly id: string;
  /** Undefined if this reader may not see it, or there is none. */
  readonly title: string | undefined;
  readonly amount: number | undefined;
  /** Name of its first state. */
  readonly first: string;
  /** The steps that moved it or ended it, in order, and the states to which they led. */
  readonly moves: readonly { readonly step: number; readonly to: string }[];
}

interface LanesOf {
  /** Gives those that have not moved, and all of them their order. */
  readonly view: AnyView | undefined;
  readonly chart: MachineChart | undefined;
}

export function lanesOf(steps: readonly MachineStep[], { view, chart }: LanesOf): readonly Lane[] {
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
  const last = chart && steps.find(({ to }) => isFinal(chart, to));
  return [...lanes.values()].map((lane) => (last ? endedBy(last, lane, chart) : lane));
}

/** What was not final when the resource ended has ended with it. */
function endedBy({ step, action }: MachineStep, lane: Lane, chart: MachineChart): Lane {
  if (isFinal(chart, `${lane.machine}/${stateAfter(lane, step)}`)) return lane;
  const to = `${ended} with the ${action === 'resolve' ? 'ruling' : words(chart.kind)}`;
  return { ...lane, moves: [...lane.moves, { step, to }] };
}

const ended = 'ended';

/** `2 of 3 approved, 1 ended with the ruling`, after a step. */
export function lanesText(lanes: readonly Lane[], { step, to }: MachineStep): string | undefined {
  if (lanes.length === 0) return undefined;
  const states = lanes.map((lane) => stateAfter(lane, step));
  const counted = (name: string) => states.filter((state) => state === name).length;
  const [approved, rejected] = [counted('approved'), counted('rejected')];
  const over = states.filter((state) => state.startsWith(ended));
  const isDone = approved === lanes.length && statusOf(to) === 'active';
  return [
    `${approved} of ${lanes.length} approved`,
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(over[0] ? [`${over.length} ${over[0]}`] : []),
  ]
    .join(', ')
    .concat(isDone ? '; the client may now complete the contract' : '');
}

/** The name of its state after a step. */
export const stateAfter = ({ first, moves }: Lane, step: number): string =>
  moves.findLast((each) => each.step <= step)?.to ?? first;
