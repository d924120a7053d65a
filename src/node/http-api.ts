/** The HTTP API of a node: the context of its routes, the routes, and the server that does not listen yet. */
import { FaucetLedger } from '../actors/faucet.js';
import { faucetQuotas } from '../core/bounds.js';
import { canonical, type JsonObject } from '../core/canonical.js';
import { signedMessage } from '../core/codecs/event-message.js';
import { peerIdOf } from '../core/codecs/peer-id.js';
import { newId } from '../core/new-id.js';
import { version } from '../core/version.js';
import { ApiKeyRegistry } from '../http/access/api-keys.js';
import { KdfQuota, StoreQuota } from '../http/access/quotas.js';
import { ReaderProofs } from '../http/access/reader-proof.js';
import { type ApiContext, createApiContext, ownOnly } from '../http/context/api-context.js';
import { eventViews } from '../http/context/event-view.js';
import { type Execute, settlementWait, withCopies, withStoreQuota } from '../http/context/execute.js';
import { type NodeFacts, nodeConfigView } from '../http/render/node-view.js';
import { type ApiParts, apiRoutes } from '../http/routes/api.js';
import { publicViews } from '../http/routes/public-views.js';
import { systemRoutes } from '../http/routes/system.js';
import { RequestLog } from '../http/server/request-log.js';
import type { Route } from '../http/server/route.js';
import { createServer, type HttpServer } from '../http/server/server.js';
import { noForeignCards } from '../peers/cards/foreign-cards.js';
import { OwnCheckpoints } from '../peers/feed/own-checkpoints.js';
import { keptEvidence } from '../peers/peering/evidence.js';
import type { Audits } from '../verify/audits.js';
import { openAudits } from './audit-job.js';
import type { NodeComponents } from './components.js';
import type { ModeratedParts } from './control/moderation-handlers.js';
import { fingerprintKey } from './database.js';
import type { Dependencies, NodeOptions } from './dependencies.js';
import type { Health } from './health.js';
import { type NodeWebhooks, webhooksOf } from './webhooks.js';

export interface HttpApi {
  readonly server: HttpServer;
  /** All routes, in and outside of /api. */
  readonly routes: readonly Route[];
  readonly keys: ApiKeyRegistry;
  readonly webhooks: NodeWebhooks;
  readonly audits: Audits;
  readonly facts: NodeFacts;
  readonly moderated: ModeratedParts;
  readonly acts: ApiContext['acts'];
  readonly onward: ApiContext['onward'];
}

export async function openHttpApi(
  options: NodeOptions,
  dependencies: Dependencies,
  components: NodeComponents,
  health: Health,
): Promise<HttpApi> {
  const { config, world, log } = options;
  const { store, sharedCounts } = dependencies;
  const { feed, metrics, reputations, system } = components;
  const keys = new ApiKeyRegistry({ store, world, log });
  const api = await apiContextOf(options, dependencies, components);
  const webhooks = await webhooksOf({
    ...{ config, store, world, log, metrics },
    show: eventViews(api),
    own: options.webhooks,
  });
  const audits = openAudits(options, dependencies, components);
  const facts: NodeFacts = {
    ...nodeFacts(options, dependencies, components, health),
    address: () => signedAddress(options, dependencies, { home: facts.home(), url: server.urls().publicUrl }),
  };
  const requests = new RequestLog();
  const parts: ApiParts = {
    ...{ api, keys, webhooks, audits, facts, system, feed, reputations, requests },
    faucet: new FaucetLedger(store, world, faucetQuotas),
    limitLoopback: config.rateLimitLoopback,
    minFee: config.minFee,
    peering: dependencies.peers?.peering ?? options.peerActs,
  };
  const underApi = apiRoutes(parts);
  dependencies.peers?.peering.show(
    publicViews({
      routes: () => apiRoutes({ ...parts, api: ownOnly(api) }),
      proofs: new ReaderProofs({ network: config.network, home: api.home, now: () => world.now() }),
      ...{ gate: health.admission, log },
    }),
  );
  const routes: Route[] = [
    ...underApi,
    ...systemRoutes({
      ...{
        version,
        metrics,
        network: config.network,
        catalogue: api.catalogue,
        readiness: health.readiness,
      },
      routes: () => routes,
      urls: () => server.urls(),
    }),
  ];
  const { shared } = store;
  const server: HttpServer = createServer({
    ...{ config, world, routes, keys, log, metrics, requests, gate: health.admission },
    home: api.home,
    writesInFlight: () => components.actors.committer.inFlight,
    elsewhere: sharedCounts?.tally('requests'),
    awayForMs: shared && (() => shared.awayForMs),
  });
  health.report(
    () => audits.problem,
    () => api.onward?.problem,
    () => server.certificateProblem,
  );
  return { server, routes, keys, webhooks, audits, facts, moderated: api, acts: api.acts, onward: api.onward };
}

async function apiContextOf(
  { config, world, log, cards }: NodeOptions,
  { store, keystore, identity, peers }: Dependencies,
  { actors, settlement, onChain, moderations }: NodeComponents,
): Promise<ApiContext> {
  const { rateLimitLoopback: limitLoopback, storeQuotaMib: mebibytes } = config;
  const execute: Execute = (command) => actors.execute(command);
  const settle = settlementWait(settlement);
  return createApiContext({
    ...{ actors, keystore, settlement, onChain, log, moderations, nodeDid: identity.signer.did },
    cards: cards ?? peers?.peering.cards ?? noForeignCards,
    checkpoints:
      peers?.peering.checkpoints ?? new OwnCheckpoints({ signer: identity.signer, network: config.network, world }),
    elsewhere: peers?.peering.foreignViews,
    payer: peers && { signer: identity.signer, limits: () => peers.peering.limits },
    execute:
      mebibytes > 0
        ? withStoreQuota(new StoreQuota({ store, world, log, limitLoopback, mebibytes }), execute)
        : execute,
    settle: config.peerCopies > 0 ? withCopies((entry) => peers!.peering.copied(entry), settle) : settle,
    fingerprintKey: await fingerprintKey(store, world),
    networkArbiter: config.arbiterDid,
    newId: (prefix) => newId(world, prefix),
    kdfQuota: new KdfQuota(limitLoopback),
  });
}

/** Where the home serves its API, signed if this process has its key. */
function signedAddress(
  { config: { network }, world }: NodeOptions,
  { identity: { signer } }: Dependencies,
  { home, url }: { readonly home: string; readonly url: string },
): JsonObject {
  if (signer.did !== home) return { home, network, url };
  const stated = { home, network, time: world.now(), url };
  return { ...stated, sig: signer.sign(signedMessage('svc:home:v1', canonical(stated))) };
}

/** What `GET /api/v1/node` reports. */
function nodeFacts(
  { config, world }: NodeOptions,
  { store, identity, peers }: Dependencies,
  { actors, feed, settlement, statistics }: NodeComponents,
  { activity }: Health,
): Omit<NodeFacts, 'address'> {
  const startedAt = world.monotonic();
  return {
    home: () => actors.journal.known,
    ...{ did: identity.signer.did, network: config.network, version },
    store: { kind: store.kind, durability: store.durability },
    chain: () => settlement.status(),
    peerId: peerIdOf(identity.signer.did),
    peers: peers?.peering,
    evidence: (did) => peers?.peering.evidence(did) ?? keptEvidence(store, did),
    height: () => feed.head,
    uptimeSeconds: () => Math.floor((world.monotonic() - startedAt) / 1000),
    config: nodeConfigView(config),
    activity: () => activity.points,
    statistics: (window) => statistics.read(window),
  };
}
