/**
 * Small private files that survive a crash: temporary file, fsync, rename, fsync of the directory.
 */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes `text` under mode 0600; the name shows either the old content or the whole new one. */
export async function writeFileDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  const directory = await open(dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
