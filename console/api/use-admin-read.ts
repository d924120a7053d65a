/** A read with the admin key. Without a key it sends no request. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { adminKey } from './admin-key.ts';
import type { Problem } from './problem.ts';
import { ask, asProblem } from './read.ts';
import type { Reading } from './use-read.ts';

interface AdminFound<T> {
  readonly data?: T;
  readonly problem?: Problem;
}

export function useAdminRead<T>(url: string, everyMs?: number): Reading<T> {
  const [found, setFound] = useState<AdminFound<T>>({});
  const [turn, setTurn] = useState(0);
  const key = adminKey.value;
  useEffect(() => {
    if (key === undefined) return setFound({});
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const reply = await ask(url, { signal: abort.signal, headers: { 'X-Api-Key': key } });
        setFound({ data: (await reply.json()) as T });
      } catch (error) {
        if (abort.signal.aborted) return;
        setFound({ problem: asProblem(error) });
      }
      if (everyMs !== undefined && !abort.signal.aborted) timer = setTimeout(() => void look(), everyMs);
    };
    void look();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [url, key, everyMs, turn]);
  const reload = useCallback(() => setTurn((now) => now + 1), []);
  const loading = key !== undefined && found.data === undefined && found.problem === undefined;
  return { data: found.data, problem: found.problem, loading, reload };
}
