#!/usr/bin/env node
/** The `svc-node` command: runs what was compiled; a checkout that was not is set up first. */
import { existsSync, statSync } from 'node:fs';
import process from 'node:process';

const main = new URL('../dist/src/main.js', import.meta.url);
/** The same in few files, which start in half the time. */
const packed = new URL('../dist/program/main.js', import.meta.url);
const setup = new URL('../scripts/setup.mjs', import.meta.url);

/** Whoever compiles by hand gets what they compiled. */
const isFresh = () => existsSync(packed) && statSync(packed).mtimeMs >= statSync(main).mtimeMs;

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
  // Not with source maps: node would read and keep them, a tenth of a start and 6 MiB; what tsc compiles is close enough
  // to read. `node --enable-source-maps` has them where somebody wants to.
  await import(isFresh() ? packed.href : main.href);
} else {
  process.exitCode = 1;
}
