import { expect } from 'chai';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { ada, ben } from '../../world/people.js';
import { accountOf, eventsOf, evmOf, freezer, minter, Stage } from './stage.js';

const [ann, bob] = [evmOf('ann'), evmOf('bob')];
const zeroAddress = `0x${'0'.repeat(40)}`;
const take = (ref: number, amount: number, to = ada): Move => ({ op: 'deposit', to, amount, ref });
const pay = (amount: number, to = bob, fee = 0): Move => ({ op: 'withdraw', from: ada, to, amount, fee });
const lower = (event: { name: string; args: readonly unknown[] } | undefined) => [
  event?.name,
  ...(event?.args ?? []).map((each) => (typeof each === 'string' ? each.toLowerCase() : each)),
];

describe('deposits', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await Stage.open(undefined, false);
  });

  it('wait outside of the ledger, numbered, with account, sender and amount', async () => {
    expect([await stage.deposits(ann, ada, 30), await stage.deposits(bob, ben, 5)]).to.deep.equal([1, 2]);
    const [account, sender, amount] = await stage.asks('LedgerVault', 'depositOf', [1]);
    expect([account, String(sender).toLowerCase(), amount]).to.deep.equal([accountOf(ada), ann, 30]);
    expect(await stage.account(ada)).to.include({ available: 0 });
    expect(await stage.totals()).to.include({ owed: 0, waiting: 35, deposits: 2 });
    expect(await stage.tokensOf(stage.contracts.vault)).to.equal(35);
  });

  it('log for a follower which Tokens came for which DID', async () => {
    await stage.does(minter, 'ServiceToken', 'mint', [ann, 30]);
    await stage.does(ann, 'ServiceToken', 'approve', [stage.contracts.vault, 30]);
    const events = await stage.does(ann, 'LedgerVault', 'deposit', [accountOf(ada), 30]);
    expect(lower(events[0])).to.deep.equal(['Deposited', 1, accountOf(ada), ann, 30]);
  });

  it('come into the ledger by an operation that names them rightly', async () => {
    const ref = await stage.deposits(ann, ada, 30);
    await stage.refusesBatch([take(ref, 29)], `WrongDeposit(1, 1, ${accountOf(ada)}, 30)`);
    await stage.refusesBatch([take(ref, 30, ben)], `WrongDeposit(1, 1, ${accountOf(ada)}, 30)`);
    await stage.refusesBatch([take(2, 30)], 'DepositNotWaiting(1, 2)');
    const mined = await stage.applies([take(ref, 30)]);
    expect(lower(eventsOf(mined)[0])).to.deep.equal(['DepositTaken', 1, accountOf(ada), 30, 1]);
    expect(await stage.account(ada)).to.include({ available: 30 });
    expect(await stage.totals()).to.include({ owed: 30, waiting: 0 });
  });

  it('are taken once', async () => {
    const ref = await stage.deposits(ann, ada, 30);
    await stage.refusesBatch([take(ref, 30), take(ref, 30)], 'DepositNotWaiting(2, 1)');
    await stage.applies([take(ref, 30)]);
    await stage.refusesBatch([take(ref, 30)], 'DepositNotWaiting(2, 1)');
  });

  it('of nothing, to no one, or without Tokens are refused', async () => {
    const args = (account: string, amount: number) => [account, amount];
    await stage.refuses(ann, 'LedgerVault', 'deposit', args(accountOf(ada), 0), 'ZeroAmount()');
    await stage.refuses(ann, 'LedgerVault', 'deposit', args(`0x${'0'.repeat(64)}`, 1), 'ZeroAccount()');
    const vault = stage.contracts.vault.toLowerCase();
    const unpaid = `ERC20InsufficientAllowance(${vault}, 0, 1)`;
    await stage.refuses(ann, 'LedgerVault', 'deposit', args(accountOf(ada), 1), unpaid);
  });

  it('of a frozen sender are refused', async () => {
    await stage.does(minter, 'ServiceToken', 'mint', [ann, 30]);
    await stage.does(ann, 'ServiceToken', 'approve', [stage.contracts.vault, 30]);
    await stage.does(freezer, 'ServiceToken', 'freeze', [ann]);
    await stage.refuses(ann, 'LedgerVault', 'deposit', [accountOf(ada), 30], `HolderFrozen(${ann})`);
  });
});

describe('withdrawals', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await Stage.open();
    await stage.applies([{ op: 'mint', to: ada, amount: 100 }]);
  });

  it('are paid by the vault, the fee stays', async () => {
    const mined = await stage.applies([pay(30, bob, 2)]);
    const [, withdrawn] = eventsOf(mined);
    expect(lower(withdrawn)).to.deep.equal(['Withdrawn', accountOf(ada), bob, 30, 2]);
    expect(await stage.tokensOf(bob)).to.equal(30);
    expect(await stage.tokensOf(stage.contracts.vault)).to.equal(70);
    expect(await stage.account(ada)).to.include({ available: 68 });
    expect(await stage.totals()).to.include({ owed: 70, fees: 2, heldBack: 0 });
  });

  it('are paid from what their own batch has minted, and what it mints behind them is there, too', async () => {
    const fresh = await Stage.open();
    const mint = (amount: number): Move => ({ op: 'mint', to: ada, amount });
    await fresh.applies([mint(40), pay(30), mint(5), pay(15), mint(7)]);
    expect(await fresh.tokensOf(bob)).to.equal(45);
    expect(await fresh.tokensOf(fresh.contracts.vault)).to.equal(7);
    expect(await fresh.totals()).to.include({ owed: 7, heldBack: 0 });
  });

  it('are no more than what is available, the fee counted in', async () => {
    await stage.refusesBatch([pay(99, bob, 2)], `InsufficientBalance(2, ${accountOf(ada)}, 100, 101)`);
    await stage.applies([pay(98, bob, 2)]);
  });

  it('go to an address', async () => {
    await stage.refusesBatch([pay(1, zeroAddress)], 'NoReceiver(2)');
  });

  it('that the Token refuses to pay are held and don’t stop the stream', async () => {
    const vault = stage.contracts.vault.toLowerCase();
    await stage.does(freezer, 'ServiceToken', 'freeze', [vault]);
    const mined = await stage.applies([pay(30), pay(5)]);
    expect(lower(eventsOf(mined)[0])).to.deep.equal(['WithdrawalHeld', accountOf(ada), bob, 30, 2]);
    expect(await stage.asks('LedgerVault', 'held', [bob])).to.deep.equal([35]);
    expect(await stage.totals()).to.include({ owed: 65, heldBack: 35 });
    await stage.refuses(ann, 'LedgerVault', 'claim', [bob], `HolderFrozen(${vault})`);
    await stage.does(freezer, 'ServiceToken', 'unfreeze', [vault]);
    const events = await stage.does(ann, 'LedgerVault', 'claim', [bob]);
    expect(lower(events[0])).to.deep.equal(['Claimed', bob, 35]);
    expect(await stage.tokensOf(bob)).to.equal(35);
    expect(await stage.totals()).to.include({ owed: 65, heldBack: 0 });
    await stage.refuses(ann, 'LedgerVault', 'claim', [bob], `NothingHeld(${bob})`);
  });

  it('to the vault itself are held, because they would pay no one', async () => {
    const vault = stage.contracts.vault.toLowerCase();
    await stage.applies([pay(30, vault)]);
    expect(await stage.totals()).to.include({ owed: 70, heldBack: 30 });
    await stage.refuses(ann, 'LedgerVault', 'claim', [vault], `NothingHeld(${vault})`);
  });
});
