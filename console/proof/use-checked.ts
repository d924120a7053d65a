/** Verifies entries in this browser, one after the other, as component state. */
import { useEffect, useState } from 'preact/hooks';
import type { Entry } from '../api/types.ts';
import { type Check, checkEntry } from './check-entry.ts';
import { journalHome } from './journal-home.ts';

/** Each entry is verified once, however often it is shown; the result is dropped with the entry. */
const known = new WeakMap<Entry, readonly Check[]>();

/** The checks of each entry; undefined while they run. @param home of all, if it is not this node’s */
export function useChecked(entries: readonly Entry[], home?: string): readonly (readonly Check[] | undefined)[] {
  const [, setDone] = useState(0);
  useEffect(() => {
    let left = false;
    const run = async () => {
      for (const entry of entries) {
        if (known.has(entry)) continue;
        known.set(entry, (await checkEntry(entry, await journalHome(home))).checks);
        if (left) return;
        setDone((before) => before + 1);
      }
    };
    void run();
    return () => {
      left = true;
    };
  }, [entries, home]);
  return entries.map((entry) => known.get(entry));
}
