/**
 * Every route under /api/v1: those derived from the catalogue, and those written by hand.
 */
import type { FaucetLedger } from '../../actors/faucet.js';
import type { SystemWriter } from '../../actors/system.js';
import type { Feed } from '../../core/feed.js';
import { machinesOf } from '../../machines/catalogue.js';
import type { ReputationReader } from '../../projections/reputations.js';
import type { Audits } from '../../verify/audits.js';
import type { ApiKeyRegistry } from '../access/api-keys.js';
import type { PeerActParts } from '../access/peer-acts.js';
import type { ApiContext } from '../context/api-context.js';
import type { NodeFacts } from '../render/node-view.js';
import { withTextsIn } from '../render/texts.js';
import type { RequestLog } from '../server/request-log.js';
import type { Route } from '../server/route.js';
import { actedElsewhere } from './acted-elsewhere.js';
import { adminLogRoute, adminRoutes, requestLogRoute } from './admin.js';
import { apiKeyRoutes } from './api-keys.js';
import { auditRoutes } from './audit.js';
import { batchRoute } from './batch.js';
import { chainRoutes } from './chain.js';
import { dealtElsewhere } from './dealt-elsewhere.js';
import { derivedRoutes } from './derived.js';
import { eventRoutes } from './events.js';
import { extraReadRoutes } from './extra-reads.js';
import { faucetRoutes } from './faucet.js';
import { fetchedElsewhere } from './fetched-elsewhere.js';
import { identityRoutes } from './identities.js';
import { leafRoutes } from './leaves.js';
import { lookupRoute } from './lookup.js';
import { machineRoutes } from './machines.js';
import { searchRoutes } from './market-search.js';
import { moderated } from './moderated.js';
import { namesRoute } from './names.js';
import { filtersIn, partiesAndIds, refusingNearFilters } from './near-filters.js';
import { nodeRoutes } from './node.js';
import { nonceRoute } from './nonce.js';
import { orderRoutes } from './orders.js';
import { ownApiKeyRoutes } from './own-api-keys.js';
import { peerRoutes } from './peers.js';
import { replayable } from './replayable.js';
import { reputationRoutes } from './reputations.js';
import { submitRoute } from './submit.js';
import { walletHomesRoute } from './wallet-homes.js';
import { walletRoutes } from './wallets.js';
import { type WebhookParts, webhookRoutes } from './webhooks.js';
import { withdrawalRoutes } from './withdrawals.js';

export interface ApiParts {
  readonly api: ApiContext;
  readonly system: SystemWriter;
  readonly keys: ApiKeyRegistry;
  readonly feed: Feed;
  readonly reputations: ReputationReader;
  readonly audits: Audits;
  readonly requests: Pick<RequestLog, 'page'>;
  readonly facts: NodeFacts;
  readonly faucet: FaucetLedger;
  /** The faucet's quotas also apply to loopback callers. */
  readonly limitLoopback: boolean;
  readonly minFee: number;
  readonly peering: PeerActParts['peering'];
  readonly webhooks: Pick<WebhookParts, 'webhooks' | 'manual' | 'rules'>;
}

/** Second paths, which other clients know (docs/reference/contracts-and-disputes.md#disputes). */
const secondPaths: { readonly [operation: string]: string } = {
  disputeOrder: '/api/v1/markets/disputes',
  resolveDispute: '/api/v1/markets/disputes/:disputeId/actions/resolve',
};

function withSecondPath(route: Route): Route {
  const alsoAt = secondPaths[route.name];
  return alsoAt === undefined ? route : { ...route, alsoAt };
}

export function apiRoutes({
  api,
  requests,
  system,
  keys,
  feed,
  reputations,
  audits,
  facts,
  faucet,
  limitLoopback,
  minFee,
  webhooks,
  peering,
}: ApiParts): Route[] {
  const reading = { store: api.store, environment: api.environment, feed };
  const routes = [
    ...nodeRoutes(facts),
    ...peerRoutes({ peering, adminLog: keys.adminLog }),
    ...identityRoutes(api, system),
    namesRoute(api, system),
    lookupRoute(api),
    ...walletRoutes(api, { minFee }),
    walletHomesRoute(api),
    ...withdrawalRoutes(api, { minFee }),
    nonceRoute(api),
    ...chainRoutes(api),
    ...faucetRoutes({ api, system, ledger: faucet, limitLoopback }),
    ...searchRoutes(api),
    ...orderRoutes(api),
    ...machinesOf(api.catalogue).flatMap((definition) => extraReadRoutes(definition, api)),
    ...reputationRoutes(api, reputations),
    ...machinesOf(api.catalogue).flatMap((definition) => derivedRoutes(definition, api)),
    ...machineRoutes(api, reading),
    ...eventRoutes(api, reading),
    ...adminRoutes(api, system, keys.adminLog),
    ...leafRoutes({ api, system, log: keys.adminLog, reading }),
    ...auditRoutes(audits, keys.adminLog),
    adminLogRoute(keys),
    requestLogRoute(requests),
    ...apiKeyRoutes(keys, api.environment),
    ...ownApiKeyRoutes(
      keys,
      async (caller, did, passphrase) => api.writes.open(caller, did, passphrase),
      api.environment,
    ),
    ...webhookRoutes({ ...webhooks, head: () => feed.head, log: keys.adminLog, catalogue: api.catalogue }),
  ];
  const others = [...partiesAndIds(machinesOf(api.catalogue)), ...filtersIn(routes)];
  return [...routes, submitRoute(api, routes), batchRoute(api)].map((route) =>
    // No text of this node is shown in another home's answer.
    moderated(
      actedElsewhere(
        fetchedElsewhere(
          withTextsIn(
            refusingNearFilters(withSecondPath(dealtElsewhere(replayable(route, api), api)), others),
            api.moderations,
          ),
          api,
        ),
        api,
      ),
      api,
    ),
  );
}
