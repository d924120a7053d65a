/** Runs scripts/setup.mjs in a small checkout with links to this one's dependencies. */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { checkout, type Ended, ended, track } from './support/command.js';

const main = `declare const process: { readonly argv: string[]; readonly stdout: { write(text: string): void } };
process.stdout.write('ran ' + process.argv.slice(2).join(' '));`;

const threads = [
  'node/audit-thread.ts',
  'chain/local/chain-thread.ts',
  'store/sqlite/reader-thread.ts',
  'verify/entry-check-thread.ts',
  'store/sqlite/writer-thread.ts',
  'node/watchdog/watchdog-thread.ts',
];

/** Links the compiler and the bundler, so that npm in that checkout cannot change ours. */
function install(dir: string): void {
  mkdirSync(join(dir, 'node_modules'));
  for (const name of ['typescript', '@typescript', 'rolldown']) {
    symlinkSync(join(checkout, 'node_modules', name), join(dir, 'node_modules', name));
  }
  cpSync(join(checkout, 'node_modules', '.package-lock.json'), join(dir, 'node_modules', '.package-lock.json'));
}

function smallCheckout({ isInstalled = true } = {}): string {
  const dir = scratch();
  for (const file of [
    'package.json',
    'package-lock.json',
    'scripts/setup.mjs',
    'scripts/bundle.mjs',
    'scripts/notices.mjs',
    'bin',
  ]) {
    cpSync(join(checkout, file), join(dir, file), { recursive: true });
  }
  if (isInstalled) install(dir);
  // Loading the types of Node.js and of browsers would take most of the time of such a small compilation.
  const { compilerOptions, ...rest } = JSON.parse(readFileSync(join(checkout, 'tsconfig.json'), 'utf8'));
  const few = { ...compilerOptions, types: [], lib: ['es2023'] };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ ...rest, compilerOptions: few }));
  mkdirSync(join(dir, 'src'));
  writeFileSync(join(dir, 'src', 'main.ts'), main);
  writeFileSync(join(dir, 'src', 'extra.ts'), 'export const extra: number = 1;');
  for (const file of threads) {
    mkdirSync(join(dir, 'src', file, '..'), { recursive: true });
    writeFileSync(join(dir, 'src', file), '');
  }
  return dir;
}

function setup(dir: string, script = 'scripts/setup.mjs', ...args: string[]): Promise<Ended> {
  const npm = join(dir, 'npm-cli.js');
  const env = { ...process.env, SVC_CHAIN: 'none', ...(existsSync(npm) ? { npm_execpath: npm } : {}) };
  const child = track(spawn(process.execPath, [join(dir, script), ...args], { env }));
  child.stdin.end();
  return ended(child);
}

const compiling = 'svc-node: compiling …\n';

describe('scripts/setup.mjs', () => {
  after(tidy);

  it('compiles once, runs the command with its arguments, and again when a source changed or an output is missing', async () => {
    const dir = smallCheckout();
    expect(await setup(dir)).to.include({ code: 0, stdout: '', stderr: compiling });
    expect(await setup(dir)).to.include({ code: 0, stdout: '', stderr: '' });
    const outputs = ['.svc-build.json', '.svc-compiler.tsbuildinfo', 'program', 'src'];
    expect(readdirSync(join(dir, 'dist')).sort()).to.deep.equal(outputs);
    const start = ['start', '--port', '0'];
    expect(await setup(dir, 'scripts/setup.mjs', ...start)).to.include({ code: 0, stdout: 'ran start --port 0' });

    writeFileSync(join(dir, 'src', 'main.ts'), `${main}\nprocess.stdout.write(' twice');`);
    // Older than the compiled file, as after a checkout of another commit.
    utimesSync(join(dir, 'src', 'main.ts'), new Date(0), new Date(0));
    rmSync(join(dir, 'src', 'extra.ts'));
    expect((await setup(dir, 'scripts/setup.mjs', 'status')).stdout).to.equal('ran status twice');
    expect(readFileSync(join(dir, 'dist', 'program', 'main.js'), 'utf8')).to.include('twice');
    expect(readdirSync(join(dir, 'dist', 'src')).filter((file) => file.startsWith('extra'))).to.deep.equal([]);

    rmSync(join(dir, 'dist', 'src', 'main.js'));
    expect(await setup(dir)).to.include({ code: 0, stderr: compiling });
    expect(existsSync(join(dir, 'dist', 'src', 'main.js'))).to.equal(true);
  });

  /** Fails, and fails again when repeated. */
  async function expectFailure(dir: string, named: string, why: RegExp): Promise<void> {
    for (let i = 0; i < 2; i++) {
      const end = await setup(dir, 'scripts/setup.mjs', 'start');
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr).to.include(named).and.match(why);
    }
  }

  it('says what does not compile, and tries again the next time', async () => {
    const dir = smallCheckout();
    writeFileSync(join(dir, 'src', 'extra.ts'), 'export const extra: number = "one";');
    await expectFailure(dir, 'src/extra.ts(1,14)', /svc-node: the sources do not compile .*\.\n$/);
  });

  it('says what cannot be packed, and tries again the next time', async () => {
    const dir = smallCheckout();
    rmSync(join(dir, 'src', 'node', 'audit-thread.ts'));
    await expectFailure(dir, 'audit-thread', /svc-node: the program cannot be packed .*\.\n$/);
  });

  it('does the work once when several run at once', async () => {
    const dir = smallCheckout();
    const ends = await Promise.all([1, 2, 3, 4].map(() => setup(dir)));
    expect(ends.map(({ code }) => code)).to.deep.equal([0, 0, 0, 0]);
    const said = ends.map(({ stderr }) => stderr).join('');
    expect(said.split(compiling)).to.have.length(2);
  });

  it('takes over what a dead one, or one silent for long, left locked', async () => {
    const dead = spawn(process.execPath, ['-e', '0']);
    await ended(dead as Parameters<typeof ended>[0]);
    const silentSince = new Date(0);
    for (const [holder, touched] of [
      [{ pid: dead.pid, host: hostname() }, undefined],
      [{ pid: process.pid, host: 'elsewhere' }, silentSince],
    ] as const) {
      const dir = smallCheckout();
      const file = join(dir, 'dist', '.svc-setup.lock', 'holder');
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, JSON.stringify(holder));
      if (touched) utimesSync(file, touched, touched);
      expect((await setup(dir)).code).to.equal(0);
      expect(existsSync(join(dir, 'dist', '.svc-setup.lock'))).to.equal(false);
    }
  });

  describe('without dependencies', () => {
    /** An npm that records its arguments, and installs unless it is set to fail on one of these words. */
    const withNpm = (...failing: string[]): string => {
      const dir = smallCheckout({ isInstalled: false });
      const made = smallCheckout();
      writeFileSync(
        join(dir, 'npm-cli.js'),
        `import fs from 'node:fs';
         fs.appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
         if (${JSON.stringify(failing)}.includes(process.argv[2])) { console.error('npm says no'); process.exit(1); }
         fs.rmSync('node_modules', { recursive: true, force: true });
         fs.cpSync(${JSON.stringify(join(made, 'node_modules'))}, 'node_modules', { recursive: true });`,
      );
      return dir;
    };
    const calls = (dir: string): string[] =>
      readFileSync(join(dir, 'calls'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0] ?? '');
    const installing = 'svc-node: installing dependencies (npm ci) …\n';

    it('installs them once, and again when the lock changed, or the directory is that of another system', async () => {
      const dir = withNpm();
      expect(await setup(dir)).to.include({ code: 0, stderr: installing + compiling });
      expect(await setup(dir)).to.include({ code: 0, stderr: '' });
      expect(calls(dir)).to.deep.equal(['ci']);
      const lock = join(dir, 'package-lock.json');
      const { packages, ...rest } = JSON.parse(readFileSync(lock, 'utf8'));
      packages['node_modules/new'] = { version: '1.0.0', integrity: 'sha512-AA==' };
      writeFileSync(lock, JSON.stringify({ ...rest, packages }));
      expect((await setup(dir)).stderr).to.include(installing);
      const stamp = join(dir, 'node_modules', '.svc-setup.json');
      writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(process.platform, 'plan9'));
      expect((await setup(dir)).stderr).to.include(installing);
      expect(calls(dir)).to.deep.equal(['ci', 'ci', 'ci']);
    });

    it('is content with npm install where npm ci wants the packages of every system', async () => {
      const dir = withNpm('ci');
      expect((await setup(dir)).code).to.equal(0);
      expect(calls(dir)).to.deep.equal(['ci', 'install']);
    });

    it('says what npm says when it cannot', async () => {
      const end = await setup(withNpm('ci', 'install'), 'scripts/setup.mjs', 'start');
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr).to.match(/npm says no\nsvc-node: npm ci failed \(1\): .*\.\n$/);
    });
  });

  it('makes bin/svc-node.mjs set up a new checkout, and explain a package without dist', async () => {
    const dir = smallCheckout();
    expect(await setup(dir, 'bin/svc-node.mjs', 'help')).to.include({ stdout: 'ran help', stderr: compiling });
    rmSync(join(dir, 'dist'), { recursive: true });
    rmSync(join(dir, 'scripts'), { recursive: true });
    const end = await setup(dir, 'bin/svc-node.mjs', 'help');
    expect(end.code).to.equal(1);
    expect(end.stderr).to.match(/^svc-node: this package has no dist directory/);
  });

  it('refuses a node that is too old, in a sentence', async () => {
    const dir = smallCheckout();
    const file = join(dir, 'package.json');
    writeFileSync(file, JSON.stringify({ engines: { node: '>=99.5' } }));
    const end = await setup(dir);
    expect(end).to.include({ code: 1, stdout: '' });
    expect(end.stderr).to.equal(
      `svc-node: Node.js >=99.5 is needed, and this is ${process.version}: see https://nodejs.org.\n`,
    );
  });
});
