/** Transfers against the reference alone: the ratio that `test/speed` compares with the recorded one. */
import { Child } from './support/child.js';
import { contest, cpuOf, startNode } from './support/contest.js';
import { founded, scratch } from './support/people.js';
import type { ReferenceQuestion } from './support/reference.js';
import { atMost, table, times } from './support/report.js';

export async function ratio(): Promise<void> {
  const { dir, people } = await founded();
  const { child, pid, url } = await startNode(dir);
  const bare = new Child<ReferenceQuestion>('reference');
  const bareUrl = await bare.ask<string>({ ask: 'write', dir: await scratch() });
  const { reference, transfers } = await contest({
    reference: { site: { url: bareUrl, pid: bare.pid, people }, plan: { do: 'transfers' } },
    transfers: { site: { url, pid, people }, plan: { do: 'transfers' }, nodes: [child] },
  });
  await Promise.all([child.stop(), bare.stop()]);
  table('Transfers and the reference', [
    ...reference.figures('reference'),
    ...transfers.figures('transfer'),
    atMost('transfer: CPU, of the reference', transfers.ratio(reference, cpuOf), 2.3, times),
  ]);
}
