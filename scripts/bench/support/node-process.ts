/** A node in a separate process: what main.ts starts, with counters for the benchmark. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { realEnvironment } from '../../../src/core/environment.js';
import { createLog } from '../../../src/core/log.js';
import { argon2Kdf } from '../../../src/keys/kdf.js';
import { openNode } from '../../../src/node/node.js';
import { openStore } from '../../../src/node/store-choice.js';
import type { MongoStore } from '../../../src/store/mongo/mongo-store.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { answerParent } from './child.js';
import { configOf } from './people.js';

export interface RoutePattern {
  readonly method: string;
  readonly path: string;
}

export interface Started {
  readonly url: string;
  readonly did: string;
  /** Routes that the bare server must have too. */
  readonly routes: readonly RoutePattern[];
}

export interface Counters {
  /** Accepted entries. */
  readonly entries: number;
  /** Transactions with one fsync each, or calls of insertMany. */
  readonly commits: number;
  readonly kdfRuns: number;
  /** 99th percentile of the event loop's delay since the last call, ms. */
  readonly loopDelayP99: number;
  /** The longest since the last call, ms. */
  readonly loopDelayMost: number;
}

export type NodeQuestion = { readonly ask: 'started' | 'counters' };

let kdfRuns = 0;
const config = configOf(process.env);
const log = createLog({ level: 'info' });
const store = await openStore({ config, world: realEnvironment, log });
const node = await openNode({
  config,
  world: realEnvironment,
  log,
  store,
  kdf: {
    derive(...given) {
      kdfRuns += 1;
      return argon2Kdf.derive(...given);
    },
  },
  onFault: () => process.exit(1),
});
/** Recognises the store by its kind, so that the module of the other store is not loaded. */
function storeCounts(): Pick<Counters, 'entries' | 'commits'> {
  if (store.kind === 'sqlite') return (store as SqliteStore).stats();
  const { entries, batches: commits } = (store as MongoStore).stats();
  return { entries, commits };
}

const loop = monitorEventLoopDelay({ resolution: 1 });

answerParent(({ ask }: NodeQuestion): Started | Counters => {
  if (ask === 'started')
    return { url: node.url, did: node.did, routes: node.routes.map(({ method, path }) => ({ method, path })) };
  const [loopDelayP99, loopDelayMost] = [loop.percentile(99) / 1e6, loop.max / 1e6];
  loop.reset();
  loop.enable();
  return { ...storeCounts(), kdfRuns, loopDelayP99, loopDelayMost };
});
process.once('SIGTERM', () => void node.close().then(() => process.exit(0)));
