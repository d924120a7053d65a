/**
 * All that must hold before a commit: lint, generated files, every suite. Ends with one plain line that sums the
 * suites up; exits non-zero when anything failed. `npm test` builds first, then runs this.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly string[];
}

/** Folders below test/ that hold fixtures and builders, no suites. */
const notSuites = ['world', 'histories'];

/** A failing test that leaves something open would hold its suite up for ever. */
const longestMs = (process.env.SVC_TEST_LONG ? 60 : 10) * 60_000;

const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): SpawnSyncReturns<Buffer> =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env }, timeout: longestMs });

function heading(text: string, startedAt = 0): number {
  if (startedAt === 0) process.stdout.write(`\n── ${text}\n`);
  else process.stdout.write(`── ${text}: ${((process.uptime() - startedAt) | 0).toString()} s\n`);
  return process.uptime();
}

interface SuiteOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly files?: readonly string[];
}

/** Run once more with their data on a MongoDB-protocol server, whole. */
const shared = ['stories', 'node', 'conformance', ...(process.env.SVC_TEST_LONG ? ['races'] : [])];
const sharedName = 'on-mongodb';

async function onMongo(scratch: string): Promise<Counts> {
  // Looking for a server may build one: not before it is needed.
  const { missing } = await import('../../test/mongo/support/server.js');
  if (missing !== undefined) return { passed: 0, failed: 0, skipped: [`${shared.join(', ')} on MongoDB (${missing})`] };
  return suite(sharedName, scratch, { env: { SVC_TEST_STORE: 'mongodb' }, files: shared });
}

/** A check that is no mocha suite counts as one test. */
function check(name: string, command: string, args: readonly string[]): Counts {
  const startedAt = heading(name);
  const ok = run(command, args).status === 0;
  heading(name, startedAt);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] };
}

/** @param files of the suite, where only some of them run */
function suite(name: string, scratch: string, { env = {}, files = [name] }: SuiteOptions = {}): Counts {
  const startedAt = heading(name);
  const counts = join(scratch, `${name.replaceAll('/', ' ')}.json`);
  const { status } = run(
    process.execPath,
    [
      '--enable-source-maps',
      'node_modules/mocha/bin/mocha.js',
      '--reporter',
      'dist/scripts/verify/reporter.js',
      '--timeout',
      '20000',
      '--recursive',
      '--extension',
      '.test.js',
      ...files.map((file) => `dist/test/${file}`),
    ],
    { SVC_TEST_COUNTS: counts, SVC_LOG_LEVEL: undefined, ...env },
  );
  heading(name, startedAt);
  if (!existsSync(counts)) return { passed: 0, failed: 1, skipped: [] };
  const found = JSON.parse(readFileSync(counts, 'utf8')) as Counts;
  // A suite that ends badly without a failing test has failed all the same.
  return status === 0 || found.failed > 0 ? found : { ...found, failed: 1 };
}

const only = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'svc-verify-'));
const suites = readdirSync('dist/test', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !notSuites.includes(entry.name))
  .map((entry) => entry.name)
  .filter((name) => only.length === 0 || only.includes(name))
  .sort();
const results: Counts[] = [];
try {
  if (only.length === 0) {
    results.push(check('lint', 'node_modules/.bin/biome', ['ci', '--colors=off', '--error-on-warnings', '.']));
    results.push(check('generated', process.execPath, ['dist/scripts/generate/generate.js', '--check']));
    results.push(check('contracts', process.execPath, ['dist/scripts/contracts/contracts.js', '--check']));
  }
  for (const name of suites) results.push(suite(name, scratch));
  if (only.length === 0 || only.includes(sharedName)) results.push(await onMongo(scratch));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failed = results.reduce((sum, each) => sum + each.failed, 0);
const skipped = results.flatMap((each) => each.skipped);
for (const title of skipped) process.stdout.write(`skipped: ${title}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
process.exitCode = failed > 0 ? 1 : 0;
