/** A step in a few words. */
import type { Entry, JsonObject, MachineStep } from '../../api/types.ts';
import { viewNamed } from '../../api/views.ts';
import { count, words } from '../../format/format.ts';
import { type Amounts, outcomeText } from '../../format/outcome.ts';
import { stateText } from '../../format/states.ts';
import { aboutOf } from '../../parts/entry-columns.ts';
import { href } from '../../shell/route.ts';
import { partiesOf } from './story/view.ts';

/** The page of the step's entry. @param spelled by `useSpelling` */
export function entryOfStep({ seq, eventHash }: MachineStep, spelled: (hash: string) => string): string {
  const hash = spelled(eventHash);
  return href('ledger', ['entry', hash === eventHash ? String(seq) : hash]);
}

/** @param after where the Tokens were after it */
export const stepText = ({ action, eventType, from, to }: MachineStep, after: Amounts = {}): string =>
  `${action ?? eventType}, ${from === null ? 'new' : stateText(from)} to ${stateText(to, after)}`;

/** What the role of a step alone does not say. */
interface Signed {
  readonly view: JsonObject | undefined;
  /** The entry of the step, once it is read. */
  readonly entry: Entry | undefined;
  /** By `useSpelling`. */
  readonly spelled: (id: string) => string;
}

/** The party that signed: the role alone says neither who claims nor whose request about another resource it was. */
export function roleText({ role, signer }: MachineStep, { view, entry, spelled }: Signed): string | null {
  const party = view && roleIn(view, signer);
  if (party === undefined && role === 'workflow' && entry) return roleElsewhere(entry, spelled) ?? role;
  if (party === undefined || role === party) return role;
  return role === null || role === 'workflow' ? words(party) : `${words(party)}, as ${role}`;
}

const roleIn = (view: JsonObject, signer: string) => partiesOf(view).find(({ did }) => did === signer)?.role;

/** `arbiter of the contract`, whose ruling has moved an escrow. */
function roleElsewhere(entry: Entry, spelled: Signed['spelled']): string | undefined {
  const about = aboutOf(entry);
  const view = about && viewNamed(about.kind, spelled(about.id));
  const role = view && roleIn(view, entry.event.issuer);
  return role && `${words(role)} of the ${words(about.kind)}`;
}

/** `release 5`; `release 25 paid, 15 back` where an escrow went to two accounts, one of them its payer's. */
export function stepTitle({ action, eventType, postings }: MachineStep): string {
  const name = action ?? eventType;
  const payer = postings.find(([account, change]) => account.startsWith('escrowed/') && change < 0)?.[0].slice(9);
  const into = (isCounted: (account: string) => boolean) =>
    postings.reduce((sum, [account, change]) => sum + (isCounted(account) ? Math.max(0, change) : 0), 0);
  const refunded = into((account) => account === `available/${payer}`);
  const moved = into(() => true);
  if (moved === 0) return name;
  const isSplit = refunded > 0 && refunded < moved;
  return `${name} ${isSplit ? outcomeText({ released: moved - refunded, refunded }) : count(moved)}`;
}
