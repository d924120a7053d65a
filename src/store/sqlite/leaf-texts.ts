/** Reads the texts of leaves, which are contents (core/leaf.ts). */
import { type LeafTexts, leafText } from '../../core/leaf.js';
import type { SqliteConnection } from './connection.js';
import { hashBytes } from './rows.js';

export function leafTextsIn(connection: SqliteConnection): LeafTexts {
  return (hash) => {
    const [found] = connection.row<[Uint8Array]>('SELECT bytes FROM contents WHERE hash = ?', hashBytes(hash)) ?? [];
    return found && leafText(found);
  };
}
