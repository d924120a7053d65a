/**
 * Deposits from the chain's vault, and withdrawals to it
 * (docs/reference/accounts-and-nonces.md#deposits-and-withdrawals).
 */
import { expect } from 'chai';
import { accepted, Bench, codeOf } from '../../world/bench.js';
import { ada, ben } from '../../world/people.js';

const most = Number.MAX_SAFE_INTEGER;
const outside = '0x52908400098527886E0F7030069857D2E4169EE7';

const deposits = (bench: Bench, id: string, amount: number, ref: number) =>
  bench.operate('account', id, 'deposit', { amount, ref });
const withdraws = (bench: Bench, name: string, id: string, input: object) =>
  bench.ask(name, 'account', id, 'withdraw', { to: outside, ...input });

describe('ledger: a deposit', () => {
  it('credits its account, once', async () => {
    const bench = await Bench.open();
    const { entry } = accepted(await deposits(bench, ada, 70, 1));
    expect(entry.core.event.type).to.equal('tokens.deposited');
    expect(entry.core.moves).to.deep.equal([{ op: 'deposit', to: ada, amount: 70, ref: 1 }]);
    const before = bench.dump();
    expect(codeOf(await deposits(bench, ada, 70, 1)), 'the same again').to.equal('CONFLICT');
    expect(codeOf(await deposits(bench, ben, 5, 1)), 'its number, for another account').to.equal('CONFLICT');
    expect(bench.dump()).to.equal(before);
    accepted(await deposits(bench, ada, 70, 2));
    expect(await bench.balances('ada')).to.deep.equal([140, 0, 0]);
    expect(await bench.audit()).to.deep.include({ ok: true, supply: 140 });
  });

  it('is credited once when it is reported several times at once, and after a restart', async () => {
    const bench = await Bench.open();
    const credited = [1, 2, 3].map(() =>
      bench.system.execute({ kind: 'account', id: ada, action: 'deposit', input: { amount: 9, ref: 4 } }),
    );
    const codes = (await bench.world.settle(Promise.all(credited))).map(codeOf).sort();
    expect(codes).to.deep.equal(['CONFLICT', 'CONFLICT', 'accepted']);
    const next = await bench.restart();
    expect(codeOf(await deposits(next, ada, 9, 4))).to.equal('CONFLICT');
    expect(await next.balances('ada')).to.deep.equal([9, 0, 0]);
  });

  it('claims a unique key of the store, whatever else writes there', async () => {
    const bench = await Bench.open();
    accepted(await deposits(bench, ada, 9, 4));
    expect([...bench.store.tables.keys.keys()]).to.include('deposit/4@1');
  });

  it('is the operator’s word alone, and only as a whole', async () => {
    const bench = await Bench.open({}, { ada: 1 });
    const own = await bench.ask('ada', 'account', ada, 'deposit', { amount: 5, ref: 1 });
    expect(codeOf(own)).to.equal('TRANSFER_NOT_ALLOWED');
    expect(codeOf(await bench.operate('deposit', '1', 'take', { to: ada, amount: 5 }))).to.equal('FORBIDDEN');
    accepted(await deposits(bench, ada, 5, 1));
  });

  it('keeps the supply within its bound', async () => {
    const bench = await Bench.open({}, { ada: most - 1 });
    expect(codeOf(await deposits(bench, ben, 2, 1))).to.equal('UNPROCESSABLE');
    accepted(await deposits(bench, ben, 1, 1));
    expect(await bench.audit()).to.deep.include({ ok: true, supply: most });
  });
});

describe('ledger: a withdrawal', () => {
  it('takes amount and fee from its owner; the amount leaves the supply', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    const { entry } = accepted(await withdraws(bench, 'ada', ada, { amount: 30, fee: 2 }));
    expect(entry.core.event.type).to.equal('tokens.withdrawn');
    expect(entry.core.moves).to.deep.equal([{ op: 'withdraw', from: ada, to: outside, amount: 30, fee: 2 }]);
    expect(await bench.balances('ada')).to.deep.equal([68, 0, 0]);
    expect(await bench.store.totals()).to.include({ supply: 70, fees: 2, available: 68 });
    expect(await bench.audit()).to.deep.include({ ok: true, supply: 70 });
  });

  it('makes room for deposits again', async () => {
    const bench = await Bench.open({}, { ada: most });
    accepted(await withdraws(bench, 'ada', ada, { amount: 10 }));
    expect(codeOf(await deposits(bench, ben, 11, 1))).to.equal('UNPROCESSABLE');
    accepted(await deposits(bench, ben, 10, 1));
  });

  it('is refused to strangers, frozen accounts, the poor, and the zero address', async () => {
    const bench = await Bench.open({}, { ada: 100, ben: 100 });
    const before = bench.dump();
    expect(codeOf(await withdraws(bench, 'ben', ada, { amount: 1 }))).to.equal('TRANSFER_NOT_ALLOWED');
    expect(codeOf(await withdraws(bench, 'ada', ada, { amount: 100, fee: 1 }))).to.equal('INSUFFICIENT_BALANCE');
    const nowhere = { amount: 1, to: `0x${'0'.repeat(40)}` };
    expect(codeOf(await withdraws(bench, 'ada', ada, nowhere))).to.equal('UNPROCESSABLE');
    for (const wrong of [{ amount: 0 }, { amount: 1, to: '0x12' }, { amount: most, fee: 1 }, { amount: 1, fee: 0 }])
      expect(codeOf(await withdraws(bench, 'ada', ada, wrong)), JSON.stringify(wrong)).to.equal('INVALID_REQUEST');
    expect(bench.dump()).to.equal(before);
    accepted(await bench.operate('account', ada, 'freeze'));
    expect(codeOf(await withdraws(bench, 'ada', ada, { amount: 1 }))).to.equal('TRANSFER_NOT_ALLOWED');
    accepted(await bench.operate('account', ada, 'unfreeze'));
    accepted(await withdraws(bench, 'ada', ada, { amount: 1 }));
  });
});
