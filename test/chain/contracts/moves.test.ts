import { expect } from 'chai';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { ada, ben, cyd } from '../../world/people.js';
import { accountOf, eventsOf, Stage } from './stage.js';

const most = Number.MAX_SAFE_INTEGER;
const mint = (to: string, amount: number): Move => ({ op: 'mint', to, amount });
const pay = (from: string, to: string, amount: number, fee = 0): Move => ({ op: 'transfer', from, to, amount, fee });
const only = (available: number) => ({ available, reserved: 0, escrowed: 0 });

describe('moves on chain', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await Stage.open();
    await stage.applies([mint(ada, 100)]);
  });

  it('mint: Tokens of the ERC-20 come into the vault, once for the whole batch', async () => {
    const mined = await stage.applies([mint(ada, 5), pay(ada, ben, 1), mint(ben, 7)]);
    expect(
      eventsOf(mined)
        .filter(({ name }) => name === 'Transfer')
        .map(({ args }) => args[2]),
    ).to.deep.equal([12]);
    expect(await stage.tokensOf(stage.contracts.vault)).to.equal(112);
    expect(await stage.account(ben)).to.deep.equal(only(8));
    expect(await stage.totals()).to.include({ owed: 112, accounts: 2 });
  });

  it('mint: never more than 2^53-1 in the ledger, nor of the Token', async () => {
    await stage.refusesBatch([mint(ben, most - 99)], `SupplyExceeded(2, 100, ${most - 99})`);
    await stage.refusesBatch([mint(ben, most - 100), mint(ben, 1)], `SupplyExceeded(3, ${most}, 1)`);
    await stage.applies([mint(ben, most - 100)]);
    await stage.refusesBatch([mint(ben, 1)], `SupplyExceeded(3, ${most}, 1)`);
  });

  it('transfer: the recipient gets the amount, the fees the fee', async () => {
    await stage.applies([pay(ada, ben, 30, 2)]);
    expect([await stage.account(ada), await stage.account(ben)]).to.deep.equal([only(68), only(30)]);
    expect(await stage.totals()).to.include({ owed: 100, fees: 2 });
  });

  it('transfer: all there is, and not one more, the fee counted in', async () => {
    await stage.refusesBatch([pay(ada, ben, 99, 2)], `InsufficientBalance(2, ${accountOf(ada)}, 100, 101)`);
    await stage.refusesBatch([pay(ben, ada, 1)], `InsufficientBalance(2, ${accountOf(ben)}, 0, 1)`);
    await stage.refusesBatch(
      [pay(ada, ben, most, most)],
      `InsufficientBalance(2, ${accountOf(ada)}, 100, ${2n * BigInt(most)})`,
    );
    await stage.applies([pay(ada, ben, 98, 2)]);
    expect(await stage.account(ada)).to.deep.equal(only(0));
  });

  it('transfer: what a later operation brings does not pay for an earlier one', async () => {
    await stage.refusesBatch([pay(ben, cyd, 5), pay(ada, ben, 5)], /^InsufficientBalance\(2, /);
    await stage.applies([pay(ada, ben, 5), pay(ben, cyd, 5)]);
    expect(await stage.account(cyd)).to.deep.equal(only(5));
  });

  it('transfer: to oneself makes nothing', async () => {
    await stage.applies([pay(ada, ada, 60, 1)]);
    expect(await stage.account(ada)).to.deep.equal(only(99));
  });

  it('collect: fees go to an account, as far as there are any', async () => {
    await stage.applies([pay(ada, ben, 10, 5)]);
    await stage.refusesBatch([{ op: 'collect', to: cyd, amount: 6 }], 'InsufficientFees(3, 5, 6)');
    await stage.applies([{ op: 'collect', to: cyd, amount: 5 }]);
    expect(await stage.account(cyd)).to.deep.equal(only(5));
    expect(await stage.totals()).to.include({ owed: 100, fees: 0 });
  });

  it('freeze: debits of available are refused, credits and escrows are not', async () => {
    const escrow = { escrow: 'e', from: ada, to: ben };
    await stage.applies([
      { op: 'reserve', ...escrow, amount: 50 },
      { op: 'lock', ...escrow, amount: 50 },
      { op: 'freeze', did: ada },
    ]);
    expect(await stage.account(ada)).to.deep.equal({ available: 50, reserved: 0, escrowed: 50, frozen: true });
    const frozen = `AccountFrozen(5, ${accountOf(ada)})`;
    const to = `0x${'12'.repeat(20)}`;
    await stage.refusesBatch([pay(ada, ben, 1)], frozen);
    await stage.refusesBatch([{ op: 'reserve', ...escrow, escrow: 'f', amount: 1 }], frozen);
    await stage.refusesBatch([{ op: 'withdraw', from: ada, to, amount: 1, fee: 0 }], frozen);
    await stage.applies([
      mint(ada, 1),
      { op: 'release', ...escrow, amount: 20 },
      { op: 'refund', ...escrow, amount: 30 },
    ]);
    await stage.applies([{ op: 'unfreeze', did: ada }, pay(ada, ben, 81)]);
    expect([await stage.account(ada), await stage.account(ben)]).to.deep.equal([only(0), only(101)]);
  });

  it('freeze: also of an account that has nothing yet, and twice', async () => {
    await stage.applies([{ op: 'freeze', did: cyd }, { op: 'freeze', did: cyd }, pay(ada, cyd, 5)]);
    expect(await stage.account(cyd)).to.deep.equal({ ...only(5), frozen: true });
    await stage.applies([{ op: 'unfreeze', did: ben }]);
    expect(await stage.account(ben)).to.deep.equal(only(0));
  });
});
