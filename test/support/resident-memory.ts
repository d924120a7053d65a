import { readFileSync } from 'node:fs';

/** Resident memory of a process in MiB. 0 on systems other than Linux, where memory is not observed. */
export function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
