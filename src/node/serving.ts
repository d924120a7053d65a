/** The last step of a start: the node listens, then its background work begins. Closing undoes it in reverse order. */
import { rm } from 'node:fs/promises';
import type { ChainFacts } from '../chain/verifier/chain-facts.js';
import { bounds } from '../core/bounds.js';
import type { JsonObject } from '../core/canonical.js';
import { writeFileDurably } from '../core/durable-file.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import { fromChain, noChain } from '../http/render/chain-answer.js';
import { nodeStatus } from '../http/render/node-view.js';
import { openRegularAudits, settlementHalt } from './audit-job.js';
import type { NodeComponents } from './components.js';
import { type ControlServer, openControl } from './control/control.js';
import { controlHandlers } from './control/handlers.js';
import { controlPath } from './control/socket-path.js';
import { apiFile, apiFileOf, type Dependencies, type NodeOptions, type RunningNode } from './dependencies.js';
import { openHealth } from './health.js';
import { type HttpApi, openHttpApi } from './http-api.js';
import { giveUpWhenAway } from './outage-policy.js';

/** Rejects if the address is taken; everything but the store is closed then. */
export async function serve(
  options: NodeOptions,
  dependencies: Dependencies,
  components: NodeComponents,
): Promise<RunningNode> {
  const { config, world, log } = options;
  const { store, keystore, identity } = dependencies;
  const { actors, alarms, feed, follower, chain, searchRanks, hashIndex, statistics, system } = components;
  const health = await openHealth(options, dependencies, components);
  const api = await openHttpApi(options, dependencies, components, health);
  const { server, routes, audits } = api;
  const regularAudits = openRegularAudits(options, dependencies, components, audits);
  const { dispatcher } = api.webhooks;
  const { housekeeping, activity } = health;
  dependencies.peers?.watchDisk(() => housekeeping.freeBytes);
  dispatcher.saw(feed.head);
  actors.committer.listen(({ seq }) => dispatcher.saw(seq));
  actors.committer.listen((entry) => api.onward?.saw(entry));
  let control: ControlServer | undefined;
  /** Closes everything but the store. */
  const close = async (graceMs: number): Promise<void> => {
    const outageTimer = store.shared && giveUpWhenAway(store.shared, world);
    await server.close(graceMs);
    await Promise.all([regularAudits?.stop(), api.acts?.close(), api.onward?.close()]);
    await Promise.all([control?.close(), audits.stop(), dependencies.peers?.close()]);
    await Promise.all([alarms.stop(), dispatcher.stop()]);
    // Together, because closing the chain rejects the calls that the follower waits for.
    await Promise.all([follower?.stop(), chain?.close()]);
    housekeeping.stop();
    activity.stop();
    await Promise.all([searchRanks.stop(), hashIndex.stop(), statistics.stop()]);
    keystore.close();
    await rm(apiFileOf(config), { force: true });
    outageTimer?.cancel();
  };
  let url: string;
  try {
    await dependencies.releasePort?.();
    const listening = await server.listen();
    url = listening.url;
    control = await listenToOperator(options, dependencies, components, api);
    await writeFileDurably(apiFileOf(config), apiFile(config, listening.listenUrl));
  } catch (error) {
    await close(0).catch((err: unknown) => log.warn({ err }, 'cleaning up after the failed start failed'));
    throw error;
  }
  for (const part of [alarms, dispatcher, housekeeping, activity, hashIndex, statistics]) part.start();
  regularAudits?.start();
  components.startChain?.();
  dependencies.peers?.peering.serve(feed);
  api.acts?.start();
  api.onward?.start();
  let closing: Promise<void> | undefined;
  return {
    ...{ url, did: identity.signer.did, actors, system, store, chain, routes, peering: dependencies.peers?.peering },
    passphraseFile: identity.passphraseFile,
    isNew: identity.isNew,
    close() {
      // The rest of the shutdown time is reserved for the store.
      closing ??= close(bounds.shutdownMs - bounds.storeCloseMs).then(() => store.close());
      return closing;
    },
  };
}

function listenToOperator(
  { config, world, log }: NodeOptions,
  { store, keystore, identity, peers }: Dependencies,
  components: NodeComponents,
  { keys, facts, moderated }: HttpApi,
): Promise<ControlServer> {
  const { dataDir } = config;
  return openControl({
    path: controlPath(dataDir),
    handlers: controlHandlers({
      ...{ keys, keystore, nodeDid: identity.signer.did, world, dataDir },
      ...{ clock: components.actors.clock, system: components.system },
      isEmbedded: store.kind === 'sqlite',
      status: () => nodeStatus(facts, { paths: true, rpcUrl: true }),
      chain: () => chainFacts(components),
      peering: peers?.peering,
      moderated,
    }),
    log,
  });
}

/** The chain's facts for an auditor on this machine; a refusal also names the reason of a halt. */
async function chainFacts({ follower, settlement }: NodeComponents): Promise<JsonObject | Refusal> {
  if (!follower) return noChain;
  const facts = (await fromChain(follower.facts())) as Refusal | (ChainFacts & JsonObject);
  const halt = settlementHalt(settlement);
  if (!isRefusal(facts) || halt === undefined) return facts;
  return refuse('SERVICE_UNAVAILABLE', `${facts.detail}; ${halt}`, { retryAfter: 30 });
}
