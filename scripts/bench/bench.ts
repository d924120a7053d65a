/**
 * Measures the node against the targets of docs/benchmarks.md. Prints a table for each subject, and writes files only with
 * `--out`.
 * @example npm run bench -- writes markets --rounds 5 --seconds 3 --out /tmp/results
 */
import { cpus } from 'node:os';
import { audit } from './audit.js';
import { console } from './console.js';
import { contracts } from './contracts.js';
import { keys } from './keys.js';
import { lists } from './lists.js';
import { markets } from './markets.js';
import { mcp } from './mcp.js';
import { overload } from './overload.js';
import { payments } from './payments.js';
import { peers } from './peers.js';
import { ratio } from './ratio.js';
import { reads } from './reads.js';
import { settlement } from './settlement.js';
import { sizes } from './sizes.js';
import { start } from './start.js';
import { streams } from './streams.js';
import { subjects as asked, options } from './support/options.js';
import { cleanUp } from './support/people.js';
import { say } from './support/report.js';
import { writeResults } from './support/results.js';
import { unlock } from './unlock.js';
import { writes } from './writes.js';

const subjects: { readonly [subject: string]: () => Promise<void> } = {
  ...{ writes, ratio, overload, keys, reads, lists, streams, unlock, start, settlement, markets, contracts },
  ...{ console, peers, audit, sizes, mcp, payments },
  postgres: async () => (await import('./postgres.js')).postgres(),
  // Imported only when needed, because looking for a server may build one.
  mongo: async () => (await import('./mongo.js')).mongo(),
};

const unknown = asked.filter((subject) => !Object.hasOwn(subjects, subject));
if (unknown.length > 0) {
  say(`no benchmark ${unknown.join(', ')}; there are: ${Object.keys(subjects).join(', ')}`);
  process.exitCode = 2;
} else {
  say(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${process.platform}`);
  say(`medians of ${options.rounds} rounds of ${options.seconds} s, in turn, after ${options.warmUpSeconds} s each`);
  try {
    for (const subject of asked.length > 0 ? asked : Object.keys(subjects)) await subjects[subject]!();
    if (options.out !== undefined) writeResults(options.out);
  } finally {
    await cleanUp();
  }
}
