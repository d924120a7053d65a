/**
 * Packs the compiled program and the packages that it loads into few files, `dist/program`: reading a thousand small
 * files took two thirds of a start (docs/decisions/0022). The compiled files are kept for tests and for importers.
 */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { notices } from './notices.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const compiled = path.join(root, 'dist', 'src');
const program = path.join(root, 'dist', 'program');

/** The program and its threads; they find each other by these names (`new URL('./x.js', import.meta.url)`). */
const entries = {
  main: 'main.js',
  'audit-thread': 'node/audit-thread.js',
  'chain-thread': 'chain/local/chain-thread.js',
  'entry-check-thread': 'verify/entry-check-thread.js',
  'reader-thread': 'store/sqlite/reader-thread.js',
  'watchdog-thread': 'node/watchdog/watchdog-thread.js',
  'writer-thread': 'store/sqlite/writer-thread.js',
};

/** Not bundled: they contain native code, or are rarely loaded. */
const external = [/^libsql$/, /^sodium-native$/, /^@node-rs\//, /^mongodb$/];

/** Includes source maps, for `node --enable-source-maps`. */
const withMaps = {
  name: 'maps-of-the-compiler',
  load: {
    filter: { id: /\/dist\/src\/.*\.js$/ },
    handler: (id) => ({ code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') }),
  },
};

/**
 * Replacements for modules that modify JavaScript's built-in objects, which `node --frozen-intrinsics` forbids. pino
 * looks for transports, which are not used; depd (of Koa) reports callers of deprecated functions, and its version for
 * browsers does not.
 */
const standIns = {
  'pino/lib/caller.js': () => 'module.exports = () => [];',
  'depd/index.js': (id) => readFileSync(path.join(path.dirname(id), 'lib', 'browser', 'index.js'), 'utf8'),
  'deep-equal/lib/keys.js': () => 'module.exports = Object.keys;',
};

const withFrozenIntrinsics = {
  name: 'with-frozen-intrinsics',
  load: {
    filter: { id: /\/node_modules\/(?:pino\/lib\/caller|depd\/index|deep-equal\/lib\/keys)\.js$/ },
    handler: (id) => standIns[id.split('/node_modules/').at(-1)](id),
  },
};

/** Bundles one copy of a package that npm has installed several times at one version. */
function oneOfEach() {
  const known = new Map();
  return {
    name: 'one-of-each',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        const [, outer, name, file] = /^(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)(\/.*)$/.exec(found?.id ?? '') ?? [];
        if (found?.external || name === undefined) return found;
        const { version } = JSON.parse(readFileSync(path.join(outer, name, 'package.json'), 'utf8'));
        const key = `${name}@${version}${file}`;
        if (!known.has(key)) known.set(key, found.id);
        return { ...found, id: known.get(key) };
      },
    },
  };
}

rmSync(program, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(compiled, file)])),
  external,
  plugins: [withMaps, withFrozenIntrinsics, oneOfEach(), notices],
});
await bundle.write({
  dir: program,
  format: 'es',
  chunkFileNames: '[name].js',
  sourcemap: true,
});
await bundle.close();
