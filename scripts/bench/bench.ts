/**
 * Measures the node against the targets of docs/benchmarks.md, and its cost against the minimum that the same work
 * costs. Prints tables and leaves no files behind.
 * @example npm run bench -- [spine] [reads] [streams] [unlock] [start] [markets] [console] [--rounds 5] [--seconds 3]
 * @example npm run bench -- store --entries 60000
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [first = '', ...rest] = process.argv.slice(2);
/** Programs with their own arguments. */
const alone = ['store', 'store-reads'];

if (alone.includes(first)) {
  const script = fileURLToPath(new URL(`./${first}.js`, import.meta.url));
  process.exitCode = spawnSync(process.execPath, [script, ...rest], { stdio: 'inherit' }).status ?? 1;
} else {
  await import('./suites.js');
}
