/** A read as component state: data, problem, and whether it is loading. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readKey } from './key.ts';
import type { Problem } from './problem.ts';
import { asProblem, read } from './read.ts';

export interface Reading<T> {
  /** The newest successful reply for this URL. A later failure keeps it. */
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  readonly loading: boolean;
  reload(): void;
}

interface ReadState<T> {
  readonly url: string | undefined;
  readonly data?: T | undefined;
  readonly problem?: Problem;
}

/** For lists, so that they show what is new: `everyMs`. */
export const listEveryMs = 5_000;

/** @param url undefined: nothing is read @param everyMs reads again this long after each answer, while the page is visible */
export function useRead<T>(url: string | undefined, everyMs?: number): Reading<T> {
  const [found, setFound] = useState<ReadState<T>>({ url: undefined });
  const [turn, setTurn] = useState(0);
  const key = readKey.value;
  const last = useRef<ReadState<T>>(found);
  last.current = found;

  useEffect(() => {
    if (url === undefined) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      if (everyMs !== undefined && !abort.signal.aborted) timer = setTimeout(look, everyMs);
    };
    const look = () => {
      if (document.hidden && last.current.url === url) return again();
      read<T>(url, abort.signal).then(
        (data) => {
          setFound({ url, data });
          again();
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          const kept = last.current.url === url ? last.current.data : undefined;
          setFound({ url, data: kept, problem: asProblem(error) });
          again();
        },
      );
    };
    look();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [url, everyMs, turn, key]);

  const reload = useCallback(() => setTurn((now) => now + 1), []);
  const current = found.url === url ? found : undefined;
  return { data: current?.data, problem: current?.problem, loading: url !== undefined && !current, reload };
}

/** A read of a resource that is repeated for each new version of it. */
export function useReadOf<T>(url: string | undefined, version: number, everyMs?: number): Reading<T> {
  const reading = useRead<T>(url, everyMs);
  const { reload } = reading;
  const last = useRef(version);
  useEffect(() => {
    if (last.current !== version) reload();
    last.current = version;
  }, [version, reload]);
  return reading;
}
