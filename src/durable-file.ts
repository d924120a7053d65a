/**
 * Small private files that survive a crash: temporary file, fsync, rename, fsync of the folder.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes `content` under mode 0600; after a crash the name shows the old content or the whole new one. */
export async function writeFileDurably(file: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(file);
  const temporary = join(folder, `.${basename(file)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/**
 * Makes a folder (0700) and what is missing above it; one that is there keeps its mode. Not `mkdir` with `recursive`, which
 * never ends where a file system answers ENOENT below a folder that exists, as /proc does.
 * @returns the topmost folder that was made
 */
export function makeFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if (existsSync(folder) && statSync(folder).isDirectory()) return undefined;
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || existsSync(above)) throw error;
    const topmost = makeFolder(above);
    return makeFolder(folder) && (topmost ?? folder);
  }
}

/** A file's name is only as durable as its folder. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
