/**
 * The worker thread of one audit. On Linux it runs at a lower priority than the threads that answer requests. It reports a
 * heartbeat between its steps, because its event loop rarely turns; the watchdog ends it when the heartbeat stops.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../core/error-message.js';
import { assert } from '../core/refusal.js';
import { showPulse } from '../core/threads.js';
import { catalogue } from '../machines/catalogue.js';
import { auditWithChain } from '../verify/audit-with-chain.js';
import { PrefixFile } from '../verify/verified-prefix.js';
import type { AuditThreadMessage, AuditThreadOrder } from './audit-job.js';
import { openJournal } from './store-choice.js';

const port = parentPort;
assert(port, 'runs in a worker thread');
const send = (message: AuditThreadMessage) => port.postMessage(message);

// Only Linux sets the priority of one thread; other systems would change the whole process's.
const niceness = 10;
if (process.platform === 'linux') setPriority(0, niceness);

/** Has a text signed by the main thread, which holds the key. */
function signed(text: string): Promise<string> {
  send({ sign: text });
  return new Promise((resolve) => port!.once('message', resolve));
}

async function run({ config, chain, isFull, node }: AuditThreadOrder): Promise<void> {
  const { journal } = await openJournal(config);
  try {
    const progress = (checked: number, total: number) => send({ checked, total });
    const { network, dataDir: dir } = config;
    const prefix = new PrefixFile({ dir, network, catalogue, signer: { did: node, sign: signed } });
    send({ report: await auditWithChain(journal, { network, chain, progress, prefix, isFull }) });
  } finally {
    await journal.close();
  }
}

showPulse();
run(workerData as AuditThreadOrder).catch((error: unknown) => send({ error: messageOf(error) }));
