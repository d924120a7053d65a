/** Other resources that a resource's view names. */
import type { JsonObject } from '../api/types.ts';

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

/** The members that name a resource with its kind. */
const wholeOf = ({ purpose, subject }: JsonObject): readonly Reference[] =>
  [purpose, subject].flatMap((each) => (isReference(each) ? [{ kind: each.kind, id: each.id }] : []));

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && 'kind' in value && 'id' in value;

/** Related resources that the view names. */
export function referencesOf(view: JsonObject): readonly Reference[] {
  const { id } = view;
  const byMember = Object.entries(named).flatMap(([member, kind]) => {
    const other = view[member];
    return typeof other === 'string' && other !== id ? [{ kind, id: other }] : [];
  });
  const all = [...wholeOf(view), ...byMember];
  return all.filter(({ id: one }, at) => all.findIndex((each) => each.id === one) === at);
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

/** What an order, lease or bid is for, a dispute is about, or an escrow belongs to. */
export const subjectOf = (kind: string, view: JsonObject): Reference | undefined =>
  listingOf(kind, view) ?? wholeOf(view)[0];
