/**
 * Every route under /api/v1: those derived from the catalogue, and those written by hand.
 */
import type { FaucetLedger } from '../../actors/faucet.js';
import type { System } from '../../actors/system.js';
import type { JsonObject } from '../../core/canonical.js';
import { parseDid } from '../../core/codecs/did.js';
import type { Feed } from '../../core/feed.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { machinesOf } from '../../machines/catalogue.js';
import { emptyIdentity } from '../../machines/identity/identity.js';
import type { Reputations } from '../../projections/reputations.js';
import type { Webhooks } from '../../projections/webhooks/webhooks.js';
import type { Audits } from '../../verify/audits.js';
import type { ApiKeys } from '../access/api-keys.js';
import { replayable } from '../access/replayable.js';
import type { ApiContext } from '../context/api-context.js';
import type { Call, Route } from '../server/route.js';
import { adminRoutes } from './admin.js';
import { adminLogRoute } from './admin-log.js';
import { apiKeyRoutes } from './api-keys.js';
import { auditRoutes } from './audit.js';
import { chainRoutes } from './chain.js';
import { derivedRoutes } from './derived.js';
import { eventRoutes } from './events.js';
import { faucetRoutes } from './faucet.js';
import { identityRoutes, identityView } from './identities.js';
import { infoContentRoutes } from './info-content.js';
import { machineRoutes } from './machines.js';
import { searchRoutes } from './market-search.js';
import { type NodeFacts, nodeRoutes } from './node.js';
import { nonceRoute } from './nonce.js';
import { orderRoutes } from './orders.js';
import { ownApiKeyRoutes } from './own-api-keys.js';
import { reputationRoutes } from './reputations.js';
import { walletRoutes } from './wallets.js';
import { type WebhookParts, webhookRoutes, webhookView } from './webhooks.js';
import { withdrawalRoutes } from './withdrawals.js';

export interface ApiParts {
  readonly api: ApiContext;
  readonly system: System;
  readonly keys: ApiKeys;
  readonly feed: Feed;
  readonly reputations: Reputations;
  readonly audits: Audits;
  readonly facts: NodeFacts;
  readonly faucet: FaucetLedger;
  /** The faucet's quotas also apply to loopback callers. */
  readonly limitLoopback: boolean;
  readonly minFee: number;
  readonly webhooks: Pick<WebhookParts, 'webhooks' | 'manual' | 'rules'>;
}

export function apiRoutes({
  api,
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
}: ApiParts): Route[] {
  return [
    ...nodeRoutes(facts),
    ...identityRoutes(api),
    ...walletRoutes(api, { minFee }),
    ...withdrawalRoutes(api, { minFee }),
    nonceRoute(api),
    ...chainRoutes(api),
    ...faucetRoutes({ api, system, ledger: faucet, limitLoopback }),
    ...searchRoutes(api),
    ...orderRoutes(api),
    ...infoContentRoutes(api),
    ...reputationRoutes(api, reputations),
    ...machinesOf(api.catalogue).flatMap((definition) => derivedRoutes(definition, api)),
    ...machineRoutes(api),
    ...eventRoutes(api, feed),
    ...adminRoutes(api, system, keys.adminLog),
    ...auditRoutes(audits, keys.adminLog),
    adminLogRoute(keys),
    ...apiKeyRoutes(keys, api.environment),
    ...ownApiKeyRoutes(
      keys,
      async (caller, did, passphrase) => api.writes.open(caller, did, passphrase),
      api.environment,
    ),
    ...webhookRoutes({ ...webhooks, head: () => feed.head, log: keys.adminLog }),
  ].map((route) => withReplay(route, { api, keys, webhooks: webhooks.webhooks }));
}

/** The route itself refuses a malformed DID. */
async function unlocks(api: ApiContext, call: Call): Promise<Refusal | undefined> {
  const did = parseDid(call.params.did ?? '');
  return did === undefined ? undefined : opens(api, call, did);
}

async function opens(api: ApiContext, { caller, body }: Call, did: string): Promise<Refusal | undefined> {
  const signer = await api.writes.open(caller, did, String(body.passphrase));
  return isRefusal(signer) ? signer : undefined;
}

/** Adds idempotency to writes that leave no entry: the reply is rendered again from what they made. */
function withReplay(
  route: Route,
  { api, keys, webhooks }: { readonly api: ApiContext; readonly keys: ApiKeys; readonly webhooks: Webhooks },
): Route {
  if (route.name === 'createIdentity') {
    return replayable(route, {
      api,
      // The fingerprint leaves out the passphrase, so a replay must open the DID: otherwise a caller could be given
      // another caller's DID and pay into it.
      opens: (call, did) => opens(api, call, did),
      madeBy: (body) => String(body.did),
      again: async (did) => {
        const created = await api.keystore.madeAt(did);
        const known = {
          context: emptyIdentity,
          created: created ?? null,
          updated: created ?? null,
          lastHash: null,
        };
        return identityView(did, known, api.onChain);
      },
    });
  }
  if (route.name === 'createApiKey' || route.name === 'createOwnApiKey') {
    return replayable(route, {
      api,
      ...(route.name === 'createOwnApiKey' ? { authorise: (call: Call) => unlocks(api, call) } : {}),
      madeBy: (body) => String(body.id),
      again: async (id) => {
        const record = await keys.get(id);
        return record ? ({ ...record, key: null } as unknown as JsonObject) : refuse('NOT_FOUND', `no API key ${id}`);
      },
    });
  }
  if (route.name === 'createWebhook' || route.name === 'rotateWebhookSecret') {
    return replayable(route, {
      api,
      madeBy: (body) => String(body.id),
      again: async (id) => {
        const made = await webhooks.get(id);
        if (!made) return refuse('NOT_FOUND', `no webhook ${id}`);
        const { progress } = (await webhooks.progress(id)) ?? {};
        return { ...webhookView(made.webhook, progress), secret: null } as unknown as JsonObject;
      },
    });
  }
  return route;
}
