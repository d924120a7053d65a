/** The kinds that have a list, and what a row of each shows. */
import type { JsonObject, Replies } from '../../api/types.ts';
import { type MoreList, useMoreLists } from '../../api/use-more-lists.ts';
import { words } from '../../format/format.ts';
import { type Amounts, amountsIn } from '../../format/outcome.ts';
import { amountOf } from '../../parts/amount.ts';
import { type Reference, subjectOf } from '../../parts/references.ts';

type ListReply =
  | Replies['listEscrows']
  | Replies['listContracts']
  | Replies['listOrders']
  | Replies['listLeases']
  | Replies['listDisputes']
  | Replies['listBids'];

/** A row of any kind. Members that the kind does not have are absent. */
export interface ListRow {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly parties: readonly { readonly role: string; readonly did: string }[];
  readonly amount: number | undefined;
  readonly remaining: number | undefined;
  readonly amounts: Amounts;
  readonly subject: Reference | undefined;
  /** What was bought, leased or bid on; null if its text was erased. */
  readonly subjectTitle: string | null | undefined;
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
}

export interface ListedKind {
  /** Segment of the page's address. */
  readonly path: string;
  readonly title: string;
  readonly what: string;
  readonly url: string;
  /** Those of a substate with it: `created.lapsed`. */
  readonly statuses: readonly string[];
  readonly roles: readonly string[];
  readonly of: (page: ListReply) => readonly ListRow[];
}

interface Shown {
  readonly id: string;
  readonly status?: string;
  readonly state?: string;
  readonly substate?: string | null;
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly remaining?: number;
  readonly marketType?: string;
  readonly kind?: string;
  readonly title?: string | null;
}

const lineOf = (item: Shown, kind: string, roles: readonly string[]): ListRow => {
  const { id, createdAt, updatedAt, remaining, title: subjectTitle } = item;
  // The word of the resource's page: the API's status of some states has another one.
  const outer = item.state ?? item.status ?? '';
  const dids = item as unknown as { readonly [role: string]: unknown };
  const parties = roles.flatMap((role) => {
    const did = dids[role];
    return typeof did === 'string' ? [{ role, did }] : [];
  });
  const state = item.substate ? `${outer}.${item.substate}` : outer;
  const view = item as unknown as JsonObject;
  const subject = subjectOf(kind, view);
  const sums = { amount: amountOf(view), remaining, amounts: amountsIn(view) };
  return { id, kind, state, parties, ...sums, subject, subjectTitle, createdAt, updatedAt };
};

type ListsByName = { readonly [name: string]: readonly Shown[] };
const itemsOf = (page: ListReply, name: string): readonly Shown[] => (page as unknown as ListsByName)[name] ?? [];

const kindOf = (
  path: string,
  title: string,
  more: Omit<ListedKind, 'path' | 'title' | 'what' | 'url' | 'of'> & { kind: string; url?: string },
): ListedKind => ({
  ...{ path, title, what: path, url: more.url ?? `/api/v1/${path}`, statuses: more.statuses, roles: more.roles },
  of: (page) => itemsOf(page, path).map((item) => lineOf(item, item.kind ?? more.kind, more.roles)),
});

const ordersOf = (page: ListReply): readonly ListRow[] =>
  itemsOf(page, 'orders').map((item) => {
    const kind = item.kind ?? `${item.marketType ?? 'info'}-order`;
    return lineOf(item, kind, ['buyer', 'seller']);
  });

export const describedKinds: readonly ListedKind[] = [
  kindOf('escrows', 'Escrows', {
    kind: 'escrow',
    statuses: [
      ...['created', 'created.open', 'created.cancelled', 'created.lapsed'],
      ...['funded', 'released', 'refunded', 'expired'],
    ],
    roles: ['depositor', 'beneficiary', 'arbiter'],
  }),
  kindOf('contracts', 'Contracts', {
    kind: 'contract',
    statuses: [
      ...['draft', 'signed', 'active', 'active.ongoing', 'active.consented'],
      ...['completed', 'terminated', 'disputed'],
    ],
    roles: ['client', 'provider'],
  }),
  {
    ...{ path: 'orders', title: 'Orders', what: 'orders', url: '/api/v1/orders', of: ordersOf },
    statuses: ['pending', 'paid', 'open', 'accepted', 'delivered', 'confirmed', 'reviewed', 'cancelled', 'disputed'],
    roles: ['buyer', 'seller'],
  },
  kindOf('leases', 'Leases', {
    url: '/api/v1/markets/capabilities/leases',
    kind: 'lease',
    statuses: ['active', 'paused', 'exhausted', 'expired', 'terminated'],
    roles: ['lessee', 'lessor'],
  }),
  kindOf('disputes', 'Disputes', {
    kind: 'dispute',
    statuses: ['open', 'resolved'],
    roles: ['client', 'provider', 'arbiter'],
  }),
  kindOf('bids', 'Bids', {
    kind: 'bid',
    url: '/api/v1/markets/tasks/bids',
    statuses: ['submitted', 'accepted', 'rejected', 'withdrawn'],
    roles: ['bidder', 'requester'],
  }),
];

const addedKind = ({ kind, name, title, url, roles, statuses }: MoreList): ListedKind => ({
  ...{ path: kind, title, what: words(name), url, statuses, roles },
  of: (page) => itemsOf(page, name).map((item) => lineOf(item, item.kind ?? kind, roles)),
});

/** The lists above, and those of other kinds of the node: undefined until these are known. */
export function useListedKinds(): readonly ListedKind[] | undefined {
  const more = useMoreLists();
  return more && [...describedKinds, ...more.map(addedKind)];
}
