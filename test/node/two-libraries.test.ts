/**
 * The calls of two libraries that were written for another node: clawnet-sdk 2026.3 of PyPI, and packages/sdk of
 * github.com/claw-network/clawnet at a34ce14. What they send is fact: paths, and bodies with the members of their types.
 * Values are the caller's: amounts, ids, and the words for reasons and decisions that this node lists. Their groups for
 * governance, messages and relays are left out: this node has none of these.
 */
import { expect } from 'chai';
import { expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const day = 86_400_000;

/** Why a method fails, by its name. */
const noRoute = 'NOT_FOUND';
const fails = {
  both: {
    // Subscriptions that renew, and answers to a dispute, are no part of this node.
    'markets.info.subscribe': noRoute,
    'markets.info.unsubscribe': noRoute,
    'markets.disputes.respond': noRoute,
    // The type of their credential is a word; the interface asks for a W3C credential.
    'identity.registerCapability': 'CAPABILITY_INVALID',
  },
  TypeScript: {
    // Their types lack category, accessMethod, license, task, timeline, capability, quota, access, which the interface requires.
    'markets.info.publish': 'INVALID_REQUEST',
    'markets.tasks.publish': 'INVALID_REQUEST',
    'markets.capabilities.publish': 'INVALID_REQUEST',
  },
  Python: {},
} as const;

for (const [library, methods] of [
  ['TypeScript', 72],
  ['Python', 71],
] as const) {
  const isTyped = library === 'TypeScript';

  describe(`The methods of the ${library} library`, () => {
    let node: TestNode;
    const outcomes = new Map<string, string>();

    before(async () => {
      node = await TestNode.start();
      await callAll();
    });
    after(() => node.discard());

    /** One call of a method. @returns the reply's body, or undefined after a refusal */
    async function call(method: string, path: string, by?: Person, body?: Body, reader?: Person): Promise<Body> {
      const client = reader ? node.client.keyed((await keyOf(reader)).key) : node.client;
      const at = `/api/v1/${path}`;
      const reply = body || by ? await (by ? by.write(at, body) : client.post(at, body)) : await client.get(at);
      const outcome = reply.status < 300 ? 'ok' : String(reply.body.code);
      if (outcomes.get(method) === undefined || outcome !== 'ok') outcomes.set(method, outcome);
      return outcome === 'ok' ? reply.body : undefined;
    }

    const keyOf = async ({ did, passphrase }: Person) =>
      expectStatus(await node.client.post(`/api/v1/identities/${did}/api-keys`, { passphrase }), 201);

    async function callAll(): Promise<void> {
      const [ada, ben, cyd, dan] = [
        await node.rich(5_000),
        await node.rich(100),
        await node.person(),
        await node.person(),
      ];
      await node_(ada);
      await wallet(ada, ben);
      await information(ada, ben);
      await tasks(ada, ben, cyd, dan);
      await capabilities(ada, ben);
      const finished = await contracts(ada, ben, cyd);
      await reputation(ada, ben, finished);
      if (isTyped) {
        const signature = 'ab'.repeat(64);
        await call('faucet.claim', 'faucet', undefined, { did: cyd.did, signature, timestamp: node.world.now() });
      }
    }

    async function node_(ada: Person): Promise<void> {
      for (const method of ['getStatus', 'getConfig', 'waitForSync']) {
        const status = await call(`node.${method}`, 'node');
        expect(status.config, method).to.be.an('object');
        expect(status.synced, method).to.equal(true);
      }
      await call('node.getPeers', 'node/peers');
      for (const method of ['get', 'listCapabilities'])
        expect(await call(`identity.${method}`, 'identities/self')).to.include.keys('did', 'capabilities');
      await call('identity.resolve', `identities/${ada.did}?source=log`);
      const credential = { type: 'translation', name: 'Translation', version: '2.0' };
      await call('identity.registerCapability', `identities/${ada.did}/capabilities`, ada, { credential });
    }

    async function wallet(ada: Person, ben: Person): Promise<void> {
      for (const name of [ada.did, ada.address]) {
        await call('wallet.getBalance', `wallets/${name}`);
        await call('wallet.getNonce', `nonce/${name}`);
        await call('wallet.getHistory', `wallets/${name}/transactions?page=2&per_page=10&type=sent`);
      }
      await call('wallet.transfer', 'transfers', ada, { to: ben.did, amount: 5, fee: 1, memo: 'payment' });
      const asked = { beneficiary: ben.did, amount: 50, releaseRules: [{ type: 'manual' }], resourcePrev: null };
      const { id } = await call('wallet.createEscrow', 'escrows', ada, asked);
      const step = async (method: string, by: Person, body: Body) => {
        const { resourcePrev } = await call('wallet.getEscrow', `escrows/${id}`);
        await call(`wallet.${method}Escrow`, `escrows/${id}/actions/${method}`, by, { resourcePrev, ...body });
      };
      await step('fund', ada, { amount: 50 });
      await step('release', ada, { amount: 20, reason: 'in part' });
      await step('refund', ben, { amount: 30, reason: 'the rest' });
      const expiresAt = node.world.now() + 3_600_000;
      const late = await call('wallet.createEscrow', 'escrows', ada, { ...asked, autoFund: true, expiresAt });
      node.world.outrun(3_600_001);
      await call('wallet.expireEscrow', `escrows/${late.id}/actions/expire`, ada, { action: 'refund' });
    }

    /** Publishes with the members of their types, and what else the interface requires where the library sends any member. */
    async function publish(market: string, by: Person, typed: Body, required: Body): Promise<string> {
      const listing = { ...typed, tags: ['a'], metadata: { a: 1 }, expiresAt: node.world.now() + 30 * day };
      const whole = { description: 'x', category: 'x', ...required, ...listing };
      const made = await call(`markets.${market}.publish`, `markets/${market}`, by, isTyped ? listing : whole);
      const { listingId } = made ?? expectStatus(await by.write(`/api/v1/markets/${market}`, whole), 201);
      await call(`markets.${market}.list`, `markets/${market}?limit=10&offset=0&status=active`);
      await call(`markets.${market}.get`, `markets/${market}/${listingId}`);
      return `markets/${market}/${listingId}`;
    }

    async function information(ada: Person, ben: Person): Promise<void> {
      await call(
        'markets.search',
        'markets/search?q=data&type=info&minPrice=1&tags=a&status=active&sortBy=price&limit=9',
      );
      const pricing = { model: 'fixed', basePrice: 10 };
      const typed = { title: 'Analysis', infoType: 'report', contentFormat: 'markdown', content: 'words', pricing };
      const at = await publish('info', ben, typed, { accessMethod: {}, license: {} });
      await call('markets.info.getContent', `${at}/content`);
      const { orderId } = await call('markets.info.purchase', `${at}/actions/purchase`, ada, { resourcePrev: null });
      await call('markets.info.deliver', `${at}/actions/deliver`, ben, { orderId, deliveryData: { note: 'x' } });
      await call('markets.info.getDelivery', `markets/info/orders/${orderId}/delivery`, undefined, undefined, ada);
      await call('markets.info.confirm', `${at}/actions/confirm`, ada, { orderId });
      const review = { orderId, rating: 5, comment: 'Great data', aspects: { depth: 5 } };
      await call('markets.info.review', `${at}/actions/review`, ada, review);
      await call('markets.info.subscribe', `${at}/subscriptions`, ada, { resourcePrev: null });
      await call('markets.info.unsubscribe', 'markets/info/subscriptions/sub-1/actions/cancel', ada, {});
      const order = expectStatus(await ada.write(`/api/v1/${at}/actions/purchase`), 201);
      const claim = {
        orderId: order.orderId,
        reason: 'non_delivery',
        description: 'x',
        evidence: ['https://a.example'],
      };
      const { disputeId } = await call('markets.disputes.open', 'markets/disputes', ada, claim);
      const dispute = `markets/disputes/${disputeId}/actions`;
      await call('markets.disputes.respond', `${dispute}/respond`, ben, { response: 'see proof', evidence: ['x'] });
      const ruling = { decision: 'split', buyerRefund: 5, sellerPayment: 5 };
      for (const party of [ada, ben]) await call('markets.disputes.resolve', `${dispute}/resolve`, party, ruling);
      await call('markets.info.remove', `${at}/actions/remove`, ben, {});
    }

    async function tasks(ada: Person, ...[ben, cyd, dan]: Person[]): Promise<void> {
      const typed = { title: 'Audit', taskType: 'development', pricing: { model: 'fixed', basePrice: 100 } };
      const at = await publish('tasks', ada, typed, { task: {}, timeline: {} });
      const bid = { amount: 80, message: 'I can do it', proposal: { steps: 2 }, resourcePrev: null };
      const bids: string[] = [];
      for (const bidder of [ben, cyd, dan])
        bids.push((await call('markets.tasks.bid', `${at}/bids`, bidder, bid)).bidId);
      await call('markets.tasks.getBids', `${at}/bids`);
      for (const [index, action, by] of [
        [2, 'withdraw', dan],
        [1, 'reject', ada],
        [0, 'accept', ada],
      ] as const) {
        const named = isTyped ? { bidId: bids[index] } : {};
        await call(`markets.tasks.${action}Bid`, `${at}/bids/${bids[index]}/actions/${action}`, by, named);
      }
      const submission = { url: 'https://example.org/1' };
      await call('markets.tasks.deliver', `${at}/actions/deliver`, ben, { submission, message: 'done' });
      await call('markets.tasks.confirm', `${at}/actions/confirm`, ada, {});
      await call('markets.tasks.review', `${at}/actions/review`, ada, { rating: 5, comment: 'x' });
      const other = await publish('tasks', ada, typed, { task: {}, timeline: {} });
      await call('markets.tasks.remove', `${other}/actions/remove`, ada, {});
    }

    async function capabilities(ada: Person, ben: Person): Promise<void> {
      const typed = { title: 'NLP', capabilityType: 'nlp', pricing: { model: 'pay_per_use', basePrice: 1 } };
      const at = await publish('capabilities', ben, typed, { capability: {}, quota: {}, access: {} });
      const plan = { type: 'pay_per_use', details: { budget: 20 } };
      const asked = { plan, credentials: { token: 'x' }, resourcePrev: null };
      const { leaseId } = await call('markets.capabilities.lease', `${at}/leases`, ada, asked);
      const lease = `markets/capabilities/leases/${leaseId}`;
      await call('markets.capabilities.getLeaseDetail', lease);
      const invocation = { resource: '/translate', latency: 150, success: true, units: 1, cost: 1 };
      await call('markets.capabilities.invoke', `${lease}/actions/invoke`, ada, invocation);
      for (const action of ['pause', 'resume', 'terminate'])
        await call(`markets.capabilities.${action}Lease`, `${lease}/actions/${action}`, ada, {});
      await call('markets.capabilities.remove', `${at}/actions/remove`, ben, {});
    }

    /** @returns the id of a contract that is completed */
    async function contracts(ada: Person, ben: Person, arbiter: Person): Promise<string> {
      const draft = async () => {
        const deadline = node.world.now() + 30 * day;
        const terms = { title: 'A website', deliverables: ['design'], deadline, ipOwnership: 'client' };
        const payment = { type: 'milestone', totalAmount: 500, escrowRequired: true };
        const milestones = [
          { id: 'ms-1', title: 'Design', amount: 150, deliverables: ['mockup.pdf'] },
          { id: 'ms-2', title: 'Frontend', amount: 350, deliverables: ['code'] },
        ];
        const asked = { provider: ben.did, terms, payment, milestones, arbiter: arbiter.did };
        const { contractId } = await call('contracts.create', 'contracts', ada, asked);
        return `contracts/${contractId}`;
      };
      const activated = async () => {
        const at = await draft();
        for (const party of [ada, ben]) await call('contracts.sign', `${at}/actions/sign`, party, {});
        await call('contracts.fund', `${at}/actions/activate`, ada, { amount: 500 });
        return at;
      };
      const finished = await activated();
      await call('contracts.list', `contracts?status=active&party=${ada.did}&limit=10&offset=0`);
      await call('contracts.get', finished);
      const submit = (id: string) =>
        call('contracts.submitMilestone', `${finished}/milestones/${id}/actions/submit`, ben, {
          deliverables: ['mockup.pdf'],
          message: 'Design complete',
        });
      await submit('ms-1');
      await call('contracts.rejectMilestone', `${finished}/milestones/ms-1/actions/reject`, ada, { reason: 'not yet' });
      for (const id of ['ms-1', 'ms-2']) {
        await submit(id);
        await call('contracts.approveMilestone', `${finished}/milestones/${id}/actions/approve`, ada, {});
      }
      await call('contracts.complete', `${finished}/actions/complete`, ada, {});
      await call('contracts.settlement', `${await draft()}/actions/terminate`, ada, {});
      const disputed = await activated();
      const claim = { reason: 'non_delivery', description: 'No response', evidence: ['https://a.example'] };
      await call('contracts.openDispute', `${disputed}/actions/dispute`, ada, claim);
      const ruling = { decision: 'split', clientRefund: 250, providerPayment: 250 };
      await call('contracts.resolveDispute', `${disputed}/actions/resolve`, arbiter, ruling);
      return finished.slice('contracts/'.length);
    }

    async function reputation(ada: Person, ben: Person, ref: string): Promise<void> {
      await call('reputation.getProfile', `reputations/${ben.did}`);
      await call('reputation.getReviews', `reputations/${ben.did}/reviews?source=log&limit=10&offset=0`);
      const review = { dimension: 'quality', score: 5, ref, comment: 'Great delivery', aspects: { speed: 5 } };
      const at = `reputations/${ben.did}/reviews`;
      await call('reputation.record', at, ada, isTyped ? { target: ben.did, ...review } : review);
    }

    it('succeed but for those that this node has reasons to refuse', () => {
      const refused = Object.fromEntries([...outcomes].filter(([, outcome]) => outcome !== 'ok'));
      expect(refused).to.deep.equal({ ...fails.both, ...fails[library] });
      expect(outcomes.size).to.equal(methods);
      expect(outcomes.size - Object.keys(refused).length).to.be.at.least(64);
    });
  });
}
