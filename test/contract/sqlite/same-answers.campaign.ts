import { isLong } from '../../support/long.js';
import { expectSameAnswers } from '../same-answers.js';
import { Directory } from './support.js';

const runs = isLong ? 500 : 20;

describe('memory and SQLite', () => {
  const directory = new Directory();

  it(`give equal answers about ${runs} random histories`, async () => {
    await expectSameAnswers(runs, async (run) => {
      const sqlite = await directory.open('inline', `${directory.path}/${run}`, 12);
      return { databases: [[sqlite]], close: () => sqlite.close() };
    });
  });
});
