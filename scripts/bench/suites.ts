/** Runs the named suites, or all of them, one after another. */
import { cpus } from 'node:os';
import { console } from './console.js';
import { contracts } from './contracts.js';
import { markets } from './markets.js';
import { suites as asked, options } from './options.js';
import { peers } from './peers.js';
import { peersCrowd } from './peers-crowd.js';
import { peersFlood } from './peers-flood.js';
import { peersFork, peersPartition } from './peers-trouble.js';
import { cleanUp } from './people.js';
import { reads } from './reads.js';
import { say } from './report.js';
import { settlement } from './settlement.js';
import { spine } from './spine.js';
import { start } from './start.js';
import { streams } from './streams.js';
import { unlock } from './unlock.js';

const suites: { readonly [suite: string]: () => Promise<void> } = {
  spine,
  reads,
  streams,
  unlock,
  start,
  settlement,
  // Imported only when needed, because looking for a server may build one.
  mongo: async () => (await import('./mongo.js')).mongo(),
  markets,
  contracts,
  console,
  peers,
};

/** Suites that take long: only those that are named are run. */
const longSuites: typeof suites = {
  'peers-partition': peersPartition,
  'peers-fork': peersFork,
  'peers-flood': peersFlood,
  'peers-crowd': peersCrowd,
};
const known = { ...suites, ...longSuites };

const unknown = asked.filter((suite) => !Object.hasOwn(known, suite));
if (unknown.length > 0) {
  say(`no benchmark ${unknown.join(', ')}; there are: ${Object.keys(known).join(', ')}, store, store-reads`);
  process.exitCode = 2;
} else {
  say(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${process.platform}`);
  say(`medians of ${options.rounds} rounds of ${options.seconds} s, in turn, after ${options.warmUpSeconds} s each`);
  try {
    for (const suite of asked.length > 0 ? asked : Object.keys(suites)) await known[suite]!();
  } finally {
    await cleanUp();
  }
}
