/** Filters of a list: from the page's address to the parameters of the API. */
import type { Query } from '../../api/read.ts';
import { endOfDate, startOfDate } from '../../format/format.ts';
import { stateText } from '../../format/states.ts';
import type { FilterField } from '../../parts/filter-form.tsx';
import type { ColumnOrder } from '../../parts/layout.tsx';
import { withoutPlace } from '../../parts/pager.tsx';
import { href } from '../../shell/route.ts';
import type { ListedKind } from './kinds.ts';

const sorts = [
  ['', 'Newest'],
  ['oldest', 'Oldest'],
  ['updated', 'Last changed'],
  ['amount_desc', 'Largest amount'],
  ['amount_asc', 'Smallest amount'],
] as const;

/** By column: its sorts, the one that the head of the column chooses first coming first. */
const descending = { Amount: ['amount_desc'], Times: ['', 'updated'] };
const ascending = { Amount: 'amount_asc', Times: 'oldest' };

export function columnOrders(path: string, query: URLSearchParams): { readonly [column: string]: ColumnOrder } {
  const sort = query.get('sort') ?? '';
  const to = (next: string) => href('lists', [path], { ...withoutPlace(query), sort: next });
  const orderOf = (column: keyof typeof ascending): ColumnOrder => {
    if (descending[column].includes(sort)) return { now: 'descending', next: to(ascending[column]) };
    return { now: sort === ascending[column] ? 'ascending' : 'none', next: to(descending[column][0]!) };
  };
  return { Amount: orderOf('Amount'), Times: orderOf('Times') };
}

const asChoices = (any: string, values: readonly string[]) =>
  [['', any], ...values.map((value) => [value, stateText(value)] as const)] as const;

export const fieldsOf = ({ statuses, roles }: ListedKind): readonly FilterField[] => [
  { name: 'did', label: 'Party', type: 'party', placeholder: 'name, DID or svc1…', wide: true },
  { name: 'role', label: 'Its role', type: 'choice', choices: asChoices('Any', roles) },
  { name: 'status', label: 'State', type: 'choice', choices: asChoices('Any', statuses) },
  { name: 'since', label: 'Created from', type: 'date' },
  { name: 'until', label: 'Created to', type: 'date' },
  { name: 'min', label: 'Amount from', type: 'number' },
  { name: 'max', label: 'Amount to', type: 'number' },
  { name: 'sort', label: 'Order', type: 'choice', choices: sorts },
];

/** An invalid date in the address is ignored. */
export function apiQuery(query: URLSearchParams): Query {
  const given = (name: string) => query.get(name) || undefined;
  const [status, substate] = given('status')?.split('.') ?? [];
  const until = endOfDate(given('until') ?? '');
  return {
    did: given('did'),
    role: given('did') && given('role'),
    ...{ status, substate },
    sort: given('sort'),
    createdFrom: startOfDate(given('since') ?? ''),
    createdTo: until === undefined ? undefined : until - 1,
    minAmount: given('min'),
    maxAmount: given('max'),
  };
}
