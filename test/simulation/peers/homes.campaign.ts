/**
 * Whole homes on a simulated clock, network and disk (docs/testing.md#several-homes). `SVC_TEST_SEED=<n>` runs one history and prints it.
 */
import { expect } from 'chai';
import { isLong } from '../../support/long.js';
import { type Counts, runHistory } from './history.js';
import { mutants } from './mutants.js';

const only = process.env.SVC_TEST_SEED;
const seeds = isLong ? 50_000 : 500;
/** Number of lines printed of a failed history. */
const shownLines = 150;
/** A planted bug must be found within this many histories. */
const mutantSeeds = 500;

describe('simulation: several homes', () => {
  it('keep what they acknowledge, follow each other, and prove what is forked', async () => {
    if (only !== undefined) {
      const { flaw, lines } = await runHistory({ seed: Number(only), logs: true });
      process.stdout.write(`${lines.join('\n')}\n`);
      return expect(flaw).to.equal(undefined);
    }
    const counts: Counts = new Map();
    const began = performance.now();
    for (let seed = 1; seed <= seeds; seed++) {
      const { flaw } = await runHistory({ seed, counts });
      if (flaw !== undefined) await show(seed, flaw);
    }
    const minutes = (performance.now() - began) / 60_000;
    if (isLong) process.stdout.write(`      ${Math.round(seeds / minutes)} seeds a minute\n`);
    // A simulation that reaches few events proves nothing.
    for (const what of reached) expect(counts.get(what) ?? 0, what).to.be.above(0);
  });

  it('are one history for one seed', async () => {
    const [one, other] = [await runHistory({ seed: 7, logs: true }), await runHistory({ seed: 7, logs: true })];
    expect(one.lines).to.deep.equal(other.lines);
    expect(one.events).to.equal(other.events);
  });

  for (const [bug, planted] of Object.entries(mutants)) {
    it(`notice that ${bug}`, async () => {
      let found: string | undefined;
      for (let seed = 1; seed <= mutantSeeds && found === undefined; seed++) {
        const { flaw } = await runHistory({ seed, planted: planted() });
        if (flaw !== undefined) found = `seed ${seed}: ${flaw}`;
      }
      expect(found, `found in ${mutantSeeds} seeds`).not.to.equal(undefined);
      if (isLong) process.stdout.write(`        ${found}\n`);
    });
  }
});

async function show(seed: number, flaw: string): Promise<never> {
  const { lines } = await runHistory({ seed, logs: true });
  const shown = lines.slice(-shownLines).join('\n');
  expect.fail(`seed ${seed}: ${flaw}\nSVC_TEST_SEED=${seed} prints all of it; its end:\n${shown}`);
}

const reached = [
  'acknowledged',
  'settled',
  'forked',
  'opened alone',
  'opened level',
  'died killed',
  'died its store failed',
  'died its start is refused',
  'died its writes are refused',
];
