import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Commit } from '../../../src/store/store.js';
import { TestDatabase } from '../../mongo/support/database.js';
import { describeMongo } from '../../mongo/support/server.js';
import { isLong } from '../../support/long.js';
import { Author, answers, keepBeside } from '../answers.js';
import { histories } from '../sqlite/random-histories.js';
import { Directory } from '../sqlite/support.js';

const runs = isLong ? 500 : 5;

describeMongo('memory, SQLite and MongoDB', () => {
  const directory = new Directory();

  it(`give equal answers about ${runs} random histories; so does another process on the same MongoDB`, async function () {
    this.timeout(runs * 40_000);
    let run = 0;
    let refused = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const memory = new MemoryStore();
        const sqlite = await directory.open('inline', `${directory.path}/${run++}`);
        const database = await TestDatabase.fresh();
        const processes = [await database.open(), await database.open()];
        const author = new Author();
        for (const [call, drafts] of history.entries()) {
          const commits: Commit[] = [];
          for (const draft of drafts) commits.push(await author.write(draft));
          const results = await memory.append(commits);
          expect(await sqlite.append(commits)).to.deep.equal(results);
          expect(await processes[call % 2]!.append(commits)).to.deep.equal(results);
          for (const { ok } of results) ok ? accepted++ : refused++;
        }
        for (const store of [memory, sqlite, processes[0]!]) await keepBeside(store);
        const expected = await answers(memory, author.time);
        expect(await answers(sqlite, author.time)).to.deep.equal(expected);
        for (const process of processes) expect(await answers(process, author.time)).to.deep.equal(expected);
        await sqlite.close();
        await database.dispose();
      }),
      // No shrinking: finding a smaller failing history takes too long.
      { numRuns: runs, endOnFailure: !isLong },
    );
    // Ensures that the histories are worth comparing: many entries were accepted, and many refused.
    expect(accepted).to.be.greaterThan(runs * 3);
    expect(refused).to.be.greaterThan(runs / 2);
  });
});
