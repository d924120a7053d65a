/** A step in a few words. */
import type { JsonObject, MachineStep } from '../../api/types.ts';
import { count, words } from '../../format/format.ts';
import { href } from '../../shell/route.ts';
import { partiesOf } from './story/view.ts';

/** The page of the step's entry. @param spelled by `useSpelling` */
export function entryOfStep({ seq, eventHash }: MachineStep, spelled: (hash: string) => string): string {
  const hash = spelled(eventHash);
  return href('ledger', ['entry', hash === eventHash ? String(seq) : hash]);
}

export const stepText = ({ action, eventType, from, to }: MachineStep): string =>
  `${action ?? eventType}, ${from ?? 'new'} to ${to}`;

/** The party that signed: the role alone says neither who claims nor whose request about another resource it was. */
export function roleText({ role, signer }: MachineStep, view: JsonObject | undefined): string | null {
  const party = view && partiesOf(view).find(({ did }) => did === signer)?.role;
  if (party === undefined || role === party) return role;
  return role === null || role === 'workflow' ? words(party) : `${words(party)}, as ${role}`;
}

/** Tokens that the step's entry moved: the sum of the positive postings. */
const movedIn = ({ postings }: MachineStep): number =>
  postings.reduce((sum, [, change]) => sum + Math.max(0, change), 0);

/** `release 5` */
export function stepTitle(step: MachineStep): string {
  const moved = movedIn(step);
  const name = step.action ?? step.eventType;
  return moved > 0 ? `${name} ${count(moved)}` : name;
}
