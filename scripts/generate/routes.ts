/**
 * Every route of a devnet node, without a node, because routes are data until they handle a request. Components that
 * only a request needs are replaced by objects that fail when they are used.
 */
import type { FaucetLedger } from '../../src/actors/faucet.js';
import type { SystemWriter } from '../../src/actors/system.js';
import { faucetQuotas } from '../../src/core/bounds.js';
import type { Feed } from '../../src/core/feed.js';
import { AssertionError } from '../../src/core/refusal.js';
import { version } from '../../src/core/version.js';
import type { ApiKeyRegistry } from '../../src/http/access/api-keys.js';
import type { ApiContext } from '../../src/http/context/api-context.js';
import type { NodeFacts } from '../../src/http/render/node-view.js';
import { apiRoutes } from '../../src/http/routes/api.js';
import { systemRoutes } from '../../src/http/routes/system.js';
import type { Metrics } from '../../src/http/server/metrics.js';
import type { RequestLog } from '../../src/http/server/request-log.js';
import type { Route } from '../../src/http/server/route.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { variables } from '../../src/node/config/variables.js';
import type { ReputationReader } from '../../src/projections/reputations.js';
import type { ManualDelivery } from '../../src/projections/webhooks/manual-delivery.js';
import type { WebhookRegistry } from '../../src/projections/webhooks/webhooks.js';
import type { Audits } from '../../src/verify/audits.js';

export const network = variables.network.default;

/** A replacement for a component of which only `known` may be read before a request. */
function described<T>(what: string, known: object = {}): T {
  return new Proxy(known, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name);
      throw new AssertionError(`describing the routes looks at ${what}.${String(name)}: scripts/generate/routes.ts`);
    },
  }) as T;
}

const later = () => {
  throw new AssertionError('a route was called while it was only described');
};

/** Components that routes store when they are created, and only use in a request. */
const afterwards = [
  'writes',
  'queues',
  'committed',
  'store',
  'environment',
  'keystore',
  'kdfQuota',
  'settlement',
  'moderations',
  'log',
];

function parts(): Parameters<typeof apiRoutes>[0] {
  const views = described<ApiContext['views']>('views', {
    definitionOf: (kind: string) => catalogue.definitions[kind],
  });
  const api = described<ApiContext>('api', {
    ...{ catalogue, network, views, newId: later, onChain: undefined, networkArbiter: undefined, nodeDid: 'did:svc:z' },
    ...Object.fromEntries(afterwards.map((name) => [name, described(name)])),
  });
  return {
    api,
    system: described<SystemWriter>('system'),
    keys: described<ApiKeyRegistry>('keys', { adminLog: described('adminLog') }),
    feed: described<Feed>('feed'),
    reputations: described<ReputationReader>('reputations'),
    audits: described<Audits>('audits'),
    requests: described<RequestLog>('requests'),
    facts: described<NodeFacts>('facts'),
    faucet: described<FaucetLedger>('faucet', { quotas: faucetQuotas }),
    limitLoopback: false,
    minFee: 0,
    peering: undefined,
    webhooks: {
      webhooks: described<WebhookRegistry>('webhooks'),
      manual: described<ManualDelivery>('errand'),
      rules: { encrypted: false, networks: [] },
    },
  };
}

/** All routes, in the order in which `node.ts` passes them to the server. */
export function everyRoute(): Route[] {
  const system = { version, network, metrics: described<Metrics>('metrics'), readiness: later, urls: later };
  const routes: Route[] = [...apiRoutes(parts()), ...systemRoutes({ ...system, routes: () => routes })];
  return routes;
}
