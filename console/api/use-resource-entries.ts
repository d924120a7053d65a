/** The entries that wrote the versions of one resource, oldest first. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { readKey } from './key.ts';
import type { Problem } from './problem.ts';
import { asProblem, read, withQuery } from './read.ts';
import type { Entry, Replies } from './types.ts';

const pageSize = 100;
/** Most entries that are read. A longer story is told up to here, and says so. */
export const mostEntries = 500;

export interface EntriesOf {
  readonly kind: string;
  readonly id: string;
  /** The resource's newest version: when it grows, the new entries are read. */
  readonly version: number;
}

export interface ResourceEntries {
  /** Those of the newest successful read; none before. */
  readonly entries: readonly Entry[];
  /** Why the newest read failed. */
  readonly problem: Problem | undefined;
  reload(): void;
}

const none: readonly Entry[] = [];

export function useResourceEntries({ kind, id, version }: EntriesOf): ResourceEntries {
  const [found, setFound] = useState<Omit<ResourceEntries, 'reload'> & { readonly of: string }>({ ...nothing, of: '' });
  const [turn, setTurn] = useState(0);
  const key = readKey.value;
  const of = `${kind}/${id}/${key ?? ''}`;
  useEffect(() => {
    const abort = new AbortController();
    const known = found.of === of ? found.entries : none;
    readEntries({ kind, id }, known, abort.signal).then(
      (entries) => setFound({ of, entries, problem: undefined }),
      (error: unknown) => {
        if (!abort.signal.aborted) setFound({ of, entries: known, problem: asProblem(error) });
      },
    );
    return () => abort.abort();
  }, [of, version, turn]);
  const reload = useCallback(() => setTurn((now) => now + 1), []);
  const { entries, problem } = found.of === of ? found : nothing;
  return { entries, problem, reload };
}

const nothing = { entries: none, problem: undefined };

async function readEntries(
  { kind, id }: Omit<EntriesOf, 'version'>,
  known: readonly Entry[],
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const entries = [...known];
  while (entries.length < mostEntries) {
    const query = { resource: `${kind}/${id}`, after: entries.at(-1)?.seq ?? 0, limit: pageSize };
    const page = await read<Replies['listEvents']>(withQuery('/api/v1/events', query), signal);
    entries.push(...page.events);
    if (!page.hasMore || page.events.length === 0) break;
  }
  return entries;
}
