/**
 * Paths of Unix sockets hold about 100 bytes, and a data directory may be deeper. Then a symbolic link in a new private
 * directory replaces the path while it is used. A fixed name in a shared directory would be unsafe: another user could
 * create the link and receive passphrases.
 */
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { controlBounds } from './protocol.js';

const fits = (path: string): boolean => Buffer.byteLength(path) <= controlBounds.pathBytes;

export const controlPath = (dataDir: string): string => join(dataDir, 'control.sock');

/** Calls `use` with a short path to the same file, which is valid until its promise settles. */
export async function withShortPath<T>(path: string, use: (short: string) => Promise<T>): Promise<T> {
  if (fits(path)) return use(path);
  const scratch = mkdtempSync(join(roomyTemporary(), 'svc-'));
  try {
    const link = join(scratch, 'd');
    symlinkSync(resolve(dirname(path)), link);
    return await use(join(link, basename(path)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A temporary directory with a short path; TMPDIR may be deep as well. */
function roomyTemporary(): string {
  const given = tmpdir();
  return fits(join(given, 'svc-XXXXXX', 'd', 'control.sock')) || !existsSync('/tmp') ? given : '/tmp';
}
