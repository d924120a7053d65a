import { expect } from 'chai';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { ada, ben, cyd } from '../../world/people.js';
import { accountOf, escrowKey, evmOf, Stage, startMs, stranger } from './stage.js';

const [ann, bob] = [evmOf('ann'), evmOf('bob')];
const day = 86_400;
const key = escrowKey('esc-1');
const parties = [key, accountOf(ada), accountOf(ben)];
const escrow = { escrow: 'esc-1', from: ada, to: ben, amount: 60 };
/** Not a whole second, so that a block with that second is still too early. */
const expiresAt = startMs + 20 * day * 1000 + 1;
const reserve: Move = { op: 'reserve', ...escrow };
const lock: Move = { op: 'lock', ...escrow };

describe('the exit', () => {
  let stage: Stage;
  const exit = (from: string, did = ada, receiver = from) =>
    stage.does(from, 'LedgerVault', 'exitAccount', [accountOf(did), receiver]);
  const refusesExit = (from: string, error: string, did = ada) =>
    stage.refuses(from, 'LedgerVault', 'exitAccount', [accountOf(did), from], error);
  const returned = (from: string) => stage.does(from, 'LedgerVault', 'returnEscrow', parties);
  const silence = (days = 7) => stage.evm.advance(days * day + 1);
  const nothing = (did: string, who: string) => `NothingToExit(${accountOf(did)}, ${who})`;

  beforeEach(async () => {
    stage = await Stage.open();
    const ref = await stage.deposits(ann, ada, 100);
    await stage.applies([{ op: 'deposit', to: ada, amount: 100, ref }]);
  });

  describe('opens', () => {
    it('after 7 days without a batch, and not before', async () => {
      const { batchAt } = await stage.cursor();
      stage.evm.advance(batchAt + 7 * day - stage.evm.now);
      await refusesExit(ann, `OperatorNotSilent(${batchAt + 7 * day})`);
      const events = await exit(ann);
      expect(events[0]).to.deep.equal({ name: 'Closed', args: [batchAt] });
      expect(await stage.tokensOf(ann)).to.equal(100);
    });

    it('not while the operator gives signs of life', async () => {
      stage.evm.advance(6 * day);
      await stage.applies([]);
      stage.evm.advance(6 * day);
      await refusesExit(ann, `OperatorNotSilent(${(await stage.cursor()).batchAt + 7 * day})`);
    });

    it('from the deployment on, if nothing is ever applied', async () => {
      const fresh = await Stage.open();
      const opensAt = (await fresh.cursor()).batchAt + 7 * day;
      const ref = await fresh.deposits(ann, ada, 100);
      await fresh.refuses(ann, 'LedgerVault', 'exitDeposit', [ref], `OperatorNotSilent(${opensAt})`);
      expect(opensAt).to.be.greaterThan(fresh.evm.now);
      fresh.evm.advance(7 * day + 1);
      await fresh.does(ann, 'LedgerVault', 'exitDeposit', [ref]);
      expect(await fresh.tokensOf(ann)).to.equal(100);
    });

    it('by no call that fails: the operator may come back until one succeeds', async () => {
      silence();
      await refusesExit(stranger, nothing(ada, stranger));
      await stage.refuses(stranger, 'LedgerVault', 'exitDeposit', [9], `NotDepositSender(9, ${stranger})`);
      expect(await stage.totals()).to.include({ closedAt: 0 });
      await stage.applies([{ op: 'transfer', from: ada, to: ben, amount: 1, fee: 0 }]);
    });

    it('and ends the stream and the deposits', async () => {
      silence();
      await exit(ann);
      await stage.refusesBatch([], 'VaultClosed()');
      await stage.refusesBatch([{ op: 'mint', to: ada, amount: 1 }], 'VaultClosed()');
      await stage.refuses(ann, 'LedgerVault', 'deposit', [accountOf(ada), 1], 'VaultClosed()');
      expect((await stage.totals()).closedAt).to.be.greaterThan(0);
    });
  });

  describe('of an account', () => {
    it('with a controller is the controller’s alone, for all of it, to any address', async () => {
      await stage.applies([{ op: 'mint', to: ada, amount: 11 }]);
      await stage.registers(ada, bob);
      silence();
      for (const who of [ann, stranger]) await refusesExit(who, `NotController(${accountOf(ada)}, ${who})`);
      const receiver = evmOf('a cold wallet');
      await exit(bob, ada, receiver);
      expect(await stage.tokensOf(receiver)).to.equal(111);
      expect(await stage.totals()).to.include({ owed: 0 });
      await refusesExit(bob, nothing(ada, bob));
    });

    it('without one is for the depositor of each deposit, for that amount', async () => {
      await stage.applies([{ op: 'mint', to: ada, amount: 50 }]);
      const ref = await stage.deposits(bob, ada, 20);
      await stage.applies([{ op: 'deposit', to: ada, amount: 20, ref }]);
      silence();
      await refusesExit(stranger, nothing(ada, stranger));
      await exit(bob);
      await exit(ann);
      expect([await stage.tokensOf(bob), await stage.tokensOf(ann)]).to.deep.equal([20, 100]);
      await refusesExit(ann, nothing(ada, ann));
      expect(await stage.account(ada)).to.include({ available: 50 });
    });

    it('without one is for no more than it has', async () => {
      await stage.applies([{ op: 'transfer', from: ada, to: ben, amount: 70, fee: 0 }]);
      silence();
      await exit(ann);
      expect(await stage.tokensOf(ann)).to.equal(30);
      await refusesExit(ann, nothing(ben, ann), ben);
    });

    it('whose controller was revoked falls back to its depositors', async () => {
      await stage.registers(ada, bob);
      const { didHash } = await import('../../../src/chain/contracts/interfaces.js');
      await stage.does(evmOf('registrar'), 'IdentityRegistry', 'revoke', [await didHash(ada)]);
      silence();
      await refusesExit(bob, nothing(ada, bob));
      await exit(ann);
      expect(await stage.tokensOf(ann)).to.equal(100);
    });

    it('that is frozen is refused', async () => {
      await stage.applies([{ op: 'freeze', did: ada }]);
      silence();
      await refusesExit(ann, `AccountFrozen(0, ${accountOf(ada)})`);
    });
  });

  describe('of a deposit that was never credited', () => {
    it('pays it back to its sender, once', async () => {
      const ref = await stage.deposits(bob, ben, 40);
      silence();
      await stage.refuses(ann, 'LedgerVault', 'exitDeposit', [ref], `NotDepositSender(2, ${ann})`);
      await stage.does(bob, 'LedgerVault', 'exitDeposit', [ref]);
      expect(await stage.tokensOf(bob)).to.equal(40);
      expect(await stage.totals()).to.include({ waiting: 0 });
      await stage.refuses(bob, 'LedgerVault', 'exitDeposit', [ref], `NotDepositSender(2, ${bob})`);
    });

    it('is not there while the operator is', async () => {
      const ref = await stage.deposits(bob, ben, 40);
      const opensAt = (await stage.cursor()).batchAt + 7 * day;
      await stage.refuses(bob, 'LedgerVault', 'exitDeposit', [ref], `OperatorNotSilent(${opensAt})`);
    });
  });

  describe('of an escrow', () => {
    it('gives an unfunded one back at once', async () => {
      await stage.applies([reserve]);
      silence();
      await returned(stranger);
      expect((await stage.escrow('esc-1')).state).to.equal('cancelled');
      await exit(ann);
      expect(await stage.tokensOf(ann)).to.equal(100);
      expect(await stage.account(ada)).to.deep.equal({ available: 0, reserved: 0, escrowed: 0 });
    });

    it('gives a funded one back 30 days after the end, in full', async () => {
      await stage.applies([reserve, lock, { op: 'release', ...escrow, amount: 10 }]);
      silence();
      await exit(ann);
      const endsAt = (await stage.totals()).closedAt! + 30 * day;
      await stage.refuses(ann, 'LedgerVault', 'returnEscrow', parties, `EscrowStillOpen(${key}, ${endsAt})`);
      stage.evm.advance(endsAt - stage.evm.now);
      await returned(stranger);
      expect(await stage.escrow('esc-1')).to.include({ state: 'refunded', remaining: 0 });
      await exit(ann);
      expect(await stage.tokensOf(ann)).to.equal(90);
    });

    it('gives one back when it expired, if that comes first', async () => {
      await stage.applies([{ ...reserve, expiresAt } as Move, lock]);
      silence();
      await exit(ann);
      const endsAt = Math.ceil(expiresAt / 1000);
      await stage.refuses(ann, 'LedgerVault', 'returnEscrow', parties, `EscrowStillOpen(${key}, ${endsAt})`);
      stage.evm.advance(endsAt - stage.evm.now);
      await returned(ann);
      await exit(ann);
      expect(await stage.tokensOf(ann)).to.equal(100);
    });

    it('that will not expire for years waits no longer than 30 days', async () => {
      await stage.applies([{ ...reserve, expiresAt: startMs + 3_000 * day * 1000 } as Move, lock]);
      silence();
      await exit(ann);
      stage.evm.advance(30 * day);
      await returned(ann);
    });

    it('gives one back at once when the beneficiary’s controller says so', async () => {
      await stage.applies([reserve, lock]);
      await stage.registers(ben, bob);
      silence();
      const { batchAt } = await stage.cursor();
      await returned(bob);
      expect((await stage.totals()).closedAt).to.be.greaterThan(batchAt);
      await exit(ann);
      expect(await stage.tokensOf(ann)).to.equal(100);
    });

    it('pays the beneficiary when the depositor’s controller says so, and for no other caller', async () => {
      await stage.applies([reserve, lock]);
      await stage.registers(ada, ann);
      await stage.registers(ben, bob);
      silence();
      for (const who of [bob, stranger]) {
        await stage.refuses(who, 'LedgerVault', 'releaseEscrow', parties, `NotController(${accountOf(ada)}, ${who})`);
      }
      await stage.does(ann, 'LedgerVault', 'releaseEscrow', parties);
      expect((await stage.escrow('esc-1')).state).to.equal('released');
      await exit(bob, ben);
      await exit(ann);
      expect([await stage.tokensOf(ann), await stage.tokensOf(bob)]).to.deep.equal([40, 60]);
    });

    it('knows its parties, and moves once', async () => {
      await stage.applies([reserve, { op: 'mint', to: cyd, amount: 1 }]);
      await stage.registers(ada, ann);
      silence();
      const wrong = (did: string) => `WrongEscrowParty(0, ${key}, ${accountOf(did)})`;
      const call = (method: string, depositor: string, beneficiary: string) =>
        [method, [key, accountOf(depositor), accountOf(beneficiary)]] as const;
      await stage.refuses(ann, 'LedgerVault', ...call('returnEscrow', cyd, ben), wrong(cyd));
      await stage.refuses(ann, 'LedgerVault', ...call('returnEscrow', ada, cyd), wrong(cyd));
      await stage.refuses(ann, 'LedgerVault', ...call('releaseEscrow', ada, cyd), wrong(cyd));
      await stage.refuses(ann, 'LedgerVault', ...call('releaseEscrow', ada, ben), `WrongEscrowState(0, ${key}, 1)`);
      await returned(ann);
      await stage.refuses(ann, 'LedgerVault', ...call('returnEscrow', ada, ben), `WrongEscrowState(0, ${key}, 6)`);
      await stage.refuses(ann, 'LedgerVault', ...call('releaseEscrow', ada, ben), `WrongEscrowState(0, ${key}, 6)`);
    });

    it('is not there while the operator is', async () => {
      await stage.applies([reserve]);
      await stage.registers(ada, ann);
      const opensAt = (await stage.cursor()).batchAt + 7 * day;
      for (const method of ['returnEscrow', 'releaseEscrow']) {
        await stage.refuses(ann, 'LedgerVault', method, parties, `OperatorNotSilent(${opensAt})`);
      }
    });
  });

  it('leaves nothing behind but fees, when all accounts have left', async () => {
    await stage.applies([
      { op: 'transfer', from: ada, to: ben, amount: 10, fee: 3 },
      { ...reserve, amount: 50 } as Move,
      { ...lock, amount: 50 } as Move,
    ]);
    await stage.registers(ben, bob);
    const ref = await stage.deposits(bob, cyd, 5);
    silence();
    await stage.does(bob, 'LedgerVault', 'exitDeposit', [ref]);
    await exit(bob, ben);
    stage.evm.advance(30 * day);
    await returned(stranger);
    await exit(ann);
    expect([await stage.tokensOf(ann), await stage.tokensOf(bob)]).to.deep.equal([87, 15]);
    expect(await stage.tokensOf(stage.contracts.vault)).to.equal(3);
    expect(await stage.totals()).to.include({ owed: 3, fees: 3, waiting: 0, heldBack: 0 });
  });
});
