/**
 * The columns of tables: chosen for each kind (id, status, what, amount, who, when), else the most informative members.
 */
import { isJsonObject } from '../../core/canonical.js';
import type { ReportItem } from './values.js';

export interface TableColumn {
  readonly heading: string;
  /** Name of the member, which determines how a value is formatted, for example as a time. */
  readonly name: string;
  readonly valueOf: (item: ReportItem) => unknown;
}

type ColumnSource = string | ((item: ReportItem) => unknown);

const memberOf = (item: ReportItem, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), item);

/** The state as a user needs it: a cancelled escrow's definition still calls it `created`. */
function stateOf({ status, state, substate, lapsed }: ReportItem): unknown {
  const parts = [state ?? status, typeof substate === 'string' ? substate.split('.').at(-1) : undefined];
  if (lapsed === true) parts.push('lapsed');
  return [...new Set(parts.filter((part) => typeof part === 'string'))].join(' · ') || null;
}

export function priceOf({ pricing, price }: ReportItem): unknown {
  if (!isJsonObject(pricing)) return price;
  const { usagePrice, subscriptionPrice, priceRange } = pricing;
  if (isJsonObject(usagePrice)) return `${usagePrice.pricePerUnit} / ${usagePrice.unit}`;
  if (isJsonObject(subscriptionPrice)) return `${subscriptionPrice.price} / ${subscriptionPrice.period}`;
  if (isJsonObject(priceRange)) return `${priceRange.min} – ${priceRange.max}`;
  return pricing.price ?? pricing.fixedPrice ?? pricing.amount ?? pricing.budget;
}

function milestonesOf({ milestones }: ReportItem): unknown {
  if (!Array.isArray(milestones)) return undefined;
  const approved = milestones.filter((each) => isJsonObject(each) && each.status === 'approved');
  return `${approved.length} of ${milestones.length}`;
}

/** What an escrow holds or reserves. */
const leftOf = ({ status, lapsed, amount, remaining }: ReportItem): unknown =>
  status === 'created' && lapsed !== true ? amount : remaining;

/** What a contract locks or, before it is active, will lock. */
const agreedOf = ({ amount, payment }: ReportItem): unknown =>
  amount === 0 && isJsonObject(payment) ? (payment.totalAmount ?? amount) : amount;

/** The Tokens that a step moved from one account to another. */
function movedBy({ postings }: ReportItem): unknown {
  const amounts = (postings as readonly [account: string, change: number][]).map(([, change]) => Math.max(0, change));
  return amounts.reduce((sum, amount) => sum + amount, 0) || null;
}

/** Which roles may take an action, and why the others may not. */
const rolesOf =
  (permitted: boolean, name: string) =>
  ({ roles }: ReportItem): unknown => {
    const found = (Array.isArray(roles) ? roles : []).filter(
      (each) => isJsonObject(each) && each.permitted === permitted,
    );
    return [...new Set(found.map((each) => (each as ReportItem)[name]))].join(', ') || null;
  };

const chosen: { readonly [list: string]: { readonly [heading: string]: ColumnSource } } = {
  escrows: {
    ...{ ESCROW: 'escrowId', STATUS: stateOf, TITLE: 'title', AMOUNT: 'amount', LEFT: leftOf },
    ...{ FROM: 'depositor', TO: 'beneficiary', CREATED: 'createdAt' },
  },
  contracts: {
    ...{
      CONTRACT: 'contractId',
      STATUS: stateOf,
      TITLE: 'title',
      AMOUNT: agreedOf,
      RELEASED: 'released',
      MILESTONES: milestonesOf,
    },
    ...{ CLIENT: 'client', PROVIDER: 'provider', UPDATED: 'updatedAt' },
  },
  disputes: {
    ...{
      DISPUTE: 'disputeId',
      STATUS: stateOf,
      TITLE: 'title',
      AMOUNT: 'amount',
      ABOUT: ({ contractId, orderId }) => contractId ?? orderId,
    },
    ...{ 'OPENED BY': 'openedBy', REASON: 'reason', OPENED: 'createdAt' },
  },
  orders: {
    ...{ ORDER: 'orderId', STATUS: stateOf, TITLE: 'title', MARKET: 'marketType', PRICE: 'price' },
    ...{ BUYER: 'buyer', SELLER: 'seller', CREATED: 'createdAt' },
  },
  leases: {
    ...{ LEASE: 'leaseId', STATUS: stateOf, TITLE: 'title', PRICE: 'unitPrice', RELEASED: 'released' },
    ...{ LEFT: 'remaining', LESSEE: 'lessee', LESSOR: 'lessor', ENDS: 'endsAt' },
  },
  listings: {
    ...{ LISTING: 'listingId', STATUS: stateOf, TITLE: 'title', PRICE: priceOf },
    ...{ MARKET: 'marketType', BY: 'seller', CREATED: 'createdAt', HOME: 'home' },
  },
  bids: {
    ...{ BID: 'bidId', STATUS: stateOf, PRICE: priceOf, BIDDER: 'bidder', TITLE: 'title', TASK: 'taskId' },
    CREATED: 'createdAt',
  },
  transactions: {
    ...{ ENTRY: 'seq', WHAT: ({ op, type }) => op ?? type, AMOUNT: 'amount', FROM: 'from', TO: 'to' },
    ...{ STATUS: 'status', TIME: 'timestamp' },
  },
  wallets: {
    ...{ DID: 'did', BALANCE: 'balance', AVAILABLE: 'availableBalance', RESERVED: 'reserved', ESCROWED: 'escrowed' },
    FROZEN: 'frozen',
  },
  events: { ENTRY: 'seq', TYPE: 'event.type', BY: 'event.issuer', HASH: 'event.hash', TIME: 'time' },
  leaves: { LEAF: 'leaf', AT: 'pointer', BYTES: 'size', ERASED: 'erased', EVENT: 'eventHash' },
  steps: {
    ...{ STEP: 'step', ACTION: 'action', FROM: 'from', TO: 'to', AMOUNT: movedBy },
    ...{ RULE: 'rule', AS: 'role', BY: 'signer', REASON: 'reason', TIME: 'recordedAt', ENTRY: 'seq' },
  },
  reviews: {
    REVIEW: 'id',
    RATING: 'rating',
    OF: 'target',
    BY: 'issuer',
    ABOUT: 'dimension',
    COMMENT: 'comment',
    TIME: 'createdAt',
  },
  webhooks: {
    WEBHOOK: 'id',
    STATUS: 'status',
    URL: 'url',
    WAITING: 'waiting',
    DELIVERED: 'deliveredAt',
    LABEL: 'label',
  },
  deliveries: {
    DELIVERY: 'id',
    OUTCOME: 'outcome',
    TYPE: 'type',
    ENTRY: 'seq',
    ATTEMPT: 'attempt',
    HTTP: 'status',
    TIME: 'sentAt',
  },
  apiKeys: {
    KEY: 'id',
    STATUS: 'status',
    SCOPE: 'scope',
    LABEL: 'label',
    PREFIX: 'prefix',
    EXPIRES: 'expiresAt',
    'LAST USED': 'lastUsedAt',
  },
  peers: {
    ...{ PEER: 'did', STATUS: 'status', CONNECTED: 'direction', FOLLOWED: 'followed' },
    ...{ BEHIND: ({ head, followed }) => Math.max(0, Number(head) - Number(followed)), 'LAG MS': 'lagMs' },
    ...{ MIRRORED: 'mirrored', KEPT: 'kept' },
  },
  acts: { ACT: 'act', OUTCOME: 'outcome', BY: 'by', TIME: 'createdAt', ID: 'id' },
  actions: {
    ACTION: 'action',
    PERMITTED: rolesOf(true, 'role'),
    REFUSED: rolesOf(false, 'role'),
    WHY: rolesOf(false, 'code'),
  },
};

/** @param name of the list in the reply */
export function columnsOf(name: string, items: readonly ReportItem[]): readonly TableColumn[] {
  const table = Object.hasOwn(chosen, name) ? chosen[name] : undefined;
  const isFitting = (column: TableColumn) => items.some((item) => column.valueOf(item) !== undefined);
  const columns = Object.entries(table ?? {}).map(([heading, source]) => columnOf(heading, source));
  // A list with other members under the same name gets separate columns: at least id and status must exist.
  if (columns.length > 0 && columns.filter(isFitting).length > 1) return columns.filter(isFitting);
  return informativeColumns(items);
}

const columnOf = (heading: string, source: ColumnSource): TableColumn =>
  typeof source === 'string'
    ? { heading, name: source.split('.').at(-1) ?? source, valueOf: (item) => memberOf(item, source) }
    : { heading, name: heading.toLowerCase(), valueOf: source };

/** Members in order of importance, without nested ones and duplicates, which `--json` and `get` show. */
const importance = [
  /Id$/,
  /^(id|hash|prefix|kind|code|name|label|title)$/,
  /^(status|state|type|scope|action|dimension)$/,
  /^(amount|price|score|rating|remaining|balance|total)$/,
  /^(from|to|issuer|did|by|signer)$/,
  /^(at|time|timestamp|createdAt)$/,
  /At$/,
];
const mostColumns = 7;

function informativeColumns(items: readonly ReportItem[]): readonly TableColumn[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].filter((name) =>
    items.some((item) => item[name] !== null && typeof item[name] !== 'object'),
  );
  const isRepeated = (name: string) =>
    names.some((other) => other.endsWith('Id') && items.every((item) => item[other] === item[name]));
  const rank = (name: string) => {
    const index = importance.findIndex((pattern) => pattern.test(name));
    return index < 0 ? importance.length : index;
  };
  return names
    .filter((name) => name.endsWith('Id') || !isRepeated(name))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, mostColumns)
    .map((name) => columnOf(headingOf(name), name));
}

export const headingOf = (name: string): string => name.replace(/(?<=[a-z])([A-Z])/g, ' $1').toUpperCase();
