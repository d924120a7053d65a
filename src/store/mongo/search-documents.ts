/**
 * A resource's document in the search index, and the updates that write it: conditional on being newer, as all
 * projections.
 */

import type { Document } from 'mongodb';
import { topStateOf } from '../../machines/kernel/definition.js';
import type { SearchEntry, SearchWrite } from '../search/search.js';
import { weighedWords } from '../search/words.js';

export interface SearchDocument {
  /** The resource's id, unique across all searched kinds. */
  readonly _id: string;
  readonly kind: string;
  readonly version: number;
  readonly status: string;
  readonly createdAt: number;
  readonly market: string;
  readonly visibility: string;
  readonly owner: string;
  readonly expiresAt: number | null;
  readonly price: number | null;
  readonly labels: readonly string[];
  readonly words: readonly { readonly w: string; readonly n: number }[];
  /** Rules of the rebuild that wrote it; absent if an entry wrote it. */
  readonly rules?: string;
  /** Version of the figures that rank it; 0 before the first. */
  readonly ranksVersion: number;
  readonly rating: number | null;
  readonly popularity: number;
}

/** The document that names the rules of the whole index. No resource has this id. */
export const rulesId = '@rules';

export interface RulesDocument {
  readonly _id: string;
  readonly rules: string;
}

export interface ReputationDocument {
  /** The DID. */
  readonly _id: string;
  readonly reputation: number | null;
}

/** The part of a search write that an entry stores: the index needs no more. */
export const keptOf = ({ found, ranked }: SearchWrite): SearchWrite => ({
  ...(found && { found }),
  ...(ranked && { ranked }),
});

/** An element of the `updates` of an update command. */
export interface Update {
  readonly q: Document;
  readonly u: Document;
  readonly upsert: boolean;
}

const unranked = { ranksVersion: 0, rating: null, popularity: 0 };

/** @param rules of a rebuild, which also overwrites documents of the same version */
export function updatesOf({ snapshot, found, ranked }: SearchEntry, rules?: string): Update[] {
  const { kind, id: _id, version, state, createdAt } = snapshot;
  const status = topStateOf(state);
  const updates: Update[] = [];
  if (found) {
    const { texts, ...members } = found;
    const words = [...weighedWords(texts)].map(([w, n]) => ({ w, n }));
    const set = { kind, version, status, createdAt, ...members, words, ...(rules !== undefined && { rules }) };
    const older = { version: { $lt: version } };
    const q = rules === undefined ? older : { $or: [older, { version, rules: { $ne: rules } }] };
    updates.push({ q: { _id, ...q }, u: { $set: set, $setOnInsert: unranked }, upsert: true });
  }
  if (ranked) {
    const { rating, popularity } = ranked;
    const u = { $set: { ranksVersion: version, rating, popularity } };
    updates.push({ q: { _id, ranksVersion: { $lt: version } }, u, upsert: false });
  }
  return updates;
}
