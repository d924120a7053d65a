/**
 * The kernel's figures for a process's threads: how long they ran, and how long they were ready but waited for a processor. A
 * test on a busy machine subtracts the waiting time, which leaves the program's own. 0 on systems other than Linux.
 */
import { readdirSync, readFileSync } from 'node:fs';

interface Scheduled {
  readonly ranMs: number;
  readonly waitedMs: number;
}

function scheduledIn(folder: string): Scheduled {
  try {
    const [ran = 0, waited = 0] = readFileSync(`${folder}/schedstat`, 'latin1').split(' ').map(Number);
    return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
  } catch {
    // Not Linux, or the thread has just ended.
    return { ranMs: 0, waitedMs: 0 };
  }
}

/** Time that a process's event loop, and the calling thread, waited for a processor. */
export const waitedMs = (pid: number): number =>
  scheduledIn(`/proc/${pid}/task/${pid}`).waitedMs + scheduledIn('/proc/thread-self').waitedMs;

/** CPU time of all threads of a process. */
export function ranMs(pid: number): number {
  const threads = `/proc/${pid}/task`;
  let sum = 0;
  for (const thread of readdirSync(threads)) sum += scheduledIn(`${threads}/${thread}`).ranMs;
  return sum;
}
