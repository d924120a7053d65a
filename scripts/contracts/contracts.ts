/**
 * Compiles the contracts into the one artifact file that is committed. With `--check` it writes nothing, and fails if
 * the file differs from a fresh compile.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { artifactFile, artifactOf } from './artifact.js';
import { CompileFailed, compile } from './solidity.js';

const largestRuntimeBytes = 24_576;

function committed(): string {
  try {
    return readFileSync(artifactFile, 'utf8');
  } catch {
    return ''; // it does not exist yet
  }
}

try {
  const compiled = compile();
  const text = artifactOf(compiled);
  for (const [name, { runtimeBytes }] of Object.entries(compiled.contracts)) {
    if (runtimeBytes > largestRuntimeBytes)
      throw new CompileFailed(`${name} is too large for a chain: ${runtimeBytes}`);
  }
  const same = committed() === text;
  if (!process.argv.includes('--check')) {
    if (!same) writeFileSync(artifactFile, text);
    process.stdout.write(`${artifactFile} ${same ? 'was up to date' : 'written'}\n`);
  } else if (same) {
    process.stdout.write(`${artifactFile} is what ${compiled.compiler} makes of the sources\n`);
  } else {
    process.stderr.write(`${artifactFile} is not what npm run contracts writes\n`);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof CompileFailed)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
