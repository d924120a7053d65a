/**
 * Runs tests (`*.test.ts`), campaigns (`*.campaign.ts`, `--campaign`) or everything that must pass before a commit (`--all`).
 * Several suites run at a time, because many of them wait for chains, servers and killed processes. A failure is printed at
 * once, a suite's output when it has ended. The last line sums up all suites; the exit code is not 0 if anything failed.
 *
 *     npm test                              lint, generated files and all tests
 *     npm test -- http node                 two suites
 *     npm test -- http -g 'wrong method'    the tests of a suite whose titles match
 *     npm run test:campaign -- mongo        the campaigns of a suite
 *     npm run verify                        everything
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ErasingCounts } from '../../test/support/erasing-counts.js';
import type { Counts, Report } from './reporter.js';

/** The selection: suites (all of them by default), and the pattern that titles of tests must match. */
function asked() {
  const options = {
    grep: { type: 'string', short: 'g' },
    campaign: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals: only } = parseArgs({ options, allowPositionals: true });
    const { grep: pattern, all: areAll, campaign: isCampaign } = values;
    if (pattern !== undefined) new RegExp(pattern);
    return { only, pattern, tests: areAll || !isCampaign, campaigns: areAll || isCampaign };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nusage: npm test -- [suite …] [-g pattern]\n`);
    process.exit(2);
  }
}

const { only, pattern, tests, campaigns } = asked();
const isLong = Boolean(process.env.SVC_TEST_LONG);

/** What one mocha process runs. */
interface Unit {
  readonly title: string;
  /** Folders below dist/test. */
  readonly folders: readonly string[];
  readonly extensions: readonly string[];
  /** Whether the data of its nodes is on a MongoDB-protocol server. */
  readonly isOnMongo?: boolean;
}

/** Folders below test/ that contain fixtures and builders, not suites. */
const notSuites = ['world', 'histories', 'support'];
/** The suites that measure a node's answers or its CPU time. They run after all others, which would distort the result. */
const lastSuites = ['floods', 'speed'];
/** The suites that need a disk. The others keep their databases in memory, where no write waits. */
const onDisk = ['crash', 'speed'];
/** Suites that run at a time. Most of them wait more than they compute, so this many keep two cores busy. */
const atATime = 4;
/** Time limit of a suite, minutes: a failing test that leaves a handle open would otherwise hold it up for ever. */
const longestMinutes = isLong ? 600 : 60;

const suites = readdirSync('dist/test', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !notSuites.includes(entry.name))
  .map(({ name }) => name);
const sharedName = 'on-mongodb';
const unknown = only.filter((name) => name !== sharedName && !suites.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no suite ${unknown.join(', ')}: each is a folder of test/, see docs/testing.md\n`);
  process.exit(2);
}

const filesOf = ({ folders, extensions }: Unit): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join('dist/test', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => extensions.some((extension) => file.endsWith(extension)))
      .map((file) => join('dist/test', folder, file)),
  );
const sizeOf = (unit: Unit): number => filesOf(unit).reduce((sum, file) => sum + statSync(file).size, 0);

/** What runs, the largest first, so that no long suite runs alone at the end. */
function units(): Unit[] {
  const wanted = suites.filter((name) => only.length === 0 || only.includes(name));
  const [test, campaign] = ['.test.js', '.campaign.js'];
  const all: Unit[] = [
    ...(tests ? wanted.map((name) => ({ title: name, folders: [name], extensions: [test] })) : []),
    ...(campaigns
      ? wanted.map((name) => ({ title: `campaigns of ${name}`, folders: [name], extensions: [campaign] }))
      : []),
  ];
  // A pattern needs few tests: one process loads the files once.
  if (pattern !== undefined && all.length > 1)
    all.splice(0, all.length, {
      ...{ title: 'tests', folders: wanted },
      extensions: [...(tests ? [test] : []), ...(campaigns ? [campaign] : [])],
    });
  if (only.includes(sharedName) || (campaigns && only.length === 0 && pattern === undefined))
    for (const folder of [
      'node',
      'peers/nodes',
      'hostile/peers',
      ...(isLong ? ['stories', 'conformance', 'races'] : []),
    ])
      all.push({
        ...{ title: `${folder} on MongoDB`, folders: [folder], isOnMongo: true },
        extensions: isLong ? [test, campaign] : [test],
      });
  return all
    .map((unit) => ({ unit, size: sizeOf(unit) }))
    .filter(({ size }) => size > 0)
    .sort((one, other) => other.size - one.size)
    .map(({ unit }) => unit);
}

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly told?: (report: Report) => void;
  /** Whether its output is printed as it comes, not at the end. */
  readonly isAlone?: boolean;
}

/** @returns the exit code (null if a signal ended it) and its seconds */
async function run(title: string, args: readonly string[], { env, told, isAlone = false }: RunOptions = {}) {
  const startedAt = process.uptime();
  const output = isAlone ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', output, output, 'ipc'],
    env: { ...process.env, ...env },
    timeout: longestMinutes * 60_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  child.on('message', (report) => told?.(report as Report));
  // Not `close`, because processes that a suite has left behind may keep its output open.
  const [code] = (await once(child, 'exit')) as [number | null];
  process.stdout.write(`${said === '' ? '' : `\n── ${title}\n${said}`}`);
  return { code, seconds: Math.trunc(process.uptime() - startedAt) };
}

const nothing: Counts = {
  ...{ passed: 0, failures: [], skipped: [], costs: [] },
  erasing: { journals: 0, texts: 0, audits: 0, proofs: 0, cpuMs: 0 },
};

/** Runs a check that is not a mocha suite; it counts as one test. */
async function check(name: string, args: readonly string[]): Promise<Counts> {
  const { code, seconds } = await run(name, args);
  process.stdout.write(`── ${name}: ${seconds} s\n`);
  return code === 0 ? { ...nothing, passed: 1 } : { ...nothing, failures: [name] };
}

/** Why the unit cannot run on this machine; undefined if it can. */
async function notRunBecause({ isOnMongo = false }: Unit): Promise<string | undefined> {
  if (!isOnMongo) return undefined;
  // Imported only when needed, because looking for a server may build one.
  const { missing } = await import('../../test/mongo/support/server.js');
  return missing && `no MongoDB: ${missing}`;
}

async function suite(unit: Unit, isAlone: boolean): Promise<Counts> {
  const { title } = unit;
  let counts: Counts | undefined;
  const told = (report: Report) => {
    if ('counts' in report) counts = report.counts;
    else if (!isAlone) process.stdout.write(`failed in ${title}: ${report.failure}\n`);
  };
  const missing = await notRunBecause(unit);
  const { code, seconds } = await run(
    title,
    [
      ...['--enable-source-maps', 'node_modules/mocha/bin/mocha.js', '--reporter', 'dist/scripts/verify/reporter.js'],
      // Only the time limit of the suite holds for the long form.
      ...(isLong ? ['--timeout', '0'] : []),
      ...(pattern === undefined ? [] : ['--grep', pattern]),
      // Without a server each test counts as skipped: mocha lists the tests and runs none.
      ...(missing === undefined ? [] : ['--dry-run']),
      ...filesOf(unit),
    ],
    {
      env: {
        ...{
          SVC_LOG_LEVEL: undefined,
          SVC_TEST_NOT_RUN: missing,
          ...(unit.isOnMongo && { SVC_TEST_STORE: 'mongodb' }),
        },
        TMPDIR: unit.folders.some((name) => onDisk.includes(name)) ? diskFolder : folder,
      },
      ...{ told, isAlone },
    },
  );
  const failed = (how: string) => ({ ...(counts ?? nothing), failures: [`${title}: ${how}`] });
  if (!counts) {
    const end = code === null ? `by a signal; the time limit is ${longestMinutes} minutes` : `exit code ${code}`;
    return failed(`ended without counts, ${end}`);
  }
  const cpu = counts.costs.reduce((sum, each) => sum + each.cpuSeconds, 0);
  process.stdout.write(`── ${title}: ${seconds} s, ${Math.round(cpu)} s of CPU\n`);
  // A suite that fails without a failing test has failed as well.
  return code === 0 || counts.failures.length > 0 ? counts : failed(`ended badly, exit code ${code}`);
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

const checks: { readonly [name: string]: readonly string[] } = {
  lint: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  'console types': ['node_modules/typescript/bin/tsc', '-p', 'console'],
  generated: ['dist/scripts/generate/generate.js', '--check'],
  contracts: ['dist/scripts/contracts/contracts.js', '--check'],
};
const isWhole = only.length === 0 && pattern === undefined;

/** Folder for temporary files, deleted at the end. */
const scratch = mkdtempSync(join(tmpdir(), 'svc-verify-'));
const diskFolder = join(scratch, 'tmp');
mkdirSync(diskFolder);
/** Where suites keep the databases of their nodes: in memory if there is room. */
const folder = folderInMemory() ?? diskFolder;

const results: Counts[] = [];
try {
  const queue = units();
  const last = queue.filter(({ folders }) => lastSuites.includes(folders[0]!) && folders.length === 1);
  const others = queue.filter((unit) => !last.includes(unit));
  const isAlone = queue.length === 1;
  /** Runs suites from the queue until none is left. */
  const worker = async (waiting: Unit[]): Promise<void> => {
    for (let unit = waiting.shift(); unit; unit = waiting.shift()) results.push(await suite(unit, isAlone));
  };
  const checked = isWhole && tests ? Object.entries(checks).map(([name, args]) => check(name, args)) : [];
  // Built once, because suites that look for it at the same time would overwrite each other's build; the checks don't.
  if (queue.length > 1) await import('../../test/mongo/support/server.js');
  const workers = Array.from({ length: atATime }, () => worker(others));
  results.push(...(await Promise.all(checked)));
  await Promise.all(workers);
  await worker(last);
} finally {
  for (const made of [scratch, folder]) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
}
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failures = results.flatMap((each) => each.failures);
const skipped = results.flatMap((each) => each.skipped);
const erased = (what: keyof ErasingCounts) => Math.round(results.reduce((sum, { erasing }) => sum + erasing[what], 0));
if (isWhole && tests && erased('texts') === 0) failures.push('no text was erased at random after the tests');

const dearest = results
  .flatMap(({ costs }) => costs)
  .sort((one, other) => other.cpuSeconds - one.cpuSeconds)
  .slice(0, Number(process.env.SVC_TEST_DEAREST ?? 20));
process.stdout.write('\nThe dearest files, in seconds of CPU and seconds\n');
for (const { file, cpuSeconds, seconds } of dearest)
  process.stdout.write(`${cpuSeconds.toFixed(1).padStart(6)} ${seconds.toFixed(1).padStart(6)}  ${file}\n`);
for (const title of skipped) process.stdout.write(`skipped: ${title}\n`);
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(
  `\nerased at random: ${erased('texts')} texts of ${erased('journals')} journals, with ${erased('audits')} audits and ${erased('proofs')} proofs, in ${Math.round(erased('cpuMs') / 1_000)} s of CPU`,
);
process.stdout.write(`\n${passed} passed, ${failures.length} failed, ${skipped.length} skipped\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
if (pattern !== undefined && passed + failures.length + skipped.length === 0) {
  process.stderr.write(`no test matches -g '${pattern}' in ${only.length > 0 ? only.join(', ') : 'any suite'}\n`);
  process.exitCode = 1;
}
