/** Names of many DIDs at once (docs/reference/identities.md#names), for pages that show other users' DIDs. */
import type { SystemWriter } from '../../actors/system.js';
import { bounds } from '../../core/bounds.js';
import { type Leaf, withTexts } from '../../core/leaf.js';
import * as is from '../../core/schema/scalar.js';
import type { IdentityContext } from '../../machines/identity/identity.js';
import { textsIn } from '../../peers/cards/foreign-cards.js';
import type { Snapshot } from '../../store/store.js';
import type { ApiContext } from '../context/api-context.js';
import { namesSchema } from '../openapi/schemas/names.js';
import type { Route } from '../server/route.js';

/** As a reference to its text, which its journal or its card has. */
const nameIn = (resource: Snapshot | undefined): Leaf | null =>
  (resource?.context as Partial<IdentityContext> | undefined)?.document?.displayName ?? null;

/** @param system signs the entries of clock, faucet and operator */
export function namesRoute(api: ApiContext, system: Pick<SystemWriter, 'signer'>): Route {
  const partOf = (did: string) => {
    if (did === api.nodeDid) return 'node';
    if (did === system.signer.did) return 'system';
    return did === api.networkArbiter ? 'arbiter' : null;
  };
  return {
    method: 'GET',
    path: '/api/v1/names',
    name: 'listNames',
    tag: 'Identity',
    summary: 'Get the names that DIDs have given themselves, and their tasks for this node.',
    scope: 'read',
    query: is.object({
      dids: is.described(is.list(is.did, 1, bounds.namedAtOnce), 'DIDs, separated by commas.'),
    }),
    success: { status: 200, schema: namesSchema, description: 'an element for each DID, in the order of the request' },
    async handle({ query }) {
      const { dids } = query as { dids: readonly string[] };
      const names = await Promise.all(
        [...new Set(dids)].map(async (did) => {
          const isHidden = api.moderations.of(did) !== undefined;
          const own = isHidden ? null : nameIn(await api.committed.resource('identity', did));
          const named = { did, displayName: own, part: partOf(did) };
          if (own !== null || isHidden || !api.cards.index) return { ...named, home: null };
          const card = await api.cards.identity(did);
          const there = card ? withTexts(nameIn(card.resource), textsIn(card.resource.context)) : null;
          return { ...named, displayName: there, home: there === null ? null : card!.home };
        }),
      );
      return { status: 200, body: { names } };
    },
  };
}
