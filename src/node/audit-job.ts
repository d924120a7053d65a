/** Audits of a running node: each runs in a worker thread or, when the store lives in this process's memory, in this thread. */

import type { Settlement } from '../chain/settlement/settlement.js';
import type { ChainFacts } from '../chain/verifier/chain-facts.js';
import { hourMs } from '../core/bounds.js';
import { pause } from '../core/environment.js';
import { messageOf } from '../core/error-message.js';
import { assert, isRefusal } from '../core/refusal.js';
import { startThread } from '../core/threads.js';
import { fromChain } from '../http/render/chain-answer.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { holderOf, type StoreReader, StoreRefused } from '../store/store.js';
import type { AuditReport } from '../verify/audit.js';
import type { ReportSigner } from '../verify/audit-report.js';
import { auditWithChain } from '../verify/audit-with-chain.js';
import { Audits, type StartJob } from '../verify/audits.js';
import { RegularAudits } from '../verify/regular-audits.js';
import { isOfPrefix, PrefixFile } from '../verify/verified-prefix.js';
import type { NodeComponents } from './components.js';
import type { Config } from './config/config.js';
import type { Dependencies, NodeOptions } from './dependencies.js';

export function openAudits(
  options: NodeOptions,
  { store, identity }: Dependencies,
  components: NodeComponents,
): Audits {
  const { config, world } = options;
  const { catalogue, follower, settlement } = components;
  // A worker thread cannot reach a store or kinds that a test passed in.
  const isPassedIn = options.store !== undefined || options.catalogue !== undefined;
  return new Audits({
    ...{ store, world, network: config.network, signer: identity.signer },
    start: isPassedIn ? inProcess(options, store, catalogue, identity.signer) : inThread(config, identity.signer),
    chain: follower && (() => fromChain(follower.facts())),
    halted: () => settlementHalt(settlement),
  });
}

/** Undefined if the configuration does not ask for regular audits. */
export function openRegularAudits(
  { config, world, log }: NodeOptions,
  { store }: Pick<Dependencies, 'store'>,
  { follower }: Pick<NodeComponents, 'follower'>,
  audits: Audits,
): RegularAudits | undefined {
  if (config.auditEveryHours === 0) return undefined;
  const onFailure = (err: unknown) => log.warn({ err }, 'the regular audit could not start; the node will try again');
  const mine = holderOf(store, 'audits');
  const ready = follower && (async () => !isRefusal(await fromChain(follower.facts())));
  return new RegularAudits({ audits, world, onFailure, mine, ready, everyMs: config.auditEveryHours * hourMs });
}

/** The reason why settlement has halted; undefined while it runs. */
export const settlementHalt = (settlement: Settlement): string | undefined =>
  settlement.status().settlement === 'halted' ? settlement.problems()[0] : undefined;

export interface AuditThreadOrder {
  readonly config: Pick<Config, 'store' | 'dataDir' | 'network'>;
  readonly chain: ChainFacts | undefined;
  readonly isFull: boolean;
  /** DID of the key that signs what was verified. */
  readonly node: string;
}

export type AuditThreadMessage =
  | { readonly sign: string }
  | { readonly checked: number; readonly total: number }
  | { readonly report: AuditReport }
  | { readonly error: string };

/** Runs in a worker thread, on the journal that the configuration names and with the kinds of `machines/catalogue.ts`. */
export function inThread({ store, dataDir, network }: AuditThreadOrder['config'], signer: ReportSigner): StartJob {
  return ({ chain, isFull, progress }) => {
    const order: AuditThreadOrder = { config: { store, dataDir, network }, chain, isFull, node: signer.did };
    const worker = startThread(new URL('./audit-thread.js', import.meta.url), {
      name: 'audit',
      heap: 2_048,
      isAside: true,
      data: order,
    });
    worker.unref();
    const report = new Promise<AuditReport>((resolve, reject) => {
      const fail = (why: string) => reject(new StoreRefused(why));
      worker.on('message', (message: AuditThreadMessage) => {
        if ('checked' in message) progress(message.checked, message.total);
        else if ('report' in message) resolve(message.report);
        else if ('sign' in message) {
          assert(isOfPrefix(message.sign), 'an audit has only what it has verified signed');
          worker.postMessage(signer.sign(message.sign));
        } else fail(message.error);
      });
      worker.on('error', (error) => fail(messageOf(error)));
      worker.on('exit', () => fail('the audit was interrupted'));
    });
    const stop = async () => {
      await worker.terminate();
    };
    return { report: report.finally(stop), stop };
  };
}

/** Entries checked before the event loop gets a turn, because requests must not wait for the audit. */
const pageSize = 20;

/** Runs in this thread, on a store of this process. */
const inProcess = (
  { config: { dataDir: dir, network }, world }: Pick<NodeOptions, 'config' | 'world'>,
  store: StoreReader,
  catalogue: Catalogue,
  signer: ReportSigner,
): StartJob => {
  const prefix = new PrefixFile({ dir, network, catalogue, signer });
  return ({ chain, isFull, progress }) => {
    let stopped = false;
    const companion = {
      saw: () => {},
      pause: async () => {
        await pause(world, 0);
        if (stopped) throw new StoreRefused('the audit was interrupted');
      },
    };
    const how = { network, chain, catalogue, progress, companion, pageSize, prefix, isFull };
    const report = auditWithChain(store, how);
    return {
      report,
      stop: async () => {
        stopped = true;
      },
    };
  };
};
