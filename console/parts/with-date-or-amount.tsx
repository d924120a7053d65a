/** Links to the lists that the user has searched for, or to all, filtered by a date or an amount. */
import { signal } from '@preact/signals';
import { useMoreLists } from '../api/use-more-lists.ts';
import { startOfDate } from '../format/format.ts';
import { href, type RouteQuery } from '../shell/route.ts';

/** The search that led to the current page without a choice: a number can also be meant as an amount. */
export const searched = signal('');

/** `1,234` or `40 Tokens`, as people write it, without separators and unit. */
export function plainNumber(text: string): string {
  return /^(\d+|\d{1,3}([,’' \u00a0]\d{3})+)(\s*tokens?)?$/i.test(text) ? text.replace(/\D/g, '') : text;
}

/** The filter of the lists for a date or an amount; undefined for any other text. */
export function listFilter(text: string): RouteQuery | undefined {
  if (startOfDate(text) !== undefined) return { since: text, until: text };
  const number = plainNumber(text);
  return /^\d{1,15}$/.test(number) ? { min: number, max: number } : undefined;
}

/** Whether a text that is not a hash, DID or number should also be searched for in listings. */
export const isWords = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text) &&
  ![/^(0x)?[0-9a-f]{64}$/i, /^did:/i, /^svc1/i].some((form) => form.test(text)) &&
  listFilter(text) === undefined;

const shortestName = 3;
const lists = ['escrows', 'contracts', 'orders', 'leases', 'disputes', 'bids'] as const;

export function WithDateOrAmount({ text }: { text: string }) {
  const more = useMoreLists();
  const filter = listFilter(text);
  if (!more) return null;
  const all = [
    ...lists.map((path) => [path, path] as const),
    ...more.map(({ kind, title }) => [kind, title.toLowerCase()] as const),
  ];
  if (!filter) {
    const named = text.length < shortestName ? [] : all.filter(([, title]) => title.startsWith(text.toLowerCase()));
    return named.map(([path, title]) => (
      <p key={path}>
        <a href={href('lists', [path])}>List of {title}</a>
      </p>
    ));
  }
  return (
    <p>
      {filter.since ? 'Created on that date' : 'With that amount'}:{' '}
      {all.map(([path, title]) => (
        <span key={path}>
          <a href={href('lists', [path], filter)}>{title}</a>,{' '}
        </span>
      ))}
      <a href={href('ledger', ['journal'], filter)}>entries of the journal</a>.
    </p>
  );
}
