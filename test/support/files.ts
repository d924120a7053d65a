import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder, as bytes. */
export function* filesBelow(folder: string): Generator<readonly [string, Buffer]> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) yield [entry.name, readFileSync(join(entry.parentPath, entry.name))];
  }
}
