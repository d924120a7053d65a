/**
 * The worker thread of one audit. On Linux it runs at a lower priority than the threads that answer requests. It reports a
 * heartbeat between its steps, because its event loop rarely turns; the watchdog ends it when the heartbeat stops.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../core/error-message.js';
import { assert } from '../core/refusal.js';
import { showPulse } from '../core/threads.js';
import { auditWithChain } from '../verify/audit-with-chain.js';
import type { AuditThreadMessage, AuditThreadOrder } from './audit-job.js';
import { openJournal } from './store-choice.js';

const port = parentPort;
assert(port, 'runs in a worker thread');
const send = (message: AuditThreadMessage) => port.postMessage(message);

// Only Linux sets the priority of one thread; other systems would change the whole process's.
const niceness = 10;
if (process.platform === 'linux') setPriority(0, niceness);

async function run({ config, chain }: AuditThreadOrder): Promise<void> {
  const { journal } = await openJournal(config);
  try {
    const progress = (checked: number, total: number) => send({ checked, total });
    send({ report: await auditWithChain(journal, { network: config.network, chain, progress }) });
  } finally {
    await journal.close();
  }
}

showPulse();
run(workerData as AuditThreadOrder).catch((error: unknown) => send({ error: messageOf(error) }));
