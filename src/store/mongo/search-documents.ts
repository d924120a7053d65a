/**
 * A resource's document in the search index, and the updates that write it, conditional on being newer like all
 * projections.
 */

import type { Document } from 'mongodb';
import type { LeafTexts } from '../../core/leaf.js';
import type { Searched } from '../../machines/kernel/searched.js';
import { topState } from '../../machines/kernel/state-path.js';
import { type IndexedEntry, type Rewording, type SearchEntry, type SearchWrite, textsOf } from '../search.js';
import { weighedWords } from '../words.js';

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
  /** Version of the resource's ranking figures; 0 before the first. */
  readonly ranksVersion: number;
  readonly rating: number | null;
  readonly popularity: number;
}

/** The document with the rules of the whole index. No resource has this id. */
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

export interface Update {
  readonly q: Document;
  readonly u: Document;
  readonly upsert: boolean;
}

const unranked = { ranksVersion: 0, rating: null, popularity: 0 };

type ListingMembers = Omit<SearchDocument, '_id' | 'rules' | keyof typeof unranked>;

/** The members of a document that are computed from the resource itself; undefined if it is not searched. */
function describedBy({ snapshot, found }: SearchEntry, leaves: LeafTexts): ListingMembers | undefined {
  if (!found) return undefined;
  const { kind, version, state, createdAt } = snapshot;
  const { texts: _, ...members } = found;
  const words = wordsOf(found, leaves);
  return { kind, version, status: topState(state), createdAt, ...members, words };
}

const wordsOf = (found: Searched, leaves: LeafTexts): SearchDocument['words'] =>
  [...weighedWords(textsOf(found, leaves))].map(([w, n]) => ({ w, n }));

/** Does not change a later version. */
export const rewordingOf = ({ id: _id, version, found }: Rewording, leaves: LeafTexts): Update => ({
  q: { _id, version },
  u: { $set: { words: wordsOf(found, leaves) } },
  upsert: false,
});

/** The document of a resource, however it got into the index; undefined if it is not searched. */
export function searchDocumentOf(entry: IndexedEntry, leaves: LeafTexts): Omit<SearchDocument, 'rules'> | undefined {
  const described = describedBy(entry, leaves);
  const { snapshot, ranksVersion, ranked = { rating: null, popularity: 0 } } = entry;
  return described && { _id: snapshot.id, ...described, ranksVersion, ...ranked };
}

/** @param rules of a rebuild, which also overwrites documents of the same version */
export function updatesOf(entry: SearchEntry, leaves: LeafTexts, rules?: string): Update[] {
  const { snapshot, ranked } = entry;
  const { id: _id, version } = snapshot;
  const updates: Update[] = [];
  const described = describedBy(entry, leaves);
  if (described) {
    const set = { ...described, ...(rules !== undefined && { rules }) };
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
