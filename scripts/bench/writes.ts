/** Signed writes on 64 connections, durable before each reply, against a minimal server that does the same. */
import { Child } from './support/child.js';
import { contest, cpuOf, rateOf, startNode } from './support/contest.js';
import { founded, scratch } from './support/people.js';
import type { ReferenceQuestion } from './support/reference.js';
import { atLeast, atMost, count, micros, percent, perSecond, table, times } from './support/report.js';
import { inBatch } from './support/traffic.js';

export async function writes(): Promise<void> {
  const { dir, people } = await founded();
  const { child, pid, url } = await startNode(dir);
  const bare = new Child<ReferenceQuestion>('reference');
  const bareUrl = await bare.ask<string>({ ask: 'write', dir: await scratch() });
  const node = { site: { url, pid, people }, nodes: [child] };
  const { reference, transfers, batches, escrows, oneAccount, alone } = await contest({
    reference: { site: { url: bareUrl, pid: bare.pid, people }, plan: { do: 'transfers' } },
    transfers: { ...node, plan: { do: 'transfers' } },
    batches: { ...node, plan: { do: 'batches' }, lines: 4 },
    escrows: { ...node, plan: { do: 'escrows' } },
    oneAccount: { ...node, plan: { do: 'one-account' } },
    alone: { ...node, plan: { do: 'transfers' }, lines: 1 },
  });
  await Promise.all([child.stop(), bare.stop()]);
  table('Signed writes, durable', [
    ...reference.figures('reference'),
    { what: 'load generator: CPU an operation', measured: micros(transfers.median(({ ownMicros }) => ownMicros)) },
    ...transfers.figures('transfer'),
    atLeast('transfer: rate', transfers.rate, 1_500, perSecond),
    atLeast('transfer: rate, of the reference', transfers.ratio(reference, rateOf), 0.3, percent),
    atMost('transfer: CPU, of the reference', transfers.ratio(reference, cpuOf), 2.3, times),
    atLeast('transfer: entries an fsync', transfers.entriesPerCommit, 20, count),
    { what: `transfer in a batch of ${inBatch}: rate`, measured: perSecond(inBatch * batches.rate) },
    { what: `transfer in a batch of ${inBatch}: CPU`, measured: micros(batches.cpu / inBatch) },
    atLeast('transfer in a batch: rate, of single ones', inBatch * batches.ratio(transfers, rateOf), 2.5, times),
    atMost('transfer in a batch: CPU, of single ones', batches.ratio(transfers, cpuOf) / inBatch, 0.5, times),
    ...escrows.figures('escrow create + fund, release'),
    atLeast('escrow create + fund, release: rate', escrows.rate, 1_000, perSecond),
    ...oneAccount.figures('one account'),
    atLeast('one account: rate, of many accounts', oneAccount.ratio(transfers, rateOf), 0.9, percent),
    ...alone.figures('one client alone'),
  ]);
}
