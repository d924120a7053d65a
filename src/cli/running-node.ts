/** The node that runs on a data directory, by what it wrote to `api.json` when it began to answer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

export interface RunningNode {
  /** Root of its API. */
  readonly url: string;
  readonly pid: number;
}

/** undefined when none runs; a node that was killed leaves its file behind. */
export function runningNode(dataDir: string): RunningNode | undefined {
  try {
    const text = readFileSync(join(dataDir, 'api.json'), 'utf8');
    const { url, pid, publicUrl } = JSON.parse(text) as RunningNode & { readonly publicUrl?: string };
    return isAlive(pid) ? { url: publicUrl ?? url, pid } : undefined;
  } catch {
    return undefined; // no node ran here, or it stopped
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
