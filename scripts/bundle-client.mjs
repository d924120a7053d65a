/**
 * Packs the compiled client into one file for CommonJS and one for browsers. CommonJS gets its own copy of the types,
 * in a folder with its own package.json, because the nearest package.json says which module format a type file
 * describes.
 */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const dist = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'packages', 'client', 'dist');
const own = ['cjs', 'browser'];

const bundle = await rolldown({ input: path.join(dist, 'index.js'), platform: 'neutral' });
await bundle.write({ file: path.join(dist, 'cjs', 'index.js'), format: 'cjs', exports: 'named' });
await bundle.write({ file: path.join(dist, 'browser', 'svc-client.js'), format: 'es', minify: true });
await bundle.close();

for (const name of readdirSync(dist)) {
  if (own.includes(name)) continue;
  const from = path.join(dist, name);
  cpSync(from, path.join(dist, 'cjs', name), { recursive: true, filter: (file) => !/\.js$/.test(file) });
}
mkdirSync(path.join(dist, 'cjs'), { recursive: true });
writeFileSync(path.join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
