/**
 * Reads of what the operator hides (docs/reference/moderation.md#what-it-does): a path that names a hidden listing, or
 * reads the state of a hidden profile, is refused with the reason. Owners still see it, and those who deal in it.
 */
import { bounds } from '../../core/bounds.js';
import { refuse } from '../../core/refusal.js';
import { machinesOf } from '../../machines/catalogue.js';
import { cardIdParts } from '../../peers/cards/foreign-cards.js';
import { namedBeginning } from '../../peers/cards/home-tag.js';
import { type HiddenTarget, hiddenBecause } from '../../projections/moderations.js';
import type { ApiContext } from '../context/api-context.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Route } from '../server/route.js';
import { everyRole, searchedKinds } from './derived-paths.js';
import { listingIn } from './fetched-elsewhere.js';

export function moderated(route: Route, api: ApiContext): Route {
  if (route.method !== 'GET' || parametersOf(route.path).length === 0) return route;
  const kinds = searchedKinds(api);
  return {
    ...route,
    handle(call) {
      const { moderations } = api;
      if (moderations.isEmpty) return route.handle(call);
      const listing = listingIn({ route, kinds }, call);
      if (listing !== undefined) return unlessHidden(listing);
      const { kind, id = '' } = call.params;
      const because = kind === 'identity' ? moderations.hiddenFrom(cardIdParts(id).id, call.caller.reader) : undefined;
      return because === undefined ? route.handle(call) : refuse('NOT_FOUND', because);

      async function unlessHidden(text: string) {
        const hidden = await hiddenListing(text, api);
        const isRefused = hidden && !(await mayReach(hidden, call, api));
        return isRefused ? refuse(kinds[0]!.refusals.unknown, hiddenBecause(hidden)) : route.handle(call);
      }
    },
  };
}

/** The hidden listing that a text names: an id, also with a home. */
async function hiddenListing(text: string, api: ApiContext): Promise<HiddenTarget | undefined> {
  const { moderations, cards, committed } = api;
  const own = moderations.of(cards.ownIdIn(text) ?? text);
  if (own) return own;
  const { id, home } = cardIdParts(text);
  const beginning = home === undefined ? '' : namedBeginning(home);
  const elsewhere = moderations.listings.find(({ target }) => {
    if (!target.startsWith(`${id}~`)) return false;
    const named = cardIdParts(target);
    return named.id === id && beginning !== undefined && named.home?.startsWith(beginning);
  });
  if (!elsewhere || home !== undefined) return elsewhere;
  for (const { kind } of searchedKinds(api)) if (await committed.resource(kind, id)) return undefined;
  return elsewhere;
}

/** Whether the reader owns the listing, or is a party of an order, a lease or a bid on it, among the newest of each kind. */
async function mayReach(
  { target, owners }: HiddenTarget,
  { caller: { reader } }: Call,
  { catalogue, store }: ApiContext,
): Promise<boolean> {
  if (reader === undefined || owners.includes(reader)) return reader !== undefined;
  for (const definition of machinesOf(catalogue)) {
    const anyLabel = everyRole(definition).map((role) => `${role}:${reader}`);
    const page = { limit: bounds.pageLimit, offset: 0 };
    const { items } = await store.find({ kind: definition.kind, anyLabel, page });
    if (items.some(({ context: { listingId, taskId } }) => target === listingId || target === taskId)) return true;
  }
  return false;
}
