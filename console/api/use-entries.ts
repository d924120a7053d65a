/** The newest entries of the journal, or of one resource, updated from the event stream. */
import { useEffect, useState } from 'preact/hooks';
import { readKey } from './key.ts';
import type { Problem } from './problem.ts';
import { type ConnectionState, follow } from './stream.ts';
import type { Entry } from './types.ts';

export interface Entries {
  /** Newest first. */
  readonly entries: readonly Entry[];
  readonly standing: ConnectionState;
  readonly problem: Problem | undefined;
}

export interface WhichEntries {
  readonly resource?: string | undefined;
  /** Number of the last entry that is not wanted. While it is undefined, nothing is followed. */
  readonly after: number | undefined;
  /** How many entries are kept. */
  readonly keep: number;
}

const none: Entries = { entries: [], standing: 'connecting', problem: undefined };

export function useEntries({ resource, after, keep }: WhichEntries): Entries {
  const [found, setFound] = useState<Entries>(none);
  const key = readKey.value;

  useEffect(() => {
    if (after === undefined) return;
    setFound(none);
    const abort = new AbortController();
    // Entries of one animation frame are shown together, because a stream that catches up delivers many.
    let arrived: Entry[] = [];
    let drawing = 0;
    const draw = () => {
      drawing = 0;
      const fresh = arrived.reverse();
      arrived = [];
      setFound((now) => ({ ...now, entries: [...fresh, ...now.entries].slice(0, keep) }));
    };
    void follow({
      resource,
      after,
      signal: abort.signal,
      onEntry: (entry) => {
        arrived.push(entry);
        if (drawing === 0) drawing = requestAnimationFrame(draw);
      },
      onConnection: (standing, problem) => setFound((now) => ({ ...now, standing, problem })),
    });
    return () => {
      abort.abort();
      cancelAnimationFrame(drawing);
    };
  }, [resource, after, keep, key]);

  return found;
}
