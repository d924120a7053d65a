/**
 * Reads of what the operator hides (docs/reference/moderation.md#what-it-does): a path that names a hidden listing, or
 * reads the state of a hidden profile, is refused with the reason. Owners still see it, and those who deal in it.
 */
import { bounds } from '../../core/bounds.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { machinesOf } from '../../machines/catalogue.js';
import { partiesOf } from '../../machines/kernel/visibility.js';
import { cardId, cardIdParts } from '../../peers/cards/foreign-cards.js';
import { namedBeginning } from '../../peers/cards/home-tag.js';
import { type HiddenTarget, hiddenBecause } from '../../projections/moderations.js';
import type { ApiContext } from '../context/api-context.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Route } from '../server/route.js';
import { everyRole, searchedKinds } from './derived-paths.js';
import { listingIn } from './fetched-elsewhere.js';
import { transformerPort } from './transformer-port.js';

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
        const isReader = !hidden || (await mayReach(hidden, call, api));
        if (isRefusal(isReader)) return isReader;
        return hidden && !isReader ? refuse(kinds[0]!.refusals.unknown, hiddenBecause(hidden)) : route.handle(call);
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
  const elsewhere =
    beginning === undefined
      ? undefined
      : moderations.listings.find(({ target }) => target.startsWith(cardId(id, beginning)));
  if (!elsewhere || home !== undefined) return elsewhere;
  for (const { kind } of searchedKinds(api)) if (await committed.resource(kind, id)) return undefined;
  return elsewhere;
}

/** Whether the reader owns the listing, judges its disputes, or is a party of an order, a lease or a bid on it. */
async function mayReach({ target, owners }: HiddenTarget, call: Call, api: ApiContext): Promise<boolean | Refusal> {
  const { reader } = call.caller;
  if (reader === undefined) return false;
  if (owners.includes(reader) || reader === api.networkArbiter) return true;
  // What is traded on a listing of another home is there.
  if (cardIdParts(target).home !== undefined) return false;
  const { labelled } = transformerPort(api, call);
  for (const definition of machinesOf(api.catalogue)) {
    if (!definition.create.of && !definition.trade) continue;
    const roles = everyRole(definition).map((role) => `${role}:${reader}`);
    // Orders have no label of their listing.
    const labels = definition.trade ? roles : [`listing:${target}`, ...roles.map((role) => `taskId:${target}/${role}`)];
    for (const label of labels) {
      let pages = 0;
      for await (const found of labelled(definition.kind, label)) {
        if (isRefusal(found)) return found;
        const traded = found.items.filter(({ context: { listingId, taskId } }) => [listingId, taskId].includes(target));
        if (traded.some(({ context }) => partiesOf(definition, context).has(reader))) return true;
        if (++pages === bounds.pagesOfTrades) break;
      }
    }
  }
  return false;
}
