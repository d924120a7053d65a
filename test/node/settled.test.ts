/**
 * What replies and views say about settlement (docs/reference/settlement.md#waiting-for-the-receipt), for any chain: the test
 * controls a fake one.
 */
import { expect } from 'chai';
import { expectProblem, expectStatus } from './support/answers.js';
import { FakeChain, txHash } from './support/chain.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

describe('settlement, as it is shown', () => {
  const chain = new FakeChain();
  let node: TestNode;
  let ada: Person;
  let ben: Person;

  before(async () => {
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain } });
    [ada, ben] = [await node.rich(1_000), await node.person()];
  });
  beforeEach(() => {
    chain.verdict = 'confirmed';
  });
  after(() => node.stop());

  const proof = { txHash, status: 'confirmed', blockNumber: 10, confirmations: 3 };
  const get = async (path: string) => expectStatus(await node.client.get(path));

  it('a transfer names its transaction, in the reply, the history and the entry', async () => {
    const sent = await ada.pays(ben.did, 5);
    expect(sent).to.include(proof);
    const { transactions } = await get(`/api/v1/wallets/${ada.did}/transactions?limit=1`);
    expect(transactions[0]).to.include({ ...proof, eventHash: sent.eventHash });
    expect((await get(`/api/v1/events/${sent.eventHash}`)).receipt).to.include(proof);
  });

  it('a transfer that is not settled in time is pending, under its event hash, until it is', async () => {
    chain.verdict = 'late';
    const sent = await ada.pays(ben.did, 5);
    expect(sent).to.include({ txHash: `0x${sent.eventHash}`, status: 'pending', blockNumber: null, confirmations: 0 });
    chain.verdict = 'confirmed';
    await chain.waitForReceipt((await node.store.entryByEvent(sent.eventHash))!);
    const { transactions } = await get(`/api/v1/wallets/${ada.did}/transactions?limit=1`);
    expect(transactions[0]).to.include(proof);
  });

  it('a resource shows the transaction of its last event, alone and in a list', async () => {
    const rules = { beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }] };
    const made = await ada.does('/api/v1/escrows', { ...rules, escrowId: 'esc-settled', autoFund: true });
    expect(made).to.include({ txHash });
    expect(await get('/api/v1/escrows/esc-settled')).to.include({ txHash, status: 'funded' });
    const { escrows } = await get(`/api/v1/escrows?did=${ada.did}`);
    expect(escrows[0]).to.include({ txHash, escrowId: 'esc-settled' });
  });

  it('and that transaction is taken as resourcePrev, where it is the one of the last event', async () => {
    const rules = { beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }] };
    const made = await ada.does('/api/v1/escrows', rules);
    expect(made.txHash).to.equal(txHash);
    const path = `/api/v1/escrows/${made.escrowId}/actions`;
    const other = `0x${'cd'.repeat(32)}`;
    expectProblem(await ada.write(`${path}/fund`, { amount: 5, resourcePrev: other }), 'CONFLICT');
    const headers = { 'Idempotency-Key': 'by-transaction' };
    const asked = { ...ada.signed, amount: 5, resourcePrev: txHash };
    const funded = expectStatus(await ada.write(`${path}/fund`, asked, headers));
    const released = await ada.does(`${path}/release`, { amount: 2, resourcePrev: txHash });
    const { payload } = await get(`/api/v1/events/${released.eventHash}`);
    expect(payload.input).to.include({ resourcePrev: funded.resourcePrev });
    const again = await node.client.post(`${path}/fund`, asked, headers);
    expect(again.headers['idempotent-replayed']).to.equal('true');
  });

  it('what the chain refused is committed, and INTERNAL_ERROR says so', async () => {
    chain.verdict = 'reverted';
    const before = await ada.wallet();
    const reply = await ada.write('/api/v1/transfers', { to: ben.did, amount: 5 });
    const { eventHash, nonce } = expectProblem(reply, 'INTERNAL_ERROR', { committed: true });
    expect(nonce).to.equal(before.nextNonce);
    expect((await get(`/api/v1/events/${eventHash}`)).event.nonce).to.equal(nonce);
    expect((await ada.wallet()).balance).to.equal(before.balance - 5);
    ada.nonce += 1;
  });

  it('while nothing may move, moves are 503 before they are committed, and the rest continues', async () => {
    chain.verdict = 'away';
    const before = await ada.wallet();
    const reply = await ada.write('/api/v1/transfers', { to: ben.did, amount: 5 });
    expectProblem(reply, 'SERVICE_UNAVAILABLE');
    expect(reply.headers['retry-after']).to.equal('5');
    expect(await ada.wallet()).to.deep.equal(before);
    const credential = {
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: ada.did,
      credentialSubject: { id: ada.did },
    };
    expectStatus(await ada.write(`/api/v1/identities/${ada.did}/capabilities`, { credential }), 201);
    expect((await ada.wallet()).nextNonce).to.equal(before.nextNonce + 1);
  });
});
