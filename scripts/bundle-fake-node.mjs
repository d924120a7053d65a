/**
 * Packs the fake node and all that it needs of the node into one file for modules and one for CommonJS, without dependencies
 * but the client. Parts of a real node that it never reaches are left out: databases, chains, peers, native code.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { notices } from './notices.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const compiled = path.join(root, 'dist', 'packages', 'fake-node', 'src');
const dist = path.join(root, 'packages', 'fake-node', 'dist');
const client = '@svc-node/client';
const { version, engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** What stands in for a module: its exports are never called. */
const absent = (names) =>
  `const absent = () => { throw new TypeError('a fake node has no such part'); };\n${names
    .map((name) => `export const ${name} = absent;`)
    .join('\n')}`;

/** Modules of the node that are replaced, by the end of their path. */
const standIns = {
  // package.json and files of the package are not there.
  'src/core/version.js': `export const version = '${version}';\nexport const engines = ${JSON.stringify(engines)};\nexport const packageFile = (file) => new URL('file:///no/' + file);`,
  'src/store/sqlite/sqlite-store.js': absent(['SqliteStore']),
  'src/store/sqlite/frozen-reader.js': absent(['openFrozen']),
  'src/store/mongo/mongo-store.js': absent(['MongoStore']),
  'src/store/mongo/read-only-client.js': absent(['ReadOnlyClient']),
  'src/node/chain.js': `${absent(['followerOf', 'settlesOn', 'startable'])}\nexport const chainOf = () => undefined;`,
  'src/node/control/control.js': 'export const openControl = async () => ({ close: async () => {} });',
  'src/node/control/handlers.js': 'export const controlHandlers = () => ({});',
  'src/node/peering.js': absent(['openPeers', 'openSharedCopies']),
};

/** Packages that it does without: `debug` asks whether there is a `supports-color`. */
const missing = { '@node-rs/argon2': absent(['hashRaw']), 'supports-color': '' };

const replaced = {
  name: 'parts-that-a-fake-node-has-not',
  resolveId(source, importer) {
    if (
      importer &&
      path.resolve(path.dirname(importer), source).endsWith(path.join('packages', 'client', 'src', 'index.js'))
    )
      return { id: client, external: true };
    return source in missing ? { id: `\0${source}` } : undefined;
  },
  load(id) {
    if (id.slice(1) in missing) return missing[id.slice(1)];
    // depd reports callers of deprecated functions, for which it uses `eval`; its version for browsers does not.
    if (id.endsWith('/node_modules/depd/index.js'))
      return readFileSync(path.join(path.dirname(id), 'lib/browser/index.js'), 'utf8');
    const [, text] = Object.entries(standIns).find(([file]) => id.endsWith(`/dist/${file}`)) ?? [];
    return text;
  },
};

/** Names stay, so that a stack of a failed test can be read. */
const small = { codeSplitting: false, minify: { compress: true, mangle: false, codegen: true } };

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: path.join(compiled, 'index.js'),
  external: [client, /^sodium-native$/],
  plugins: [replaced],
});
await bundle.write({ file: path.join(dist, 'index.js'), format: 'es', plugins: [notices], ...small });
await bundle.write({ file: path.join(dist, 'cjs', 'index.js'), format: 'cjs', exports: 'named', ...small });
await bundle.close();

const types = readFileSync(path.join(compiled, 'index.d.ts'), 'utf8').replace('../../client/src/index.js', client);
mkdirSync(path.join(dist, 'cjs'), { recursive: true });
for (const folder of ['', 'cjs']) writeFileSync(path.join(dist, folder, 'index.d.ts'), types);
writeFileSync(path.join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
