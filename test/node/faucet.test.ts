/** The faucet: 100 Tokens for each claim, and the limits on claims (docs/reference/accounts-and-nonces.md#faucet). */
import { expect } from 'chai';
import sinon from 'sinon';
import { faucetQuotas } from '../../src/core/bounds.js';
import { RefusedError, refuse } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Client } from './support/client.js';
import { bareDid, OwnKey } from './support/independent.js';
import { nodeForSuite, TestNode } from './support/node.js';

const hour = 3_600_000;
const stranger = (): string => OwnKey.fresh().did;
const claim = (client: Client, body: object, headers = {}) => client.post('/api/v1/faucet', body, headers);

describe('The faucet on devnet', () => {
  const node = nodeForSuite();

  it('gives 100 Tokens to a DID or an address, as often as a local caller likes', async () => {
    const ada = await node().person();
    for (const body of [
      { did: ada.did },
      { did: bareDid(ada.did) },
      { address: ada.address },
      { did: ada.did, address: ada.address },
    ]) {
      const result = expectStatus(await claim(node().client, body));
      expect(result).to.include({ from: null, to: ada.did, amount: 100, fee: 0, status: 'confirmed' });
      const { event } = expectStatus(await node().client.get(`/api/v1/events/${result.eventHash}`));
      expect(result, 'whose nonce it is').to.include({ issuer: event.issuer, nonce: event.nonce });
    }
    expect(await ada.wallet()).to.include({ balance: 400, nonce: 0 });
    expect((await node().store.totals()).supply).to.equal(400);
  });

  it('refuses a missing recipient, two different ones, and what is not an account', async () => {
    expectInvalid(await claim(node().client, {}), 'did');
    expectInvalid(await claim(node().client, { did: stranger(), address: (await node().person()).address }), 'address');
    for (const did of ['ada', '', 7]) expectInvalid(await claim(node().client, { did }), 'did');
    expectInvalid(await claim(node().client, { address: 'svc1' }), 'address');
  });

  it('holds its quotas for callers from elsewhere, who need no key', async () => {
    const remote = node().client.with({ 'X-Forwarded-For': '203.0.113.9' });
    const did = stranger();
    expectStatus(await claim(remote, { did }));
    expectProblem(await claim(remote, { did }), 'RATE_LIMITED');
    expectStatus(await claim(node().client, { did }));
  });

  it('pays a claim with an Idempotency-Key once', async () => {
    const did = stranger();
    const first = expectStatus(await claim(node().client, { did }, { 'Idempotency-Key': 'once' }));
    const again = await claim(node().client, { did }, { 'Idempotency-Key': 'once' });
    expect(expectStatus(again)).to.deep.equal(first);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(expectStatus(await node().client.get(`/api/v1/wallets/${did}`)).balance).to.equal(100);
    expectProblem(await claim(node().client, { did: stranger() }, { 'Idempotency-Key': 'once' }), 'UNPROCESSABLE');
  });
});

describe('The faucet on testnet', () => {
  let node: TestNode;

  beforeEach(async () => {
    node = await TestNode.start({ variables: { SVC_NETWORK: 'testnet', SVC_TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterEach(() => node.discard());

  const from = (address: string): Client => node.client.with({ 'X-Forwarded-For': address });
  const waits = (reply: { headers: { 'retry-after'?: string } }): number => Number(reply.headers['retry-after']);

  it('gives a recipient once in 24 hours, local callers too, and says how long to wait', async () => {
    const did = stranger();
    expectStatus(await claim(node.client, { did }));
    const refused = await claim(from('203.0.113.9'), { did: bareDid(did) });
    expectProblem(refused, 'RATE_LIMITED');
    expect(waits(refused as never)).to.be.within(86_390, 86_400);
    node.world.skip(24 * hour - 60_000);
    expectProblem(await claim(node.client, { did }), 'RATE_LIMITED');
    node.world.skip(61_000);
    expectStatus(await claim(node.client, { did }));
  });

  it('gives a DID four times in 30 days', async () => {
    const did = stranger();
    for (let i = 0; i < 4; i++) {
      expectStatus(await claim(node.client, { did }));
      node.world.skip(25 * hour);
    }
    const refused = await claim(node.client, { did });
    expectProblem(refused, 'RATE_LIMITED');
    expect(waits(refused as never)).to.be.within(25 * 86_400, 27 * 86_400);
    node.world.skip(26 * 24 * hour);
    expectStatus(await claim(node.client, { did }));
  });

  it('gives the IPv6 networks of one site, and of one provider, no more for being many', async () => {
    const given = async (network: (i: number) => string, claims: number) => {
      let count = 0;
      for (let i = 0; i < claims; i++) {
        const reply = await claim(from(network(i)), { did: stranger() });
        if (reply.status === 200) count += 1;
        else expectProblem(reply, 'RATE_LIMITED');
      }
      return count;
    };
    const { perSiteDaily, perProviderDaily } = faucetQuotas;
    expect(await given((i) => `2001:db8:7:${i.toString(16)}::1`, perSiteDaily + 5)).to.equal(perSiteDaily);
    const rest = perProviderDaily - perSiteDaily;
    expect(await given((i) => `2001:db8:${(i + 16).toString(16)}::1`, rest + 5)).to.equal(rest);
    expectStatus(await claim(from('2001:db9::1'), { did: stranger() }));
    expectStatus(await claim(from('203.0.113.77'), { did: stranger() }));
  });

  it('gives an origin twenty times a day, an IPv6 network as one, and others not less for it', async () => {
    for (let i = 0; i < 20; i++) expectStatus(await claim(from(`2001:db8:1:2::${i}`), { did: stranger() }));
    const did = stranger();
    expectProblem(await claim(from('2001:db8:1:2:ffff::1'), { did }), 'RATE_LIMITED');
    expectStatus(await claim(from('2001:db8:1:3::1'), { did }));
  });

  it('counts only what was paid, and forgets nothing over a restart', async () => {
    const did = stranger();
    expectInvalid(await claim(node.client, { did: 'ada' }), 'did');
    expectStatus(await claim(node.client, { did }, { 'Idempotency-Key': 'k' }));
    await node.restart();
    const again = await claim(node.client, { did }, { 'Idempotency-Key': 'k' });
    expect(expectStatus(again).to).to.equal(did);
    expectProblem(await claim(node.client, { did }), 'RATE_LIMITED');
    expect((await node.store.totals()).supply).to.equal(100);
  });

  it('gives each of many callers their own', async () => {
    const crowd = Array.from({ length: 40 }, (_, i) => claim(from(`198.51.100.${i}`), { did: stranger() }));
    for (const reply of await Promise.all(crowd)) expectStatus(reply);
  });

  it('gives all together 100,000 Tokens a day', async () => {
    const claims = Array.from({ length: 999 }, (_, i) => ({ at: node.world.now(), by: `request ${i}` }));
    expect(await node.store.putLocal('faucet', 'network', { claims }, 0)).to.equal(true);
    expectStatus(await claim(from('198.51.100.1'), { did: stranger() }));
    expectProblem(await claim(from('198.51.100.2'), { did: stranger() }), 'RATE_LIMITED');
    node.world.skip(24 * hour + 1);
    expectStatus(await claim(from('198.51.100.2'), { did: stranger() }));
  });

  it('gives one claim to twenty who ask at once for one recipient', async () => {
    const did = stranger();
    const replies = await Promise.all(Array.from({ length: 20 }, () => claim(node.client, { did })));
    expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
    for (const reply of replies) if (reply.status !== 200) expectProblem(reply, 'RATE_LIMITED');
    expect((await node.store.totals()).supply).to.equal(100);
  });
});

describe('The faucet, on a store that fails to answer', () => {
  it('counts no claim that came to nothing', async () => {
    const did = stranger();
    const store = new MemoryStore();
    const node = await TestNode.start({ variables: { SVC_NETWORK: 'testnet' }, store: async () => store });
    const away = new RefusedError(refuse('SERVICE_UNAVAILABLE', 'away', { retryAfter: 1 }));
    const account = sinon.stub(store, 'account').callThrough();
    account.withArgs(did).rejects(away);
    try {
      expectProblem(await claim(node.client, { did }), 'SERVICE_UNAVAILABLE');
      account.restore();
      expectStatus(await claim(node.client, { did }));
    } finally {
      await node.discard();
    }
  });

  it('keeps a claim if it is unknown whether it was paid, and reports what failed', async () => {
    let outcome: 'lose' | undefined;
    const store = new MemoryStore({ disturb: () => (outcome ? { outcome } : undefined) });
    const variables = { SVC_NETWORK: 'testnet' };
    const node = await TestNode.start({ variables, store: async () => store });
    try {
      const did = stranger();
      outcome = 'lose';
      expectProblem(await claim(node.client, { did }), 'SERVICE_UNAVAILABLE');
      const found = store.survivor();
      expect((await found.totals()).supply).to.equal(100);
      expect((await found.getLocal('faucet', `did ${did}`))?.value.claims).to.have.length(1);
    } finally {
      await node.discard();
    }
  });
});

describe('The faucet, asked several times at once with one Idempotency-Key', () => {
  it('pays once and gives each request the same reply; the key counts once', async () => {
    const node = await TestNode.start({ variables: { SVC_NETWORK: 'testnet' } });
    try {
      const did = stranger();
      const ask = (to: string) => claim(node.client, { did: to }, { 'Idempotency-Key': 'at-once' });
      const replies = await Promise.all([did, did, did, did].map(ask));
      const bodies = replies.map((reply) => expectStatus(reply));
      for (const body of bodies) expect(body).to.deep.equal(bodies[0]);
      expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).to.have.length(3);
      expect((await node.store.totals()).supply).to.equal(100);
      const other = stranger();
      expectProblem(await ask(other), 'UNPROCESSABLE');
      expectStatus(await claim(node.client, { did: other }));
      expectProblem(await claim(node.client, { did }), 'RATE_LIMITED');
    } finally {
      await node.discard();
    }
  });
});

describe('The faucet on devnet with limits for loopback, and on mainnet', () => {
  it('holds its quotas for local callers where that is configured', async () => {
    const node = await TestNode.start({ variables: { SVC_RATE_LIMIT_LOOPBACK: 'on' } });
    try {
      const did = stranger();
      expectStatus(await claim(node.client, { did }));
      expectProblem(await claim(node.client, { did }), 'RATE_LIMITED');
    } finally {
      await node.discard();
    }
  });

  it('is not there on mainnet', async () => {
    const node = await TestNode.start({ variables: { SVC_NETWORK: 'mainnet' } });
    try {
      expectProblem(await claim(await node.keyed({ scope: 'admin' }), { did: stranger() }), 'NOT_FOUND');
    } finally {
      await node.discard();
    }
  });
});
