/**
 * Every route of a devnet node, without a node: routes are data until a request comes. What only a request would need
 * is not there, and says so when it is asked for.
 */
import type { FaucetLedger } from '../../src/actors/faucet.js';
import type { Feed } from '../../src/actors/feed.js';
import type { Reputations } from '../../src/actors/reputations.js';
import type { System } from '../../src/actors/system.js';
import type { Audits } from '../../src/audits/audits.js';
import { faucetQuotas } from '../../src/config.js';
import { variables } from '../../src/config-variables.js';
import type { ApiKeys } from '../../src/http/api-keys.js';
import type { Desk } from '../../src/http/desk.js';
import type { Metrics } from '../../src/http/metrics.js';
import type { Route } from '../../src/http/route.js';
import { apiRoutes } from '../../src/http/routes/api.js';
import type { NodeFacts } from '../../src/http/routes/node.js';
import { systemRoutes } from '../../src/http/routes/system.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { AssertionError } from '../../src/machines/kernel/refusal.js';
import { version } from '../../src/version.js';
import type { Errand } from '../../src/webhooks/errand.js';
import type { Webhooks } from '../../src/webhooks/webhooks.js';

export const network = variables.network.default;

/** A part of the node of which nothing but `known` is looked at before a request comes. */
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

function parts(): Parameters<typeof apiRoutes>[0] {
  const actors = described('actors', {
    options: described('actors.options', { catalogue, network, store: described('store'), world: described('world') }),
    committed: described('committed'),
  });
  const desk = described<Desk>('desk', {
    definitionOf: (kind: string) => catalogue.definitions[kind],
    options: described('desk.options', {
      actors,
      keystore: described('keystore'),
      settlement: described('settlement'),
      onChain: undefined,
      nodeDid: 'did:svc:z',
    }),
  });
  return {
    desk,
    system: described<System>('system'),
    keys: described<ApiKeys>('keys', { adminLog: described('adminLog') }),
    feed: described<Feed>('feed'),
    reputations: described<Reputations>('reputations'),
    audits: described<Audits>('audits'),
    facts: described<NodeFacts>('facts'),
    faucet: described<FaucetLedger>('faucet', { quotas: faucetQuotas }),
    limitLoopback: false,
    minFee: 0,
    newId: later,
    arbiterDid: undefined,
    webhooks: {
      webhooks: described<Webhooks>('webhooks'),
      errand: described<Errand>('errand'),
      rules: { encrypted: false, networks: [] },
    },
  };
}

/** In the order in which `node.ts` hands them to the server. */
export function everyRoute(): Route[] {
  const system = { version, network, metrics: described<Metrics>('metrics'), readiness: later, urls: later };
  const routes: Route[] = [...apiRoutes(parts()), ...systemRoutes({ ...system, routes: () => routes })];
  return routes;
}
