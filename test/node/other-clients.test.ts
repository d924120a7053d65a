/** Requests of clients that were not written for this node, and what they expect in replies. */
import { expect } from 'chai';
import { capabilityListing } from '../../src/machines/listing/capability.js';
import { withToyDeals } from '../world/toy-deal.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import { finishedDeal } from './support/deals.js';
import { buys, publishes } from './support/market.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

describe('Clients that others wrote', () => {
  let node: TestNode;
  let ada: Person;
  let ben: Person;

  before(async () => {
    node = await TestNode.start({ parts: { catalogue: withToyDeals } });
    [ada, ben] = [await node.rich(1_000), await node.rich(100)];
  });
  after(() => node.stop());

  it('find code and message of an error in `error`, too', async () => {
    const { status, body } = await node.client.get('/api/v1/escrows/esc-none');
    expect(status).to.equal(404);
    expect(body.error).to.deep.equal({ code: 'ESCROW_NOT_FOUND', message: body.detail });
  });

  it('read balances as available, pending and locked', async () => {
    expectStatus(
      await ada.write('/api/v1/escrows', { beneficiary: ben.did, amount: 30, releaseRules: [{ type: 'manual' }] }),
      201,
    );
    const wallet = expectStatus(await node.client.get(`/api/v1/wallets/${ada.did}`));
    expect(wallet).to.include({ available: wallet.availableBalance, pending: 0, locked: 30 });
    expect(wallet.available + wallet.locked).to.equal(wallet.balance);
  });

  it('name the DID of a capability, and the target of a review, in the path alone', async () => {
    const credential = {
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: ada.did,
      credentialSubject: { capability: 'counting' },
    };
    const unnamed = { did: undefined, credential };
    expectStatus(await ada.write(`/api/v1/identities/${ada.did}/capabilities`, unnamed), 201);
    const ref = await finishedDeal(node, ada, ben);
    const review = { dimension: 'quality', score: 900, ref };
    const made = expectStatus(await ada.write(`/api/v1/reputations/${ben.did}/reviews`, review), 201);
    expect(made).to.include({ target: ben.did, reviewee: ben.did, reviewer: ada.did, status: 'confirmed' });
    expect(made.timestamp).to.equal(made.createdAt);
    const other = { ...review, dimension: 'social', target: ada.did };
    expectProblem(await ada.write(`/api/v1/reputations/${ben.did}/reviews`, other), 'REPUTATION_INVALID');
  });

  it('find the type of a listing, and when a contract was signed and completed', async () => {
    const offer = { title: 'Count', description: 'Beans.', category: 'work', pricing: { budget: 5 } };
    const task = { ...offer, taskType: 'counting', task: {}, timeline: {} };
    expect(expectStatus(await ada.write('/api/v1/markets/tasks', task), 201)).to.include({ type: 'task' });
    const made = expectStatus(await ada.write('/api/v1/contracts', { provider: ben.did, terms: {} }), 201);
    expect(made).to.include({ signedAt: null, completedAt: null });
    const sign = `/api/v1/contracts/${made.contractId}/actions/sign`;
    expect(expectStatus(await ada.write(sign, {})).signedAt).to.equal(null);
    const signed = expectStatus(await ben.write(sign, {}));
    expect(signed.signedAt).to.equal(signed.signatures.at(-1).signedAt);
    expect(signed.signatures.map(({ signer }: { signer: string }) => signer)).to.deep.equal([ada.did, ben.did]);
  });

  it('find who got the Tokens of the faucet, and what was done to a lease', async () => {
    const { address } = expectStatus(await node.client.get(`/api/v1/wallets/${ben.did}`));
    for (const to of [{ did: ben.did }, { address }]) {
      expect(expectStatus(await node.client.post('/api/v1/faucet', to))).to.include({ did: ben.did, address });
    }
    const pricing = { usagePrice: { unit: 'call', pricePerUnit: 2 } };
    const offer = { ...capabilityListing.create.example, pricing, quota: {} };
    const { listingId } = await ben.does('/api/v1/markets/capabilities', offer);
    const leases = '/api/v1/markets/capabilities';
    const { leaseId } = await ada.does(`${leases}/${listingId}/leases`, { plan: { budget: 10 } });
    for (const action of ['invoke', 'pause', 'resume', 'terminate']) {
      expect(await ada.does(`${leases}/leases/${leaseId}/actions/${action}`)).to.include({ action });
    }
  });

  it('read of an unknown order that there is none, whatever its market', async () => {
    for (const id of ['ord-none', 'task-ord-none', 'none']) {
      const says = { detail: `no order ${id} on this network` };
      expectProblem(await node.client.get(`/api/v1/orders/${id}`), 'ORDER_NOT_FOUND', says);
      const dispute = await ada.write(`/api/v1/orders/${id}/actions/dispute`, { reason: 'quality' });
      expectProblem(dispute, 'ORDER_NOT_FOUND', says);
    }
  });

  it('open and decide disputes of orders below /markets/disputes', async () => {
    const order = await buys(ada, await publishes(ben));
    const disputes = '/api/v1/markets/disputes';
    const claim = { orderId: order.orderId, reason: 'non_delivery' };
    expectInvalid(await ada.write(disputes, { reason: 'non_delivery' }), 'orderId');
    expectInvalid(await ada.write(disputes, { ...claim, orderID: order.orderId }), 'orderID');
    expectProblem(await ada.write(disputes, { ...claim, orderId: 'ord-none' }), 'ORDER_NOT_FOUND');
    const opened = expectStatus(await ada.write(disputes, claim));
    expect(opened).to.include({ orderId: order.orderId, reason: 'non_delivery', state: 'open' });
    expectProblem(await ada.write(disputes, claim), 'DISPUTE_NOT_ALLOWED');
    const resolve = `${disputes}/${opened.disputeId}/actions/resolve`;
    expectStatus(await ada.write(resolve, { decision: 'refund' }));
    expect(expectStatus(await ben.write(resolve, { resolution: 'refund' }))).to.include({ state: 'resolved' });
    expect(expectStatus(await node.client.get(`/api/v1/orders/${order.orderId}`)).status).to.equal('cancelled');
    const allowed = await node.client.get(disputes);
    expectProblem(allowed, 'METHOD_NOT_ALLOWED');
    expect(allowed.headers.allow).to.equal('OPTIONS, POST');
  });

  it('read events without names, for `onmessage`', async () => {
    for (const [query, name] of [
      ['', /^event: \S+$/m],
      ['&named=false', undefined],
    ] as const) {
      const end = new AbortController();
      const reply = await fetch(`${node.client.url}/api/v1/events/stream?after=0${query}`, { signal: end.signal });
      const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('\ndata: ')) text += (await reader.read()).value;
      if (name) expect(text).to.match(name);
      else expect(text).to.not.include('event: ');
      end.abort();
      await reader.cancel().catch(() => {});
    }
  });
});
