/** Freezing accounts and withdrawing fees, with an admin key (docs/reference/accounts-and-nonces.md#freezing). */
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('The operator', () => {
  const node = nodeForSuite();
  let admin: Client;
  let ada: Person;
  let ben: Person;

  beforeEach(async () => {
    admin = await node().keyed({ scope: 'admin' });
    [ada, ben] = [await node().rich(100), await node().rich(100)];
  });

  const turn = (did: string, action: string, client = admin, headers = {}) =>
    client.post(`/api/v1/admin/accounts/${did}/actions/${action}`, {}, headers);
  const pay = (from: Person, to: Person) => from.write('/api/v1/transfers', { to: to.did, amount: 1 });

  describe('freezes an account', () => {
    it('debits of what is available are TRANSFER_NOT_ALLOWED until it thaws; credits are accepted', async () => {
      const body = expectStatus(await turn(ada.did, 'freeze'));
      expect(body).to.include({ did: ada.did, frozen: true, balance: 100 });
      const before = await node().state();
      expectProblem(await pay(ada, ben), 'TRANSFER_NOT_ALLOWED');
      const rules = { beneficiary: ben.did, amount: 1, releaseRules: [{ type: 'manual' }] };
      expectProblem(await ada.write('/api/v1/escrows', rules), 'TRANSFER_NOT_ALLOWED');
      expect(await node().state()).to.deep.equal(before);
      expectStatus(await pay(ben, ada));
      expect(await ada.wallet()).to.include({ balance: 101, frozen: true, nextNonce: 1 });
      expect(expectStatus(await turn(ada.address, 'unfreeze').then(() => turn(ada.did, 'unfreeze')))).to.include({
        frozen: false,
      });
      expectStatus(await pay(ada, ben));
    });

    it('what is in escrow follows its rules, and what is reserved does not move', async () => {
      const rules = { beneficiary: ben.did, amount: 10, releaseRules: [{ type: 'manual' }] };
      const funded = await ada.does('/api/v1/escrows', { ...rules, autoFund: true });
      const reserved = await ada.does('/api/v1/escrows', rules);
      expectStatus(await turn(ada.did, 'freeze'));
      const { resourcePrev } = reserved;
      expectProblem(await ada.act(reserved, 'fund', { amount: 10, resourcePrev }), 'TRANSFER_NOT_ALLOWED');
      expectStatus(await ada.act(funded, 'release', { amount: 4 }));
      const now = expectStatus(await node().client.get(`/api/v1/escrows/${funded.escrowId}`));
      const back = { amount: 6, reason: 'x', resourcePrev: now.resourcePrev };
      expectStatus(await ben.act(funded, 'refund', back));
      expect(await ada.wallet()).to.include({ availableBalance: 86, reserved: 10, escrowed: 0 });
    });

    it('more than once changes nothing, and a stranger cannot', async () => {
      for (const action of ['freeze', 'freeze', 'unfreeze', 'unfreeze']) {
        expect(expectStatus(await turn(ada.did, action)).frozen).to.equal(action === 'freeze');
      }
      expectStatus(await pay(ada, ben));
      for (const client of [node().client, await node().keyed({ scope: 'write' })]) {
        expectProblem(await turn(ada.did, 'freeze', client), 'FORBIDDEN');
      }
      expectInvalid(await turn('ada', 'freeze'), 'did', 'DID_INVALID');
    });

    it('answers with the account’s own nonces, and with who signed', async () => {
      const { eventHash: prev } = await ada.pays(ben.did, 1);
      for (const action of ['freeze', 'unfreeze']) {
        const body = expectStatus(await turn(ada.did, action));
        expect(body).to.include({ nonce: 1, nextNonce: 2, prev });
        const { event } = expectStatus(await node().client.get(`/api/v1/events/${body.eventHash}`));
        expect(body).to.include({ issuer: event.issuer, txHash: `0x${event.hash}` });
        expect(event.issuer).not.to.equal(ada.did);
      }
      expectStatus(await pay(ada, ben));
    });

    it('is signed by the system key, which the node’s own key has appointed', async () => {
      const { eventHash } = expectStatus(await turn(ada.did, 'freeze'));
      const { event } = expectStatus(await node().client.get(`/api/v1/events/${eventHash}`));
      expect(event.type).to.equal('account.frozen');
      const [appointed] = expectStatus(await node().client.get(`/api/v1/events?issuer=${node().did}`)).events;
      expect(appointed.event.type).to.equal('node.appointed');
      expect(appointed.payload.input.system).to.equal(event.issuer);
    });

    it('is not repeated by a repeated Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': `freeze-${ada.did}` };
      const first = expectStatus(await turn(ada.did, 'freeze', admin, headers));
      expectStatus(await turn(ada.did, 'unfreeze'));
      const again = await turn(ada.did, 'freeze', admin, headers);
      expect(expectStatus(again)).to.deep.equal(first);
      expect(again.headers['idempotent-replayed']).to.equal('true');
      expect((await ada.wallet()).frozen).to.equal(false);
    });
  });

  describe('withdraws fees', () => {
    const withdraw = (body: Body, client = admin, headers = {}) =>
      client.post('/api/v1/admin/fees/actions/withdraw', body, headers);
    const fees = async (): Promise<number> => (await node().store.totals()).fees;

    it('pays what was collected to an account, and never more', async () => {
      const before = await fees();
      await ada.pays(ben.did, 1, { fee: 7 });
      await ben.pays(ada.did, 1, { fee: 5 });
      expect(await fees()).to.equal(before + 12);
      const cyd = await node().person();
      const result = expectStatus(await withdraw({ to: cyd.address, amount: 4 }));
      expect(result).to.include({ from: 'fees', to: cyd.did, amount: 4, status: 'confirmed' });
      expect(await fees()).to.equal(before + 8);
      expectProblem(await withdraw({ to: cyd.did, amount: before + 9 }), 'INSUFFICIENT_BALANCE');
      await ada.pays(ben.did, 1, { fee: 1 });
      expectStatus(await withdraw({ to: cyd.did, amount: before + 9 }));
      expect(await fees()).to.equal(0);
      expect((await cyd.wallet()).balance).to.equal(before + 13);
      expectProblem(await withdraw({ to: cyd.did, amount: 1 }), 'INSUFFICIENT_BALANCE');
    });

    it('once for one Idempotency-Key', async () => {
      await ada.pays(ben.did, 1, { fee: 3 });
      const cyd = await node().person();
      const headers = { 'Idempotency-Key': `fees-${cyd.did}` };
      const first = expectStatus(await withdraw({ to: cyd.did, amount: 2 }, admin, headers));
      expect(expectStatus(await withdraw({ to: cyd.did, amount: 2 }, admin, headers))).to.deep.equal(first);
      expectProblem(await withdraw({ to: cyd.did, amount: 1 }, admin, headers), 'UNPROCESSABLE');
      expect((await cyd.wallet()).balance).to.equal(2);
    });

    it('is an admin’s act, over integers', async () => {
      for (const client of [node().client, await node().keyed({ scope: 'write' })]) {
        expectProblem(await withdraw({ to: ada.did, amount: 1 }, client), 'FORBIDDEN');
      }
      expectInvalid(await withdraw({ to: ada.did, amount: 0 }), 'amount');
      expectInvalid(await withdraw({ to: 'ada', amount: 1 }), 'to');
    });
  });
});

describe('A least fee (SVC_MIN_FEE)', () => {
  const node = nodeForSuite({ variables: { SVC_MIN_FEE: '2' } });

  it('refuses a transfer below it as UNPROCESSABLE, after key and nonce', async () => {
    const [ada, ben] = [await node().rich(100), await node().person()];
    const body = { to: ben.did, amount: 1 };
    expectProblem(await ada.write('/api/v1/transfers', body), 'UNPROCESSABLE');
    expectProblem(await ada.write('/api/v1/transfers', { ...body, fee: 1 }), 'UNPROCESSABLE');
    expectProblem(await ada.write('/api/v1/transfers', { ...body, nonce: 9_000 }), 'CONFLICT');
    const wrong = { ...body, passphrase: 'a wrong passphrase' };
    expectProblem(await ada.write('/api/v1/transfers', wrong), 'TRANSFER_NOT_ALLOWED');
    await ada.pays(ben.did, 1, { fee: 2 });
  });
});
