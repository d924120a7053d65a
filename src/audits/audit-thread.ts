/** The thread of one audit. It yields to those that answer requests, where the system lets a thread do so. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../machines/kernel/refusal.js';
import { openJournal } from '../store-choice.js';
import { auditBeside } from './audit-beside.js';
import type { ThreadNews, ThreadOrder } from './audit-job.js';

const port = parentPort;
assert(port, 'runs in a worker thread');
const tell = (news: ThreadNews) => port.postMessage(news);

// Only Linux has priorities of threads: elsewhere it would be the whole process's.
const politeness = 10;
if (process.platform === 'linux') setPriority(0, politeness);

async function run({ config, chain }: ThreadOrder): Promise<void> {
  const { journal } = await openJournal(config);
  try {
    const progress = (checked: number, total: number) => tell({ checked, total });
    tell({ report: await auditBeside(journal, { network: config.network, chain, progress }) });
  } finally {
    await journal.close();
  }
}

run(workerData as ThreadOrder).catch((error: unknown) =>
  tell({ trouble: error instanceof Error ? error.message : String(error) }),
);
