/**
 * Every route under /api/v1: those derived from the catalogue, and those written by hand.
 */
import type { FaucetLedger } from '../../actors/faucet.js';
import type { Feed } from '../../actors/feed.js';
import type { Reputations } from '../../actors/reputations.js';
import type { System } from '../../actors/system.js';
import type { Audits } from '../../audits/audits.js';
import { parseDid } from '../../keys/did.js';
import { machinesOf } from '../../machines/catalogue.js';
import { emptyIdentity } from '../../machines/identity/identity.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { Webhooks } from '../../webhooks/webhooks.js';
import type { ApiKeys } from '../api-keys.js';
import type { Desk } from '../desk.js';
import { preparationsOf, toldOnce } from '../preparations/preparations.js';
import { replayable } from '../replayable.js';
import type { Call, Route } from '../route.js';
import { adminRoutes } from './admin.js';
import { adminLogRoute } from './admin-log.js';
import { apiKeyRoutes } from './api-keys.js';
import { auditRoutes } from './audit.js';
import { chainRoutes } from './chain.js';
import { disputesOfContract } from './contracts.js';
import { derivedRoutes, type NewId } from './derived.js';
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
import { taskRoutes } from './tasks.js';
import { walletRoutes } from './wallets.js';
import { type WebhookParts, webhookRoutes, webhookView } from './webhooks.js';
import { withdrawalRoutes } from './withdrawals.js';

export interface ApiParts {
  readonly desk: Desk;
  readonly system: System;
  readonly keys: ApiKeys;
  readonly feed: Feed;
  readonly reputations: Reputations;
  readonly audits: Audits;
  readonly facts: NodeFacts;
  readonly faucet: FaucetLedger;
  /** The faucet's quotas hold for loopback callers too. */
  readonly limitLoopback: boolean;
  readonly minFee: number;
  readonly newId: NewId;
  /** The network's arbiter, where there is one. */
  readonly arbiterDid: string | undefined;
  readonly webhooks: Pick<WebhookParts, 'webhooks' | 'errand' | 'rules'>;
}

export function apiRoutes({
  desk,
  system,
  keys,
  feed,
  reputations,
  audits,
  facts,
  faucet,
  limitLoopback,
  minFee,
  newId,
  arbiterDid,
  webhooks,
}: ApiParts): Route[] {
  const { actors, keystore } = desk.options;
  const preparations = preparationsOf(desk, newId, arbiterDid);
  return [
    ...nodeRoutes(facts),
    ...identityRoutes(desk),
    ...walletRoutes(desk, { minFee }),
    ...withdrawalRoutes(desk, { minFee }),
    nonceRoute(desk),
    ...chainRoutes(desk),
    ...faucetRoutes({ desk, system, ledger: faucet, limitLoopback }),
    ...searchRoutes(desk),
    ...orderRoutes(desk, { newId, arbiterDid }),
    ...infoContentRoutes(desk),
    ...taskRoutes(desk),
    ...reputationRoutes(desk, reputations),
    ...machinesOf(actors.options.catalogue).flatMap((definition) =>
      derivedRoutes(definition, {
        desk,
        newId,
        preparations: preparations[definition.kind],
        once: toldOnce[definition.kind],
      }),
    ),
    disputesOfContract(desk),
    ...machineRoutes(desk),
    ...eventRoutes(desk, feed),
    ...adminRoutes(desk, system, keys.adminLog),
    ...auditRoutes(audits, keys.adminLog),
    adminLogRoute(keys),
    ...apiKeyRoutes(keys, actors.options.world),
    ...ownApiKeyRoutes(
      keys,
      async (did, passphrase, origin) => keystore.unlock(did, passphrase, origin),
      actors.options.world,
    ),
    ...webhookRoutes({ ...webhooks, head: () => feed.head, log: keys.adminLog }),
  ].map((route) => withReplay(route, { desk, keys, webhooks: webhooks.webhooks }));
}

/** A malformed DID is the route's own to refuse. */
async function unlocks(desk: Desk, { caller, params, body }: Call): Promise<Refusal | undefined> {
  const did = parseDid(params.did ?? '');
  if (did === undefined) return undefined;
  const signer = await desk.options.keystore.unlock(did, String(body.passphrase), caller.keyId ?? caller.origin);
  return isRefusal(signer) ? signer : undefined;
}

/** Writes that leave no entry replay their reply from what they made. */
function withReplay(
  route: Route,
  { desk, keys, webhooks }: { readonly desk: Desk; readonly keys: ApiKeys; readonly webhooks: Webhooks },
): Route {
  if (route.name === 'createIdentity') {
    return replayable(route, {
      desk,
      madeBy: (body) => String(body.did),
      again: async (did) => {
        const created = await desk.options.keystore.madeAt(did);
        const known = {
          context: emptyIdentity,
          created: created ?? null,
          updated: created ?? null,
          lastHash: null,
        };
        return identityView(did, known, desk.options.onChain);
      },
    });
  }
  if (route.name === 'createApiKey' || route.name === 'createOwnApiKey') {
    return replayable(route, {
      desk,
      ...(route.name === 'createOwnApiKey' ? { authorise: (call: Call) => unlocks(desk, call) } : {}),
      madeBy: (body) => String(body.id),
      again: async (id) => {
        const record = await keys.get(id);
        return record ? ({ ...record, key: null } as unknown as JsonObject) : refuse('NOT_FOUND', `no API key ${id}`);
      },
    });
  }
  if (route.name === 'createWebhook' || route.name === 'rotateWebhookSecret') {
    return replayable(route, {
      desk,
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
