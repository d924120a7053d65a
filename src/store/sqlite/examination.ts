/** A look at the database file that changes nothing: whose it is, how old its tables are, whether its pages are sound. */
import { existsSync } from 'node:fs';
import { Connection } from './connection.js';
import { databaseFile } from './durable.js';
import { flawOfEnd } from './journal-end.js';
import { checkSchema, schemaVersion } from './schema.js';

export interface Examination {
  readonly file: string;
  /** Of its tables, and the one that this program writes. */
  readonly version: number;
  readonly newest: number;
  /** What SQLite finds wrong with the file; the first ten. */
  readonly flaws: readonly string[];
  /** What is wrong with the end of its journal; not looked at in a file that is damaged or older than this program. */
  readonly ending: string | undefined;
}

const mostFlaws = 10;
/** More than at a start: whoever asks has time. */
const entriesLookedAt = 100;
const cacheKiB = 16_384;

/** Undefined where there is none yet. Throws StoreRefused where it is not ours, or newer than this program. */
export function examineDatabase(dir: string): Examination | undefined {
  const file = databaseFile(dir);
  if (!existsSync(file)) return undefined;
  const connection = new Connection(file, { cacheKiB, readOnly: true });
  try {
    const version = checkSchema(connection);
    const said = connection
      .rows<[string]>(`PRAGMA quick_check(${mostFlaws})`)([])
      .map(([text]) => text);
    const flaws = said.filter((text) => text !== 'ok');
    const isReadable = flaws.length === 0 && version === schemaVersion;
    const ending = isReadable ? flawOfEnd(connection, entriesLookedAt) : undefined;
    return { file, version, newest: schemaVersion, flaws, ending };
  } finally {
    connection.close();
  }
}
