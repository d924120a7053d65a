import { expect } from 'chai';
import { accepted, Bench, codeOf } from '../../world/bench.js';
import { ada, ben, cyd } from '../../world/people.js';

const most = Number.MAX_SAFE_INTEGER;

async function conserved(bench: Bench): Promise<void> {
  const { supply, fees, available, reserved, escrowed } = await bench.store.totals();
  expect(available + reserved + escrowed + fees, 'conservation').to.equal(supply);
  expect(bench.actors.committer.supply, 'the supply in memory').to.equal(supply);
  expect(await bench.audit()).to.deep.include({ ok: true, supply });
}

describe('ledger: fees', () => {
  it('go from the sender to the fee account', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.transfer('ada', 'ben', 30, {}, { fee: 5 }));
    expect(await bench.balances('ada')).to.deep.equal([65, 0, 0]);
    expect(await bench.balances('ben')).to.deep.equal([30, 0, 0]);
    expect((await bench.store.totals()).fees).to.equal(5);
    await conserved(bench);
  });

  it('are collected by the operator, and by no one else', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.transfer('ada', 'ben', 30, {}, { fee: 5 }));
    const theft = await bench.ask('ben', 'account', ben, 'collect', { to: ben, amount: 5 });
    expect(codeOf(theft)).to.equal('TRANSFER_NOT_ALLOWED');
    accepted(await bench.operate('account', ben, 'collect', { to: ben, amount: 3 }));
    expect(await bench.balances('ben')).to.deep.equal([33, 0, 0]);
    expect((await bench.store.totals()).fees).to.equal(2);
    await conserved(bench);
  });

  it('cannot be collected beyond what there is', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    expect(codeOf(await bench.operate('account', ben, 'collect', { to: ben, amount: 1 }))).to.equal(
      'INSUFFICIENT_BALANCE',
    );
    accepted(await bench.transfer('ada', 'ben', 30, {}, { fee: 5 }));
    expect(codeOf(await bench.operate('account', ben, 'collect', { to: ben, amount: 6 }))).to.equal(
      'INSUFFICIENT_BALANCE',
    );
    accepted(await bench.operate('account', ben, 'collect', { to: ben, amount: 5 }));
    await conserved(bench);
  });

  it('continue to count after a collection', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    for (let round = 0; round < 3; round++) {
      accepted(await bench.transfer('ada', 'ben', 10, {}, { fee: 5 }));
      accepted(await bench.operate('account', ben, 'collect', { to: ben, amount: 4 }));
    }
    expect((await bench.store.totals()).fees).to.equal(3);
    expect(codeOf(await bench.operate('account', ben, 'collect', { to: ben, amount: 4 }))).to.equal(
      'INSUFFICIENT_BALANCE',
    );
    accepted(await bench.operate('account', ben, 'collect', { to: ben, amount: 3 }));
    await conserved(bench);
  });
});

describe('ledger: freeze', () => {
  it('refuses debits of what is available, and accepts credits', async () => {
    const bench = await Bench.open({}, { ada: 100, ben: 10 });
    accepted(await bench.operate('account', ada, 'freeze'));
    expect(codeOf(await bench.transfer('ada', 'ben', 1))).to.equal('TRANSFER_NOT_ALLOWED');
    accepted(await bench.transfer('ben', 'ada', 1));
    expect(await bench.balances('ada')).to.deep.equal([101, 0, 0]);
  });

  it('is refused before missing funds are', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.operate('account', ada, 'freeze'));
    expect(codeOf(await bench.transfer('ada', 'ben', 1_000))).to.equal('TRANSFER_NOT_ALLOWED');
  });

  it('is lifted again', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.operate('account', ada, 'freeze'));
    accepted(await bench.operate('account', ada, 'unfreeze'));
    accepted(await bench.transfer('ada', 'ben', 1));
    await conserved(bench);
  });

  it('survives a restart', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.operate('account', ada, 'freeze'));
    const next = await bench.restart();
    expect(codeOf(await next.transfer('ada', 'ben', 1))).to.equal('TRANSFER_NOT_ALLOWED');
  });

  it('is the operator’s alone', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    for (const action of ['freeze', 'unfreeze', 'mint']) {
      const result = await bench.ask('ben', 'account', ada, action, { amount: 1 });
      expect(codeOf(result), action).to.equal('TRANSFER_NOT_ALLOWED');
    }
  });

  it('a frozen account consumes no nonce in vain', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.operate('account', ada, 'freeze'));
    expect(codeOf(await bench.transfer('ada', 'ben', 1, { nonce: 1 }))).to.equal('TRANSFER_NOT_ALLOWED');
    accepted(await bench.operate('account', ada, 'unfreeze'));
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 1 }));
  });
});

describe('ledger: supply', () => {
  it('never exceeds 2^53-1', async () => {
    const bench = await Bench.open({}, { ada: most - 1 });
    expect(codeOf(await bench.operate('account', ben, 'mint', { amount: 2 }))).to.equal('UNPROCESSABLE');
    accepted(await bench.operate('account', ben, 'mint', { amount: 1 }));
    expect(codeOf(await bench.operate('account', ben, 'mint', { amount: 1 }))).to.equal('UNPROCESSABLE');
    await conserved(bench);
  });

  it('is known again after a restart', async () => {
    const bench = await (await Bench.open({}, { ada: most })).restart();
    expect(codeOf(await bench.operate('account', ben, 'mint', { amount: 1 }))).to.equal('UNPROCESSABLE');
  });

  it('mints that race cannot exceed it together', async () => {
    const bench = await Bench.open({}, { ada: most - 10 });
    const mints = [ada, ben, cyd].map((id) =>
      bench.system.execute({ kind: 'account', id, action: 'mint', input: { amount: 4 } }),
    );
    const codes = (await bench.world.settle(Promise.all(mints))).map(codeOf).sort();
    expect(codes).to.deep.equal(['UNPROCESSABLE', 'accepted', 'accepted']);
    await conserved(bench);
  });

  it('the largest account can be paid out whole', async () => {
    const bench = await Bench.open({}, { ada: most });
    accepted(await bench.transfer('ada', 'ben', most));
    expect(await bench.balances('ben')).to.deep.equal([most, 0, 0]);
    await conserved(bench);
  });
});
