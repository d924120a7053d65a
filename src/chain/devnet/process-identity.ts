/**
 * Who a process id belongs to. A pid file outlives its process, and the number goes to somebody else: nothing is ever
 * signalled that has not been looked at right before.
 */
import { readFileSync } from 'node:fs';

/** The words that a process was started with; undefined where it is gone, or the system doesn't tell. */
function commandLineOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    // A zombie has an empty one: it has ended already.
    return text === '' ? undefined : text.split('\0').slice(0, -1);
  } catch {
    return undefined; // no such process, or no /proc
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process runs with just these arguments, whatever its program is called. */
export function runsWith(pid: number, args: readonly string[]): boolean {
  const words = commandLineOf(pid);
  return (
    words !== undefined && words.length === args.length + 1 && args.every((arg, index) => words[index + 1] === arg)
  );
}
