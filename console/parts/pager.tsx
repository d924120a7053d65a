/** Pages of a list. Each page has an address, so that the browser's back button works. */
import type { Pagination } from '../api/types.ts';
import { count } from '../format/format.ts';
import { href, type RouteQuery } from '../shell/route.ts';

interface PagerProps {
  readonly pagination: Pagination;
  /** Elements on this page. */
  readonly shown: number;
  /** What the list contains, in plural: `accounts`. */
  readonly what: string;
  /** View and segments of the list's address. */
  readonly view: string;
  readonly segments?: readonly string[];
  readonly query: URLSearchParams;
}

/** The position in the list, from the address. */
export const placeOf = (query: URLSearchParams): { after: string | undefined; from: number } => ({
  after: query.get('after') ?? undefined,
  from: Math.max(0, Number(query.get('from')) || 0),
});

/** The address's parameters without the position in the list. */
export function withoutPlace(query: URLSearchParams): RouteQuery {
  const { after: _, from: __, ...rest } = Object.fromEntries(query);
  return rest;
}

export function Pager({ pagination, shown, what, view, segments = [], query }: PagerProps) {
  const { total, after } = pagination;
  const { from } = placeOf(query);
  const rest = withoutPlace(query);
  const isNarrowed = Object.entries(rest).some(([name, value]) => name !== 'sort' && value !== '');
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <p class="number faint" role="status">
        {shown === 0
          ? `No ${what}${isNarrowed ? ' with these filters' : ''}`
          : total === 1
            ? `1 ${what.replace(/(ie)?s$/, (end) => (end === 'ies' ? 'y' : ''))}`
            : `${count(from + 1)} to ${count(from + shown)} of ${count(total)} ${what}`}
      </p>
      <p class="buttons">
        {from > 0 && <a href={href(view, segments, rest)}>First page</a>}
        {after !== null && <a href={href(view, segments, { ...rest, after, from: from + shown })}>Next page</a>}
      </p>
    </nav>
  );
}
