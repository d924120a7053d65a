/**
 * Runs everything that must pass before a commit: lint, generated files, every suite. Several suites run at a time, because
 * many of them wait for chains, servers and killed processes. A suite's output is printed when it has ended. The last line
 * sums up all suites; the exit code is not 0 if anything failed. `npm test` builds first, then runs this.
 *
 *     npm test                              everything
 *     npm test -- http node                 two suites
 *     npm test -- http -g 'wrong method'    the tests of a suite whose titles match
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ErasingCounts } from '../../test/support/erasing-counts.js';

/** The selection: suites (all of them by default), and the pattern that titles of tests must match. */
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
  /** The failed tests, each with the beginning of its error. */
  readonly failures: readonly string[];
  readonly skipped: readonly string[];
  /** CPU time of the suite and its child processes, if the system tells. */
  readonly cpuSeconds?: number;
  /** Texts that were erased at random after its tests (test/world/erasing.ts). */
  readonly erasing?: ErasingCounts;
}

/** Folders below test/ that contain fixtures and builders, not suites. */
const notSuites = ['world', 'histories', 'support'];

/**
 * Time limit of a suite, minutes: a failing test that leaves a handle open would otherwise hold it up for ever. The 50,000
 * seeds of the homes' simulator take three hours on a quiet core.
 */
const longestMinutes = process.env.SVC_TEST_LONG ? 600 : 15;

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** CPU seconds of the run, once it has ended. */
  readonly cpuSeconds?: () => number | undefined;
}

/** @returns the exit code; null if a signal ended it */
async function run(title: string, command: string, args: readonly string[], { env, cpuSeconds }: RunOptions = {}) {
  const startedAt = process.uptime();
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: longestMinutes * 60_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  // Not `close`, because processes that a suite has left behind may keep its output open.
  const [code] = (await once(child, 'exit')) as [number | null];
  const seconds = Math.trunc(process.uptime() - startedAt);
  const cpu = cpuSeconds?.();
  process.stdout.write(
    `\n── ${title}\n${said}── ${title}: ${seconds} s${cpu === undefined ? '' : `, ${cpu} s of CPU`}\n`,
  );
  return code;
}

const endOf = (code: number | null): string =>
  code === null ? `by a signal; the time limit is ${longestMinutes} minutes` : `exit code ${code}`;

interface SuiteOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly files?: readonly string[];
  readonly ignored?: readonly string[];
  /** Set if its tests are listed and not run: each counts as skipped, with this reason. */
  readonly notRunBecause?: string;
}

/**
 * Suites that run a second time with their data on a MongoDB-protocol server. The short form omits those in which the
 * store plays no part: the definitions, the forms of requests and replies, and who may read what. The suite `contract`
 * tests what a store must do.
 */
const sharedName = 'on-mongodb';
const shared: { readonly [part: string]: readonly string[] } = {
  [`${sharedName} (node)`]: ['node'],
  [`${sharedName} (peers)`]: ['peers/nodes'],
  ...(process.env.SVC_TEST_LONG ? { [`${sharedName} (definitions)`]: ['stories', 'conformance', 'races'] } : {}),
};

const formsOnly = process.env.SVC_TEST_LONG
  ? []
  : [
      ...['admin-log', 'amounts', 'body-members', 'capabilities', 'chain-reads', 'confidential'],
      ...['derived-workflows', 'error-table', 'faucet', 'list-turns', 'loopback', 'machines', 'market-codes'],
      ...['networks', 'order-of-refusals', 'other-clients'],
      ...['paths-and-bodies', 'reply-schemas', 'reply-schemas-of-markets', 'signer-left-out', 'start-and-stop'],
      ...['tls', 'unlocking'],
    ].map((name) => `node/${name}`);
/** What costs a minute, and shows the same as on the embedded store. */
const longOnly = process.env.SVC_TEST_LONG
  ? []
  : ['flood', 'joiner', 'kills', 'partition', 'reconnection'].map((name) => `peers/nodes/${name}`);

/** Suites with so many journals that the sample of test/world/erasing.ts has some of each. */
const isErasing = (name: string): boolean => ['actors', 'node', `${sharedName} (node)`, 'stories'].includes(name);

async function onMongo(part: string, files: readonly string[]): Promise<Counts> {
  // Imported only when needed, because looking for a server may build one.
  const { missing } = await import('../../test/mongo/support/server.js');
  // Without a server each test counts as skipped: mocha lists the tests and runs none.
  const notRun = missing === undefined ? {} : { notRunBecause: `no MongoDB: ${missing}` };
  const ignored = [...formsOnly, ...longOnly].map((name) => `${name}.test.js`);
  return suite(part, { env: { SVC_TEST_STORE: 'mongodb' }, files, ignored, ...notRun });
}

/** Runs a check that is not a mocha suite; it counts as one test. */
async function check(name: string, command: string, args: readonly string[]): Promise<Counts> {
  const ok = (await run(name, command, args)) === 0;
  return { passed: ok ? 1 : 0, failures: ok ? [] : [name], skipped: [] };
}

/** @param options see SuiteOptions; `files` are those of the suite that run, if not all do */
async function suite(name: string, options: SuiteOptions = {}): Promise<Counts> {
  const { env = {}, files = [name], ignored = [], notRunBecause } = options;
  const counts = join(scratch, `${name.replaceAll('/', ' ')}.json`);
  const counted = () => (existsSync(counts) ? (JSON.parse(readFileSync(counts, 'utf8')) as Counts) : undefined);
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
    {
      env: {
        ...{ SVC_TEST_COUNTS: counts, SVC_LOG_LEVEL: undefined, SVC_TEST_NOT_RUN: notRunBecause },
        TMPDIR: onDisk.includes(name) ? diskFolder : folder,
        ...env,
      },
      cpuSeconds: () => counted()?.cpuSeconds,
    },
  );
  const found = counted();
  if (!found) return { passed: 0, failures: [`${name}: ended without counts, ${endOf(code)}`], skipped: [] };
  if (pattern === undefined && code === 0 && notRunBecause === undefined && isErasing(name) && !found.erasing?.texts)
    return { ...found, failures: [`${name}: no text was erased at random after its tests`] };
  // A suite that fails without a failing test has failed as well.
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

/** Folder for temporary files, deleted at the end. */
const scratch = mkdtempSync(join(tmpdir(), 'svc-verify-'));
const diskFolder = join(scratch, 'tmp');
mkdirSync(diskFolder);
/**
 * Where suites keep the databases of their nodes: in memory if there is room, because they would wait for a disk at each
 * write. The suites in `onDisk` test what a disk does.
 */
const folder = folderInMemory() ?? diskFolder;
const onDisk = ['crash'];
/**
 * The long suites, which start first, the longest before the others, so that none of them runs alone at the end.
 */
const first = [
  ...['mongo', 'chain', 'cli', 'simulation', 'browser', 'conformance', 'peers', 'contract', 'node', 'hostile'],
  ...[...Object.keys(shared), 'crash', 'client', 'injection', 'http', 'deployment'],
];
const wanted = [...suites, ...(only.length === 0 || only.includes(sharedName) ? Object.keys(shared) : [])];
const queue = [...first.filter((name) => wanted.includes(name)), ...suites.filter((name) => !first.includes(name))];

/** Suites that run at a time. Most of them wait more than they compute, so this many keep two cores busy. */
const atATime = 4;

const node = process.execPath;
const checks: { readonly [name: string]: () => Promise<Counts> } = {
  lint: () => check('lint', 'node_modules/.bin/biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
  'console types': () => check('console types', node, ['node_modules/typescript/bin/tsc', '-p', 'console']),
  generated: () => check('generated', node, ['dist/scripts/generate/generate.js', '--check']),
  contracts: () => check('contracts', node, ['dist/scripts/contracts/contracts.js', '--check']),
};
const areChecked = only.length === 0 && pattern === undefined;

/** Tests that measure a node's answers against a clock. They run after all others, which would distort the result. */
const alone = ['hostile/unread-replies.test.js', 'hostile/half-sent-bodies.test.js'].filter((file) =>
  suites.includes(file.split('/')[0]!),
);

/** Runs suites from the queue until none is left. */
async function worker(): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const files = shared[name];
    counts.push(await (files ? onMongo(name, files) : suite(name, { ignored: alone })));
  }
  return counts;
}

/** @returns undefined if there is no memory file system with enough room from which programs can run */
function folderInMemory(): string | undefined {
  const [mount, leastBytes] = ['/dev/shm', 4 * 2 ** 30];
  let made: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(mount);
    if (bavail * bsize < leastBytes) return undefined;
    made = mkdtempSync(join(mount, 'svc-verify-'));
    const program = join(made, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    if (spawnSync(program).status === 0) return made;
  } catch {
    // No such file system, or it is not ours to use.
  }
  if (made !== undefined) rmSync(made, { recursive: true });
  return undefined;
}

const results: Counts[] = [];
try {
  const checked = areChecked ? Object.values(checks).map((run) => run()) : [];
  // Built once, because suites that look for it at the same time would overwrite each other's build; the checks don't.
  if (queue.length > 1) await import('../../test/mongo/support/server.js');
  const suitesRun = Array.from({ length: atATime }, worker);
  results.push(...(await Promise.all(checked)), ...(await Promise.all(suitesRun)).flat());
  if (alone.length > 0) results.push(await suite('alone', { files: alone }));
} finally {
  for (const made of [scratch, folder]) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
}
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failures = results.flatMap((each) => each.failures);
const skipped = results.flatMap((each) => each.skipped);
for (const title of skipped) process.stdout.write(`skipped: ${title}\n`);
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
const erased = (what: keyof ErasingCounts) =>
  Math.round(results.reduce((sum, { erasing }) => sum + (erasing?.[what] ?? 0), 0));
process.stdout.write(
  `\nerased at random: ${erased('texts')} texts of ${erased('journals')} journals, with ${erased('audits')} audits and ${erased('proofs')} proofs, in ${Math.round(erased('cpuMs') / 1_000)} s of CPU`,
);
process.stdout.write(`\n${passed} passed, ${failures.length} failed, ${skipped.length} skipped\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
if (pattern !== undefined && passed + failures.length + skipped.length === 0) {
  process.stderr.write(`no test matches -g '${pattern}' in ${only.length > 0 ? only.join(', ') : 'any suite'}\n`);
  process.exitCode = 1;
}
