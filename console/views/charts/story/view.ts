/** Parts of a resource's view: its rules, its parties, related resources. */
import type { Entry, JsonObject, MachineChart } from '../../../api/types.ts';
import type { Reference } from '../../../parts/references.ts';

export interface Party {
  readonly role: string;
  readonly did: string;
}

/** Pairs of members that name payer and payee. The first pair that a view has is used. */
const payers: readonly (readonly [from: string, to: string])[] = [
  ['depositor', 'beneficiary'],
  ['client', 'provider'],
  ['requester', 'provider'],
  ['buyer', 'seller'],
  ['lessee', 'lessor'],
  ['requester', 'bidder'],
];

const isDid = (value: unknown): value is string => typeof value === 'string' && value.startsWith('did:svc:');

export function payerAndPayee(view: JsonObject): readonly [Party, Party] | undefined {
  const found = payers.find(([from, to]) => isDid(view[from]) && isDid(view[to]));
  if (!found) return undefined;
  const [from, to] = found;
  return [
    { role: from, did: view[from] as string },
    { role: to, did: view[to] as string },
  ];
}

/** Members that repeat a party under another name. */
const aliases = (view: JsonObject): readonly string[] => (isDid(view.requester) ? ['buyer', 'seller'] : []);

/** All members that hold a DID, without repetitions. */
export function partiesOf(view: JsonObject): readonly Party[] {
  const skipped = aliases(view);
  return Object.entries(view).flatMap(([role, did]) => (isDid(did) && !skipped.includes(role) ? [{ role, did }] : []));
}

/** The most that are named for what their entries also changed. */
const mostRelated = 8;

/** Other resources of these kinds that a resource's entries have made or changed with it, the first ones first. */
export function relatedIn(
  entries: readonly Entry[],
  { kind, id }: Reference,
  isShown: (kind: string) => boolean,
): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const each of entries.flatMap(({ versions }) => versions))
    if (isShown(each.kind) && !(each.kind === kind && each.id === id))
      found.set(`${each.kind}/${each.id}`, { kind: each.kind, id: each.id });
  return [...found.values()].slice(0, mostRelated);
}

/** Whether no transition leaves the state or a state around it. */
export const isFinal = ({ transitions }: MachineChart, state: string): boolean =>
  !transitions.some(({ from }) => from !== null && (state === from || state.startsWith(`${from}.`)));
