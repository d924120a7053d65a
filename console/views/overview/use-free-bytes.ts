/** Free bytes of the store's disk: the only number that the console reads from the metrics. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../api/read.ts';

const everyMs = 60_000;

export function useFreeBytes(): number | undefined {
  const [free, setFree] = useState<number | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    const look = async () => {
      const reply = await ask('/metrics', { signal: abort.signal, headers: { Accept: 'text/plain' } }).catch(
        () => undefined,
      );
      const line = ((await reply?.text()) ?? '').split('\n').find((each) => each.startsWith('svc_store_free_bytes '));
      const bytes = line?.split(' ')[1];
      const found = Number(bytes ?? Number.NaN);
      if (!abort.signal.aborted) setFree(Number.isFinite(found) ? found : undefined);
    };
    void look();
    const timer = setInterval(() => void look(), everyMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, []);
  return free;
}
