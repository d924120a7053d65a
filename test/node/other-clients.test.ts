/** Requests of clients that were not written for this node, and what they expect in replies. */
import { expect } from 'chai';
import { unwrap } from '../../src/core/sealing.js';
import { signerOf, x25519KeyOf } from '../../src/keys/signing.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { withToyDeals } from '../world/toy-deal.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import { finishedDeal } from './support/deals.js';
import { seedIn } from './support/kdf.js';
import { buys, publishes } from './support/market.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const leases = '/api/v1/markets/capabilities';

describe('Clients that others wrote', () => {
  let node: TestNode;
  let ada: Person;
  let ben: Person;

  before(async () => {
    node = await TestNode.start({ parts: { catalogue: withToyDeals } });
    [ada, ben] = [await node.rich(1_000), await node.rich(100)];
  });
  after(() => node.stop());

  it('find the constant of an error, and its message, in `error`', async () => {
    const { status, body } = await node.client.get('/api/v1/escrows/esc-none');
    expect(status).to.equal(404);
    expect(body.error).to.deep.equal({ code: 'NOT_FOUND', message: body.detail });
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
    const { listingId } = await ben.does(leases, offer);
    const { leaseId } = await ada.does(`${leases}/${listingId}/leases`, { plan: { budget: 10 } });
    for (const action of ['invoke', 'pause', 'resume', 'terminate']) {
      expect(await ada.does(`${leases}/leases/${leaseId}/actions/${action}`)).to.include({ action });
    }
  });

  it('find the record of a call, the newest one in a list, and the lease inside its detail', async () => {
    const pricing = { usagePrice: { unit: 'call', pricePerUnit: 2 } };
    const { listingId } = await ben.does(leases, { ...capabilityListing.create.example, pricing, quota: {} });
    const credentials = { token: 'let me in' };
    const asked = { plan: { budget: 9 }, credentials };
    const { leaseId } = await ada.does(`${leases}/${listingId}/leases`, asked);
    const at = `${leases}/leases/${leaseId}`;
    const call = { resource: '/v1/count', latency: 12, success: true };
    expectProblem(await ada.write(`${at}/actions/invoke`, { ...call, cost: 3 }), 'UNPROCESSABLE', {
      detail: 'cost: the call charges 2',
    });
    const { usage } = await ada.does(`${at}/actions/invoke`, { ...call, cost: 2 });
    expect(usage).to.include({ ...call, units: 1, cost: 2 });
    const { lease, ...rest } = expectStatus(await node.client.get(at));
    expect(rest).to.deep.equal(lease);
    expect(lease.usage).to.deep.equal([usage]);
    const opened = async ({ address, passphrase }: Person) => {
      const key = x25519KeyOf(signerOf(await seedIn(node.dir, address, passphrase)));
      return unwrap(lease.credentialsEnvelope, key)?.toString();
    };
    expect([await opened(ben), await opened(ada)]).to.deep.equal([JSON.stringify(credentials), undefined]);
    const open = ({ did, passphrase }: Person, id = leaseId) =>
      node.client.post(`${leases}/leases/${id}/actions/open`, { did, passphrase });
    expect(expectStatus(await open(ben))).to.deep.equal({ leaseId, credentials });
    expectProblem(await open(ada), 'FORBIDDEN', { detail: 'only the lessor can open the credentials' });
    expectProblem(await open(ben, 'lease-none'), 'LEASE_NOT_FOUND');
    const bare = await ada.does(`${leases}/${listingId}/leases`, { plan: { budget: 9 } });
    expectProblem(await open(ben, bare.leaseId), 'NOT_FOUND', {
      detail: `lease ${bare.leaseId} began without credentials`,
    });
  });

  it('bid with a proposal in their form, and confirm the delivery that they mean', async () => {
    const offer = { title: 'Count', description: 'Beans.', category: 'work', pricing: { budget: 5 } };
    const { listingId } = await ada.does('/api/v1/markets/tasks', { ...offer, taskType: 'x', task: {}, timeline: {} });
    const at = `/api/v1/markets/tasks/${listingId}`;
    const proposal = { steps: ['sort', 'count'] };
    const bid = await ben.does(`${at}/bids`, { amount: 5, message: 'By hand.', proposal });
    expect(bid).to.deep.include({ price: 5, approach: 'By hand.', proposal });
    await ada.does(`${at}/bids/${bid.bidId}/actions/accept`);
    const envelope = { type: 'text', transport: { method: 'inline', data: '42' } };
    const { submissions } = await ben.does(`${at}/actions/deliver`, { deliverables: [], delivery: { envelope } });
    const [delivered] = submissions;
    const confirm = (delivery: object) => ada.write(`${at}/actions/confirm`, { delivery });
    const other = { ...delivered.envelope, size: 3 };
    expectProblem(await confirm({ envelope: other }), 'UNPROCESSABLE', {
      detail: 'delivery.envelope: it is not the envelope of the newest submission',
    });
    const content = Buffer.from('41').toString('base64');
    expectProblem(await confirm({ content }), 'UNPROCESSABLE', {
      detail: 'delivery.content: it does not have the contentHash of the newest submission’s envelope',
    });
    const right = { envelope: delivered.envelope, content: Buffer.from('42').toString('base64') };
    expect(expectStatus(await confirm(right)).status).to.equal('confirmed');
  });

  it('state what they like of a payment, but for names that the node acts on', async () => {
    const payment = { type: 'fixed', totalAmount: 5, escrowRequired: true };
    const asked = { provider: ben.did, terms: {}, payment };
    expect(expectStatus(await ada.write('/api/v1/contracts', asked), 201).payment).to.deep.equal(payment);
    for (const name of ['totalamount', 'total_amount', 'amount']) {
      const misnamed = { ...asked, payment: { [name]: 5 } };
      const { errors } = expectInvalid(await ada.write('/api/v1/contracts', misnamed), `payment.${name}`);
      expect(errors[0].message).to.equal('did you mean totalAmount?');
    }
  });

  it('let an escrow expire, and find where its Tokens went', async () => {
    const expiresAt = node.world.now() + 3_600_000;
    const asked = { beneficiary: ben.did, amount: 3, releaseRules: [{ type: 'manual' }], autoFund: true, expiresAt };
    const { escrowId } = await ada.does('/api/v1/escrows', asked);
    node.world.outrun(3_600_001);
    const expire = (action: string) => ada.write(`/api/v1/escrows/${escrowId}/actions/expire`, { action });
    expectInvalid(await expire('release'), 'action');
    expect(expectStatus(await expire('refund'))).to.include({ from: escrowId, to: ada.did, amount: 3 });
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
    expect(opened).to.include({ orderId: order.orderId, reason: 'non_delivery', status: 'open' });
    expectProblem(await ada.write(disputes, claim), 'DISPUTE_NOT_ALLOWED');
    const resolve = `${disputes}/${opened.disputeId}/actions/resolve`;
    expectStatus(await ada.write(resolve, { decision: 'split', buyerRefund: order.price, sellerPayment: 0 }));
    expectStatus(await ada.write(resolve, { decision: 'refund' }));
    expect(expectStatus(await ben.write(resolve, { resolution: 'refund' }))).to.include({ status: 'resolved' });
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
