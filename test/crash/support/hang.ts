/** Loaded into each thread of a node: blocks the event loop of the thread that the file SVC_TEST_HANG names. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { threadId, workerData } from 'node:worker_threads';

const file = process.env.SVC_TEST_HANG ?? '';

/** The thread of an audit turns its event loop only while it starts. */
const isAudit = workerData?.config !== undefined;
const isWatched = () => Atomics.load(workerData.pulse, 0) > 0;

setInterval(
  () => {
    if (!existsSync(file)) return;
    const [thread, how] = readFileSync(file, 'utf8').split(' ');
    if (thread === 'audit' ? !isAudit || !isWatched() : Number(thread) !== threadId) return;
    // Atomics.wait ends when the thread is terminated; a system call does not.
    if (how === 'native') execFileSync('sleep', ['60']);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  isAudit ? 1 : 200,
).unref();
