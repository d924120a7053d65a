/** Paying for an answer, as buyer and seller see it (docs/payments.md). */
import { expect } from 'chai';
import { PaymentRefused } from '../../packages/payments/src/index.js';
import { PaymentMarket, rejection } from './support/market.js';

describe('A paid answer', () => {
  let market: PaymentMarket;
  before(async () => {
    market = await PaymentMarket.open();
  });
  after(() => market.close());

  it('is paid once, and served', async () => {
    const shop = await market.shop();
    const { buy, key } = await market.buyer(5);
    const answer = await buy(`${shop.url}/today?place=here`);
    expect(answer.status).to.equal(200);
    expect(await answer.json()).to.deep.equal({ number: 1, path: '/today?place=here', body: '' });
    expect(await market.balance(key.did)).to.equal(3);
    expect(await market.balance(market.seller)).to.equal(2);
  });

  it('costs nothing when it costs more than the buyer agrees to', async () => {
    const shop = await market.shop({ amount: 3 });
    const { buy, key } = await market.buyer(5);
    expect(await rejection(buy(shop.url))).to.be.instanceOf(PaymentRefused);
    expect(await market.balance(key.did)).to.equal(5);
  });
});
