/** The types of events and the kinds that filters of entries name (docs/reference/events-and-entries.md#reading-events). */
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { EventQuery, StoreReader } from '../../store/store.js';
import { nearest } from '../server/nearest-name.js';

const isOnlyWorkflow = (who: readonly string[] = []): boolean =>
  who.length > 0 && who.every((role) => role === 'workflow');

/** Those that entries can have: of requests, not of sub-commands. */
function typesIn({ definitions }: Catalogue): string[] {
  const steps = Object.values(definitions).flatMap((definition) => [
    ...(definition.form === 'machine' ? [definition.create] : []),
    ...Object.values(definition.actions),
  ]);
  const types = steps
    .filter(({ who }) => !isOnlyWorkflow(who))
    .flatMap((step) => {
      const { event, eventInPlace } = step as { readonly event: string; readonly eventInPlace?: string };
      return eventInPlace === undefined ? [event] : [event, eventInPlace];
    });
  return [...new Set(types)];
}

/** The types that `wanted` names, one by one or as patterns (`escrow.*`); INVALID_REQUEST for one that matches none. */
export function typesNamed(wanted: readonly string[], field: string, catalogue: Catalogue): string[] | Refusal {
  const types = typesIn(catalogue);
  const families = types.map((type) => `${type.slice(0, type.indexOf('.'))}.*`);
  const found = new Set<string>();
  for (const name of wanted) {
    const named = types.filter((type, at) => type === name || families[at] === name);
    if (named.length === 0)
      return unknown(field, `${name} is no type of event`, nearest(name, [...types, ...families]));
    for (const type of named) found.add(type);
  }
  return [...found];
}

/** INVALID_REQUEST for a kind that is none. */
export function unknownKind(kinds: readonly string[], field: string, { definitions }: Catalogue): Refusal | undefined {
  const known = Object.keys(definitions);
  const other = kinds.find((kind) => !known.includes(kind));
  return other === undefined ? undefined : unknown(field, `${other} is no kind`, nearest(other, known));
}

const unknown = (field: string, what: string, near: string | undefined): Refusal =>
  invalid(field, near === undefined ? what : `${what}; did you mean ${near}?`);

export type TypedFilter = Omit<EventQuery, 'type' | 'after' | 'before' | 'limit' | 'characters'> & {
  /** Absent: of any type. */
  readonly types?: readonly string[];
};

export interface AskedFilter {
  readonly issuer?: string;
  readonly resource?: string;
  /** Types and patterns, separated by commas. */
  readonly type?: string;
}

export function filterOf({ type, ...filter }: AskedFilter, catalogue: Catalogue): TypedFilter | Refusal {
  const [kind] = filter.resource?.split('/') ?? [];
  const other = kind === undefined ? undefined : unknownKind([kind], 'resource', catalogue);
  if (other || type === undefined) return other ?? filter;
  const types = typesNamed(
    type.split(',').map((each) => each.trim()),
    'type',
    catalogue,
  );
  return isRefusal(types) ? types : { ...filter, types };
}

/** Like `store.entries`, for several types. */
export async function entriesOfTypes(
  store: Pick<StoreReader, 'entries'>,
  { types, ...query }: TypedFilter & Omit<EventQuery, 'type'>,
): Promise<readonly NumberedEntry[]> {
  if (types === undefined) return store.entries(query);
  const { limit, characters, before } = query;
  const isUp = before === undefined;
  const sign = isUp ? 1 : -1;
  const each = characters === undefined ? {} : { characters: Math.ceil(characters / types.length) };
  let end = Number.POSITIVE_INFINITY;
  const read = async (type: string) => {
    const page = await store.entries({ ...query, ...each, type });
    const last = page.at(-1)?.seq;
    if (last === undefined || characters === undefined || page.length >= limit) return page;
    // If the page ended early, others may not go beyond its end, because what follows is unknown.
    const rest = await store.entries({ ...query, type, limit: 1, ...(isUp ? { after: last } : { before: last }) });
    if (rest.length > 0) end = Math.min(end, sign * last);
    return page;
  };
  const pages = await Promise.all(types.map(read));
  return pages
    .flat()
    .filter(({ seq }) => sign * seq <= end)
    .sort((a, b) => sign * (a.seq - b.seq))
    .slice(0, limit);
}
