/** Stores that must answer alike about random histories. */
import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Commit, Store } from '../../src/store/store.js';
import { isLong } from '../support/long.js';
import { Author, answers, keepBeside } from './answers.js';
import { histories } from './sqlite/random-histories.js';

/** Stores to compare with the one in memory, and how to close them. */
export interface Compared {
  /** Each is the processes on one database, which take turns. */
  readonly databases: readonly (readonly Store[])[];
  readonly close: () => Promise<void>;
}

/** @param open opens empty databases for a run */
export async function expectSameAnswers(runs: number, open: (run: number) => Promise<Compared>): Promise<void> {
  let run = 0;
  let refused = 0;
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const memory = new MemoryStore();
      const { databases, close } = await open(run++);
      const author = new Author();
      for (const [call, drafts] of history.entries()) {
        const commits: Commit[] = [];
        for (const draft of drafts) commits.push(await author.write(draft));
        const results = await memory.append(commits);
        for (const processes of databases)
          expect(await processes[call % processes.length]!.append(commits)).to.deep.equal(results);
        for (const { ok } of results) ok ? accepted++ : refused++;
      }
      for (const store of [memory, ...databases.map(([first]) => first!)]) await keepBeside(store);
      const expected = await answers(memory, author.time);
      for (const store of databases.flat()) expect(await answers(store, author.time)).to.deep.equal(expected);
      await close();
    }),
    // No shrinking: finding a smaller failing history exceeds the time limit, and hides the failure.
    { numRuns: runs, endOnFailure: !isLong },
  );
  // Ensures that the histories are worth comparing: many entries were accepted, and many refused.
  expect(accepted).to.be.greaterThan(runs * 3);
  expect(refused).to.be.greaterThan(runs / 2);
}
