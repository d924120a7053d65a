#!/usr/bin/env node
/** The `svc-node` command: runs what was compiled; a checkout that was not is set up first. */
import { existsSync, statSync } from 'node:fs';
import process from 'node:process';

const main = new URL('../dist/src/main.js', import.meta.url);
/** The same in few files, which start in half the time. */
const packed = new URL('../dist/program/main.js', import.meta.url);
const setup = new URL('../scripts/setup.mjs', import.meta.url);

/** False after `tsc` was run by hand: then what it compiled is run. */
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
  // Without source maps: reading them takes a tenth of a start and 6 MiB, and what tsc compiles is close enough to read.
  // `node --enable-source-maps` reads them.
  await import(isFresh() ? packed.href : main.href);
} else {
  process.exitCode = 1;
}
