/**
 * The API of a node, and what goes on beside it while it serves.
 */
import { rm } from 'node:fs/promises';
import { ulid } from 'ulid';
import { FaucetLedger } from './actors/faucet.js';
import { inProcess, inThread } from './audits/audit-job.js';
import { Audits } from './audits/audits.js';
import type { ChainFacts } from './chain/witness/chain-facts.js';
import { bounds, faucetQuotas } from './config.js';
import { type Control, controlHandlers, controlPath, openControl } from './control.js';
import { writeFileDurably } from './durable-file.js';
import { Housekeeping } from './housekeeping.js';
import { Activity } from './http/activity.js';
import { ApiKeys } from './http/api-keys.js';
import { fromChain, noChain } from './http/chain-answer.js';
import { Desk } from './http/desk.js';
import { eventViews } from './http/event-view.js';
import { nodeConfigView } from './http/node-config.js';
import { forgetOldReplies } from './http/replayable.js';
import type { Route } from './http/route.js';
import { apiRoutes } from './http/routes/api.js';
import { type NodeFacts, nodeStatus } from './http/routes/node.js';
import { systemRoutes } from './http/routes/system.js';
import { createServer, type HttpServer } from './http/server.js';
import type { JsonObject } from './machines/kernel/canonical.js';
import { isRefusal, type Refusal, refuse } from './machines/kernel/refusal.js';
import { fingerprintKey } from './node-database.js';
import { gateOf, readiness } from './node-gate.js';
import { apiFile, apiFileOf, type Ground, type NodeOptions, type RunningNode } from './node-ground.js';
import { roomGauges } from './node-metrics.js';
import { webhooksOf } from './node-webhooks.js';
import type { Works } from './node-works.js';
import { version } from './version.js';

/** Answers from now on; what acts by itself is started. Rejects where it can't listen, with all but the store closed. */
export async function serve(options: NodeOptions, ground: Ground, works: Works): Promise<RunningNode> {
  const { config, world, log } = options;
  const { store, keystore, identity } = ground;
  const { actors, alarms, feed, metrics, settlement, follower, chain } = works;
  const nodeDid = identity.signer.did;
  const keys = new ApiKeys({ store, world, log });
  const desk = new Desk({
    ...{ actors, keystore, settlement, nodeDid, onChain: works.onChain },
    fingerprintKey: await fingerprintKey(store, world),
  });
  const webhooks = await webhooksOf({
    config,
    store,
    world,
    log,
    metrics,
    show: eventViews(desk),
    own: options.webhooks,
  });
  webhooks.courier.saw(feed.head);
  actors.committer.listen(({ seq }) => webhooks.courier.saw(seq));
  const standing = await standingOf(options, ground, works);
  const { house, activity } = standing;
  const facts = factsOf(options, ground, works, activity);
  const audits = new Audits({ ...{ store, world }, ...auditing(options, ground, works) });
  const { server, routes } = siteOf(options, ground, works, { desk, keys, webhooks, audits, facts, standing });
  let control: Control | undefined;
  /** Everything but the store. */
  const close = async (graceMs: number): Promise<void> => {
    await server.close(graceMs);
    await Promise.all([control?.close(), audits.stop()]);
    await Promise.all([alarms.stop(), webhooks.courier.stop()]);
    // What the follower waits for is given up by the chain.
    await Promise.all([follower?.stop(), chain?.close()]);
    house.stop();
    activity.stop();
    await works.searchRanks.settled();
    keystore.close();
    await rm(apiFileOf(config), { force: true });
  };
  let url: string;
  try {
    const listening = await server.listen();
    url = listening.url;
    control = await openControl({
      path: controlPath(config.dataDir),
      handlers: controlHandlers({
        ...{ keys, keystore, nodeDid, world, dataDir: config.dataDir },
        isEmbedded: store.kind === 'sqlite',
        status: () => nodeStatus(facts, true),
        chain: () => chainFacts(works),
      }),
      log,
    });
    await writeFileDurably(apiFileOf(config), apiFile(config, listening.listenUrl));
  } catch (error) {
    await close(0).catch((err: unknown) => log.warn({ err }, 'what was open is not closed'));
    throw error;
  }
  for (const part of [alarms, webhooks.courier, house, activity]) part.start();
  works.startChain?.();
  let closing: Promise<void> | undefined;
  return {
    ...{ url, did: nodeDid, actors, store, chain, routes },
    passphraseFile: identity.passphraseFile,
    isNew: identity.isNew,
    close() {
      // What is left of the time is for the store.
      closing ??= close(bounds.shutdownMs - bounds.storeCloseMs).then(() => store.close());
      return closing;
    },
  };
}

/** How the node is, and what looks after it. */
interface Standing {
  readonly house: Housekeeping;
  readonly activity: Activity;
  readonly gate: ReturnType<typeof gateOf>;
  readonly readiness: () => ReturnType<typeof readiness>;
}

async function standingOf({ world, log }: NodeOptions, { store }: Ground, works: Works): Promise<Standing> {
  const { actors, feed, metrics, settlement } = works;
  const house = new Housekeeping({
    ...{ store, world, log, registry: actors.registry },
    forget: () => forgetOldReplies(store, world),
    age: () => works.searchRanks.age(),
  });
  await house.look();
  roomGauges(metrics, store, house);
  const gate = gateOf(store, works, house);
  const activity = new Activity({ world, height: () => feed.head, lag: () => settlement.status().lag });
  metrics.watch({ observe: (status, seconds) => activity.answered(status, seconds) });
  const now = () => readiness(store, works, gate);
  metrics.gauge('svc_ready', '1 where /readyz says ready; 0 where it says degraded or unavailable.', () =>
    now().status === 'ready' ? 1 : 0,
  );
  return { house, activity, gate, readiness: now };
}

function factsOf(
  { config, world }: NodeOptions,
  { store, identity }: Ground,
  { feed, settlement }: Works,
  activity: Activity,
): NodeFacts {
  const startedAt = world.monotonic();
  return {
    ...{ did: identity.signer.did, network: config.network, version },
    store: { kind: store.kind, durability: store.durability },
    chain: () => settlement.status(),
    height: () => feed.head,
    uptimeSeconds: () => Math.floor((world.monotonic() - startedAt) / 1000),
    config: nodeConfigView(config),
    activity: () => activity.points,
  };
}

/** What the routes reach, beside what the node stands on. */
interface Reached extends Pick<Parameters<typeof apiRoutes>[0], 'desk' | 'keys' | 'webhooks' | 'audits' | 'facts'> {
  readonly standing: Standing;
}

/** The server and all that it answers; it does not listen yet. */
function siteOf(options: NodeOptions, ground: Ground, works: Works, { standing, ...reached }: Reached) {
  const { config, world, log } = options;
  const { feed, metrics, reputations, system } = works;
  const api = apiRoutes({
    ...{ ...reached, system, feed, reputations },
    faucet: new FaucetLedger(ground.store, world, faucetQuotas),
    limitLoopback: config.rateLimitLoopback,
    minFee: config.minFee,
    arbiterDid: config.arbiterDid,
    newId: (prefix) => prefix + ulid(world.now(), () => (world.random(1)[0] ?? 0) / 256),
  });
  const routes: Route[] = [
    ...api,
    ...systemRoutes({
      ...{ version, metrics, network: config.network, readiness: standing.readiness },
      routes: () => routes,
      urls: () => server.urls(),
    }),
  ];
  const server: HttpServer = createServer({
    ...{ config, world, routes, keys: reached.keys, log, metrics, gate: standing.gate },
    elsewhere: ground.counts?.tally('requests'),
  });
  return { server, routes };
}

function auditing(options: NodeOptions, { store }: Ground, works: Works) {
  const { config, world } = options;
  const { catalogue, follower } = works;
  // What a test brings along is known to this thread alone.
  const isOwn = options.store !== undefined || options.catalogue !== undefined;
  return {
    start: isOwn ? inProcess(store, catalogue, config.network, world) : inThread(config),
    chain: follower && (() => fromChain(follower.facts())),
    halted: () => haltOf(works),
  };
}

/** Why settlement has halted, where it has. */
const haltOf = ({ settlement }: Works): string | undefined =>
  settlement.status().settlement === 'halted' ? settlement.flaws()[0] : undefined;

/** For an auditor on this machine. */
async function chainFacts(works: Works): Promise<JsonObject | Refusal> {
  const { follower } = works;
  if (!follower) return noChain;
  const facts = (await fromChain(follower.facts())) as Refusal | (ChainFacts & JsonObject);
  const halt = haltOf(works);
  if (!isRefusal(facts) || halt === undefined) return facts;
  return refuse('SERVICE_UNAVAILABLE', `${facts.detail}; ${halt}`, { retryAfter: 30 });
}
