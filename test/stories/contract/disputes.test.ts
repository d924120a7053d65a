/** Disputes of contracts and orders (docs/reference/contracts-and-disputes.md#disputes), over HTTP. */
import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { sha256Hex } from '../../../src/core/canonical.js';
import { expectInvalid, expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { nodeForSuite, TestNode } from '../../node/support/node.js';
import { type Cast, castOf, Deal } from './stage.js';

describe('A contract is disputed', () => {
  const node = nodeForSuite();
  let cast: Cast;
  before(async () => {
    cast = await castOf(node());
  });
  const disputed = (more?: Body) => Deal.disputed(node(), cast, more);
  const disputesOf = async (deal: Deal, query = ''): Promise<Body[]> =>
    expectStatus(await (await deal.reader()).get(`/api/v1/contracts/${deal.id}/disputes${query}`)).disputes;

  it('by either party, while it is active, and by no one else', async () => {
    const deal = await Deal.draft(node(), cast);
    const dispute = (who: keyof Cast) => deal.ask(who, 'dispute', { reason: 'other' });
    expectProblem(await dispute('client'), 'DISPUTE_NOT_ALLOWED');
    await deal.does('client', 'sign');
    await deal.does('provider', 'sign');
    await deal.does('client', 'activate', { amount: 100 });
    expectProblem(await dispute('stranger'), 'DISPUTE_NOT_ALLOWED');
    expectProblem(await dispute('arbiter'), 'DISPUTE_NOT_ALLOWED');
    expectInvalid(await deal.ask('client', 'dispute', { reason: 'boredom' }), 'reason');
    expectStatus(await dispute('provider'));
    expectProblem(await dispute('client'), 'DISPUTE_NOT_ALLOWED');
    expectProblem(await deal.on('provider', 'one', 'submit'), 'CONTRACT_INVALID_STATE');
    expectProblem(await deal.ask('provider', 'terminate'), 'CONTRACT_INVALID_STATE');
    await deal.does('arbiter', 'resolve', { resolution: 'release' });
    expectProblem(await dispute('client'), 'DISPUTE_NOT_ALLOWED');
  });

  it('with evidence, each piece of it fixed by a hash', async () => {
    const deal = await Deal.active(node(), cast);
    const known = { uri: 'https://example.org/a', hash: 'ab'.repeat(32) };
    const opened = await deal.does('provider', 'dispute', {
      ...{ reason: 'non_delivery', description: 'nothing' },
      evidence: ['a letter', known, { uri: 'https://example.org/b' }],
    });
    expect(opened).to.include({ status: 'open', contractId: deal.id, openedBy: cast.provider.did, amount: 100 });
    const [letter, given, made] = opened.evidence;
    expect(letter).to.deep.equal({ content: 'a letter', hash: sha256Hex('a letter') });
    expect(given).to.deep.equal(known);
    expect(made.hash).to.equal(sha256Hex('{"uri":"https://example.org/b"}'));
    expect(opened.contract).to.include({ state: 'disputed', disputeId: opened.disputeId });
    expect(await disputesOf(deal)).to.have.length(1);
    const { disputes } = expectStatus(
      await node().client.get(`/api/v1/disputes?status=open&role=arbiter&did=${cast.arbiter.did}`),
    );
    expect(disputes.map(({ id }: Body) => id)).to.include(opened.disputeId);
    expectProblem(await node().client.get('/api/v1/contracts/ctr-none/disputes'), 'CONTRACT_NOT_FOUND');
    expectInvalid(await deal.ask('client', 'dispute', { reason: 'other', evidence: [7] }), 'evidence.0');
  });

  it('and not decided by amounts that say something else than the word', async () => {
    const deal = await disputed();
    for (const [asked, words] of [
      [{ resolution: 'release', clientRefund: 100 }, 'release means providerPayment 100, clientRefund 0'],
      [
        { resolution: 'refund', clientRefund: 99, providerPayment: 1 },
        'refund means providerPayment 0, clientRefund 100',
      ],
      [{ resolution: 'resume', providerPayment: 1 }, 'resume means providerPayment 0, clientRefund 0'],
      [{ resolution: 'split', clientRefund: 100 }, 'clientRefund + providerPayment = 100'],
    ] as const) {
      const reply = await deal.ask('arbiter', 'resolve', asked);
      expectProblem(reply, 'UNPROCESSABLE');
      expect(reply.body.detail).to.include(words);
    }
    await deal.does('arbiter', 'resolve', { resolution: 'refund', clientRefund: 100, providerPayment: 0 });
    await deal.expectPaid(0, 100);
  });

  it('and what a party says to its proposal is shown with it', async () => {
    const deal = await disputed();
    await deal.does('provider', 'resolve', { resolution: 'release', note: 'it was all there' });
    await deal.does('client', 'resolve', { resolution: 'refund' });
    const [{ proposals, note }] = await disputesOf(deal);
    expect(proposals.provider).to.deep.equal({
      ...{ outcome: 'release', providerPayment: 100, clientRefund: 0, note: 'it was all there' },
    });
    expect(proposals.client).to.include({ outcome: 'refund', note: null });
    expect(note).to.equal(null);
  });

  for (const [resolution, state, paid, refunded] of [
    [{ resolution: 'release' }, 'completed', 100, 0],
    [{ resolution: 'refund' }, 'terminated', 30, 70],
    [{ resolution: 'split', clientRefund: 21, providerPayment: 49 }, 'completed', 79, 21],
    [{ resolution: 'split', clientRefund: 70, providerPayment: 0 }, 'completed', 30, 70],
    [{ resolution: 'split', clientRefund: 1, providerPayment: 69 }, 'completed', 99, 1],
    [{ resolution: 'split', clientRefund: 69, providerPayment: 1 }, 'completed', 31, 69],
  ] as const) {
    it(`and decided by the arbiter: ${JSON.stringify(resolution)}`, async () => {
      const deal = await Deal.active(node(), cast);
      await deal.steps('one', 'submit', 'approve');
      const { disputeId } = await deal.does('client', 'dispute', { reason: 'quality' });
      expectProblem(await deal.ask('stranger', 'resolve', resolution), 'FORBIDDEN');
      const decided = await deal.does('arbiter', 'resolve', resolution);
      expect(decided).to.include({ state, disputeId: null });
      await deal.expectPaid(paid, refunded);
      const dispute = expectStatus(await node().client.get(`/api/v1/disputes/${disputeId}`));
      expect(dispute).to.include({ status: 'resolved', resolvedBy: cast.arbiter.did, clientRefund: refunded });
      expect(dispute.resourcePrev, 'one entry').to.equal(decided.eventHash);
      expectProblem(await deal.ask('arbiter', 'resolve', resolution), 'CONTRACT_INVALID_STATE');
      const again = await cast.arbiter.write(`/api/v1/disputes/${disputeId}/actions/resolve`, resolution);
      expectProblem(again, 'CONFLICT');
    });
  }

  it('a split makes up the rest to the Token', async () => {
    const deal = await disputed();
    const before = await node().state();
    for (const wrong of [
      { clientRefund: 50, providerPayment: 51 },
      { clientRefund: 50 },
      { clientRefund: 0, providerPayment: 99 },
    ]) {
      expectProblem(await deal.ask('arbiter', 'resolve', { resolution: 'split', ...wrong }), 'UNPROCESSABLE');
    }
    expect(await node().state()).to.deep.equal(before);
  });

  it('resumes to where it was, and may be disputed again', async () => {
    const deal = await disputed();
    expect(await deal.does('arbiter', 'resolve', { resolution: 'resume' })).to.include({
      state: 'active',
      remaining: 100,
    });
    await deal.steps('one', 'submit', 'approve');
    await deal.does('provider', 'dispute', { reason: 'other' });
    const [second, first] = await disputesOf(deal);
    expect([first!.status, first!.resolution, second!.status]).to.deep.equal(['resolved', 'resume', 'open']);
    expect(await disputesOf(deal, '?status=open')).to.have.length(1);
    await deal.does('arbiter', 'resolve', { resolution: 'refund' });
    await deal.expectPaid(30, 70);
  });

  it('and ended by its parties, once they ask for the same', async () => {
    const deal = await disputed();
    const split = (clientRefund: number) => ({
      resolution: 'split',
      clientRefund,
      providerPayment: 100 - clientRefund,
    });
    expect(await deal.does('client', 'resolve', split(60))).to.include({ state: 'disputed' });
    expect(await deal.does('provider', 'resolve', split(40))).to.include({ state: 'disputed' });
    await deal.expectPaid(0, 0);
    expect(await deal.does('client', 'resolve', split(40))).to.include({ state: 'completed' });
    await deal.expectPaid(60, 40);
  });

  it('is resolved at the dispute’s own address as well, and no proposal moves the contract', async () => {
    const deal = await disputed();
    const { disputeId, resourcePrev } = await deal.view();
    const path = `/api/v1/disputes/${disputeId}/actions/resolve`;
    expect(expectStatus(await cast.client.write(path, { resolution: 'refund' }))).to.include({ status: 'open' });
    expect((await deal.view()).resourcePrev).to.equal(resourcePrev);
    expectStatus(await cast.provider.write(path, { resolution: 'refund' }));
    expect(await deal.view()).to.include({ state: 'terminated' });
    await deal.expectPaid(0, 100);
  });

  it('after 60 days either party gets what was agreed on for then', async () => {
    for (const [fallback, paid] of [
      [undefined, 50],
      ['release', 100],
      ['refund', 0],
    ] as const) {
      const deal = await disputed({ terms: fallback ? { fallback } : {} });
      expectProblem(await deal.ask('client', 'resolve', { resolution: 'fallback' }), 'CONFLICT');
      node().world.skip(60 * dayMs);
      expectProblem(await deal.ask('stranger', 'resolve', { resolution: 'fallback' }), 'FORBIDDEN');
      await deal.does('provider', 'resolve', { resolution: 'fallback' });
      await deal.expectPaid(paid, 100 - paid);
    }
  });

  it('halves an odd rest without losing a Token', async () => {
    const deal = await Deal.active(node(), cast, { milestones: [{ id: 'one', amount: 1 }] });
    await deal.steps('one', 'submit', 'approve');
    await deal.does('client', 'dispute', { reason: 'other' });
    node().world.skip(60 * dayMs);
    await deal.does('client', 'resolve', { resolution: 'fallback' });
    await deal.expectPaid(50, 50);
  });

  it('is recorded for the party that the arbiter decided against', async () => {
    const own = await castOf(node());
    const deal = await Deal.disputed(node(), own);
    await deal.does('arbiter', 'resolve', { resolution: 'refund' });
    const { dimensions } = expectStatus(await node().client.get(`/api/v1/reputations/${own.provider.did}`));
    expect(dimensions.fulfillment).to.include({ score: 200, count: 1 });
  });

  it('is recorded for neither party if the arbiter rules what the terms provide for then', async () => {
    const own = await castOf(node());
    const deal = await Deal.disputed(node(), own, { terms: { fallback: 'release' } });
    node().world.skip(60 * dayMs);
    await deal.does('arbiter', 'resolve', { resolution: 'fallback' });
    await deal.expectPaid(100, 0);
    const { dimensions } = expectStatus(await node().client.get(`/api/v1/reputations/${own.client.did}`));
    expect(dimensions).to.have.keys('transaction');
  });
});

describe('The network’s arbiter', () => {
  let node: TestNode;
  let cast: Cast;
  let arbiterDid: string;

  before(async () => {
    // The arbiter's DID must be known before the node starts, so its key comes from an earlier run on the same directory.
    const first = await TestNode.start();
    arbiterDid = (await first.person()).did;
    await first.stop();
    node = await TestNode.start({ dir: first.dir, variables: { SVC_ARBITER_DID: arbiterDid } });
    cast = await castOf(node);
  });
  after(() => node?.discard());
  const signature = async () => {
    const { nextNonce } = expectStatus(await node.client.get(`/api/v1/wallets/${arbiterDid}`));
    return { did: arbiterDid, passphrase: 'correct horse battery 1', nonce: nextNonce };
  };
  const asNetwork = async (deal: Deal, body: Body) =>
    node.client.post(`/api/v1/contracts/${deal.id}/actions/resolve`, { ...(await signature()), ...body });

  it('is written into contracts that name none, and decides their disputes', async () => {
    const deal = await Deal.disputed(node, cast, { terms: { arbiter: undefined } });
    expect(await deal.view()).to.include({ arbiter: arbiterDid });
    expectStatus(await asNetwork(deal, { resolution: 'refund' }));
    await deal.expectPaid(0, 100);
  });

  it('reads what is confidential of a contract that names none only once there is a dispute', async () => {
    const said = 'known to its parties alone';
    const deal = await Deal.active(node, cast, { terms: { arbiter: undefined, said } });
    const reader = await node.keyed({ scope: 'read', did: arbiterDid });
    const read = async () => {
      const paths = [
        `contracts/${deal.id}`,
        `machines/contract/${deal.id}/state`,
        `events?resourceId=${deal.id}&limit=100`,
      ];
      const replies = await Promise.all(paths.map(async (path) => (await reader.get(`/api/v1/${path}`)).body));
      return replies.map((reply) => JSON.stringify(reply).includes(said));
    };
    expect(await read()).to.deep.equal([false, false, false]);
    await cast.client.does(`/api/v1/contracts/${deal.id}/actions/dispute`, { reason: 'other' });
    expect(await read()).to.deep.equal([true, true, true]);
  });

  it('may decide in place of a contract’s own after 30 days, not before', async () => {
    const deal = await Deal.disputed(node, cast);
    const { disputeId } = await deal.view();
    const permitted = async () =>
      expectStatus(await node.client.get(`/api/v1/disputes/${disputeId}`)).permittedActions.networkArbiter;
    expect(await permitted()).to.equal(undefined);
    expectProblem(await asNetwork(deal, { resolution: 'release' }), 'FORBIDDEN');
    node.world.skip(30 * dayMs);
    expect(await permitted()).to.have.length(1);
    expectStatus(await asNetwork(deal, { resolution: 'release' }));
    await deal.expectPaid(100, 0);
  });

  it('decides the disputes of orders, too', async () => {
    const { client: buyer, provider: seller } = cast;
    const published = await seller.write('/api/v1/markets/info', {
      ...{ title: 'Rainfall', description: 'Hourly.', category: 'weather', pricing: { price: 11 }, license: {} },
      ...{ infoType: 'dataset', content: { format: 'text/csv' }, accessMethod: { type: 'download' } },
    });
    const { listingId } = expectStatus(published, 201);
    const before = [(await buyer.wallet()).balance, (await seller.wallet()).balance];
    const order = expectStatus(await buyer.write(`/api/v1/markets/info/${listingId}/actions/purchase`), 201);
    const path = `/api/v1/orders/${order.orderId}/actions`;
    expectProblem(await cast.stranger.write(`${path}/dispute`, { reason: 'quality' }), 'DISPUTE_NOT_ALLOWED');
    expectProblem(await buyer.write(`${path}/resolve`, { resolution: 'refund' }), 'ORDER_INVALID_STATE');
    expectProblem(
      await buyer.write('/api/v1/orders/ord-none/actions/dispute', { reason: 'quality' }),
      'ORDER_NOT_FOUND',
    );
    const opened = expectStatus(await buyer.write(`${path}/dispute`, { reason: 'quality' }));
    expect(opened).to.include({ status: 'open', orderId: order.orderId, arbiter: arbiterDid, amount: 11 });
    expectProblem(
      await seller.write(`/api/v1/markets/info/${listingId}/actions/deliver`, {
        orderId: order.orderId,
        accessUrl: 'https://example.org',
      }),
      'ORDER_INVALID_STATE',
    );
    expectProblem(await buyer.write(`${path}/resolve`, { resolution: 'resume' }), 'UNPROCESSABLE');
    expectStatus(await buyer.write(`${path}/resolve`, { resolution: 'refund' }));
    const ruling = { resolution: 'split', clientRefund: 5, providerPayment: 6 };
    const by = await signature();
    expect(expectStatus(await node.client.post(`${path}/resolve`, { ...by, ...ruling }))).to.include({
      status: 'confirmed',
    });
    expect([(await buyer.wallet()).balance, (await seller.wallet()).balance]).to.deep.equal([
      before[0]! - 6,
      before[1]! + 6,
    ]);
    expect((await node.audit()).flaw?.what).to.equal(undefined);
  });
});
