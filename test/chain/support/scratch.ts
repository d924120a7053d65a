/** Directories that go away with the test. */
import { mkdtempSync, rmSync } from 'node:fs';
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
  for (const dir of directories.splice(0)) rmSync(dir, { recursive: true, force: true });
}
