import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Commit } from '../../../src/store/store.js';
import { isLong } from '../../support/long.js';
import { Author, answers, keepBeside } from '../answers.js';
import { histories } from './random-histories.js';
import { Directory } from './support.js';

const runs = isLong ? 500 : 20;

describe('memory and SQLite', () => {
  const directory = new Directory();

  it(`give equal answers about ${runs} random histories`, async function () {
    this.timeout(runs * 4_000);
    let run = 0;
    let refused = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const memory = new MemoryStore();
        const sqlite = await directory.open('inline', `${directory.path}/${run++}`, 12);
        const author = new Author();
        for (const drafts of history) {
          const commits: Commit[] = [];
          for (const draft of drafts) commits.push(await author.write(draft));
          const results = await memory.append(commits);
          expect(await sqlite.append(commits)).to.deep.equal(results);
          for (const { ok } of results) ok ? accepted++ : refused++;
        }
        for (const store of [memory, sqlite]) await keepBeside(store);
        expect(await answers(sqlite, author.time)).to.deep.equal(await answers(memory, author.time));
        await sqlite.close();
      }),
      // No shrinking: it would exceed the time limit and hide the failure.
      { numRuns: runs, endOnFailure: !isLong },
    );
    // Ensures that the histories are worth comparing: many entries were accepted, and many refused.
    expect(accepted).to.be.greaterThan(runs * 3);
    expect(refused).to.be.greaterThan(runs / 2);
  });
});
