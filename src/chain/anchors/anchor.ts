/**
 * An anchor records consecutive entries of the journal on chain, as the root of a Merkle tree over their chain hashes
 * (docs/settlement.md, Anchors). Anchors have no gaps, and none crosses a multiple of 1,000 entries.
 */
import type { NumberedEntry } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import { leafHash, merkleRoot } from './merkle.js';

export interface Anchor {
  readonly firstEntry: number;
  readonly lastEntry: number;
  /** Hex without 0x. */
  readonly root: string;
  readonly txHash: string;
  readonly blockNumber: number;
}

/** The most entries of one anchor. */
export const anchorEntries = 1_000;

export const endOfAnchor = (firstEntry: number): number => Math.ceil(firstEntry / anchorEntries) * anchorEntries;

/** @param chainHash 64 hex digits */
export const leafOf = (chainHash: string): Buffer => leafHash(Buffer.from(chainHash, 'hex'));

export const rootOf = (entries: readonly Pick<NumberedEntry, 'chainHash'>[]): string =>
  merkleRoot(entries.map(({ chainHash }) => leafOf(chainHash))).toString('hex');

const pageSize = 250;

export async function entriesBetween(
  store: Pick<StoreReader, 'entries'>,
  first: number,
  last: number,
): Promise<NumberedEntry[]> {
  const found: NumberedEntry[] = [];
  while (found.length < last - first + 1) {
    const after = first - 1 + found.length;
    const page = await store.entries({ after, limit: Math.min(pageSize, last - after) });
    found.push(...page);
    if (page.length === 0) break;
  }
  return found;
}
