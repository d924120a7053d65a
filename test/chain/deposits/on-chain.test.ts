/**
 * From a deposit in the real vault to a balance in the ledger, and the settlement operation that marks the deposit as credited.
 */
import { expect } from 'chai';
import { accountKey } from '../../../src/chain/contracts/contract-reader.js';
import { depositsOf } from '../../../src/chain/deposits/deposit-source.js';
import { type Credit, DepositWatcher } from '../../../src/chain/deposits/deposit-watcher.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { tidy } from '../../support/scratch.js';
import { ada, ben } from '../../world/people.js';
import { Rig } from '../support/rig.js';

describe('deposits in the vault', () => {
  let rig: Rig;
  before(async () => {
    rig = await Rig.open();
  });
  after(async () => {
    await rig?.close();
    await tidy();
  });

  it('are found with account, amount and number, and the stream can take them', async () => {
    const credits: Credit[] = [];
    const watcher = new DepositWatcher({
      source: depositsOf(rig.reader),
      store: new MemoryStore(),
      confirmations: 1,
      world,
      log: () => {},
      async credit(credit) {
        credits.push(credit);
        return undefined;
      },
    });
    const person = await rig.person();
    await rig.deposits(person, accountKey(ada), 70);
    await rig.deposits(person, accountKey(ben), 5);
    await watcher.look();
    expect(credits).to.deep.equal([
      { did: ada, amount: 70, ref: 1 },
      { did: ben, amount: 5, ref: 2 },
    ]);
    expect(await rig.reader.holdings()).to.include({ owed: 0, waiting: 75, holdings: 75, deposits: 2 });
    await rig.settle(credits.map(({ did, amount, ref }) => ({ op: 'deposit', to: did, amount, ref })));
    expect(await rig.reader.holdings()).to.include({ owed: 75, waiting: 0, holdings: 75 });
    expect(await rig.reader.deposit(1)).to.equal(undefined);
  });
});
