import { wholeLife } from '../histories/whole-life.js';
import { refusesAll } from '../peers/lies/refuses-all.js';
import { isLong } from '../support/long.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

describeMongo('followed feeds', () => {
  it('store nothing of a false entry, sent at each of many entries', async function () {
    this.timeout(120_000);
    const database = await TestDatabase.fresh();
    const replicas = (await database.open()).replicas();
    try {
      await refusesAll(await wholeLife(), replicas, isLong ? 1 : 4);
    } finally {
      await replicas.close();
      await database.dispose();
    }
  });
});
