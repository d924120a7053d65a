/**
 * Packs what pays and sells over HTTP, with the checks that it shares with the node, into one file for modules and one for
 * CommonJS, without dependencies but the client.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { notices } from './notices.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const compiled = path.join(root, 'dist', 'packages', 'payments', 'src');
const dist = path.join(root, 'packages', 'payments', 'dist');
const client = '@svc-node/client';

const replaced = {
  name: 'parts-that-payments-have-not',
  resolveId: (source) => (source === '../../client/src/index.js' ? { id: client, external: true } : undefined),
  // Only anchors on chain need contracts.
  load: (id) =>
    id.endsWith('/dist/src/chain/contracts/interfaces.js')
      ? 'export const contractInterface = () => undefined;'
      : undefined,
};
const small = { codeSplitting: false, minify: { compress: true, mangle: false, codegen: true } };

rmSync(dist, { recursive: true, force: true });
const input = path.join(compiled, 'index.js');
const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input,
  external: [/^sodium-native$/],
  plugins: [replaced],
});
await bundle.write({ file: path.join(dist, 'index.js'), format: 'es', plugins: [notices], ...small });
await bundle.write({ file: path.join(dist, 'cjs', 'index.js'), format: 'cjs', exports: 'named', ...small });
await bundle.close();

mkdirSync(path.join(dist, 'cjs'), { recursive: true });
for (const name of readdirSync(compiled).filter((each) => each.endsWith('.d.ts'))) {
  const types = readFileSync(path.join(compiled, name), 'utf8').replaceAll('../../client/src/index.js', client);
  for (const folder of ['', 'cjs']) writeFileSync(path.join(dist, folder, name), types);
}
writeFileSync(path.join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
