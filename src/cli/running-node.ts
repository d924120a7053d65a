/** The node that runs on a data directory, read from the `api.json` that it writes when it starts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

export interface NodeProcess {
  /** Root URL of its API. */
  readonly url: string;
  readonly pid: number;
}

/** @returns undefined when no node runs, even if a killed one left its file */
export function runningNode(dataDir: string): NodeProcess | undefined {
  try {
    const text = readFileSync(join(dataDir, 'api.json'), 'utf8');
    const { url, pid, publicUrl } = JSON.parse(text) as NodeProcess & { readonly publicUrl?: string };
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
