/**
 * The port through which other homes' public listings and identities are read: an index of what their feeds have shown
 * (docs/reference/other-homes.md).
 */
import { type Json, sha256Hex } from '../../core/canonical.js';
import { withHashes } from '../../core/leaf.js';
import type { StoreReader } from '../../store/store.js';

export interface ForeignHome {
  /** DID. */
  readonly home: string;
  /** Where peers reach it, as a multiaddr. */
  readonly address: string;
  /** Time of the newest checkpoint up to which its feed was read, epoch ms; undefined before the first. */
  readonly asOf: number | undefined;
}

export interface ForeignCards {
  /**
   * Cards as resources: listings, the statistics of each (`listing-stats`), and identities. Their ids are `cardId`s.
   * `createdAt` of a listing is when this node first saw it. Searches find a listing also by the label `homeLabel`.
   * Texts are found by `textKey`. Undefined without peers.
   */
  readonly index: Pick<StoreReader, 'load' | 'find' | 'search' | 'named' | 'texts'> | undefined;
  /** In order of their DIDs. */
  homes(): readonly ForeignHome[];
}

/** For a node without peers. */
export const noForeignCards: ForeignCards = { index: undefined, homes: () => [] };

/** The label of all listings of a home in the index. @param home DID */
export const homeLabel = (home: string): string => `home:${home}`;

/**
 * Where the index keeps a text of a home: each home has its texts for itself, so none erases or brings back what is a text of
 * another, although it may name the same leaf.
 */
export const textKey = (home: string, leaf: string): string => sha256Hex(`${home}:${leaf}`);

/** What a card of a home says, with the keys of its texts in the place of their hashes. */
export const withTextKeys = <T extends Json>(value: T, home: string): T =>
  withHashes(value, (leaf) => textKey(home, leaf)) as T;

const separator = '~';

/** The id of a card in the index. @param id of the resource at its home @param home DID */
export const cardId = (id: string, home: string): string => `${id}${separator}${home}`;

/** Takes apart what `cardId` has put together; `home` is undefined for a bare id. */
export function cardIdParts(text: string): { readonly id: string; readonly home: string | undefined } {
  const at = text.lastIndexOf(separator);
  return at < 0 ? { id: text, home: undefined } : { id: text.slice(0, at), home: text.slice(at + separator.length) };
}
