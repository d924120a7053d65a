/** Checks that entries contain all versions of one resource from the first on, each naming the previous one. */
import type { Entry } from '../api/types.ts';

type Versioned = Pick<Entry, 'versions' | 'event'>;

export function versionsLinked(entries: readonly Versioned[], kind: string, id: string): boolean {
  let before: string | null = null;
  return entries.every(({ versions, event }, at) => {
    const found = versions.find((each) => each.kind === kind && each.id === id);
    const follows = found?.version === at + 1 && found.prev === before;
    before = event.hash;
    return follows;
  });
}
