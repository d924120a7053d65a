/**
 * All that must hold before a commit: lint, generated files, every suite. Several suites at a time: many of them wait for
 * chains, servers and killed processes. What a suite says is printed when it has ended. Ends with one plain line that
 * sums the suites up; exits non-zero when anything failed. `npm test` builds first, then runs this.
 *
 *     npm test                              everything
 *     npm test -- http node                 two suites
 *     npm test -- http -g 'wrong method'    the tests of a suite whose titles match
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** What to run: suites, all of them where none is named, and the pattern that titles of tests must match. */
function asked(): { readonly only: readonly string[]; readonly pattern: string | undefined } {
  const options = { grep: { type: 'string', short: 'g' } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.grep !== undefined) new RegExp(values.grep);
    return { only: positionals, pattern: values.grep };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nusage: npm test -- [suite …] [-g pattern]\n`);
    process.exit(2);
  }
}

const { only, pattern } = asked();

interface Counts {
  readonly passed: number;
  /** What failed, each with the beginning of its error. */
  readonly failures: readonly string[];
  readonly skipped: readonly string[];
}

/** Folders below test/ that hold fixtures and builders, no suites. */
const notSuites = ['world', 'histories', 'doubles', 'support'];

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
  readonly ignored?: readonly string[];
  /** Its tests are listed, not run: each counts as skipped, with this reason. */
  readonly notRunBecause?: string;
}

/**
 * Run once more with their data on a MongoDB-protocol server. The short form leaves out what the store has no part in: the
 * definitions, and the forms of requests and replies. The suite `contract` says what a store must do.
 */
const sharedName = 'on-mongodb';
const shared: { readonly [part: string]: readonly string[] } = {
  [`${sharedName} (node)`]: ['node'],
  ...(process.env.SVC_TEST_LONG ? { [`${sharedName} (laws)`]: ['stories', 'conformance', 'races'] } : {}),
};

const formsOnly = process.env.SVC_TEST_LONG
  ? []
  : [
      ...['body-members', 'machines', 'market-codes', 'order-of-refusals', 'paths-and-bodies'],
      ...['reply-schemas', 'reply-schemas-of-markets', 'unlocking'],
    ];

async function onMongo(part: string, files: readonly string[]): Promise<Counts> {
  // Looking for a server may build one: not before it is needed.
  const { missing } = await import('../../test/mongo/support/server.js');
  // Without a server each test is counted as skipped: mocha lists the tests and runs none.
  const notRun = missing === undefined ? {} : { notRunBecause: `no MongoDB: ${missing}` };
  const ignored = formsOnly.map((name) => `node/${name}.test.js`);
  return suite(part, { env: { SVC_TEST_STORE: 'mongodb' }, files, ignored, ...notRun });
}

/** A check that is no mocha suite counts as one test. */
async function check(name: string, command: string, args: readonly string[]): Promise<Counts> {
  const ok = (await run(name, command, args)) === 0;
  return { passed: ok ? 1 : 0, failures: ok ? [] : [name], skipped: [] };
}

/** @param files of the suite, where only some of them run */
async function suite(name: string, options: SuiteOptions = {}): Promise<Counts> {
  const { env = {}, files = [name], ignored = [], notRunBecause } = options;
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
      ...(pattern === undefined ? [] : ['--grep', pattern]),
      ...(notRunBecause === undefined ? [] : ['--dry-run']),
      ...ignored.flatMap((file) => ['--ignore', `dist/test/${file}`]),
      ...files.map((file) => `dist/test/${file}`),
    ],
    { SVC_TEST_COUNTS: counts, SVC_LOG_LEVEL: undefined, TMPDIR: temporary, SVC_TEST_NOT_RUN: notRunBecause, ...env },
  );
  if (!existsSync(counts))
    return { passed: 0, failures: [`${name}: ended without counts, exit code ${code}`], skipped: [] };
  const found = JSON.parse(readFileSync(counts, 'utf8')) as Counts;
  // A suite that ends badly without a failing test has failed all the same.
  if (code === 0 || found.failures.length > 0) return found;
  return { ...found, failures: [`${name}: ended badly, exit code ${code}`] };
}

const suites = readdirSync('dist/test', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !notSuites.includes(entry.name))
  .map((entry) => entry.name)
  .filter((name) => only.length === 0 || only.includes(name))
  .sort();
const unknown = only.filter((name) => name !== sharedName && !suites.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no suite ${unknown.join(', ')}: each is a folder of test/, see docs/testing.md\n`);
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
  'console types': () => check('console types', node, ['node_modules/typescript/bin/tsc', '-p', 'console']),
  generated: () => check('generated', node, ['dist/scripts/generate/generate.js', '--check']),
  contracts: () => check('contracts', node, ['dist/scripts/contracts/contracts.js', '--check']),
};
if (only.length === 0 && pattern === undefined) queue.unshift(...Object.keys(checks));

/** They hold a node's answers against a clock, so they run after all others: suites beside them would be measured as well. */
const alone = ['hostile/unread-replies.test.js'].filter((file) => suites.includes(file.split('/')[0]!));

/** Takes one after the other until none is left. */
async function worker(): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const files = shared[name];
    counts.push(await (checks[name]?.() ?? (files ? onMongo(name, files) : suite(name, { ignored: alone }))));
  }
  return counts;
}

const results: Counts[] = [];
try {
  // Built once: suites that ask for it at the same time would build over each other.
  if (queue.length > 1) await import('../../test/mongo/support/server.js');
  results.push(...(await Promise.all(Array.from({ length: atATime }, worker))).flat());
  if (alone.length > 0) results.push(await suite('alone', { files: alone }));
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failures = results.flatMap((each) => each.failures);
const skipped = results.flatMap((each) => each.skipped);
for (const title of skipped) process.stdout.write(`skipped: ${title}\n`);
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(`\n${passed} passed, ${failures.length} failed, ${skipped.length} skipped\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
if (pattern !== undefined && passed + failures.length + skipped.length === 0) {
  process.stderr.write(`no test matches -g '${pattern}' in ${only.length > 0 ? only.join(', ') : 'any suite'}\n`);
  process.exitCode = 1;
}
