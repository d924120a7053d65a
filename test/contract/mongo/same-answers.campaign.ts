import { TestDatabase } from '../../mongo/support/database.js';
import { describeMongo } from '../../mongo/support/server.js';
import { isLong } from '../../support/long.js';
import { expectSameAnswers } from '../same-answers.js';
import { Directory } from '../sqlite/support.js';

const runs = isLong ? 500 : 5;

describeMongo('memory, SQLite and MongoDB', () => {
  const directory = new Directory();

  it(`give equal answers about ${runs} random histories; so does another process on the same MongoDB`, async () => {
    await expectSameAnswers(runs, async (run) => {
      const sqlite = await directory.open('inline', `${directory.path}/${run}`);
      const database = await TestDatabase.fresh();
      const close = async () => {
        await sqlite.close();
        await database.dispose();
      };
      return { databases: [[sqlite], [await database.open(), await database.open()]], close };
    });
  });
});
