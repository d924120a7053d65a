import { expect } from 'chai';
import { addressOf } from '../../../src/core/codecs/address.js';
import { accepted, Bench, codeOf } from '../../world/bench.js';
import { ada, ben, didOf } from '../../world/people.js';

/** Expects a refusal with this code, and an unchanged store. */
async function refuses(bench: Bench, asking: () => ReturnType<Bench['ask']>, code: string): Promise<void> {
  const before = bench.dump();
  expect(codeOf(await asking())).to.equal(code);
  expect(bench.dump(), 'a refusal changes nothing').to.equal(before);
}

const open = () => Bench.open({}, { ada: 100 });

describe('ledger: transfers', () => {
  it('move Tokens from one account to another, in one signed entry', async () => {
    const bench = await open();
    const { entry } = accepted(await bench.transfer('ada', 'ben', 30, {}, { memo: 'thanks' }));
    expect(entry.core.event).to.include({ type: 'transfer.sent', issuer: ada, nonce: 1, prev: null });
    expect(entry.core.moves).to.deep.equal([{ op: 'transfer', from: ada, to: ben, amount: 30, fee: 0 }]);
    expect(bench.told(entry.payload.input)).to.deep.equal({ to: ben, amount: 30, memo: 'thanks' });
    expect(await bench.balances('ada')).to.deep.equal([70, 0, 0]);
    expect(await bench.balances('ben')).to.deep.equal([30, 0, 0]);
  });

  it('reach an account address, and someone who never acted', async () => {
    const bench = await open();
    accepted(await bench.ask('ada', 'account', ada, 'transfer', { to: addressOf(didOf('new')), amount: 1 }));
    expect(await bench.balances('new')).to.deep.equal([1, 0, 0]);
  });

  it('may empty the account', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 100));
    expect(await bench.balances('ada')).to.deep.equal([0, 0, 0]);
    await refuses(bench, () => bench.transfer('ada', 'ben', 1), 'INSUFFICIENT_BALANCE');
  });

  it('what was received can be spent', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 60));
    accepted(await bench.transfer('ben', 'cyd', 60));
    expect(await bench.balances('cyd')).to.deep.equal([60, 0, 0]);
  });

  it('INSUFFICIENT_BALANCE beyond what is available, fee included', async () => {
    const bench = await open();
    await refuses(bench, () => bench.transfer('ada', 'ben', 101), 'INSUFFICIENT_BALANCE');
    await refuses(bench, () => bench.transfer('ada', 'ben', 100, {}, { fee: 1 }), 'INSUFFICIENT_BALANCE');
    await refuses(bench, () => bench.transfer('ben', 'ada', 1), 'INSUFFICIENT_BALANCE');
    accepted(await bench.transfer('ada', 'ben', 99, {}, { fee: 1 }));
  });

  it('reserved and escrowed Tokens are not available', async () => {
    const bench = await open();
    const escrow = { beneficiary: ben, releaseRules: [{ type: 'manual' }] };
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', { ...escrow, amount: 40 }));
    accepted(await bench.ask('ada', 'escrow', 'esc-2', 'create', { ...escrow, amount: 50, autoFund: true }));
    expect(await bench.balances('ada')).to.deep.equal([10, 40, 50]);
    await refuses(bench, () => bench.transfer('ada', 'ben', 11), 'INSUFFICIENT_BALANCE');
    accepted(await bench.transfer('ada', 'ben', 10));
  });

  it('to oneself are UNPROCESSABLE, by address, too', async () => {
    const bench = await open();
    await refuses(bench, () => bench.transfer('ada', 'ada', 1), 'UNPROCESSABLE');
    const byAddress = () => bench.ask('ada', 'account', ada, 'transfer', { to: addressOf(ada), amount: 1 });
    await refuses(bench, byAddress, 'UNPROCESSABLE');
  });

  it('from another’s wallet are TRANSFER_NOT_ALLOWED', async () => {
    const bench = await open();
    const theft = () => bench.ask('ben', 'account', ada, 'transfer', { to: ben, amount: 1 });
    await refuses(bench, theft, 'TRANSFER_NOT_ALLOWED');
  });

  it('by a system entry move no one’s Tokens', async () => {
    const bench = await open();
    await refuses(
      bench,
      () => bench.operate('account', ada, 'transfer', { to: ben, amount: 1 }),
      'TRANSFER_NOT_ALLOWED',
    );
  });

  it('for a transfer elsewhere are made once by each payer, whatever another one has paid for it', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 10));
    const onwardOf = { home: didOf('cleo'), event: '5f'.repeat(32) };
    const pays = (who: string, to: string, more = {}) =>
      bench.transfer(who, to, 2, {}, { onwardOf: { ...onwardOf, ...more } });
    accepted(await pays('ben', 'ada'));
    accepted(await pays('ada', 'ben'));
    await refuses(bench, () => pays('ada', 'ben'), 'CONFLICT');
    await refuses(bench, () => pays('ada', 'cleo'), 'CONFLICT');
    accepted(await pays('ada', 'ben', { event: '60'.repeat(32) }));
    accepted(await pays('ada', 'ben', { home: ada }));
    expect(await bench.balances('ada')).to.deep.equal([100 - 10 + 2 - 3 * 2, 0, 0]);
  });

  it('are written once for a transfer though two are asked for together', async () => {
    const bench = await open();
    const onwardOf = { home: ben, event: '5f'.repeat(32) };
    const both = await Promise.all([1, 2].map(() => bench.transfer('ada', 'ben', 2, {}, { onwardOf })));
    expect(both.map(codeOf).sort()).to.deep.equal(['CONFLICT', 'accepted']);
  });

  for (const [what, body, code] of [
    ['no recipient', { amount: 1 }, 'INVALID_REQUEST'],
    ['a recipient that is no account', { to: 'ben', amount: 1 }, 'INVALID_REQUEST'],
    ['an address with a wrong checksum', { to: `${addressOf(ben).slice(0, -1)}9`, amount: 1 }, 'INVALID_REQUEST'],
    ['no amount', { to: ben }, 'INVALID_REQUEST'],
    ['amount 0', { to: ben, amount: 0 }, 'INVALID_REQUEST'],
    ['a negative amount', { to: ben, amount: -1 }, 'INVALID_REQUEST'],
    ['a fraction', { to: ben, amount: 0.1 }, 'INVALID_REQUEST'],
    ['an amount as text', { to: ben, amount: '1' }, 'INVALID_REQUEST'],
    ['an amount beyond 2^53-1', { to: ben, amount: 2 ** 53 }, 'INVALID_REQUEST'],
    ['fee 0', { to: ben, amount: 1, fee: 0 }, 'INVALID_REQUEST'],
    ['a fee as text', { to: ben, amount: 1, fee: '1' }, 'INVALID_REQUEST'],
    ['a sum of amount and fee beyond 2^53-1', { to: ben, amount: 2 ** 53 - 1, fee: 1 }, 'INVALID_REQUEST'],
    ['a memo of 257 characters', { to: ben, amount: 1, memo: 'é'.repeat(257) }, 'INVALID_REQUEST'],
    ['a memo that is no text', { to: ben, amount: 1, memo: 7 }, 'INVALID_REQUEST'],
  ] as const) {
    it(`${code} on ${what}`, async () => {
      const bench = await open();
      await refuses(bench, () => bench.ask('ada', 'account', ada, 'transfer', body), code);
    });
  }

  it('carry a memo of 256 code points, however many UTF-16 units', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 1, {}, { memo: '🦀'.repeat(256) }));
  });
});
