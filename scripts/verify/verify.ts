/**
 * All that must hold before a commit: lint, generated files, every suite. Several suites at a time: many of them wait for
 * chains, servers and killed processes. What a suite says is printed when it has ended. Ends with one plain line that
 * sums the suites up; exits non-zero when anything failed. `npm test` builds first, then runs this.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
const longestMs = (process.env.SVC_TEST_LONG ? 60 : 15) * 60_000;

/** @returns the exit code; null where it was ended */
async function run(title: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const startedAt = process.uptime();
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: longestMs,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  // Not `close`: what a suite has started and left behind may hold its output open.
  const [code] = (await once(child, 'exit')) as [number | null];
  const seconds = Math.trunc(process.uptime() - startedAt);
  process.stdout.write(`\n── ${title}\n${said}── ${title}: ${seconds} s\n`);
  return code;
}

interface SuiteOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly files?: readonly string[];
}

/**
 * Run once more with their data on a MongoDB-protocol server, in two parts of about the same length; the short form
 * leaves the walks through every law out.
 */
const sharedName = 'on-mongodb';
const shared: { readonly [part: string]: readonly string[] } = {
  [`${sharedName} (node)`]: ['node'],
  [`${sharedName} (laws)`]: process.env.SVC_TEST_LONG
    ? ['stories', 'conformance', 'races']
    : ['stories', 'conformance/clock.test.js', 'conformance/derived-routes.test.js'],
};

async function onMongo(part: string, files: readonly string[]): Promise<Counts> {
  // Looking for a server may build one: not before it is needed.
  const { missing } = await import('../../test/mongo/support/server.js');
  if (missing !== undefined) return { passed: 0, failed: 0, skipped: [`${files.join(', ')} on MongoDB (${missing})`] };
  return suite(part, { env: { SVC_TEST_STORE: 'mongodb' }, files });
}

/** A check that is no mocha suite counts as one test. */
async function check(name: string, command: string, args: readonly string[]): Promise<Counts> {
  const ok = (await run(name, command, args)) === 0;
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] };
}

/** @param files of the suite, where only some of them run */
async function suite(name: string, { env = {}, files = [name] }: SuiteOptions = {}): Promise<Counts> {
  const counts = join(scratch, `${name.replaceAll('/', ' ')}.json`);
  const code = await run(
    name,
    process.execPath,
    [
      '--enable-source-maps',
      'node_modules/mocha/bin/mocha.js',
      '--reporter',
      'dist/scripts/verify/reporter.js',
      '--timeout',
      '40000',
      '--recursive',
      '--extension',
      '.test.js',
      ...files.map((file) => `dist/test/${file}`),
    ],
    { SVC_TEST_COUNTS: counts, SVC_LOG_LEVEL: undefined, TMPDIR: temporary, ...env },
  );
  if (!existsSync(counts)) return { passed: 0, failed: 1, skipped: [] };
  const found = JSON.parse(readFileSync(counts, 'utf8')) as Counts;
  // A suite that ends badly without a failing test has failed all the same.
  return code === 0 || found.failed > 0 ? found : { ...found, failed: 1 };
}

const only = process.argv.slice(2);
const suites = readdirSync('dist/test', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !notSuites.includes(entry.name))
  .map((entry) => entry.name)
  .filter((name) => only.length === 0 || only.includes(name))
  .sort();
const unknown = only.filter((name) => name !== sharedName && !suites.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no suite ${unknown.join(', ')}: each is a folder of test/, see docs/ARCHITECTURE.md\n`);
  process.exit(2);
}

/** What suites leave in the system's folder for such things goes with it. */
const scratch = mkdtempSync(join(tmpdir(), 'svc-verify-'));
const temporary = join(scratch, 'tmp');
mkdirSync(temporary);
/** The long ones go first, so that the end has nothing to wait for; what waits a lot beside what computes a lot. */
const first = [
  ...['chain', 'browser', 'mongo', 'cli', 'conformance'],
  ...[...Object.keys(shared), 'injection', 'contract', 'node', 'crash'],
];
const wanted = [...suites, ...(only.length === 0 || only.includes(sharedName) ? Object.keys(shared) : [])];
const queue = [...first.filter((name) => wanted.includes(name)), ...suites.filter((name) => !first.includes(name))];

/** Most suites wait more than they compute: so many keep two cores busy. */
const atATime = 3;

const node = process.execPath;
const checks: { readonly [name: string]: () => Promise<Counts> } = {
  lint: () => check('lint', 'node_modules/.bin/biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
  'console types': () => check('console types', node, ['node_modules/typescript/bin/tsc', '-p', 'src/http/console']),
  generated: () => check('generated', node, ['dist/scripts/generate/generate.js', '--check']),
  contracts: () => check('contracts', node, ['dist/scripts/contracts/contracts.js', '--check']),
};
if (only.length === 0) queue.unshift(...Object.keys(checks));

/** Takes one after the other until none is left. */
async function worker(): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const files = shared[name];
    counts.push(await (checks[name]?.() ?? (files ? onMongo(name, files) : suite(name))));
  }
  return counts;
}

const results: Counts[] = [];
try {
  // Built once: suites that ask for it at the same time would build over each other.
  if (queue.length > 1) await import('../../test/mongo/support/server.js');
  results.push(...(await Promise.all(Array.from({ length: atATime }, worker))).flat());
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failed = results.reduce((sum, each) => sum + each.failed, 0);
const skipped = results.flatMap((each) => each.skipped);
for (const title of skipped) process.stdout.write(`skipped: ${title}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
process.exitCode = failed > 0 ? 1 : 0;
