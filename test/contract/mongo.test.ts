import { TestDatabase } from '../mongo/support/database.js';
import { describeMongo } from '../mongo/support/server.js';
import { storeContract } from './store.contract.js';

describeMongo('with a server', () => {
  storeContract('mongo', async () => {
    const database = await TestDatabase.fresh();
    let store = await database.open();
    return {
      store,
      async reopen() {
        await store.close();
        store = await database.open();
        return store;
      },
      async crash() {
        await store.close();
        await database.rewind();
        store = await database.open();
        return store;
      },
      dispose: () => database.dispose(),
    };
  });
});
