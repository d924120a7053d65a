/** A single flipped bit anywhere in the database file is named by the audit, refused at a start, or has no effect. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { databaseFile } from '../../src/store/sqlite/durable.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { type Fixture, makeFixture } from './support/flip-fixture.js';
import { flipsOf, type Tried, tryAll } from './support/flips.js';

const count = Number(process.env.SVC_TEST_FLIPS ?? (isLong ? 5_000 : 200));
const seed = Number(process.env.SVC_TEST_SEED ?? 20);

function tableOf(tried: readonly Tried[]): string {
  const rows = new Map<string, Map<string, number>>();
  for (const { place, came } of tried) {
    const row = rows.get(place) ?? new Map<string, number>();
    rows.set(place, row.set(came, (row.get(came) ?? 0) + 1));
  }
  const columns = ['audit', 'start', 'harmless', 'failure'];
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(48)}${cells.map((cell) => String(cell).padStart(10)).join('')}`;
  const sums = columns.map((column) => tried.filter(({ came }) => came === column).length);
  const lines = [...rows].sort().map(([name, row]) =>
    line(
      name,
      columns.map((column) => row.get(column) ?? 0),
    ),
  );
  return [line(`${tried.length} flips, seed ${seed}`, columns), ...lines, line('all', sums)].join('\n');
}

describe('one bit of the database that flips', () => {
  let fixture: Fixture;
  let dir: string;
  before(async () => {
    fixture = await makeFixture();
    dir = scratch();
    mkdirSync(dir, { recursive: true });
    writeFileSync(databaseFile(dir), fixture.file);
  });
  after(tidy);

  it('is named by the audit, refused at the start, or changes nothing', async () => {
    const tried = await tryAll(flipsOf(dir, fixture.file, count, seed), fixture);
    console.log(tableOf(tried));
    const failed = tried.filter(({ came }) => came === 'failure');
    const texts = failed.map(({ place, offset, bit, said }) => `${place}, byte ${offset}, bit ${bit}: ${said}`);
    expect(texts, texts.join('\n')).to.deep.equal([]);
  });
});
