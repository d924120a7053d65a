/** Hashes of rows that are not derived from entries, because only a hash shows whether such a row is unchanged. */
import { createHash } from 'node:crypto';
import type { Value } from './connection.js';

/** Long enough to detect accidental damage. */
const hashBytes = 16;

export const keptAdvice =
  'it follows from nothing else: restore a backup from before the damage, or leave it out with svc-node rebuild --drop-damaged';

export const isRowHash = (hash: Uint8Array | null, ...values: readonly Value[]): boolean =>
  hash !== null && Buffer.compare(hash, rowHash(...values)) === 0;

export const rowHash = (...values: readonly Value[]): Uint8Array =>
  createHash('sha256').update(JSON.stringify(values)).digest().subarray(0, hashBytes);
