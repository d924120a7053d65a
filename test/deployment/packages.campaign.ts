/** The separately published packages as npm packs them: their files, and that they work alone. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { importsOf, sources } from '../architecture/sources.js';
import { packageJson } from './facts.js';

function run(command: string, args: readonly string[], cwd = '.'): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd });
  expect(status, stderr || stdout).to.equal(0);
  return stdout;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: { readonly [name: string]: string };
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

const did = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';

/** By package: a program that uses it, and its output. */
const uses: { readonly [folder: string]: readonly [script: string, printed: string] } = {
  client: [
    `import { Client, escrowKind } from '@svc-node/client';
     const client = new Client({ url: 'http://127.0.0.1:9528' });
     console.log(typeof client.escrows.fund, escrowKind.path);`,
    'function /escrows\n',
  ],
  'fake-node': [
    `import { fakeNode } from '@svc-node/fake-node';
     fakeNode().then(async (node) => {
       const ada = await node.person(5);
       console.log((await ada.wallets.get(ada.did)).balance);
       await node.close();
     });`,
    '5\n',
  ],
  mcp: [
    `import { spawnSync } from 'node:child_process';
     const program = 'node_modules/@svc-node/mcp/dist/svc-node-mcp.js';
     console.log(spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8' }).stdout.trim());`,
    `${packageJson.version}\n`,
  ],
  model: [
    `import { machineOf, paths } from '@svc-node/model';
     console.log(machineOf('bid').id, paths('bid').map(({ state }) => state).sort().join(' '));`,
    'bid accepted rejected submitted withdrawn\n',
  ],
  payments: [
    `import { sell, usedIn } from '@svc-node/payments';
     const [payTo, home] = ['${did}', '${did}'];
     const sale = sell({ amount: 2, payTo, home, network: 'devnet', url: 'https://x', secret: 'x'.repeat(32), used: usedIn('used') });
     console.log(Object.keys(sale).join(' '));`,
    'http express koa\n',
  ],
};

/** What a compiled or packed file imports that is not its own; minified files have no spaces, and Ajv writes programs. */
const packagesIn = (text: string): string[] =>
  [/(?:^|[;\n}])(?:import|export)\b[^"'`();=]*(["'`])([^"'`\n]+)\1/g, /(?<!`)\brequire\((["`])([^"`\n]+)\1\)/g]
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, , to]) => to!))
    .filter((to) => !to.startsWith('.'));

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Types that a program is checked against, in modules and in CommonJS. */
const typed: { readonly [folder: string]: string } = {
  client: `import { Client } from '@svc-node/client';
    const client = new Client({ url: 'http://127.0.0.1:9528' });
    export const all = async (): Promise<number> => (await client.escrows.get('x')).remaining;
    // @ts-expect-error no such method
    client.escrows.realease;`,
  'fake-node': `import type { Client } from '@svc-node/client';
    import { fakeNode } from '@svc-node/fake-node';
    export const ada: Promise<Client> = fakeNode({ now: 0 }).then((node) => node.person(5));
    // @ts-expect-error no such option
    fakeNode({ clock: 0 });`,
  payments: `import { Client, keys } from '@svc-node/client';
    import { fetchWithPayment, keptIn } from '@svc-node/payments';
    export const buy = async (): Promise<Response> =>
      fetchWithPayment(new Client({ url: 'http://127.0.0.1:9528' }), { key: await keys.generate(), most: 1, kept: keptIn('kept') })('https://x');
    // @ts-expect-error no such option
    export const most = (options: Parameters<typeof fetchWithPayment>[1]): number => options.least;`,
};

/** A package in CommonJS, in Deno, in Bun and in a bundle of Vite; and its types in both forms. */
function elsewhere(folder: string, projectOf: () => string): void {
  const [script, printed] = uses[folder]!;
  const inProject = (file: string, text: string): void => writeFileSync(join(projectOf(), file), text);

  it('works by require', () => {
    const required = script.replace(/import (\{.*\}) from '(.*)';/, "const $1 = require('$2');");
    expect(run(process.execPath, ['--input-type=commonjs', '-e', required], projectOf())).to.equal(printed);
  });

  it('is bundled by Vite for Node.js', async () => {
    inProject('entry.js', script);
    const { build } = await import('vite');
    await build({
      ...{ root: projectOf(), configFile: false, logLevel: 'silent', ssr: { noExternal: true } },
      build: {
        ssr: 'entry.js',
        outDir: 'out',
        minify: false,
        rollupOptions: { output: { entryFileNames: 'ssr.mjs' } },
      },
    });
    expect(run(process.execPath, [join('out', 'ssr.mjs')], projectOf())).to.equal(printed);
  });

  it('has types for modules and for CommonJS', () => {
    inProject('module.mts', typed[folder]!);
    inProject('script.cts', typed[folder]!);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    // A seller takes requests of Node.js.
    const types =
      folder === 'payments' ? ['--types', 'node', '--typeRoots', resolve('node_modules/@types')] : ['--types', ''];
    const tsc = resolve('node_modules/typescript/bin/tsc');
    run(process.execPath, [tsc, ...options, ...types, '--ignoreConfig', 'module.mts', 'script.cts'], projectOf());
  });

  (isThere('deno') ? it : it.skip)('works in Deno', () => {
    inProject('deno.mjs', script);
    const options = ['--no-prompt', '--node-modules-dir=manual', ...(folder === 'client' ? [] : ['--allow-all'])];
    expect(run('deno', ['run', ...options, 'deno.mjs'], projectOf())).to.equal(printed);
  });

  (isThere('bun') ? it : it.skip)('works in Bun', () => {
    inProject('bun.mjs', script);
    expect(run('bun', ['bun.mjs'], projectOf())).to.equal(printed);
  });
}

/** The client as one file for browsers, and in a page that Vite bundles. */
function clientInPages(projectOf: () => string): void {
  const [script, printed] = uses.client!;
  const inProject = (file: string, text: string): void => writeFileSync(join(projectOf(), file), text);

  it('is one file for browsers, and imports nothing', () => {
    const file = join(projectOf(), 'node_modules/@svc-node/client/dist/browser/svc-client.js');
    const text = readFileSync(file, 'utf8');
    expect(text).to.not.match(/\bimport\b\s*[({'"]|\brequire\(|\bprocess\./);
    expect(gzipSync(text).length, 'bytes, compressed').to.be.below(24_576);
    inProject('page.mjs', script.replace('@svc-node/client', pathToFileURL(file).href));
    expect(run(process.execPath, ['page.mjs'], projectOf())).to.equal(printed);
  });

  it('is bundled by Vite for a page', async () => {
    inProject('entry.js', script);
    const { build } = await import('vite');
    const rollupOptions = { input: 'entry.js', output: { entryFileNames: 'bundle.mjs' } };
    await build({
      ...{ root: projectOf(), configFile: false, logLevel: 'silent' },
      build: { rollupOptions, outDir: 'out', minify: false },
    });
    expect(run(process.execPath, [join('out', 'bundle.mjs')], projectOf())).to.equal(printed);
  });
}

describe('packages', () => {
  it('are all tried here', () => {
    expect(readdirSync('packages').sort()).to.deep.equal(Object.keys(uses));
  });

  for (const [name, [script, printed]] of Object.entries(uses)) {
    describe(`@svc-node/${name}`, () => {
      const folder = join('packages', name);
      const manifest = manifestOf(folder);
      const dependencies = manifest.dependencies ?? {};
      let dir: string;
      let project: string;
      let files: string[];

      /** Lays the package out as an install does: the package with its own dependencies only. */
      before(() => {
        dir = mkdtempSync(join(tmpdir(), 'svc-packages-'));
        const packed = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', dir], folder);
        const [pack] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
        files = pack.files.map(({ path }) => path);
        project = join(dir, 'project');
        const installed = join(project, 'node_modules', manifest.name);
        mkdirSync(installed, { recursive: true });
        run('tar', ['-xzf', join(dir, pack.filename), '-C', installed, '--strip-components=1']);
        for (const dependency of Object.keys(dependencies)) {
          mkdirSync(dirname(join(project, 'node_modules', dependency)), { recursive: true });
          const [from, to] = [resolve('node_modules', dependency), join(project, 'node_modules', dependency)];
          // Deno doesn't follow a link out of the project to one of ours, which is a link itself.
          if (dependency.startsWith('@svc-node/')) cpSync(from, to, { recursive: true, dereference: true });
          else symlinkSync(from, to);
        }
      });
      after(() => rmSync(dir, { recursive: true, force: true }));

      it('holds what was compiled, a README, and the licences', () => {
        const ours = /^dist\/.*\.(js|d\.ts)$|^README\.md$|^LICENSE$|^dist\/licenses\.md$|^(dist\/cjs\/)?package\.json$/;
        expect(files.filter((path) => !ours.test(path))).to.deep.equal([]);
        expect(files).to.include.members(['README.md', 'LICENSE']);
        // What it links to would not be there.
        expect(readFileSync(join(folder, 'README.md'), 'utf8')).to.not.match(/\]\((?!https:)/);
        expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).to.equal(readFileSync('LICENSE', 'utf8'));
      });

      it('works without anything else of the checkout', () => {
        expect(run(process.execPath, ['--input-type=module', '-e', script], project)).to.equal(printed);
      });

      if (name in typed) describe('in other programs', () => elsewhere(name, () => project));
      if (name === 'client') describe('in pages', () => clientInPages(() => project));

      it('needs only pure layers, or is one file, and names the packages that it imports', () => {
        const compiled = files.filter((path) => path.endsWith('.js'));
        expect(
          compiled.filter((path) => /\/src\/(?!core\/|machines\/)[a-z-]+\//.test(path) && !path.includes(folder)),
        ).to.deep.equal([]);
        const used = compiled
          .flatMap((path) => packagesIn(readFileSync(join(folder, path), 'utf8')))
          .filter((to) => !isBuiltin(to))
          .map((to) => /^(@[^/]+\/)?[^/]+/.exec(to)![0]);
        expect([...new Set(used)].sort()).to.deep.equal(Object.keys(dependencies).sort());
      });

      it('has the version of the node, and dependencies at those of the node', () => {
        expect(manifest.version).to.equal(packageJson.version);
        for (const [dependency, range] of Object.entries(dependencies)) {
          const ours = dependency.startsWith('@svc-node/') ? packageJson.version : undefined;
          expect(ours ?? packageJson.dependencies[dependency], dependency).to.equal(range);
        }
      });
    });
  }

  it('the client has no dependencies', () => {
    expect(manifestOf('packages/client').dependencies).to.equal(undefined);
    const imports = sources()
      .filter((file) => file.startsWith('packages/client/'))
      .flatMap((file) => importsOf(file));
    expect(imports.filter(({ to, isPackage }) => isPackage || !to.startsWith('packages/client/'))).to.deep.equal([]);
  });
});
