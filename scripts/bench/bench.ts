/**
 * Measures the node against the targets of docs/benchmarks.md, and what it costs against the least that the same
 * work costs. Prints tables and leaves nothing behind.
 * @example npm run bench -- [spine] [reads] [unlock] [start] [store] [store-reads] [--rounds 5] [--seconds 3]
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { options, suites } from './options.js';
import { cleanUp } from './people.js';
import { reads } from './reads.js';
import { say } from './report.js';
import { spine } from './spine.js';
import { start } from './start.js';
import { unlock } from './unlock.js';

/** Programs of their own, which take no part in a run of everything. */
const alone = (script: string) => async (): Promise<void> => {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
};

const targets: { readonly [suite: string]: () => Promise<void> } = { spine, reads, unlock, start };
const others: { readonly [suite: string]: () => Promise<void> } = {
  store: alone('./store.js'),
  'store-reads': alone('./store-reads.js'),
};

const known = { ...targets, ...others };
const asked = suites.length > 0 ? suites : Object.keys(targets);
const unknown = asked.filter((suite) => !Object.hasOwn(known, suite));
if (unknown.length > 0) {
  say(`no benchmark ${unknown.join(', ')}; there are: ${Object.keys(known).join(', ')}`);
  process.exitCode = 2;
} else {
  say(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, ${process.platform}`);
  say(
    `medians of ${options.rounds} rounds of ${options.seconds} s, taken in turn, after ${options.warmUpSeconds} s each`,
  );
  try {
    for (const suite of asked) await known[suite]!();
  } finally {
    await cleanUp();
  }
}
