/** `POST /transfers` (docs/reference/accounts-and-nonces.md#transfers). */
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectStatus, expectWritten } from './support/answers.js';
import type { Body } from './support/client.js';
import { bareDid } from './support/independent.js';
import { nodeForSuite } from './support/node.js';

describe('POST /transfers', () => {
  const node = nodeForSuite();

  it('moves Tokens and answers a TransferResult', async () => {
    const [ada, ben] = [await node().rich(100), await node().person()];
    const before = node().world.now();
    const body = await ada.pays(ben.did, 30, { memo: 'hi' });
    expectWritten(body, 1);
    expect(body).to.have.all.keys([
      ...['txHash', 'eventHash', 'from', 'to', 'amount', 'fee', 'memo', 'status', 'timestamp', 'blockNumber'],
      ...['confirmations', 'nonce'],
    ]);
    expect(body).to.include({ from: ada.did, to: ben.did, amount: 30, fee: 0, memo: 'hi', status: 'confirmed' });
    expect(body.timestamp).to.be.within(before, node().world.now());
    expect(await ada.wallet()).to.include({ balance: 70, availableBalance: 70, nonce: 1, nextNonce: 2 });
    expect(await ben.wallet()).to.include({ balance: 30, availableBalance: 30, nonce: 0, nextNonce: 1 });
  });

  it('takes a DID, its bare spelling and an address for one account', async () => {
    const [ada, ben] = [await node().rich(100), await node().person()];
    for (const to of [ben.did, bareDid(ben.did), ben.address]) expect((await ada.pays(to, 1)).to).to.equal(ben.did);
    const spelled = await ada.does('/api/v1/transfers', { did: bareDid(ada.did), to: ben.did, amount: 1 });
    expect(spelled.from).to.equal(ada.did);
    expect((await ben.wallet()).balance).to.equal(4);
  });

  it('pays a DID that was never registered', async () => {
    const ada = await node().rich(10);
    const stranger = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';
    expectProblem(await node().client.get(`/api/v1/identities/${stranger}`), 'DID_NOT_FOUND');
    await ada.pays(stranger, 3);
    expect(expectStatus(await node().client.get(`/api/v1/wallets/${stranger}`)).balance).to.equal(3);
    expectStatus(await node().client.get(`/api/v1/identities/${stranger}`));
  });

  it('collects a fee on top of the amount', async () => {
    const [ada, ben] = [await node().rich(100), await node().person()];
    const { fees } = await node().store.totals();
    expect(await ada.pays(ben.did, 30, { fee: 2 })).to.include({ amount: 30, fee: 2 });
    expect((await ada.wallet()).balance).to.equal(68);
    expect((await node().store.totals()).fees).to.equal(fees + 2);
    expectProblem(await ada.write('/api/v1/transfers', { to: ben.did, amount: 68, fee: 1 }), 'INSUFFICIENT_BALANCE');
    await ada.pays(ben.did, 67, { fee: 1 });
    expect((await ada.wallet()).balance).to.equal(0);
  });

  it('refuses more than is available: 402 of the validation class, and no nonce is used', async () => {
    const [ada, ben] = [await node().rich(10), await node().person()];
    const before = await node().state();
    const problem = expectProblem(
      await ada.write('/api/v1/transfers', { to: ben.did, amount: 11 }),
      'INSUFFICIENT_BALANCE',
    );
    expect(problem.type).to.match(/\/validation-error$/);
    expect(await node().state()).to.deep.equal(before);
    expect((await ada.wallet()).nextNonce).to.equal(1);
    await ada.pays(ben.did, 10);
  });

  it('refuses a transfer to oneself, in either spelling', async () => {
    const ada = await node().rich(10);
    for (const to of [ada.did, ada.address, bareDid(ada.did)]) {
      expectProblem(await ada.write('/api/v1/transfers', { to, amount: 1 }), 'UNPROCESSABLE');
    }
  });

  it('refuses what is no account as recipient', async () => {
    const ada = await node().rich(10);
    const changed = `${ada.address.slice(0, -1)}${ada.address.endsWith('2') ? '3' : '2'}`;
    for (const to of ['', 'ada', changed, 7, null]) {
      expectInvalid(await ada.write('/api/v1/transfers', { to, amount: 1 }), 'to');
    }
    for (const to of ['did:svc:z6Mk', `${ada.did}x`, 'did:web:example.org']) {
      expectInvalid(await ada.write('/api/v1/transfers', { to, amount: 1 }), 'to', 'DID_INVALID');
    }
    expectInvalid(await ada.write('/api/v1/transfers', { amount: 1 }), 'to');
  });

  it('refuses a malformed signer as DID_INVALID, and a missing one as INVALID_REQUEST', async () => {
    const ada = await node().rich(10);
    const to = (await node().person()).did;
    for (const did of ['did:svc:z6Mk', 'ada', ada.did.replace('svc', 'web')]) {
      expectInvalid(await ada.write('/api/v1/transfers', { did, to, amount: 1 }), 'did', 'DID_INVALID');
    }
    expectInvalid(await ada.write('/api/v1/transfers', { did: '', to, amount: 1 }), 'did');
    for (const field of ['did', 'passphrase', 'nonce', 'amount']) {
      expectInvalid(await ada.write('/api/v1/transfers', { to, amount: 1, [field]: undefined }), field);
    }
  });

  it('counts a memo in code points: 256 are well, 257 are not', async () => {
    const [ada, ben] = [await node().rich(10), await node().person()];
    const memo = '😀'.repeat(256);
    expect((await ada.pays(ben.did, 1, { memo })).memo).to.equal(memo);
    expectInvalid(await ada.write('/api/v1/transfers', { to: ben.did, amount: 1, memo: `${memo}!` }), 'memo');
    expectInvalid(await ada.write('/api/v1/transfers', { to: ben.did, amount: 1, memo: 'x'.repeat(257) }), 'memo');
    expect((await ada.pays(ben.did, 1, { memo: '' })).memo).to.equal('');
    expect((await ada.pays(ben.did, 1)).memo).to.equal(null);
  });

  describe('most and until', () => {
    it('are signed, and refuse what costs more or comes later', async () => {
      const [ada, ben] = [await node().rich(10), await node().person()];
      const pay = (stated: Body) => ada.write('/api/v1/transfers', { to: ben.did, amount: 3, ...stated });
      const now = node().world.now();
      const dear = expectProblem(await pay({ most: 2 }), 'CONFLICT');
      expect(dear).to.include({ taken: 3, paid: 0 });
      const late = expectProblem(await pay({ until: new Date(now - 1).toISOString() }), 'CONFLICT');
      expect(late.detail).to.include(new Date(now - 1).toISOString());
      const { eventHash } = await ada.pays(ben.did, 3, { most: 3, until: now + 60_000 });
      const { event } = expectStatus(await node().client.get(`/api/v1/events/${eventHash}`));
      expect(event).to.include({ most: 3, until: now + 60_000 });
      for (const stated of [{ most: -1 }, { most: '3 Tokens' }, { until: 'soon' }]) {
        expectInvalid(await pay(stated), Object.keys(stated)[0]!);
      }
    });
  });

  describe('prev and ts', () => {
    it('takes the hash of the last event of the signer as prev; null says nothing', async () => {
      const [ada, ben] = [await node().rich(10), await node().person()];
      const wrong = 'f'.repeat(64);
      const refuse = async (prev: Body) =>
        expectProblem(await ada.write('/api/v1/transfers', { to: ben.did, amount: 1, prev }), 'CONFLICT');
      await refuse(wrong);
      const first = await ada.pays(ben.did, 1, { prev: null });
      const third = await ada.pays(ben.did, 1, { prev: first.eventHash });
      const second = await ada.pays(ben.did, 1, { prev: null });
      await refuse(third.eventHash);
      await refuse(first.eventHash);
      await ada.pays(ben.did, 1, { prev: second.eventHash });
      expectInvalid(await ada.write('/api/v1/transfers', { to: ben.did, amount: 1, prev: 'abc' }), 'prev');
    });

    it('takes a ts within ten minutes, as ISO text or epoch milliseconds, and signs it', async () => {
      const [ada, ben] = [await node().rich(10), await node().person()];
      const now = node().world.now();
      for (const ts of [now, new Date(now - 500_000).toISOString(), now + 590_000]) {
        const { eventHash } = await ada.pays(ben.did, 1, { ts });
        const { event } = expectStatus(await node().client.get(`/api/v1/events/${eventHash}`));
        expect(event.ts).to.equal(new Date(ts).getTime());
      }
      for (const ts of [now - 660_000, now + 660_000, 'yesterday', '2026-01-01', -1, 1.5]) {
        expectInvalid(await ada.write('/api/v1/transfers', { to: ben.did, amount: 1, ts }), 'ts');
      }
    });
  });
});
