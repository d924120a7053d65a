/** Directories that go away with the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directories: string[] = [];
const endings: (() => Promise<unknown>)[] = [];

/** A new directory, private as data directories are. */
export function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'svc-test-'));
  directories.push(dir);
  return dir;
}

/** Has each tidy() end something first: the processes that write to the directories. */
export function beforeTidying(end: () => Promise<unknown>): void {
  endings.push(end);
}

/** For `after`: ends what a failed test left running, and removes what it wrote. */
export async function tidy(): Promise<void> {
  await Promise.all(endings.map((end) => end()));
  for (const dir of directories.splice(0)) rmSync(dir, { recursive: true, force: true });
}
