/** Listings of a home: what its residents do with them, and what all may read of them. */
import type { Json, JsonObject } from '../../../src/core/canonical.js';
import { type LeafTexts, withTexts } from '../../../src/core/leaf.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { type ListingContext, unchangedIn } from '../../../src/machines/listing/machine.js';
import { cardIdParts, textsIn } from '../../../src/peers/cards/foreign-cards.js';
import type { Tables } from '../../../src/store/memory/tables.js';
import type { Snapshot } from '../../../src/store/store.js';
import type { Draws } from './draws.js';

const { kind } = infoListing;

export interface ListingAct {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
}

const inputs: { readonly [action: string]: (count: number, draws: Draws) => JsonObject } = {
  update: (count, draws) =>
    draws.pick<JsonObject>([
      { title: `title ${count}` },
      { pricing: { price: count } },
      { visibility: 'private' },
      { visibility: 'public' },
      { visibility: 'public', title: `title ${count}` },
    ]),
  pause: () => ({}),
  resume: () => ({}),
  remove: () => ({}),
};

/** What a resident does next. @param count of such acts, so that no two are the same */
export function nextAct(tables: Tables, seller: string, count: number, draws: Draws): ListingAct {
  const own = listingsIn(tables).filter(({ state, context }) => context.seller === seller && state !== 'removed');
  if (own.length === 0 || draws.chance(0.4)) {
    const stated = {
      title: `title ${count}`,
      description: `description ${count}`,
      pricing: { price: count },
      stock: 9,
    };
    const visibility = draws.chance(0.2) ? { visibility: 'private' } : {};
    const input = { ...infoListing.create.example, ...stated, ...visibility };
    return { kind, id: `lst-${seller.slice(-6)}-${count}`, action: 'create', input };
  }
  const { id, lastHash, context } = draws.pick(own);
  const action = draws.weighted({ update: 6, pause: 2, resume: 2, remove: 1 });
  const input: JsonObject = {
    ...inputs[action]!(count, draws),
    ...(action === 'update' ? { resourcePrev: lastHash } : {}),
  };
  const listing = context as unknown as ListingContext;
  // What the API's transformer adds.
  const isShownAgain = listing.visibility === 'private' && input.visibility === 'public';
  return { kind, id, action, input: { ...input, ...(isShownAgain ? { restated: unchangedIn(listing, input) } : {}) } };
}

/** A text to erase, and the listing that it came with. */
export function textToErase(tables: Tables, draws: Draws): { readonly leaf: string; readonly id: string } | undefined {
  const listings = listingsIn(tables);
  if (listings.length === 0) return undefined;
  const { id, context } = draws.pick(listings);
  return { leaf: (context as unknown as ListingContext).description.leaf, id };
}

function listingsIn({ snapshots }: Tables): Snapshot[] {
  const found = [...snapshots].filter(([key]) => key.startsWith(`${kind}/`));
  return found.map(([, text]) => JSON.parse(text) as Snapshot);
}

function shown({ state, context }: Snapshot, texts: LeafTexts): string {
  const { title, description, pricing, stock, seller } = context as unknown as ListingContext;
  return JSON.stringify({
    state,
    pricing,
    stock,
    seller,
    texts: withTexts({ title, description } as unknown as Json, texts),
  });
}

/** What the listings of a home say, by id. */
export function publicListings(tables: Tables): ReadonlyMap<string, string> {
  const listings = listingsIn(tables).filter(
    ({ state, context }) => state !== 'removed' && context.visibility === 'public',
  );
  return new Map(listings.map((each) => [each.id, shown(each, (hash) => tables.text(hash))]));
}

/** What an index says of the listings of a home, by id. @param home DID */
export function cardsOf(tables: Tables, home: string): ReadonlyMap<string, string> {
  const cards = listingsIn(tables).filter(({ id, state }) => cardIdParts(id).home === home && state !== 'withdrawn');
  return new Map(cards.map((each) => [cardIdParts(each.id).id, shown(each, textsIn(each.context))]));
}
