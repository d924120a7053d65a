/** The package as npm packs it: its files, and that it runs without anything else of the checkout. */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { fileOf, importsOf, sources } from '../architecture/sources.js';
import { packageJson } from './facts.js';

function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  expect(status, stderr).to.equal(0);
  return stdout;
}

describe('the package', () => {
  let dir: string;
  let installed: string;
  let paths: string[];

  /** Lays the package out as an install does, with the checkout's dependencies two folders above. */
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'svc-package-'));
    const packed = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', dir]);
    const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
    paths = files.map(({ path }) => path);
    installed = join(dir, 'project', 'node_modules', 'svc-node');
    mkdirSync(installed, { recursive: true });
    run('tar', ['-xzf', join(dir, filename), '-C', installed, '--strip-components=1']);
    symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  const environment = () => ({
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))),
    SVC_PORT: '0',
    SVC_DATA_DIR: join(dir, 'data'),
  });

  it('holds what runs, the documents, and nothing else', () => {
    const strange = paths.filter(
      (path) =>
        !/^(bin|dist\/(src|packages|program|console|guide)|docs)\/|^(README|CHANGELOG)\.md$|^LICENSE$|^package\.json$/.test(
          path,
        ),
    );
    expect(strange).to.deep.equal([]);
    const wanted = sources().map((file) => `dist/${fileOf(file).replace(/\.ts$/, '.js')}`);
    expect(paths).to.include.members(['dist/console/index.html', 'dist/guide/index.html', 'dist/program/main.js']);
    expect(paths).to.include.members([...wanted, ...Object.values(packageJson.bin), 'README.md', 'CHANGELOG.md']);
    expect(
      paths.filter((path) => /(^|\/)(\.env|secrets|node_modules|.*\.(db|pem|key))(\/|$)/.test(path)),
    ).to.deep.equal([]);
  });

  it('has the licence of every package that is bundled', () => {
    const folder = join(installed, 'dist', 'program');
    const maps = readdirSync(folder).filter((file) => file.endsWith('.map'));
    const sources = maps.flatMap((file) => {
      const { sources: each } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { sources: string[] };
      return each;
    });
    const bundled = new Set(
      sources.flatMap((source) => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
    );
    const notices = readFileSync(join(folder, 'licenses.md'), 'utf8').split(/^## /m);
    // Some packages name their licence, and have no text of it.
    const without = [...bundled].filter(
      (name) => !notices.some((notice) => notice.startsWith(`${name} `) && /^\S+ \S+ \([A-Z].+\)$/m.test(notice)),
    );
    expect(bundled).to.include.members(['koa', 'xstate', 'ethers']);
    expect(without).to.deep.equal([]);
  });

  it('has a bill of materials, with each package of the lock file and its licence', () => {
    // `--omit dev` of npm 11 also leaves out what development and the program share.
    const text = run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include', 'dev']);
    const { components } = JSON.parse(text) as {
      components: { name: string; version: string; licenses?: []; properties?: { name: string }[] }[];
    };
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: { [path: string]: { version: string; optional?: boolean; devOptional?: boolean; link?: boolean } };
    };
    const locked = Object.entries(lock.packages).flatMap(([path, { version, optional, devOptional, link }]) =>
      path.includes('node_modules/') && !optional && !devOptional && !link
        ? `${path.split('node_modules/').at(-1)}@${version}`
        : [],
    );
    expect(components.map(({ name, version }) => `${name}@${version}`)).to.include.members(locked);
    expect(locked).to.have.length.above(100);
    const shipped = components.filter(
      ({ properties = [] }) => !properties.some(({ name }) => name.endsWith(':development')),
    );
    expect(shipped.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name)).to.deep.equal([]);
    writeFileSync(join('dist', 'sbom.cdx.json'), text);
  });

  it('names every package that it imports among its dependencies', () => {
    const named = { ...packageJson.dependencies, ...packageJson.optionalDependencies };
    // The SDK of the MCP server is in the packed program alone.
    const used = new Set(
      sources()
        .filter((file) => !fileOf(file).startsWith('packages/mcp/'))
        .flatMap((file) => importsOf(fileOf(file)))
        .filter(({ to, isPackage }) => isPackage && !to.startsWith('node:'))
        .map(({ to }) =>
          to
            .split('/')
            .slice(0, to.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
    );
    expect([...used].filter((name) => !(name in named))).to.deep.equal([]);
    expect([...used].length).to.be.above(10);
  });

  it('starts a node, which stops when it is asked to', () => {
    const script = `
      import { spawn } from 'node:child_process';
      const node = spawn(process.execPath, ['${join(installed, packageJson.bin['svc-node']!)}', 'start', '--json']);
      node.stderr.pipe(process.stderr);
      let text = '';
      node.stdout.on('data', async (some) => {
        text += some;
        if (!text.endsWith('\\n')) return;
        const reply = await fetch(JSON.parse(text).url + '/readyz');
        console.log(reply.status, (await reply.json()).status);
        node.kill('SIGTERM');
      });
      node.on('exit', (code) => { process.exitCode = code; });
    `;
    const options = { cwd: dir, env: environment() };
    expect(run(process.execPath, ['--input-type=module', '-e', script], options)).to.equal('200 ready\n');
    expect(readdirSync(join(dir, 'data'))).to.include.members(['journal.db', 'keystore', 'node.json']);
  });

  /** Files of dist that a command loads. */
  function loadedBy(...args: string[]): string[] {
    const coverage = mkdtempSync(join(dir, 'coverage-'));
    const env = { ...environment(), NODE_V8_COVERAGE: coverage };
    run(process.execPath, [join(installed, packageJson.bin['svc-node']!), ...args], { env });
    const reports = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'));
    const urls = reports.flatMap((text) => (JSON.parse(text) as { result: { url: string }[] }).result);
    return urls.flatMap(({ url }) => url.split(`${pathToFileURL(installed).href}/dist/`).slice(1));
  }

  it('runs packed, unless the sources were compiled later', () => {
    const packed = loadedBy('--version');
    expect(packed).to.include('program/main.js');
    expect(packed.filter((file) => !file.startsWith('program/'))).to.deep.equal([]);
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(installed, 'dist', 'src', 'main.js'), later, later);
    try {
      expect(loadedBy('--version')).to.include('src/main.js').and.not.include('program/main.js');
    } finally {
      utimesSync(join(installed, 'dist', 'src', 'main.js'), 0, 0);
    }
  });

  it('exports its model', () => {
    const script = `
      import { machineOf, paths } from 'svc-node/model';
      console.log(machineOf('bid').id, paths('bid').map(({ state }) => state).sort().join(' '));
    `;
    const options = { cwd: join(dir, 'project'), env: environment() };
    const states = 'bid accepted rejected submitted withdrawn\n';
    expect(run(process.execPath, ['--input-type=module', '-e', script], options)).to.equal(states);
  });

  it('has the commands of its API', () => {
    const help = run(process.execPath, [join(installed, packageJson.bin['svc-node']!), 'escrow', 'fund', '--help']);
    expect(help).to.include('svc-node escrow fund [options] <escrow-id>');
  });

  it('exports payments', () => {
    const script = `
      import { fetchWithPayment, sell } from 'svc-node/payments';
      console.log(typeof fetchWithPayment, typeof sell);
    `;
    const options = { cwd: join(dir, 'project'), env: environment() };
    expect(run(process.execPath, ['--input-type=module', '-e', script], options)).to.equal('function function\n');
  });

  it('exports its client', () => {
    const script = `
      import { Client, ApiError } from 'svc-node/client';
      const client = new Client({ url: 'http://127.0.0.1:9528' });
      console.log(typeof client.as, typeof ApiError);
    `;
    const options = { cwd: join(dir, 'project'), env: environment() };
    expect(run(process.execPath, ['--input-type=module', '-e', script], options)).to.equal('function function\n');
  });
});
