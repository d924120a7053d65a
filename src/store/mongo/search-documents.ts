/** What of a resource lies in the search index, and the writes that bring it there: conditional on being newer, as all. */

import type { Document } from 'mongodb';
import { topStateOf } from '../../machines/kernel/definition.js';
import type { SearchEntry, SearchWrite } from '../search/search.js';
import { weighedWords } from '../search/words.js';

export interface SearchDocument {
  /** Of the resource: unique across all kinds that are searched. */
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
  /** Rules of the rebuild that wrote it; absent where an entry did. */
  readonly rules?: string;
  /** Version of what ranks it; 0 before the first. */
  readonly ranksVersion: number;
  readonly rating: number | null;
  readonly popularity: number;
}

/** Beside the documents: which rules the whole index follows. No resource has this id. */
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

/** What an entry keeps of a search write: the index needs no more. */
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

/** @param rules those of a rebuild, which writes what is as new again */
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
