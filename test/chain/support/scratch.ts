/** Directories, and processes started in them, that go away with the test. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directories: string[] = [];

export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'svc-chain-'));
  directories.push(dir);
  return dir;
}

/** For `after`. */
export function tidy(): void {
  for (const dir of directories.splice(0)) {
    endAnvil(dir);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The one that a killed node, or a failed test, has left in a chain's folder; the file is ours, in a directory of ours. */
export function endAnvil(folder: string): void {
  const pid = anvilPid(folder);
  if (pid !== undefined) killQuietly(pid);
}

export function anvilPid(folder: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, 'anvil.json'), 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined;
  }
}

function killQuietly(pid: number): void {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--chain-id')) process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
