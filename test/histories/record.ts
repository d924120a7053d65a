/**
 * Records what is kept of a release: `npm run record-history`. The history has every action of every kind of the catalogue, with a
 * fixed clock and seeded randomness; the program and the data of two homes that it wrote are for test/cli/upgrade.test.ts. What is
 * recorded of a published release stays: afterwards only the history of what is not published yet is written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { version } from '../../src/core/version.js';
import { entryOf } from '../../src/store/entry.js';
import { network } from '../world/bench.js';
import { recordHomes, recordProgram } from './record-homes.js';
import { replayed } from './recording.js';
import { wholeLife } from './whole-life.js';

/** The changelog dates a release that is published. */
const isPublished = readFileSync('CHANGELOG.md', 'utf8').includes(`\n## ${version} – 2`);

const bench = await wholeLife();
const { journal } = bench.store.tables;
const entries = journal.map(({ coreText, payloadText, entryHash, prevEntry, chainHash }, index) => ({
  seq: index + 1,
  prevEntry,
  chainHash,
  ...entryOf(coreText, payloadText, entryHash),
}));
const lines = [{ version, network, outcome: replayed({ network, entries }) }, ...journal];
const file = `test/histories/${isPublished ? 'unreleased' : version}.jsonl`;
writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
process.stdout.write(`${file}: ${journal.length} entries\n`);

if (!isPublished) {
  process.stdout.write(`its program: ${recordProgram(version)} bytes\n`);
  process.stdout.write(`two homes: ${(await recordHomes(version)).join(' and ')} bytes\n`);
}
