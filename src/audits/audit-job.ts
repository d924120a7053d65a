/** Where an audit runs: in a thread of its own beside a node that goes on; or, for a store that lives in memory, here. */
import { Worker } from 'node:worker_threads';
import type { AuditReport } from '../actors/audit.js';
import type { ChainFacts } from '../chain/witness/chain-facts.js';
import type { Config } from '../config.js';
import type { Catalogue } from '../machines/kernel/step.js';
import { type StoreReader, StoreRefused } from '../store/store.js';
import { pause, type World } from '../world.js';
import { auditBeside } from './audit-beside.js';

export interface AuditJob {
  /** Rejects where there was no verdict. */
  readonly report: Promise<AuditReport>;
  stop(): Promise<void>;
}

/** @param progress told how many entries of how many are checked */
export type StartJob = (chain: ChainFacts | undefined, progress: (checked: number, total: number) => void) => AuditJob;

export interface ThreadOrder {
  readonly config: Pick<Config, 'store' | 'dataDir' | 'network'>;
  readonly chain: ChainFacts | undefined;
}

export type ThreadNews =
  | { readonly checked: number; readonly total: number }
  | { readonly report: AuditReport }
  | { readonly trouble: string };

/** On the journal that the configuration names, with the kinds of this program. */
export function inThread({ store, dataDir, network }: ThreadOrder['config']): StartJob {
  return (chain, progress) => {
    const order: ThreadOrder = { config: { store, dataDir, network }, chain };
    const worker = new Worker(new URL('./audit-thread.js', import.meta.url), {
      ...{ name: 'audit', execArgv: [], workerData: order },
    });
    worker.unref();
    const report = new Promise<AuditReport>((resolve, reject) => {
      const fail = (why: string) => reject(new StoreRefused(why));
      worker.on('message', (news: ThreadNews) => {
        if ('checked' in news) progress(news.checked, news.total);
        else if ('report' in news) resolve(news.report);
        else fail(news.trouble);
      });
      worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
      worker.on('exit', () => fail('the audit was broken off'));
    });
    const stop = async () => {
      await worker.terminate();
    };
    return { report: report.finally(stop), stop };
  };
}

/** Few at once: the event loop belongs to the requests. */
const pageSize = 20;

/** On a store of this process. */
export const inProcess = (store: StoreReader, catalogue: Catalogue, network: string, world: World): StartJob => {
  return (chain, progress) => {
    let stopped = false;
    const companion = {
      saw: () => {},
      pause: async () => {
        await pause(world, 0);
        if (stopped) throw new StoreRefused('the audit was broken off');
      },
    };
    const report = auditBeside(store, { network, chain, catalogue, progress, companion, pageSize });
    return {
      report,
      stop: async () => {
        stopped = true;
      },
    };
  };
};
