/**
 * The port through which other homes' public listings and identities are read: an index of what their feeds have shown
 * (docs/reference/other-homes.md).
 */
import type { Json, JsonObject } from '../../core/canonical.js';
import type { LeafTexts } from '../../core/leaf.js';
import type { StoreReader } from '../../store/store.js';

export interface ForeignHome {
  /** DID. */
  readonly home: string;
  /** Time of the newest checkpoint up to which its feed was read, epoch ms; undefined before the first. */
  readonly asOf: number | undefined;
}

export interface ForeignCards {
  /**
   * Cards as resources: listings and identities. Their ids are `cardId`s. Their contexts have more members: see
   * `CardContext`. `createdAt` of a listing is when this node first saw it. Searches find a listing also by the label
   * `homeLabel`. Undefined without peers.
   */
  readonly index: Pick<StoreReader, 'find' | 'search' | 'named'> | undefined;
  /** In order of their DIDs. */
  homes(): readonly ForeignHome[];
}

/** For a node without peers. */
export const noForeignCards: ForeignCards = { index: undefined, homes: () => [] };

/** The label of all listings of a home in the index. @param home DID */
export const homeLabel = (home: string): string => `home:${home}`;

const separator = '~';

/** The id of a card in the index. @param id of the resource at its home @param home DID */
export const cardId = (id: string, home: string): string => `${id}${separator}${home}`;

/** Takes apart what `cardId` has put together; `home` is undefined for a bare id. */
export function cardIdParts(text: string): { readonly id: string; readonly home: string | undefined } {
  const at = text.lastIndexOf(separator);
  return at < 0 ? { id: text, home: undefined } : { id: text.slice(0, at), home: text.slice(at + separator.length) };
}

/** What the context of a card has besides that of its kind. */
export interface CardContext {
  /** Nonce of its owner's newest statement. */
  readonly nonce: number;
  /** The texts of its leaves by their hashes; erased ones are missing. */
  readonly texts: { readonly [hash: string]: Json };
  /** Of a listing, its statistics and when it was made, as its home says. */
  readonly figures?: JsonObject & { readonly createdAt: number };
}

export const textsOfCard = (context: JsonObject): CardContext['texts'] =>
  (context as unknown as Partial<CardContext>).texts ?? {};

const noSalt = new Uint8Array();

/** The texts of a card alone: a home may name the leaves of another. */
export function textsIn(context: JsonObject): LeafTexts {
  const texts = textsOfCard(context);
  return (hash) => (Object.hasOwn(texts, hash) ? { salt: noSalt, value: texts[hash]! } : undefined);
}
