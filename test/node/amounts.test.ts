/** Amounts (docs/reference/requests.md#amounts): JSON integers from 1 to 2^53-1 and nothing else. */
import { expect } from 'chai';
import { expectInvalid, expectProblem } from './support/answers.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const most = Number.MAX_SAFE_INTEGER;

describe('Amounts', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;

  before(async () => {
    [ada, ben] = [await node().rich(100), await node().person()];
  });

  /** A body with the number exactly as written here. */
  const raw = (field: string, text: string) => {
    const body = JSON.stringify({ ...ada.signed, to: ben.did, amount: 1, [field]: '@' }).replace('"@"', text);
    return node().client.post('/api/v1/transfers', body);
  };

  const rounded = ['0.99999999999999999999', '1.0000000000000000001', '4503599627370497.5', '9007199254740990.6'];
  const others = ['0', '-1', '1.5', '1e-1', '"1"', 'null', 'true', '[1]', '{}', '9007199254740992', '1e400'];
  for (const text of [...rounded, ...others]) {
    it(`refuses ${text} as amount and as fee`, async () => {
      const before = await node().state();
      // Null stands for an absent member, if it is optional.
      for (const field of text === 'null' ? ['amount'] : ['amount', 'fee'])
        expectInvalid(await raw(field, text), field);
      expect(await node().state()).to.deep.equal(before);
    });
  }

  it('refuses a member that stands twice, however it is spelled', async () => {
    const before = await node().state();
    for (const name of ['amount', String.raw`am\u006funt`]) {
      const body = JSON.stringify({ ...ada.signed, to: ben.did, amount: 1 }).replace('{', `{"${name}":5,`);
      expectInvalid(await node().client.post('/api/v1/transfers', body), 'amount');
    }
    expect(await node().state()).to.deep.equal(before);
  });

  it('refuses -0 anywhere, also in ignored members', async () => {
    expectInvalid(await raw('amount', '-0'), 'amount');
    expectInvalid(await raw('ignored', '-0'), 'ignored');
    expectInvalid(await raw('ignored', '{"deep":[1,-0.0]}'), 'ignored.deep.1');
  });

  it('refuses integers that a double cannot hold anywhere, with their path', async () => {
    expectInvalid(await raw('ignored', '{"invoice":[738529527931269425]}'), 'ignored.invoice.0');
  });

  it('refuses a nonce that is no integer from 1 on', async () => {
    for (const text of ['0', '-1', '1.5', '"1"', '9007199254740993', '1e400']) {
      expectInvalid(await raw('nonce', text), 'nonce');
    }
  });

  it('takes 1e2 for the integer that it is', async () => {
    const reply = await raw('amount', '1e1');
    expect(reply.body.amount).to.equal(10);
    ada.nonce += 1;
  });

  it('reads 2^53-1 as an amount, which is too much to own', async () => {
    expectProblem(await raw('amount', String(most)), 'INSUFFICIENT_BALANCE');
  });

  it('refuses an amount and a fee whose sum overflows', async () => {
    const reply = await ada.write('/api/v1/transfers', { to: ben.did, amount: most, fee: 1 });
    expectInvalid(reply, 'amount');
  });

  it('moves the largest supply there can be, and no Token more comes into existence', async () => {
    const { supply } = await node().store.totals();
    const cyd = await node().rich(most - supply);
    expectProblem(await node().client.post('/api/v1/faucet', { did: ben.did }), 'UNPROCESSABLE');
    await cyd.pays(ben.did, most - supply - 1);
    expect((await node().store.totals()).supply).to.equal(most);
  });
});
