/** The messages, as other programs of x402 read them (docs/payments.md#messages). */
import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  decodePaymentSignatureHeader,
} from '@x402/core/http';
import { PaymentPayloadV2Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { expect } from 'chai';
import { encoded, requiredHeader, settledHeader } from '../../packages/payments/src/messages.js';
import { PaymentMarket } from './support/market.js';
import { chargedByHand, paidByHand, show } from './support/proofs.js';

describe('Messages of payments', () => {
  let market: PaymentMarket;
  before(async () => {
    market = await PaymentMarket.open();
  });
  after(() => market.close());

  it('have the forms of x402, version 2', async () => {
    const listing = await market.listing();
    const { url } = await market.shop({ description: 'the weather of today', mimeType: 'application/json', listing });
    const asked = await fetch(url);
    expect(asked.status).to.equal(402);
    expect(asked.headers.get('content-type')).to.equal('application/problem+json');
    expect(await asked.json()).to.include({ status: 402, title: 'Payment Required' });
    const required = decodePaymentRequiredHeader(asked.headers.get(requiredHeader)!);
    expect(PaymentRequiredV2Schema.parse(required)).to.deep.equal(required);
    expect(required.accepts.map(({ extra }) => extra.by)).to.deep.equal(['transfer', 'lease']);
    const key = await market.key(22);
    for (const proof of [await paidByHand(market, { url, key }), await chargedByHand(market, { url, key })]) {
      const payload = decodePaymentSignatureHeader(encoded(proof));
      expect(PaymentPayloadV2Schema.parse(payload)).to.deep.equal(JSON.parse(JSON.stringify(proof)));
      const settled = decodePaymentResponseHeader((await show(url, proof)).headers.get(settledHeader)!);
      expect(settled).to.include({ success: true, transaction: proof.payload.entry.event.hash });
    }
  });
});
