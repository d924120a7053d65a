/** All steps of one resource, followed while its page is open. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { readKey } from './key.ts';
import type { Problem } from './problem.ts';
import { asProblem, path, read, withQuery } from './read.ts';
import { type ConnectionState, follow } from './stream.ts';
import type { MachineHistory, MachineStep } from './types.ts';

export interface FollowedHistory {
  readonly history: MachineHistory | undefined;
  readonly problem: Problem | undefined;
  readonly standing: ConnectionState;
  reload(): void;
}

const pageSize = 100;
/** Most steps that are read. A longer history is shown up to here, and the page says so. */
export const longestHistory = 2_000;

/** @param known steps that were read before; only later ones are requested */
async function readHistory(
  kind: string,
  id: string,
  signal: AbortSignal,
  known: readonly MachineStep[] = [],
): Promise<MachineHistory> {
  let steps = known;
  for (;;) {
    const query = { limit: pageSize, after: steps.at(-1)?.seq };
    const page = await read<MachineHistory>(withQuery(path`/api/v1/machines/${kind}/${id}/history`, query), signal);
    steps = [...steps, ...page.steps];
    // One of another home is read on by the id that names its home.
    if (!page.hasMore || steps.length >= longestHistory)
      return { ...page, steps, id: page.home === undefined ? page.id : id };
  }
}

export function useHistory(kind: string, id: string | undefined): FollowedHistory {
  const [found, setFound] = useState<{ of: string; history?: MachineHistory | undefined; problem?: Problem }>({
    of: '',
  });
  const [standing, setStanding] = useState<ConnectionState>('connecting');
  const [turn, setTurn] = useState(0);
  const key = readKey.value;
  const of = `${kind}/${id}`;

  useEffect(() => {
    if (id === undefined) return;
    const abort = new AbortController();
    const { signal } = abort;
    let history: MachineHistory | undefined;
    let reading = Promise.resolve();
    const look = async (): Promise<void> => {
      try {
        history = await readHistory(kind, id, signal, history?.steps);
        setFound({ of, history });
      } catch (error) {
        if (!signal.aborted) setFound({ of, history, problem: asProblem(error) });
      }
    };
    const begin = async (): Promise<void> => {
      await look();
      // Only the node’s own journal is followed.
      if (!history || history.home !== undefined) return;
      await follow({
        resource: of,
        after: history.steps.at(-1)?.seq ?? 0,
        signal,
        onEntry: () => {
          reading = reading.then(look);
        },
        onConnection: setStanding,
      });
    };
    void begin();
    return () => abort.abort();
  }, [kind, id, of, turn, key]);

  const reload = useCallback(() => setTurn((now) => now + 1), []);
  const current = found.of === of ? found : undefined;
  return { history: current?.history, problem: current?.problem, standing, reload };
}
