/**
 * The parts of a node behind its API: actors, clock, feed, ranks, chain. Each is made here and nowhere else.
 */
import { Actors, type ActorsOptions } from './actors/actor.js';
import { Alarms, type AlarmsOptions } from './actors/alarms.js';
import { Feed } from './actors/feed.js';
import { Reputations } from './actors/reputations.js';
import { prepareSearch, ReputationIndex } from './actors/search-index.js';
import { System } from './actors/system.js';
import { noSettlement, type Settlement } from './chain/chain.js';
import type { Credit } from './chain/deposits/deposit-watcher.js';
import type { ChainFollower, OnChain } from './chain/on-chain.js';
import type { ChainSettlement } from './chain/settlement/chain-settlement.js';
import { bounds } from './config.js';
import { Metrics } from './http/metrics.js';
import { controllerKeyOf } from './keys/controller-key.js';
import { deriveSigner, systemKeyInfo } from './keys/signing.js';
import { catalogue as everyKind } from './machines/catalogue.js';
import { isRefusal, type Refusal } from './machines/kernel/refusal.js';
import type { Catalogue } from './machines/kernel/step.js';
import { type ChainParts, chainOf, followerOf, settlesOn, startable } from './node-chain.js';
import type { Ground, NodeOptions } from './node-ground.js';
import { StartRefused } from './node-identity.js';
import { batchCounters, chainGauges, gauges } from './node-metrics.js';
import type { SharedStore } from './store/store.js';

export interface Works {
  readonly catalogue: Catalogue;
  readonly metrics: Metrics;
  readonly actors: Actors;
  readonly alarms: Alarms;
  readonly feed: Feed;
  readonly reputations: Reputations;
  readonly searchRanks: ReputationIndex;
  readonly system: System;
  readonly settlement: Settlement;
  readonly chain: Chain['chain'];
  /** Opens a chain of the node's own; may go on behind the first answer. */
  readonly startChain: Chain['startChain'];
  readonly follower: ChainFollower | undefined;
  readonly onChain: OnChain | undefined;
  /** What the node can't go on after; undefined while all is well. */
  readonly fault: () => unknown;
}

/** Makes them on what the node stands on; rejects with StartRefused. Nothing acts by itself before its `start`. */
export async function openWorks(options: NodeOptions, ground: Ground): Promise<Works> {
  const { config, world, log, catalogue = everyKind } = options;
  const { store, identity } = ground;
  const node = identity.signer;
  await store.shared?.announce(node.did, options.settlement ? 'no chain' : settlesOn(config, node.did));
  const metrics = new Metrics({ process: true });
  const { chain, startChain, chainParts } = await openChain(options, ground, metrics);
  const settlement: Settlement = options.settlement ?? chain ?? noSettlement;
  let fault: unknown;
  const onFault = (what: unknown) => {
    if (fault) return;
    fault = what;
    options.onFault(what);
  };
  void store.shared?.lost.then(onFault);
  const actors = new Actors({
    ...{ catalogue, store, world, onFault, bounds: actorBounds },
    network: config.network,
    home: node.did,
    onAlarm: (at) => alarms.nudge(at),
    admitsMoves: () => settlement.admits(),
  });
  const alarms = new Alarms({
    ...{ store, world },
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
  const follower = chain && followerOf(chain, { ...chainParts, credit: (credit) => deposit(system, credit) });
  const onChain = options.onChain ?? follower;
  if (onChain) watchKeys(ground, onChain);
  gauges(metrics, actors, feed);
  if (chain) chainGauges(metrics, chain);
  metrics.gauges('svc_store', 'What a 2xx means on the store; always 1.', 'durability', () => [[store.durability, 1]]);
  return {
    ...{ catalogue, metrics, actors, alarms, feed, reputations, searchRanks, system },
    ...{ settlement, chain, startChain, follower, onChain, fault: () => fault },
  };
}

const actorBounds: ActorsOptions['bounds'] = {
  registry: { mailbox: bounds.mailbox, actors: bounds.actors, bytes: bounds.actorsBytes },
  nonces: { ahead: bounds.nonceAhead, waitMs: bounds.nonceWaitMs, waiting: bounds.nonceWaiting },
  committed: { count: bounds.committedCache, bytes: bounds.committedCacheBytes },
  written: bounds.entryResources,
  regroupings: bounds.reenterAttempts,
  losses: bounds.appendAttempts,
  tsSlackMs: bounds.clockSkewMs,
};

interface Chain {
  /** Where it settles; undefined without a chain. */
  readonly chain: ChainSettlement | undefined;
  readonly startChain: (() => void) | undefined;
  readonly chainParts: ChainParts;
}

async function openChain(options: NodeOptions, { store, identity }: Ground, metrics: Metrics): Promise<Chain> {
  const { config, world, log } = options;
  const chainParts: ChainParts = {
    ...{ config, store, world, onBatch: batchCounters(metrics) },
    log: (message, detail, level = isTrouble(detail) ? 'warn' : 'info') => log[level](detail, message),
  };
  const chain = options.settlement ? undefined : chainOf(chainParts);
  await chain?.load();
  return { chain, startChain: chain && (await startable(chain, chainParts, identity.signer)), chainParts };
}

/** The chain learns of every key that this node comes to hold. */
function watchKeys({ keystore, identity }: Ground, onChain: OnChain): void {
  keystore.tellUnlocked((signer) => onChain.used(controllerKeyOf(signer)));
  onChain.used(controllerKeyOf(identity.signer));
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
