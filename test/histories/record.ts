/**
 * Records the history of a release: `npm run record-history`. Every action of every kind of the catalogue, with a fixed clock and
 * seeded randomness. Until a release is published, a change of what entries say needs another recording; afterwards its file stays.
 */
import { writeFileSync } from 'node:fs';
import { version } from '../../src/core/version.js';
import { entryOf } from '../../src/store/entry.js';
import { network } from '../world/bench.js';
import { replayed } from './recording.js';
import { wholeLife } from './whole-life.js';

const bench = await wholeLife();
const { journal } = bench.store.tables;
const entries = journal.map(({ coreText, payloadText, entryHash, prevEntry, chainHash }, index) => ({
  seq: index + 1,
  prevEntry,
  chainHash,
  ...entryOf(coreText, payloadText, entryHash),
}));
const lines = [{ version, network, outcome: replayed({ network, entries }) }, ...journal];
const file = `test/histories/${version}.jsonl`;
writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
process.stdout.write(`${file}: ${journal.length} entries\n`);
