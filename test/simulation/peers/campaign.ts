/** Histories of a campaign, and planted bugs that they must find. `SVC_TEST_SEED=<n>` runs one history and prints it. */
import { expect } from 'chai';
import { isLong } from '../../support/long.js';
import { type Counts, type HistoryOptions, runHistory } from './history.js';
import type { Planted } from './home.js';

const only = process.env.SVC_TEST_SEED;
/** Number of lines printed of a failed history. */
const shownLines = 150;

export interface Campaign {
  readonly title: string;
  readonly options: Omit<HistoryOptions, 'seed'>;
  readonly seeds: number;
  /** A planted bug must be found within this many histories. */
  readonly mutantSeeds: number;
  readonly mutants: { readonly [bug: string]: () => Planted };
  /** A simulation that reaches few events proves nothing. */
  readonly reached: readonly string[];
}

export function testHistories({ title, options, seeds, mutantSeeds, mutants, reached }: Campaign): void {
  it(title, async () => {
    if (only !== undefined) {
      const { flaw, lines } = await runHistory({ ...options, seed: Number(only), logs: true });
      process.stdout.write(`${lines.join('\n')}\n`);
      return expect(flaw).to.equal(undefined);
    }
    const counts: Counts = new Map();
    const began = performance.now();
    for (let seed = 1; seed <= seeds; seed++) {
      const { flaw } = await runHistory({ ...options, seed, counts });
      if (flaw !== undefined) await show(seed, flaw, options);
    }
    const minutes = (performance.now() - began) / 60_000;
    if (isLong) process.stdout.write(`      ${Math.round(seeds / minutes)} seeds a minute\n`);
    for (const what of reached) expect(counts.get(what) ?? 0, what).to.be.above(0);
  });

  it('are one history for one seed', async () => {
    const run = () => runHistory({ ...options, seed: 7, logs: true });
    const [one, other] = [await run(), await run()];
    expect(one.lines).to.deep.equal(other.lines);
    expect(one.events).to.equal(other.events);
  });

  for (const [bug, planted] of Object.entries(mutants)) {
    it(`notice that ${bug}`, async () => {
      let found: string | undefined;
      for (let seed = 1; seed <= mutantSeeds && found === undefined; seed++) {
        const { flaw } = await runHistory({ ...options, seed, planted: planted() });
        if (flaw !== undefined) found = `seed ${seed}: ${flaw}`;
      }
      expect(found, `found in ${mutantSeeds} seeds`).not.to.equal(undefined);
      if (isLong) process.stdout.write(`        ${found}\n`);
    });
  }
}

async function show(seed: number, flaw: string, options: Campaign['options']): Promise<never> {
  const { lines } = await runHistory({ ...options, seed, logs: true });
  const shown = lines.slice(-shownLines).join('\n');
  expect.fail(`seed ${seed}: ${flaw}\nSVC_TEST_SEED=${seed} prints all of it; its end:\n${shown}`);
}
