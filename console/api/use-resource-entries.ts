/** The entries that wrote the versions of one resource, oldest first; of another home, those of its steps. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { spelledId } from '../format/format.ts';
import { readKey } from './key.ts';
import type { Problem } from './problem.ts';
import { asProblem, path, read, withQuery } from './read.ts';
import type { Entry, MachineHistory, Replies } from './types.ts';

const pageSize = 100;
/** Most entries that are read. A longer story is told up to here, and says so. */
export const mostEntries = 500;

/** Most that another home is asked for, one by one. */
export const mostElsewhere = 50;

export interface ResourceEntries {
  /** Those of the newest successful read; none before. */
  readonly entries: readonly Entry[];
  /** Why the newest read failed. */
  readonly problem: Problem | undefined;
  reload(): void;
}

const none: readonly Entry[] = [];

/** @param history when its version grows, the new entries are read */
export function useResourceEntries(history: MachineHistory): ResourceEntries {
  const { kind, id, version, home } = history;
  const [found, setFound] = useState<Omit<ResourceEntries, 'reload'> & { readonly of: string }>({ ...nothing, of: '' });
  const [turn, setTurn] = useState(0);
  const key = readKey.value;
  const of = `${kind}/${id}/${key ?? ''}`;
  useEffect(() => {
    const abort = new AbortController();
    const known = found.of === of ? found.entries : none;
    const reading =
      home === undefined ? readEntries(history, known, abort.signal) : readElsewhere(history, abort.signal);
    reading.then(
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
  { kind, id }: MachineHistory,
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

async function readElsewhere(history: MachineHistory, signal: AbortSignal): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const { eventHash } of history.steps.slice(0, mostElsewhere))
    entries.push(await read<Entry>(path`/api/v1/events/${spelledId(eventHash, history)}`, signal));
  return entries;
}
