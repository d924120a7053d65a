/**
 * What a feed says of an entry besides its number and hash (docs/reference/feeds.md#cards): the signed statement of a public
 * listing or identity, with its texts; where the entry leaves a listing; and what is shown no more.
 */
import type { Json, JsonObject } from '../../core/canonical.js';
import { newLeaf } from '../../core/leaf.js';
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { Request } from '../../machines/kernel/resource.js';
import type { EntryCore } from '../../store/entry.js';

const kind = is.text(64, 1);
/** No id has the separator of `cardId`. */
const id = is.pattern(/^[A-Za-z0-9][A-Za-z0-9:._-]{0,199}$/, 'an id');
const count = is.integer(0);
const version = is.integer(1);
/** The most members of one list: an entry is about few listings. */
const most = 16;

const statusForm = is.object({
  kind,
  id,
  version,
  state: is.text(64, 1),
  stock: is.nullable(count),
  lastHash: is.hash,
  createdAt: count,
  updatedAt: count,
  orders: count,
  completedOrders: count,
  ratingSum: count,
  ratingCount: count,
  bidCount: count,
});

/** A listing as its home has it after the entry. */
export type CardStatus = is.TypeOf<typeof statusForm>;

const textForm = is.object({ salt: is.pattern(/^[0-9a-f]{32}$/, '16 bytes, hex'), value: is.anything });
const nameForm = is.object({ kind, id });
const erasedForm = is.object({ kind, id, leaf: is.hash });

const partForm = is.object({
  core: is.optional(is.freeObject),
  payload: is.optional(is.object({ kind, id, action: kind, input: is.freeObject })),
  texts: is.optional(is.freeObject),
  status: is.optional(is.list(statusForm, 1, most)),
  withdrawn: is.optional(is.list(nameForm, 1, most)),
  erased: is.optional(is.list(erasedForm, 1, most)),
});

export interface CardPart {
  /** The core of the entry, and the public payload: present together, where its event states a card. */
  readonly core?: EntryCore;
  readonly payload?: Request;
  /** Salt (hex) and text of the payload's leaves, by hash; erased ones are missing. */
  readonly texts?: { readonly [hash: string]: { readonly salt: string; readonly value: Json } };
  readonly status?: readonly CardStatus[];
  /** Listings that are shown no more: private ones, and removed ones. */
  readonly withdrawn?: readonly is.TypeOf<typeof nameForm>[];
  /** Texts that were erased, and the resource that they came with. */
  readonly erased?: readonly is.TypeOf<typeof erasedForm>[];
}

/** Checks the form of the part. @returns what is wrong with it, as the end of a sentence that begins with 'a line' */
export function cardPartIn(members: JsonObject): CardPart | string {
  const names = Object.keys(members);
  const unknown = names.find((name) => !Object.hasOwn(partForm.fields!, name));
  if (unknown !== undefined) return `has a member that it should not have: ${unknown.slice(0, 64)}`;
  const parsed = is.parse(partForm, members);
  if (isRefusal(parsed)) return `has a card of another form: ${parsed.detail}`;
  const { core, payload, texts = {} } = parsed;
  if ((core === undefined) !== (payload === undefined))
    return 'has a core without its payload, or a payload without its core';
  const flawed = Object.entries(texts).find(([hash, text]) => hashOfText(text) !== hash);
  return flawed ? 'has a text that is not that of its leaf' : (parsed as unknown as CardPart);
}

/** @returns undefined for what is no text with its salt */
function hashOfText(text: unknown): string | undefined {
  const parsed = is.parse(textForm, text);
  return isRefusal(parsed) ? undefined : newLeaf(parsed.value, Buffer.from(parsed.salt, 'hex')).leaf.leaf;
}
