/**
 * The only file that constructs: configuration in, a running node out.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { Actors } from './actors/actor.js';
import { Alarms, type AlarmsOptions } from './actors/alarms.js';
import { FaucetLedger } from './actors/faucet.js';
import { Feed } from './actors/feed.js';
import { Reputations } from './actors/reputations.js';
import { prepareSearch, ReputationIndex } from './actors/search-index.js';
import { System } from './actors/system.js';
import { inProcess, inThread } from './audits/audit-job.js';
import { Audits } from './audits/audits.js';
import { noSettlement, type Settlement } from './chain/chain.js';
import type { Credit } from './chain/deposits/deposit-watcher.js';
import type { ChainFollower, OnChain } from './chain/on-chain.js';
import type { ChainSettlement } from './chain/settlement/chain-settlement.js';
import type { ChainFacts } from './chain/witness/chain-facts.js';
import { bounds, type Config, faucetQuotas } from './config.js';
import { type Control, controlHandlers, controlPath, openControl } from './control.js';
import { SharedCounts } from './counts.js';
import { writeFileDurably } from './durable-file.js';
import { Housekeeping } from './housekeeping.js';
import { Activity } from './http/activity.js';
import { ApiKeys } from './http/api-keys.js';
import { fromChain, noChain } from './http/chain-answer.js';
import { Desk } from './http/desk.js';
import { eventViews } from './http/event-view.js';
import type { Log } from './http/log.js';
import { Metrics } from './http/metrics.js';
import { nodeConfigView } from './http/node-config.js';
import { forgetOldReplies } from './http/replayable.js';
import type { Route, Scope } from './http/route.js';
import { apiRoutes } from './http/routes/api.js';
import { type NodeFacts, nodeStatus } from './http/routes/node.js';
import { type Readiness, systemRoutes } from './http/routes/system.js';
import { createServer, type HttpServer } from './http/server.js';
import { controllerKeyOf } from './keys/controller-key.js';
import type { Kdf } from './keys/kdf.js';
import { Keystore } from './keys/keystore.js';
import { deriveSigner, systemKeyInfo } from './keys/signing.js';
import { catalogue as everyKind } from './machines/catalogue.js';
import type { JsonObject } from './machines/kernel/canonical.js';
import { isRefusal, type Refusal, refuse } from './machines/kernel/refusal.js';
import type { Catalogue } from './machines/kernel/step.js';
import { type ChainParts, chainOf, followerOf, settlesOn, startable } from './node-chain.js';
import { claimDatabase, fingerprintKey } from './node-database.js';
import { openIdentity, StartRefused } from './node-identity.js';
import { batchCounters, chainGauges, gauges, roomGauges } from './node-metrics.js';
import { type WebhookOverrides, webhooksOf } from './node-webhooks.js';
import type { SharedStore, Store } from './store/store.js';
import { openStore } from './store-choice.js';
import { version } from './version.js';
import type { World } from './world.js';

export interface NodeOptions {
  readonly config: Config;
  readonly world: World;
  readonly log: Log;
  /** For tests: other kinds, another store, a cheaper KDF, another chain. */
  readonly catalogue?: Catalogue;
  readonly store?: Store;
  readonly kdf?: Kdf;
  readonly settlement?: Settlement;
  readonly onChain?: OnChain;
  readonly webhooks?: WebhookOverrides;
  /** Go on as another node where the database was written by one whose key is lost. */
  readonly newIdentity?: boolean;
  /** Durability is in doubt: the process must end, non-zero. */
  readonly onFault: (fault: unknown) => void;
}

export interface RunningNode {
  readonly url: string;
  readonly did: string;
  /** Where a passphrase was generated into, on the first start of a devnet node. */
  readonly passphraseFile: string | undefined;
  readonly isNew: boolean;
  readonly actors: Actors;
  readonly store: Store;
  /** Where it settles; undefined without a chain. */
  readonly chain: ChainSettlement | undefined;
  /** All that it serves, in and outside of /api. */
  readonly routes: readonly Route[];
  /** Stops accepting, finishes what is in flight, flushes, closes: within the bound of config.ts. */
  close(): Promise<void>;
}

export async function openNode(options: NodeOptions): Promise<RunningNode> {
  const { config, log } = options;
  refuseWhatIsNotThere(config);
  const store = options.store ?? (await openStore(options));
  try {
    return await openOn(options, store);
  } catch (error) {
    await store.close();
    log.debug({ error: String(error) }, 'start failed');
    throw error;
  }
}

function refuseWhatIsNotThere(config: Config): void {
  if (config.listen.length > 0 || config.peers.length > 0) {
    throw new StartRefused('SVC_LISTEN, SVC_PEERS: this release speaks to no peers yet; leave them out.');
  }
}

const apiFileOf = ({ dataDir }: Config): string => join(dataDir, 'api.json');

async function openOn(options: NodeOptions, store: Store): Promise<RunningNode> {
  const { config, world, log } = options;
  await claimDatabase(store, config.network);
  // What a killed process has left there would send its readers to nobody, or to somebody else.
  await rm(apiFileOf(config), { force: true });
  const counts = store.shared && new SharedCounts(store.shared, world);
  const keystore = await Keystore.open({
    dir: join(config.dataDir, 'keystore'),
    world,
    network: config.network,
    unlockSeconds: config.unlockSeconds,
    ...(options.kdf ? { kdf: options.kdf } : {}),
    onBadFile: (file, reason) => log.warn({ file, reason }, 'a key file cannot be used'),
    elsewhere: counts?.tally('guesses'),
  });
  try {
    return await serve(options, { store, keystore, counts });
  } catch (error) {
    keystore.close();
    throw error;
  }
}

interface Ground {
  readonly store: Store;
  readonly keystore: Keystore;
  /** What other processes on the store count as well. */
  readonly counts: SharedCounts | undefined;
}

async function serve(options: NodeOptions, { store, keystore, counts }: Ground): Promise<RunningNode> {
  const { config, world, log, catalogue = everyKind, newIdentity = false } = options;
  const identity = await openIdentity({ config, store, keystore, world, newIdentity });
  const node = identity.signer;
  await store.shared?.announce(node.did, options.settlement ? 'no chain' : settlesOn(config, node.did));
  const metrics = new Metrics({ process: true });
  const chainParts: ChainParts = {
    ...{ config, store, world, onBatch: batchCounters(metrics) },
    log: (message, detail, level = isTrouble(detail) ? 'warn' : 'info') => log[level](detail, message),
  };
  const chain = options.settlement ? undefined : chainOf(chainParts);
  await chain?.load();
  const startChain = chain && (await startable(chain, chainParts, node));
  const settlement: Settlement = options.settlement ?? chain ?? noSettlement;
  let fault: unknown;
  const onFault = (what: unknown) => {
    if (fault) return;
    fault = what;
    options.onFault(what);
  };
  void store.shared?.lost.then(onFault);
  const actors = new Actors({
    catalogue,
    store,
    world,
    network: config.network,
    home: node.did,
    bounds: {
      registry: { mailbox: bounds.mailbox, actors: bounds.actors, bytes: bounds.actorsBytes },
      nonces: { ahead: bounds.nonceAhead, waitMs: bounds.nonceWaitMs, waiting: bounds.nonceWaiting },
      committed: { count: bounds.committedCache, bytes: bounds.committedCacheBytes },
      written: bounds.entryResources,
      regroupings: bounds.reenterAttempts,
      losses: bounds.appendAttempts,
      tsSlackMs: bounds.clockSkewMs,
    },
    onFault,
    onAlarm: (at) => alarms.nudge(at),
    admitsMoves: () => settlement.admits(),
  });
  const alarms = new Alarms({
    store,
    world,
    deliver: ({ kind, id, action }) => system.execute({ kind, id, action, input: {} }),
    ...(store.shared ? amongOthers(store.shared) : {}),
    log: (message, detail) => log.warn(detail, message),
    bounds: { batch: bounds.alarmBatch, restMs: bounds.alarmRestMs, jumpMs: bounds.clockSkewMs },
  });
  const feed = new Feed(0);
  const reputations = new Reputations(store, world, { records: bounds.reputationRecords, page: bounds.reputationPage });
  const searchRanks = new ReputationIndex({ store, reputations, now: () => world.now(), onFault });
  actors.committer.listen((entry) => {
    feed.advance(entry.seq);
    searchRanks.saw(entry);
    chain?.committed(entry);
  });
  store.shared?.follow((foreign) => actors.committer.adoptForeign(foreign));
  await actors.committer.open();
  feed.advance((await store.head()).seq);
  const reindexed = await prepareSearch(store, catalogue);
  if (reindexed && feed.head > 0) log.info({}, 'the search index was made anew');
  await searchRanks.catchUp();
  const system = new System(actors, deriveSigner(node, systemKeyInfo));
  const refusal = await system.appoint(node);
  if (refusal) throw new StartRefused(`The node could not appoint its system key: ${refusal.detail}.`);
  const follower =
    chain &&
    followerOf(chain, {
      ...chainParts,
      credit: (credit) => deposit(system, credit),
    });
  const onChain = options.onChain ?? follower;
  if (onChain) {
    keystore.tellUnlocked((signer) => onChain.used(controllerKeyOf(signer)));
    onChain.used(controllerKeyOf(node));
  }
  const keys = new ApiKeys({ store, world, log });
  const desk = new Desk({
    actors,
    keystore,
    settlement,
    onChain,
    nodeDid: node.did,
    fingerprintKey: await fingerprintKey(store, world),
  });
  const hooks = await webhooksOf({ config, store, world, log, metrics, show: eventViews(desk), own: options.webhooks });
  hooks.courier.saw(feed.head);
  actors.committer.listen(({ seq }) => hooks.courier.saw(seq));
  gauges(metrics, actors, feed);
  if (chain) chainGauges(metrics, chain);
  metrics.gauges('svc_store', 'What a 2xx means on the store; always 1.', 'durability', () => [[store.durability, 1]]);
  const startedAt = world.monotonic();
  const house = new Housekeeping({
    store,
    registry: actors.registry,
    world,
    log,
    forget: () => forgetOldReplies(store, world),
  });
  await house.look();
  roomGauges(metrics, store, house);
  /** Reads go on while the disk is full or writes queue up; nothing does once the store is away. */
  const gate = (scope: Scope): Refusal | undefined => {
    if (fault) return refuse('SERVICE_UNAVAILABLE', 'the store has failed', { retryAfter: 30 });
    if ((store.shared?.awayForMs ?? 0) > bounds.storeAwayMs) {
      return refuse('SERVICE_UNAVAILABLE', 'the database does not answer', { retryAfter: 5 });
    }
    if (scope === 'read') return undefined;
    if ((house.freeBytes ?? bounds.freeDiskBytes) < bounds.freeDiskBytes) {
      return refuse('SERVICE_UNAVAILABLE', 'the disk is nearly full', { retryAfter: 60 });
    }
    if (actors.committer.inFlight >= bounds.commandsInFlight) {
      return refuse('SERVICE_UNAVAILABLE', 'too many writes are in flight', { retryAfter: 1 });
    }
    return undefined;
  };
  const activity = new Activity({ world, height: () => feed.head, lag: () => settlement.status().lag });
  metrics.watch({ observe: (status, seconds) => activity.answered(status, seconds) });
  const standing = () => readiness(store, [alarms.halted, ...settlement.flaws(), ...(follower?.flaws() ?? [])], gate);
  metrics.gauge('svc_ready', '1 where /readyz says ready; 0 where it says degraded or unavailable.', () =>
    standing().status === 'ready' ? 1 : 0,
  );
  const facts: NodeFacts = {
    did: node.did,
    network: config.network,
    version,
    store: { kind: store.kind, durability: store.durability },
    chain: () => settlement.status(),
    height: () => feed.head,
    uptimeSeconds: () => Math.floor((world.monotonic() - startedAt) / 1000),
    config: nodeConfigView(config),
    activity: () => activity.points,
  };
  const audits = new Audits({
    // What a test brings along is known to this thread alone.
    start: options.store || options.catalogue ? inProcess(store, catalogue, config.network, world) : inThread(config),
    ...{ store, world, chain: follower && (() => fromChain(follower.facts())) },
  });
  const api = apiRoutes({
    desk,
    audits,
    system,
    keys,
    feed,
    reputations,
    facts,
    faucet: new FaucetLedger(store, world, faucetQuotas),
    limitLoopback: config.rateLimitLoopback,
    minFee: config.minFee,
    arbiterDid: config.arbiterDid,
    webhooks: hooks,
    newId: (prefix) => prefix + ulid(world.now(), () => (world.random(1)[0] ?? 0) / 256),
  });
  const routes: Route[] = [
    ...api,
    ...systemRoutes({
      version,
      network: config.network,
      metrics,
      readiness: standing,
      routes: () => routes,
      urls: () => server.urls(),
    }),
  ];
  const server: HttpServer = createServer({
    config,
    world,
    routes,
    keys,
    log,
    metrics,
    gate,
    elsewhere: counts?.tally('requests'),
  });
  let control: Control | undefined;
  /** Everything but the store. */
  const close = async (graceMs: number): Promise<void> => {
    await server.close(graceMs);
    await Promise.all([control?.close(), audits.stop()]);
    await Promise.all([alarms.stop(), hooks.courier.stop()]);
    // What the follower waits for is given up by the chain.
    await Promise.all([follower?.stop(), chain?.close()]);
    house.stop();
    activity.stop();
    await searchRanks.settled();
    keystore.close();
    await rm(apiFileOf(config), { force: true });
  };
  let url: string;
  try {
    ({ url } = await server.listen());
    control = await openControl({
      path: controlPath(config.dataDir),
      handlers: controlHandlers({
        keys,
        keystore,
        nodeDid: node.did,
        dataDir: config.dataDir,
        isEmbedded: store.kind === 'sqlite',
        world,
        status: () => nodeStatus(facts, true),
        chain: () => chainFacts(follower),
      }),
      log,
    });
    await writeFileDurably(apiFileOf(config), `${JSON.stringify({ url, pid: process.pid })}\n`);
  } catch (error) {
    await close(0).catch((err: unknown) => log.warn({ err }, 'what was open is not closed'));
    throw error;
  }
  alarms.start();
  hooks.courier.start();
  startChain?.();
  house.start();
  activity.start();
  let closing: Promise<void> | undefined;
  return {
    url,
    did: node.did,
    passphraseFile: identity.passphraseFile,
    isNew: identity.isNew,
    actors,
    store,
    chain,
    routes,
    close() {
      // What is left of the time is for the store.
      closing ??= close(bounds.shutdownMs - bounds.storeCloseMs).then(() => store.close());
      return closing;
    },
  };
}

/** For an auditor on this machine. */
async function chainFacts(follower: ChainFollower | undefined): Promise<JsonObject | Refusal> {
  if (!follower) return noChain;
  return (await fromChain(follower.facts())) as Refusal | (ChainFacts & JsonObject);
}

/** Whether a line of the chain's tells of something that an operator should look at. */
const isTrouble = (detail: object): boolean =>
  ['trouble', 'error', 'err', 'reason', 'revert'].some((name) => name in detail);

/** Tokens in the vault become Tokens in the ledger; CONFLICT where they are already. */
async function deposit(system: System, { did, amount, ref }: Credit): Promise<Refusal | undefined> {
  const credited = await system.execute({ kind: 'account', id: did, action: 'deposit', input: { amount, ref } });
  return isRefusal(credited) ? credited : undefined;
}

/** Of several processes on one database, one rings the alarms, and none while their clocks disagree. */
const amongOthers = (shared: SharedStore): Pick<AlarmsOptions, 'mine' | 'skewMs'> => ({
  mine: async () => (await shared.holds('alarms')) !== undefined,
  skewMs: () => shared.skewMs,
});

/** What `/readyz` says: 503 while the store is away, 200 `degraded` where something else is wrong. */
function readiness(
  store: Store,
  flaws: readonly (string | undefined)[],
  gate: (scope: Scope) => Refusal | undefined,
): Readiness {
  const away = gate('read');
  const reasons = [gate('write')?.detail, ...flaws].filter((reason) => reason !== undefined);
  const status = away ? 'unavailable' : reasons.length > 0 ? 'degraded' : 'ready';
  return { status, reasons, durability: store.durability };
}
