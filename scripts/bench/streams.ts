/** Writes while no event stream is open, the most streams whose filter excludes everything, and the most that get all. */
import { bounds } from '../../src/core/bounds.js';
import { Child } from './support/child.js';
import { contest, cpuOf, startNode } from './support/contest.js';
import { founded } from './support/people.js';
import { atMost, percent, table } from './support/report.js';
import type { StreamQuestion } from './support/stream-process.js';

export async function streams(): Promise<void> {
  const { dir, people } = await founded();
  const { child, pid, url } = await startNode(dir);
  const consumers = new Child<StreamQuestion>('stream-process');
  const open = (query: string) => () => consumers.ask({ ask: 'open', url, query, count: bounds.streams });
  for (const lines of [people.length, 1]) {
    const writes = { site: { url, pid, people }, plan: { do: 'transfers' }, lines } as const;
    const { none, filtered, all } = await contest({
      none: { ...writes, before: () => consumers.ask({ ask: 'close' }) },
      filtered: { ...writes, before: open('?type=clock.corrected') },
      all: { ...writes, before: open('') },
    });
    const more = (outcome: typeof all) => outcome.ratio(none, cpuOf) - 1;
    table(`Writes on ${lines} connections, and event streams`, [
      ...none.figures('without streams'),
      ...filtered.figures(`${bounds.streams} whose filter nothing passes`),
      atMost('more CPU a write', more(filtered), 0.2, percent),
      ...all.figures(`${bounds.streams} that get everything`),
      atMost('more CPU a write', more(all), 0.2, percent),
    ]);
  }
  await Promise.all([child.stop(), consumers.stop()]);
}
