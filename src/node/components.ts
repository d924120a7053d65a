/** The components of a node behind its API: actors, alarms, journal followers and the chain. They are constructed only here. */

import type { ClockRecord } from '../actors/journal-clock.js';
import { SystemWriter } from '../actors/system.js';
import { WritePath, type WritePathOptions } from '../actors/write-path.js';
import type { Credit } from '../chain/deposits/deposit-watcher.js';
import type { ChainAccess, ChainFollower } from '../chain/follower/chain-follower.js';
import type { ChainSettlement } from '../chain/settlement/chain-settlement.js';
import { noSettlement, type Settlement } from '../chain/settlement/settlement.js';
import { bounds } from '../core/bounds.js';
import { Feed } from '../core/feed.js';
import { isRefusal, type Refusal } from '../core/refusal.js';
import { Metrics } from '../http/server/metrics.js';
import { deriveControllerKey } from '../keys/controller-key.js';
import { deriveSigner, systemKeyInfo } from '../keys/signing.js';
import { catalogue as everyKind } from '../machines/catalogue.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { Alarms, type AlarmsOptions } from '../projections/alarms.js';
import { HashIndex } from '../projections/hash-index.js';
import { Moderations } from '../projections/moderations.js';
import { ReputationReader } from '../projections/reputations.js';
import { prepareSearch, ReputationIndex } from '../projections/search-index.js';
import { StatisticsIndex } from '../projections/statistics.js';
import { holderOf, type SharedStore, type Store, StoreClosed } from '../store/store.js';
import { type ChainParts, chainOf, followerOf, settlesOn, startable } from './chain.js';
import { clockFileIn } from './clock-file.js';
import type { Dependencies, NodeOptions } from './dependencies.js';
import { StartRefused } from './identity.js';
import { batchCounters, chainGauges, gauges, peerMetrics, statisticsMetrics } from './metrics.js';
import { redactAgain } from './redactions.js';

export interface NodeComponents {
  readonly catalogue: Catalogue;
  readonly metrics: Metrics;
  readonly actors: WritePath;
  readonly alarms: Alarms;
  readonly feed: Feed;
  readonly reputations: ReputationReader;
  readonly searchRanks: ReputationIndex;
  readonly hashIndex: HashIndex;
  readonly statistics: StatisticsIndex;
  readonly moderations: Moderations;
  readonly system: SystemWriter;
  readonly settlement: Settlement;
  /** Undefined when the node settles on no chain. */
  readonly chain: ChainSettlement | undefined;
  /** Starts settlement; a chain of the node's own may come up after the node answers. */
  readonly startChain: (() => void) | undefined;
  readonly follower: ChainFollower | undefined;
  readonly onChain: ChainAccess | undefined;
  /** The failure after which the node must stop; undefined while there is none. */
  readonly fault: () => unknown;
}

/** Builds the components on an open store and an unlocked identity. Rejects with StartRefused. Nothing runs before `start`. */
export async function openComponents(options: NodeOptions, dependencies: Dependencies): Promise<NodeComponents> {
  const { did } = dependencies.identity.signer;
  const { shared } = dependencies.store;
  await shared?.announce(did, options.settlement ? 'no chain' : settlesOn(options.config, did));
  const metrics = new Metrics({ process: true });
  const chain = await openChain(options, dependencies, metrics);
  try {
    return await openOnChain(options, dependencies, metrics, chain);
  } catch (error) {
    await chain.settlement?.close();
    throw error;
  }
}

async function openOnChain(
  options: NodeOptions,
  dependencies: Dependencies,
  metrics: Metrics,
  chain: OpenedChain,
): Promise<NodeComponents> {
  const { world, catalogue = everyKind } = options;
  const { store, identity } = dependencies;
  const settlement: Settlement = options.settlement ?? chain.settlement ?? noSettlement;
  const { fault, onFault } = faultOf(options, store);
  const clock: WritePathOptions['clock'] = {
    record: openClockFile(options),
    blockTime: () => chain.settlement?.blockTime,
    log: warnings(options),
  };
  const moderations = new Moderations(store);
  const actors = openActors(options, dependencies, {
    ...{ catalogue, clock, onFault },
    onAlarm: (at) => alarms.wakeBy(at),
    admits: (command) => moderations.refusalOf(command),
    admitsMoves: () => settlement.admissionRefusal(),
  });
  const system = new SystemWriter(actors, deriveSigner(identity.signer, systemKeyInfo));
  const alarms = openAlarms(options, store, { actors, system });
  const feed = new Feed(0);
  const limits = { records: bounds.reputationRecords, page: bounds.reputationPage };
  const reputations = new ReputationReader(store, world, limits);
  const searchRanks = new ReputationIndex({ store, reputations, world, log: warnings(options) });
  const [hashIndex, statistics] = [
    openHashIndex(options, store),
    openStatistics(options, store, { actors, moderations }),
  ];
  const peering = dependencies.peers?.peering;
  if (peering) actors.committer.listen((entry) => peering.committed(entry));
  actors.committer.listen((entry) => {
    feed.advance(entry.seq);
    searchRanks.saw(entry);
    hashIndex.saw(entry);
    moderations.saw(entry);
    statistics.saw(entry);
    chain.settlement?.committed(entry);
  });
  await catchUp(options, store, { catalogue, actors, feed });
  actors.clock.compare([...(dependencies.peers?.clocks ?? []), ...((await store.shared?.clocks()) ?? [])]);
  // Determined even if this node has been appointed before: views contain the home, and no write has come yet.
  await actors.journal.find();
  const refusal = await system.appoint(identity.signer);
  if (refusal) throw new StartRefused(`The node could not appoint its system key: ${refusal.detail}.`);
  // There is a first entry now, so the home is final.
  await actors.journal.find();
  await moderations.open();
  await redactAgain(options, store, system);
  await searchRanks.catchUp();
  await statistics.open();
  const follower = openFollower(chain, system);
  const onChain = options.onChain ?? follower;
  if (onChain) registerKeys(dependencies, onChain);
  gauges(metrics, actors, feed);
  statisticsMetrics(metrics, statistics);
  if (peering) peerMetrics(metrics, peering);
  if (chain.settlement) chainGauges(metrics, chain.settlement);
  metrics.gauges('svc_store', 'The durability that a 2xx reply stands for; always 1.', 'durability', () => [
    [store.durability, 1],
  ]);
  return {
    ...{
      catalogue,
      metrics,
      actors,
      alarms,
      feed,
      reputations,
      searchRanks,
      hashIndex,
      statistics,
      moderations,
      system,
    },
    ...{ settlement, chain: chain.settlement, startChain: chain.start, follower, onChain, fault },
  };
}

/** Remembers the first failure that puts durability in doubt, and reports it once. */
function faultOf(options: NodeOptions, { lost }: Store): { fault: () => unknown; onFault: (failure: unknown) => void } {
  let fault: unknown;
  const onFault = (failure: unknown) => {
    // A store that was closed during an outage has acknowledged nothing that it could lose.
    if (fault || failure instanceof StoreClosed) return;
    fault = failure;
    options.onFault(failure);
  };
  void lost.then(onFault);
  return { fault: () => fault, onFault };
}

type ActorCallbacks = Pick<WritePathOptions, 'catalogue' | 'clock' | 'onFault' | 'onAlarm' | 'admits' | 'admitsMoves'>;

function openActors(
  { config, world }: NodeOptions,
  { store, identity }: Dependencies,
  callbacks: ActorCallbacks,
): WritePath {
  const { network } = config;
  return new WritePath({ ...callbacks, store, world, network, node: identity.signer.did, bounds: actorBounds });
}

const openClockFile = ({ config, log }: NodeOptions): ClockRecord | undefined =>
  clockFileIn(config.dataDir, (err) => log.warn({ err }, 'the state of the clock is not on disk'));

function openAlarms(
  options: NodeOptions,
  store: Store,
  { actors, system }: { actors: WritePath; system: SystemWriter },
): Alarms {
  return new Alarms({
    ...{ store, world: options.world, log: warnings(options) },
    deliver: ({ kind, id, action }) => system.execute({ kind, id, action, input: {} }),
    ...(store.shared ? sharedAlarms(store.shared) : {}),
    waitMs: () => actors.clock.deadlinesWaitMs,
    bounds: { batch: bounds.alarmBatch, restMs: bounds.alarmRestMs },
  });
}

function openStatistics(
  { world, log, catalogue = everyKind }: NodeOptions,
  store: Store,
  { actors, moderations }: { actors: WritePath; moderations: Moderations },
): StatisticsIndex {
  return new StatisticsIndex({
    ...{ store, world, catalogue, mine: holderOf(store, 'statistics') },
    load: (kind, id) => actors.committed.resource(kind, id),
    isHidden: (id) => moderations.of(id) !== undefined,
    onFailure: (err) => log.warn({ err }, 'the statistics could not be counted; the node will try again'),
  });
}

function openHashIndex({ world, log }: NodeOptions, store: Store): HashIndex {
  const mine = holderOf(store, 'hashes');
  const onFailure = (err: unknown) => log.warn({ err }, 'hashes could not be indexed; the node will try again');
  return new HashIndex({ store, world, mine, onFailure });
}

type Followers = Pick<NodeComponents, 'catalogue' | 'actors' | 'feed'>;

/** Opens the journal and brings all its followers up to date. */
async function catchUp({ log }: NodeOptions, store: Store, followers: Followers): Promise<void> {
  const { catalogue, actors, feed } = followers;
  store.shared?.follow((foreign) => actors.committer.adoptForeign(foreign));
  await actors.committer.open();
  feed.advance((await store.head()).seq);
  const isRebuilt = await prepareSearch(store, catalogue);
  if (isRebuilt && feed.head > 0) log.info({}, 'the search index was rebuilt');
}

const warnings =
  ({ log }: NodeOptions) =>
  (message: string, detail: object) =>
    log.warn(detail, message);

const actorBounds: WritePathOptions['bounds'] = {
  registry: { mailbox: bounds.mailbox, actors: bounds.actors, bytes: bounds.actorsBytes },
  nonces: { ahead: bounds.nonceAhead, waitMs: bounds.nonceWaitMs, waiting: bounds.nonceWaiting },
  committed: { count: bounds.committedCache, bytes: bounds.committedCacheBytes },
  written: bounds.entryResources,
  regroupings: bounds.reenterAttempts,
  losses: bounds.appendAttempts,
  tsSlackMs: bounds.clockSkewMs,
};

interface OpenedChain {
  readonly settlement: ChainSettlement | undefined;
  readonly start: (() => void) | undefined;
  readonly options: ChainParts;
}

async function openChain(
  options: NodeOptions,
  { store, identity }: Dependencies,
  metrics: Metrics,
): Promise<OpenedChain> {
  const { config, world, log } = options;
  const chainOptions: ChainParts = {
    ...{ config, store, world, onBatch: batchCounters(metrics) },
    log: (message, detail, level = isProblem(detail) ? 'warn' : 'info') => log[level](detail, message),
  };
  const settlement = options.settlement ? undefined : chainOf(chainOptions);
  await settlement?.load();
  const start = settlement && (await startable(settlement, chainOptions, identity.signer));
  return { settlement, start, options: chainOptions };
}

/** Follows the chain apart from settlement: deposits, anchors and controllers. */
const openFollower = ({ settlement, options }: OpenedChain, system: SystemWriter): ChainFollower | undefined =>
  settlement && followerOf(settlement, { ...options, credit: (credit) => creditDeposit(system, credit) });

/** Registers the controller of every DID whose key is unlocked here, the node's own first. */
function registerKeys({ keystore, identity }: Dependencies, onChain: ChainAccess): void {
  keystore.listenUnlocked((signer) => onChain.used(deriveControllerKey(signer)));
  onChain.used(deriveControllerKey(identity.signer));
}

/** Whether a log line of the chain reports something that needs an operator's attention. */
const isProblem = (detail: object): boolean =>
  ['trouble', 'error', 'err', 'reason', 'revert'].some((name) => name in detail);

/** Credits a deposit in the vault to its account; CONFLICT when it was credited before. */
async function creditDeposit(system: SystemWriter, { did, amount, ref }: Credit): Promise<Refusal | undefined> {
  const credited = await system.execute({ kind: 'account', id: did, action: 'deposit', input: { amount, ref } });
  return isRefusal(credited) ? credited : undefined;
}

/** Only the holder of the lease delivers alarms; a process whose clock is in doubt leaves it to another one. */
const sharedAlarms = (shared: SharedStore): Pick<AlarmsOptions, 'leave' | 'mine'> => ({
  mine: async () => (await shared.holds('alarms')) !== undefined,
  leave: () => shared.release('alarms'),
});
