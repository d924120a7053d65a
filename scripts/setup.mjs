/**
 * Makes a checkout ready to run, with nothing but Node: installs the packages of package-lock.json, compiles and packs
 * what has changed, and builds the console if its files have changed.
 * Quiet and fast when there is nothing to do; safe when several run at once. `node scripts/setup.mjs <arguments>` then
 * runs `svc-node <arguments>` in the same process: with the `exec` of npm's script, signals for npm reach the node.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => path.join(root, ...parts);
/** Folders of packages that are published separately (docs/decisions/0027). */
const packages = () =>
  fs.existsSync(at('packages')) ? fs.readdirSync(at('packages')).map((name) => path.posix.join('packages', name)) : [];
const compiled = () => ['src', 'test', 'scripts', ...packages().map((dir) => path.posix.join(dir, 'src'))];
const installStamp = at('node_modules', '.svc-setup.json');
const buildStamp = at('dist', '.svc-build.json');
/** The compiler's record of its last run, with which it only emits what has changed. */
const compilerState = at('dist', '.svc-compiler.tsbuildinfo');
/** The web page, which Vite builds and not the compiler. */
const page = 'console';
/** Of which it takes the parsers and what signs. */
const pageParts = 'packages/client/src';
const pageStamp = at('dist', '.svc-console.json');
/** The documents as pages, which the node serves at /guide. */
const guide = 'scripts/guide/guide.mjs';
/** What the guide shares with the console. */
const fromConsole = ['style/tokens.css', 'icon.svg', 'shell/themes.ts', 'shell/local.ts', 'parts/cards.ts'].map(
  (file) => `console/${file}`,
);
/** What its pages of the API are made of. */
const fromApi = ['openapi.json', 'samples.json'].map((file) => `docs/generated/${file}`);
const guideStamp = at('dist', '.svc-guide.json');
const lock = at('dist', '.svc-setup.lock');
/** A lock whose holder has not refreshed it for this long is stale, also if it ran on another machine. */
const lockSilenceMs = 30_000;
const lockPollMs = 200;

const say = (text) => process.stderr.write(`${text}\n`);
const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined; // missing or incomplete: the step is repeated
  }
};
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

class SetupFailed extends Error {
  name = 'SetupFailed';
}

function requireNode() {
  const wanted = readJson(at('package.json')).engines.node;
  const [major, minor] = /(\d+)\.(\d+)/.exec(wanted).slice(1).map(Number);
  const [hasMajor, hasMinor] = process.versions.node.split('.').map(Number);
  if (hasMajor > major || (hasMajor === major && hasMinor >= minor)) return;
  throw new SetupFailed(`Node.js ${wanted} is needed, and this is ${process.version}: see https://nodejs.org`);
}

/** Runs a command quietly. If it fails, its output is in `output`. */
function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('error', (error) => reject(new SetupFailed(`${command} could not be run: ${error.message}`)));
    child.on('close', (code, signal) => resolve({ ended: code ?? signal, output }));
  });
}

/**
 * Runs one of Node's programs, which must succeed. @param failed meaning of its failure @param who the program whose
 * output explains it
 */
async function must(args, failed, who) {
  const { ended, output } = await run(process.execPath, args);
  if (ended === 0) return;
  say(output.trimEnd());
  throw new SetupFailed(`${failed} (${ended}): what ${who} says above is the reason`);
}

function npm(args) {
  // No package needs its install script, and NODE_ENV=production must not omit the compiler.
  const all = [...args, '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const path = process.env.npm_execpath;
  return /npm-cli\.c?js$/.test(path ?? '')
    ? run(process.execPath, [path, ...all])
    : run('npm', all, { shell: process.platform === 'win32' });
}

// --- dependencies

const wantedInstall = () => ({
  lock: createHash('sha256')
    .update(fs.readFileSync(at('package-lock.json')))
    .digest('hex'),
  platform: `${process.platform}-${process.arch}`,
});

/** Whether npm's own record of node_modules matches the lock. Packages for other platforms may be absent. */
function agreesWithLock() {
  const installed = readJson(at('node_modules', '.package-lock.json'))?.packages;
  const wanted = readJson(at('package-lock.json')).packages;
  if (!installed) return false;
  return Object.entries(wanted).every(([name, { integrity, optional, link }]) => {
    if (link || !name.startsWith('node_modules/')) return true; // folders of the checkout
    return installed[name] === undefined ? optional === true : installed[name].integrity === integrity;
  });
}

function isInstalled(wanted) {
  const stamp = readJson(installStamp);
  if (same(stamp, wanted)) return true;
  return (stamp?.platform ?? wanted.platform) === wanted.platform && agreesWithLock();
}

async function install(wanted) {
  if (!isInstalled(wanted)) {
    say('svc-node: installing dependencies (npm ci) …');
    const strict = await npm(['ci']);
    // npm ci rejects a lock without the packages of every other platform, which a registry may not have. npm install
    // uses the same versions and only needs those of this platform.
    const done = strict.ended === 0 ? strict : await npm(['install', '--no-save']);
    if (done.ended !== 0) {
      say(strict.output.trimEnd());
      throw new SetupFailed(`npm ci failed (${strict.ended}): what it says above is the reason`);
    }
  }
  fs.writeFileSync(installStamp, JSON.stringify(wanted));
}

// --- build

function* filesIn(dir) {
  if (!fs.existsSync(at(dir))) return;
  for (const entry of fs.readdirSync(at(dir), { withFileTypes: true })) {
    const file = path.posix.join(dir, entry.name);
    if (entry.isDirectory()) yield* filesIn(file);
    else yield file;
  }
}

const sources = () =>
  compiled()
    .flatMap((dir) => [...filesIn(dir)])
    .filter((file) => file.endsWith('.ts') && !file.startsWith(`${page}/`))
    .sort();

function wantedBuild(files, { lock: dependencies }) {
  const hash = createHash('sha256').update(dependencies);
  const settings = packages()
    .flatMap((dir) => [`${dir}/package.json`, `${dir}/tsconfig.json`])
    .filter((file) => fs.existsSync(at(file)));
  for (const file of [
    'package.json',
    'tsconfig.json',
    'scripts/bundle.mjs',
    'scripts/notices.mjs',
    ...packed().flatMap(({ script }) => script),
    ...settings,
    ...files,
  ]) {
    hash.update(`\0${file}\0`).update(fs.readFileSync(at(file)));
  }
  return { sources: hash.digest('hex') };
}

/** Packages that are also packed into few files, each with its script and the last file that it writes. */
const packed = () =>
  [
    { dir: 'packages/client', script: 'scripts/bundle-client.mjs', last: 'dist/cjs/package.json' },
    { dir: 'packages/fake-node', script: 'scripts/bundle-fake-node.mjs', last: 'dist/cjs/package.json' },
    { dir: 'packages/payments', script: 'scripts/bundle-payments.mjs', last: 'dist/cjs/package.json' },
    { dir: 'packages/mcp', script: 'scripts/bundle-mcp.mjs', last: 'dist/svc-node-mcp.js' },
  ].filter(({ dir }) => fs.existsSync(at(dir)));
const isWhole = () =>
  ['src', 'program'].every((dir) => fs.existsSync(at('dist', dir, 'main.js'))) &&
  packages().every((dir) => fs.existsSync(at(dir, 'dist'))) &&
  packed().every(({ dir, last }) => fs.existsSync(at(dir, last)));
const isBuilt = (wanted) => same(readJson(buildStamp), wanted) && isWhole();

async function build(wanted, files) {
  if (isBuilt(wanted)) return;
  say('svc-node: compiling …');
  // If outputs are missing, the compiler must not assume that they exist.
  if (!isWhole()) fs.rmSync(compilerState, { force: true });
  fs.rmSync(buildStamp, { force: true });
  await compile('.', '--incremental', '--tsBuildInfoFile', compilerState);
  removeStale(files);
  await together(
    must([at('scripts', 'bundle.mjs')], 'the program cannot be packed', 'rolldown'),
    ...packages().map(buildPackage),
  );
  await together(...packed().map(({ script, dir }) => must([at(script)], `${dir} cannot be packed`, 'rolldown')));
  fs.writeFileSync(buildStamp, JSON.stringify(wanted));
}

const compile = (project, ...options) =>
  must(
    [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', at(project), ...options],
    'the sources do not compile',
    'tsc',
  );

/** Compiled with its own settings into its own folder, without access to the rest of the checkout. */
async function buildPackage(dir) {
  fs.rmSync(at(dir, 'dist'), { recursive: true, force: true });
  if (!fs.existsSync(at(dir, 'tsconfig.json'))) return; // packed from `dist`
  await compile(dir);
}

/** Removes compiled files of deleted sources, so that a deleted test does not continue to run. */
function removeStale(files) {
  const known = new Set(files.map((file) => path.posix.join('dist', file.replace(/\.ts$/, ''))));
  for (const dir of compiled()) {
    for (const file of filesIn(path.posix.join('dist', dir))) {
      const source = file.replace(/\.(js|d\.ts)(\.map)?$/, '');
      if (source !== file && !known.has(source)) fs.rmSync(at(file), { force: true });
    }
  }
}

// --- console

function wantedPage({ lock: dependencies }) {
  const hash = createHash('sha256').update(dependencies);
  for (const file of [...filesIn(page), ...filesIn(pageParts)].sort())
    hash.update(`\0${file}\0`).update(fs.readFileSync(at(file)));
  return { sources: hash.digest('hex') };
}

const isPageBuilt = (wanted) =>
  !fs.existsSync(at(page)) || (same(readJson(pageStamp), wanted) && fs.existsSync(at('dist', 'console', 'index.html')));

async function buildPage(wanted) {
  if (isPageBuilt(wanted)) return;
  say('svc-node: building the console …');
  fs.rmSync(pageStamp, { force: true });
  const vite = at('node_modules', 'vite', 'bin', 'vite.js');
  await must([vite, 'build', '--config', at(page, 'vite.config.mjs')], 'the console cannot be built', 'vite');
  fs.writeFileSync(pageStamp, JSON.stringify(wanted));
}

// --- guide

function wantedGuide({ lock: dependencies }) {
  const hash = createHash('sha256').update(dependencies);
  const pages = [...filesIn('docs'), ...fs.readdirSync(root).filter((file) => file.endsWith('.md'))].sort();
  for (const file of [...filesIn('scripts/guide'), ...fromConsole, ...fromApi, ...pages]) {
    if (fs.existsSync(at(file))) hash.update(`\0${file}\0`).update(fs.readFileSync(at(file)));
  }
  return { sources: hash.digest('hex') };
}

const isGuideBuilt = (wanted) =>
  !fs.existsSync(at(guide)) || (same(readJson(guideStamp), wanted) && fs.existsSync(at('dist', 'guide', 'index.html')));

async function buildGuide(wanted) {
  if (isGuideBuilt(wanted)) return;
  fs.rmSync(guideStamp, { force: true });
  await must([at(guide)], 'the guide cannot be built', 'node');
  fs.writeFileSync(guideStamp, JSON.stringify(wanted));
}

// --- one at a time

/** @returns a function that releases the lock; undefined while another process holds it */
function tryLock() {
  const mine = fs.mkdtempSync(`${lock}.`);
  fs.writeFileSync(path.join(mine, 'holder'), JSON.stringify({ pid: process.pid, host: hostname() }));
  try {
    // Fails if a directory with content has that name, so the lock never exists without its holder's file.
    fs.renameSync(mine, lock);
  } catch {
    fs.rmSync(mine, { recursive: true, force: true });
    return undefined;
  }
  const signOfLife = setInterval(() => {
    try {
      fs.utimesSync(path.join(lock, 'holder'), new Date(), new Date());
    } catch {
      // Another program has removed dist; the work continues, and is at worst done twice.
    }
  }, lockSilenceMs / 10);
  return () => {
    clearInterval(signOfLife);
    fs.rmSync(lock, { recursive: true, force: true });
  };
}

function isAlive({ pid, host }) {
  if (host !== hostname()) return true; // its pids are not ours, so only the lock's age counts
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Removes a lock whose holder is dead. Only one waiting process succeeds in renaming it. */
function removeStaleLock() {
  const file = path.join(lock, 'holder');
  try {
    const holder = readJson(file);
    const silentMs = Date.now() - fs.statSync(file).mtimeMs;
    if (silentMs < lockSilenceMs && (!holder || isAlive(holder))) return;
    const away = `${lock}.${process.pid}.stale`;
    fs.renameSync(lock, away);
    // Another process may have taken the lock in the meantime: then its holder is alive, and gets it back.
    if (same(readJson(path.join(away, 'holder')), holder)) fs.rmSync(away, { recursive: true, force: true });
    else fs.renameSync(away, lock);
  } catch {
    // Released, or removed by another waiting process: tried again in the next round.
  }
}

async function alone(work) {
  fs.mkdirSync(at('dist'), { recursive: true });
  let told = false;
  for (;;) {
    const release = tryLock();
    if (release) return work().finally(release);
    if (!told) say('svc-node: waiting for another setup of this checkout …');
    told = true;
    removeStaleLock();
    await new Promise((resolve) => setTimeout(resolve, lockPollMs));
  }
}

/** Waits for all, so that none of them still works when the lock is released. Throws the first error. */
async function together(...works) {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

export async function setup() {
  requireNode();
  const isDone = () => {
    const wanted = wantedInstall();
    return (
      same(readJson(installStamp), wanted) &&
      isBuilt(wantedBuild(sources(), wanted)) &&
      isPageBuilt(wantedPage(wanted)) &&
      isGuideBuilt(wantedGuide(wanted))
    );
  };
  if (isDone()) return;
  await alone(async () => {
    const wanted = wantedInstall();
    await install(wanted);
    const files = sources();
    await together(
      build(wantedBuild(files, wanted), files),
      buildPage(wantedPage(wanted)),
      buildGuide(wantedGuide(wanted)),
    );
  });
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await setup();
    if (process.argv.length > 2) await import('../bin/svc-node.mjs');
  } catch (error) {
    if (error.name !== 'SetupFailed') throw error;
    say(`svc-node: ${error.message}.`);
    process.exitCode = 1;
  }
}
