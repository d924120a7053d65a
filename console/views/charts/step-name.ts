/** A step in a few words. */
import type { MachineStep } from '../../api/types.ts';
import { count } from '../../format/format.ts';
import { href } from '../../shell/route.ts';

/** The page of the step's entry. */
export const entryOfStep = ({ seq }: MachineStep): string => href('ledger', ['entry', String(seq)]);

export const stepText = ({ action, eventType, from, to }: MachineStep): string =>
  `${action ?? eventType}, ${from ?? 'new'} to ${to}`;

/** Tokens that the step's entry moved: the sum of the positive postings. */
const movedIn = ({ postings }: MachineStep): number =>
  postings.reduce((sum, [, change]) => sum + Math.max(0, change), 0);

/** `release 5` */
export function stepTitle(step: MachineStep): string {
  const moved = movedIn(step);
  const name = step.action ?? step.eventType;
  return moved > 0 ? `${name} ${count(moved)}` : name;
}
