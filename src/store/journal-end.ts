/** What each adapter asks of the end of its journal at every start: an audit asks it of the whole. */
import { sha256Hex } from '../core/canonical.js';
import { chainHashOf, type EntryCore, type NumberedEntry } from './entry.js';
import { StoreRefused } from './store.js';

/** So many of the newest entries. */
export const lookedAt = 8;

type ChainPlace = Pick<NumberedEntry, 'seq' | 'prevEntry' | 'chainHash' | 'entryHash'>;
/** An entry as it lies in a store: its texts may be anything. */
export type StoredEntryTexts = ChainPlace & Pick<NumberedEntry, 'coreText' | 'payloadText'>;

/** @param before nothing: the entry is the first that is looked at */
export function followsFrom(
  before: ChainPlace | undefined,
  { seq, prevEntry, chainHash, entryHash }: ChainPlace,
): boolean {
  if (before && (prevEntry !== before.chainHash || seq !== before.seq + 1)) return false;
  return chainHash === chainHashOf(seq, prevEntry, entryHash);
}

/** The first, of entries in order, that is not what its hashes were made of; signatures are left to the audit. */
export function flawOfNewest(newest: readonly StoredEntryTexts[]): string | undefined {
  for (const [index, entry] of newest.entries()) {
    if (!followsFrom(newest[index - 1], entry)) return `entry ${entry.seq} does not follow from the one before it`;
    if (!isWhole(entry)) return `entry ${entry.seq} was changed`;
  }
  return undefined;
}

function isWhole({ entryHash, coreText, payloadText }: StoredEntryTexts): boolean {
  if (sha256Hex(coreText) !== entryHash) return false;
  return payloadText === null || sha256Hex(payloadText) === (JSON.parse(coreText) as EntryCore).event.payloadHash;
}

/** What a node would write after it would rest on what is not there; and nothing of it is mended by guessing. */
export const damaged = (flaw: string): StoreRefused =>
  new StoreRefused(
    `the journal is damaged: ${flaw}. No node goes on from it, and nothing of it was changed: ` +
      'svc-node audit and svc-node doctor say what is wrong; restore a backup from before it',
  );
