/** Directories that are removed after the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directories: string[] = [];
const endings: (() => Promise<unknown>)[] = [];

/** A new directory with mode 0700, like a data directory. */
export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'svc-test-'));
  directories.push(dir);
  return dir;
}

/** Registers what each tidy() must end first: processes that write to the directories. */
export function beforeTidying(end: () => Promise<unknown>): void {
  endings.push(end);
}

/** For `after`: ends what a failed test left running, and removes the directories. */
export async function tidy(): Promise<void> {
  await Promise.all(endings.map((end) => end()));
  for (const dir of directories.splice(0)) rmSync(dir, { recursive: true, force: true });
}
