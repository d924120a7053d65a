/** Checks of the newest entries, which every adapter makes at start; an audit checks all entries. */
import { sha256Hex } from '../core/canonical.js';
import { chainHashOf, type EntryCore, type NumberedEntry } from './entry.js';
import { payloadHashOf, storedPayloadOf } from './payload.js';
import { StoreRefused } from './store.js';

export const lookedAt = 8;

type ChainPlace = Pick<NumberedEntry, 'seq' | 'prevEntry' | 'chainHash' | 'entryHash'>;
/** An entry as stored: its texts may be damaged. */
export type StoredEntryTexts = ChainPlace & Pick<NumberedEntry, 'coreText' | 'payloadText'>;

/**
 * Whether an entry continues the chain. @param before the preceding entry; undefined for the first one that is checked
 */
export function followsFrom(
  before: ChainPlace | undefined,
  { seq, prevEntry, chainHash, entryHash }: ChainPlace,
): boolean {
  if (before && (prevEntry !== before.chainHash || seq !== before.seq + 1)) return false;
  return chainHash === chainHashOf(seq, prevEntry, entryHash);
}

/** The first entry, in order, whose texts do not match its hashes; signatures are checked by the audit. */
export function violationOfNewest(newest: readonly StoredEntryTexts[]): string | undefined {
  for (const [index, entry] of newest.entries()) {
    if (!followsFrom(newest[index - 1], entry)) return `entry ${entry.seq} does not follow from the one before it`;
    if (!isWhole(entry)) return `entry ${entry.seq} was changed`;
  }
  return undefined;
}

function isWhole({ entryHash, coreText, payloadText }: StoredEntryTexts): boolean {
  if (sha256Hex(coreText) !== entryHash) return false;
  const { payloadHash } = (JSON.parse(coreText) as EntryCore).event;
  try {
    return payloadHashOf(storedPayloadOf(payloadText)) === payloadHash;
  } catch {
    // It is no JSON any more.
    return false;
  }
}

/**
 * The refusal to start on a damaged journal: new entries would build on missing ones, and a repair would have to guess.
 */
export const damaged = (flaw: string): StoreRefused =>
  new StoreRefused(
    `the journal is damaged: ${flaw}. No node continues from it, and it was not changed: ` +
      'svc-node audit and svc-node doctor say what is wrong; restore a backup from before it',
  );
