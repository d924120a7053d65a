#!/usr/bin/env node
/** The `svc-node` command: runs what was compiled; a checkout that was not is set up first. */
import { existsSync } from 'node:fs';
import process from 'node:process';

const main = new URL('../dist/src/main.js', import.meta.url);
const setup = new URL('../scripts/setup.mjs', import.meta.url);

async function isReady() {
  if (existsSync(main)) return true;
  if (!existsSync(setup)) {
    process.stderr.write(
      'svc-node: this package has no dist directory: install it again, or run npm start in a checkout.\n',
    );
    return false;
  }
  try {
    await (await import(setup.href)).setup();
    return true;
  } catch (error) {
    process.stderr.write(`svc-node: ${error.message}.\n`);
    return false;
  }
}

if (await isReady()) {
  // Not with source maps: node would read and keep one for each file, a tenth of a start and 6 MiB; what tsc compiles is
  // close enough to read. `node --enable-source-maps` has them where somebody wants to.
  await import(main.href);
} else {
  process.exitCode = 1;
}
