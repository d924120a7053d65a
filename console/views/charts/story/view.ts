/** Parts of a resource's view: its parties, its amount, its related resources. */
import type { Entry, JsonObject } from '../../../api/types.ts';

export interface Rule {
  readonly id: string;
  readonly type: string;
  readonly by?: readonly string[];
  readonly after?: number;
  readonly hash?: string;
  readonly signers?: readonly string[];
  readonly threshold?: number;
  readonly requiresReason?: boolean;
  readonly requiresEvidence?: boolean;
}

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

export interface Reference {
  readonly kind: string;
  readonly id: string;
}

/** The kind of the resource that each of these members names. */
const named: { readonly [member: string]: string } = {
  escrowId: 'escrow',
  contractId: 'contract',
  disputeId: 'dispute',
  bidId: 'bid',
};

/** Related resources that the view names. */
export function referencesOf(view: JsonObject): readonly Reference[] {
  const { purpose, subject, id } = view;
  const whole = [purpose, subject].filter(
    (each): each is JsonObject => typeof each === 'object' && each !== null && 'kind' in each && 'id' in each,
  );
  const byMember = Object.entries(named).flatMap(([member, kind]) => {
    const other = view[member];
    return typeof other === 'string' && other !== id ? [{ kind, id: other }] : [];
  });
  const all = [...whole.map((each) => ({ kind: String(each.kind), id: String(each.id) })), ...byMember];
  return all.filter(({ id: one }, at) => all.findIndex((each) => each.id === one) === at);
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

/** The market of the listings that these kinds belong to; orders name theirs. */
const markets: { readonly [kind: string]: string } = { lease: 'capability', bid: 'task' };

/** The listing of an order, lease or bid, and the listing's kind. */
export function listingOf(kind: string, view: JsonObject): Reference | undefined {
  const market = markets[kind] ?? view.marketType;
  const id = view.listingId;
  return typeof market === 'string' && typeof id === 'string' && id !== view.id
    ? { kind: `${market}-listing`, id }
    : undefined;
}
