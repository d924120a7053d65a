/** Builds the console into dist/console, each file also in compressed form. `scripts/setup.mjs` runs it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { verifyPage } from './verify/build.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../dist/console/', import.meta.url));

/** Compresses each file at build time, so that the node serves finished bytes. */
const compressed = () => ({
  name: 'svc-compressed',
  apply: 'build',
  closeBundle() {
    for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /\.(br|gz|md)$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(bytes));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
});

const oxc = { jsx: { runtime: 'automatic', importSource: 'preact' } };
const page = await verifyPage(oxc);
/** The name contains the file's hash, like all files that browsers cache. */
const pageName = `verify-proof-${createHash('sha256').update(page).digest('hex').slice(0, 8)}.html`;

const withVerifyPage = () => ({
  name: 'svc-verify-page',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: `assets/${pageName}`, source: page });
  },
});

export default defineConfig({
  root,
  base: '/console/',
  logLevel: 'warn',
  oxc,
  define: { VERIFY_PAGE: JSON.stringify(`/console/assets/${pageName}`) },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
    license: { fileName: 'licenses.md' },
  },
  plugins: [withVerifyPage(), compressed()],
});
