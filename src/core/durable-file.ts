/**
 * Small private files that survive a crash: temporary file, fsync, rename, fsync of the folder.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** Writes `content` under mode 0600; after a crash the name shows the old content or the whole new one. */
export async function writeFileDurably(file: string, content: string | Uint8Array): Promise<void> {
  await replaceFile(file, content);
  await syncFolder(dirname(file));
}

/** Likewise, except that the new content stays only once its folder is synced. */
export async function replaceFile(file: string, content: string | Uint8Array | AsyncIterable<string>): Promise<void> {
  const folder = dirname(file);
  const temporary = join(folder, `.${basename(file)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await writeFile(handle, content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes a new file under mode 0600. Never replaces one, because it may be the only copy of a key: then EEXIST. */
export async function createPrivateFile(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(file));
}

/**
 * Makes a folder (0700) and its missing parents; an existing one keeps its mode. Not `mkdir` with `recursive`, which
 * never ends if a file system answers ENOENT below an existing folder, as /proc does.
 * @returns the topmost folder that was made
 */
export function makeFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    if (existsSync(folder) && statSync(folder).isDirectory()) return undefined;
    const above = dirname(folder);
    if (!isMissing(error) || existsSync(above)) throw error;
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

/** Names of the node's own files in its data directory. One that is a symbolic link would be written through. */
const ownNames = [
  'journal.db',
  'journal.db-wal',
  'journal.db-shm',
  'lock.db',
  'lock.pid',
  'node.json',
  'api.json',
  'clock.json',
  'audited',
].concat(['control.sock', 'passphrase', 'keystore', 'chain', 'mirrors']);

/**
 * Why other users may write to a data directory, and how to fix it; undefined if they may not, or it does not exist
 * yet.
 */
export function strangersIn(dir: string, what = 'the data directory'): string | undefined {
  const mine = process.getuid?.();
  if (mine === undefined) return undefined;
  const above = openAbove(dir);
  if (above !== undefined) {
    return `every user may replace ${what} ${dir}, because ${above} is open to all: close it with chmod o-w ${above}`;
  }
  if (!existsSync(dir)) return undefined;
  const { uid, mode } = statSync(dir);
  if (uid !== mine) {
    return `${what} ${dir} belongs to user id ${uid}, and this is ${mine}: run the node as its owner, or hand it over with chown -R ${mine} ${dir}`;
  }
  if ((mode & 0o022) !== 0) {
    return `users other than its owner may write to ${what} ${dir} (mode ${(mode & 0o777).toString(8)}): close it with chmod go-w ${dir}`;
  }
  const link = ownNames.map((name) => join(dir, name)).find((path) => isLink(path));
  return (
    link &&
    `${link} is a symbolic link, and the node doesn't write through one: remove it with rm ${link}, and put there what it leads to`
  );
}

/** A folder above this one, links followed, in which every user may rename folders. */
function openAbove(dir: string): string | undefined {
  let at = resolve(dir);
  while (!existsSync(at)) at = dirname(at);
  at = realpathSync(at);
  // The directory itself is left out, because its owner and mode are checked separately.
  const first = existsSync(dir) ? dirname(at) : at;
  for (let above = first; ; above = dirname(above)) {
    const { mode } = statSync(above);
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) return above;
    if (above === dirname(above)) return undefined;
  }
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

/** Whether there is no such file. @param error of a call of the file system */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Undefined if there is no such file. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
