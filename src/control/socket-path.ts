/**
 * The address of a Unix socket is a path of at most some 100 bytes; a data directory may lie deeper. Then a link in a
 * fresh directory that is ours alone stands in while the address is used. (A link of a fixed name in a directory
 * for everyone could be somebody else's, and lead passphrases to them.)
 */
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { controlBounds } from './protocol.js';

const fits = (path: string): boolean => Buffer.byteLength(path) <= controlBounds.pathBytes;

export const controlPath = (dataDir: string): string => join(dataDir, 'control.sock');

/** Calls `use` with a path to the same file that fits; it must be done with it when its promise settles. */
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

/** TMPDIR may be deep as well. */
function roomyTemporary(): string {
  const given = tmpdir();
  return fits(join(given, 'svc-XXXXXX', 'd', 'control.sock')) || !existsSync('/tmp') ? given : '/tmp';
}
