/** The entries that wrote the versions of one resource, oldest first. */
import { useEffect, useState } from 'preact/hooks';
import { readKey } from './key.ts';
import { read, withQuery } from './read.ts';
import type { Entry, Replies } from './types.ts';

const pageSize = 100;
/** Most entries that are read: a longer story starts with these and leaves the rest out. */
export const mostEntries = 500;

export interface EntriesOf {
  readonly kind: string;
  readonly id: string;
  readonly home: string | undefined;
  /** The resource's newest version: when it grows, the new entries are read. */
  readonly version: number;
}

/** Undefined until the entries are read, or if they cannot be read. The page then leaves out what they would add. */
export function useResourceEntries({ kind, id, home, version }: EntriesOf): readonly Entry[] | undefined {
  const [found, setFound] = useState<{ readonly of: string; readonly entries: readonly Entry[] }>();
  const key = readKey.value;
  const of = `${kind}/${id}/${home ?? ''}/${key ?? ''}`;
  useEffect(() => {
    const abort = new AbortController();
    const known = found?.of === of ? found.entries : [];
    readEntries({ kind, id, home }, known, abort.signal).then(
      (entries) => setFound({ of, entries }),
      () => {}, // the history on the same page shows why nothing can be read
    );
    return () => abort.abort();
  }, [of, version]);
  return found?.of === of ? found.entries : undefined;
}

async function readEntries(
  { kind, id, home }: Omit<EntriesOf, 'version'>,
  known: readonly Entry[],
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const entries = [...known];
  while (entries.length < mostEntries) {
    const query = { resource: `${kind}/${id}`, home, after: entries.at(-1)?.seq ?? 0, limit: pageSize };
    const page = await read<Replies['listEvents']>(withQuery('/api/v1/events', query), signal);
    entries.push(...page.events);
    if (!page.hasMore || page.events.length === 0) break;
  }
  return entries;
}
