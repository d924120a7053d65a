/** Every endpoint of leases over HTTP (docs/reference/leases.md). */
import { expect } from 'chai';
import {
  expectInvalid,
  expectPage,
  expectProblem,
  expectSoon,
  expectStatus,
  expectWritten,
} from './support/answers.js';
import type { Body } from './support/client.js';
import { act, acts, leases, leasesPath, publishes, readLease, start } from './support/lessor.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const byDay = { pricing: { subscriptionPrice: { period: 'day', price: 20 } } };

describe('Leases', () => {
  const node = nodeForSuite();
  let lessor: Person;
  let lessee: Person;

  beforeEach(async () => {
    [lessor, lessee] = [await node().person(), await node().rich(1_000)];
  });

  const read = (lease: Body): Promise<Body> => readLease(lessee, lease);
  const balances = async (): Promise<number[]> => {
    const { availableBalance, escrowed } = await lessee.wallet();
    return [availableBalance, escrowed, (await lessor.wallet()).balance];
  };

  /** Waits until the clock has ended the lease. */
  async function ended(lease: Body): Promise<Body> {
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      const now = await read(lease);
      if (now.status !== lease.status) return now;
    }
    return expect.fail('the clock did not come');
  }

  it('starts: 201, Location, the whole view; the budget in an escrow that names the lease', async () => {
    const listing = await publishes(lessor, { quota: { maxCalls: 9, period: 'day' } });
    const reply = await start(lessee, listing, { plan: { budget: 100 }, expectedPrice: 2 });
    const lease = expectStatus(reply, 201);
    expectWritten(lease, 1);
    expect(lease.leaseId).to.match(/^lease-[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(reply.headers.location).to.equal(`${leasesPath}/${lease.leaseId}`);
    const { eventHash, nonce, ...view } = lease;
    expect(view).to.deep.include({
      status: 'active',
      listingId: listing.listingId,
      lessee: lessee.did,
      lessor: lessor.did,
      plan: { type: 'pay_per_use', budget: 100, periods: null, maxUnitsPerCall: 1_000, maxUnitsPerHour: null },
      unitPrice: 2,
      unit: 'call',
      quota: [{ maxCalls: 9, maxUnits: null, periodMs: dayMs, usedCalls: 0, usedUnits: 0 }],
      usage: [],
      stats: {
        ...{ calls: 0, succeeded: 0, failed: 0, units: 0, successRate: null },
        ...{ p50LatencyMs: null, p95LatencyMs: null },
      },
    });
    const either = [
      { action: 'pause', open: [] },
      { action: 'terminate', open: [] },
    ];
    const invoke = { action: 'invoke', open: ['UNPROCESSABLE', 'LEASE_QUOTA_EXCEEDED'] };
    expect(view.permittedActions).to.have.all.keys('lessee', 'lessor');
    expect(view.permittedActions.lessee).to.have.deep.members([...either, invoke]);
    expect(view.permittedActions.lessor).to.have.deep.members(either);
    const { lease: again, ...whole } = await read(lease);
    expect(whole).to.deep.equal(view);
    expect(again).to.deep.equal(view);
    const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${lease.escrowId}`));
    expect(escrow).to.deep.include({ amount: 100, funded: 100, purpose: { kind: 'lease', id: lease.leaseId } });
    expect(await balances()).to.deep.equal([900, 100, 0]);
    expectProblem(
      await lessee.act(escrow, 'refund', { amount: 1, reason: 'x', resourcePrev: escrow.resourcePrev }),
      'ESCROW_RULE_NOT_MET',
    );
  });

  for (const [type, offer, plan] of [
    ['pay_per_use', {}, { budget: 10 }],
    ['credits', { pricing: { type: 'credits', price: 2 } }, { budget: 10 }],
  ] as const) {
    it(`${type}: invoked until the budget is exhausted, which pays at once; then terminated`, async () => {
      const lease = await leases(lessee, await publishes(lessor, offer), plan);
      expect(lease.plan.type).to.equal(type);
      const first = await acts(lessee, lease, 'invoke', { resource: '/v1/x', latency: 40, success: true });
      expectWritten(first, 2);
      expect(first).to.deep.include({ status: 'active', accrued: 2, remaining: 8 });
      expect(first.usage).to.include({ resource: '/v1/x', latency: 40, success: true, units: 1, cost: 2 });
      expect(await balances()).to.deep.equal([990, 10, 0]);
      await acts(lessee, lease, 'invoke', { latency: 160, success: false, units: 2 });
      for (const [field, value] of [
        ['resource', ''],
        ['latency', -1],
        ['units', 0],
        ['success', 'yes'],
      ] as const) {
        expectInvalid(await act(lessee, lease, 'invoke', { [field]: value }), field);
      }
      const last = await acts(lessee, lease, 'invoke', { latency: 90, units: 3 });
      expect(last).to.include({ status: 'exhausted', accrued: 10, remaining: 0, released: 10, refunded: 0 });
      expect(last.usage).to.include({ units: 3, cost: 4 });
      expect(last.stats).to.deep.equal({
        ...{ calls: 3, succeeded: 2, failed: 1, units: 6, successRate: 2 / 3 },
        ...{ p50LatencyMs: 90, p95LatencyMs: 160 },
      });
      expect(await balances()).to.deep.equal([990, 0, 10]);
      for (const action of ['invoke', 'pause', 'resume']) {
        expectProblem(await act(lessee, lease, action), 'LEASE_INVALID_STATE');
      }
      expect(await acts(lessee, lease, 'terminate')).to.include({ status: 'terminated', released: 10 });
      expect(await balances()).to.deep.equal([990, 0, 10]);
    });
  }

  it('is terminated with budget left: what was used is paid, the rest goes back', async () => {
    const lease = await leases(lessee, await publishes(lessor), { budget: 100 });
    await acts(lessee, lease, 'invoke', { units: 7 });
    const gone = await acts(lessor, lease, 'terminate', { reason: 'moving house' });
    expect(gone).to.include({ status: 'terminated', released: 14, refunded: 86, remaining: 0 });
    expect(await balances()).to.deep.equal([986, 0, 14]);
    for (const action of ['invoke', 'pause', 'resume', 'terminate']) {
      expectProblem(await act(lessee, lease, action), 'LEASE_INVALID_STATE');
    }
    const { status } = expectStatus(await node().client.get(`/api/v1/escrows/${lease.escrowId}`));
    expect(status).to.equal('refunded');
  });

  it('is paused and resumed, and takes no calls in between', async () => {
    const lease = await leases(lessee, await publishes(lessor), { budget: 100 });
    expectProblem(await act(lessee, lease, 'resume'), 'LEASE_INVALID_STATE');
    const paused = await acts(lessee, lease, 'pause', { resourcePrev: lease.resourcePrev });
    expect(paused.status).to.equal('paused');
    for (const action of ['invoke', 'pause']) expectProblem(await act(lessee, lease, action), 'LEASE_INVALID_STATE');
    expectProblem(await act(lessee, lease, 'resume', { resourcePrev: lease.resourcePrev }), 'CONFLICT');
    expect(await acts(lessor, lease, 'resume')).to.include({ status: 'active' });
    await acts(lessee, lease, 'invoke');
  });

  for (const type of ['time_based', 'subscription'] as const) {
    it(`${type}: accrues per started period, also while it is paused`, async () => {
      const lease = await leases(lessee, await publishes(lessor, byDay), { type, periods: 3 });
      expect(lease).to.deep.include({ accrued: 20, remaining: 40, amount: 60 });
      expect(lease.plan).to.include({ type, budget: null, periods: 3 });
      await acts(lessee, lease, 'invoke', { units: 900 });
      await acts(lessee, lease, 'pause');
      node().world.skip(dayMs);
      expect(await read(lease)).to.include({ status: 'paused', accrued: 40 });
      expect(await acts(lessee, lease, 'terminate')).to.include({ status: 'terminated', released: 40, refunded: 20 });
      expect(await balances()).to.deep.equal([960, 0, 40]);
    });
  }

  it('is ended by the clock, without any request', async () => {
    const endsAt = node().world.now() + hourMs;
    const byUse = await leases(lessee, await publishes(lessor), { budget: 100, endsAt });
    await acts(lessee, byUse, 'invoke', { units: 5 });
    const byTime = await leases(lessee, await publishes(lessor, byDay), { periods: 2 });
    node().world.skip(hourMs + 1);
    expect(await ended(byUse)).to.include({ status: 'expired', released: 10, refunded: 90 });
    node().world.skip(2 * dayMs);
    expect(await ended(byTime)).to.include({ status: 'expired', released: 40, refunded: 0 });
    expectProblem(await act(lessee, byUse, 'terminate'), 'LEASE_INVALID_STATE');
    await expectSoon(balances, [950, 0, 50]);
  });

  it('enforces the quota of its listing', async () => {
    const listing = await publishes(lessor, { quota: { maxCalls: 2, period: 'hour' } });
    expect(listing.quota).to.deep.equal({ maxCalls: 2, period: 'hour' });
    const lease = await leases(lessee, listing, { budget: 100 });
    for (let n = 0; n < 2; n++) await acts(lessee, lease, 'invoke');
    const refused = expectProblem(await act(lessee, lease, 'invoke'), 'LEASE_QUOTA_EXCEEDED');
    expect(refused.status).to.equal(409);
    node().world.skip(hourMs);
    await acts(lessee, lease, 'invoke');
  });

  it('is metered by the lessor where the listing says so', async () => {
    const lease = await leases(lessee, await publishes(lessor, { meteredBy: 'lessor' }), { budget: 100 });
    const permitted: Body = lease.permittedActions;
    const mayCall = Object.keys(permitted).filter((role) => permitted[role].some((it: Body) => it.action === 'invoke'));
    expect(mayCall).to.deep.equal(['lessor']);
    expectProblem(await act(lessee, lease, 'invoke'), 'FORBIDDEN');
    expect(await acts(lessor, lease, 'invoke', { units: 4 })).to.include({ accrued: 8, meteredBy: 'lessor' });
  });

  it('refuses a start, each for its reason', async () => {
    const listing = await publishes(lessor);
    const budget = { plan: { budget: 10 } };
    expectProblem(await start(lessee, { listingId: 'lst-none' }, budget), 'LISTING_NOT_FOUND');
    expectProblem(await start(lessor, listing, budget), 'FORBIDDEN');
    expectInvalid(await start(lessee, listing, {}), 'plan');
    expectInvalid(await start(lessee, listing, { plan: {} }), 'plan.budget');
    expectInvalid(await start(lessee, listing, { plan: { budget: 0.5 } }), 'plan.budget');
    expectInvalid(await start(lessee, listing, { plan: { type: 'barter' } }), 'plan.type');
    expectProblem(await start(lessee, listing, { plan: { type: 'subscription' } }), 'UNPROCESSABLE');
    expectProblem(await start(lessee, listing, { plan: { budget: 10, endsAt: 1_000_000_000_000 } }), 'UNPROCESSABLE');
    expectProblem(await start(lessee, listing, { ...budget, expectedPrice: 3 }), 'CONFLICT');
    expectProblem(await start(lessee, listing, { plan: { budget: 1_001 } }), 'INSUFFICIENT_BALANCE');
    expectProblem(
      await start(lessee, listing, { ...budget, passphrase: 'a wrong passphrase' }),
      'TRANSFER_NOT_ALLOWED',
    );
    const secret = await publishes(lessor, { visibility: 'private' });
    expectProblem(await start(lessee, secret, budget), 'LISTING_NOT_FOUND');
    await lessor.write(`/api/v1/markets/capabilities/${listing.listingId}/actions/pause`);
    expectProblem(await start(lessee, listing, budget), 'LISTING_NOT_ACTIVE');
    expect(await balances()).to.deep.equal([1_000, 0, 0]);
    expect(lessee.nonce).to.equal(1);
  });

  it('refuses a call, each for its reason', async () => {
    const lease = await leases(lessee, await publishes(lessor), { budget: 100, maxUnitsPerCall: 5 });
    const stranger = await node().person();
    expectProblem(await act(stranger, lease, 'invoke'), 'FORBIDDEN');
    for (const action of ['pause', 'resume', 'terminate']) {
      expectProblem(await act(stranger, lease, action), 'FORBIDDEN');
    }
    expectProblem(await act(lessee, lease, 'invoke', { units: 6 }), 'UNPROCESSABLE');
    expectInvalid(await act(lessee, lease, 'invoke', { units: 0 }), 'units');
    expectInvalid(await act(lessee, lease, 'invoke', { latency: -1 }), 'latency');
    expectInvalid(await act(lessee, lease, 'invoke', { success: 'yes' }), 'success');
    expectInvalid(await act(lessee, lease, 'invoke', { resource: 7 }), 'resource');
    for (const action of ['invoke', 'pause', 'resume', 'terminate']) {
      expectProblem(await act(lessee, { leaseId: 'lease-none' }, action), 'LEASE_NOT_FOUND');
    }
    expectProblem(await node().client.get(`${leasesPath}/lease-none`), 'LEASE_NOT_FOUND');
    expect(await read(lease)).to.include({ accrued: 0, resourcePrev: lease.resourcePrev });
  });

  it('answers a call that is sent twice under one Idempotency-Key with one call', async () => {
    const lease = await leases(lessee, await publishes(lessor), { budget: 100 });
    const path = `${leasesPath}/${lease.leaseId}/actions/invoke`;
    const key = { 'Idempotency-Key': 'call-1' };
    const body = { nonce: lessee.nonce };
    const first = expectStatus(await lessee.write(path, body, key));
    const again = await lessee.write(path, body, key);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(expectStatus(again)).to.deep.equal(first);
    expect((await read(lease)).stats.calls).to.equal(1);
  });

  it('lists by role and status, for both parties', async () => {
    const listing = await publishes(lessor);
    const [first, second] = [
      await leases(lessee, listing, { budget: 2 }),
      await leases(lessee, listing, { budget: 9 }),
    ];
    await acts(lessee, first, 'invoke');
    const list = async (query: string): Promise<Body> => {
      const body = expectStatus(await node().client.get(`${leasesPath}?${query}`));
      expectPage(body.pagination, { total: body.total });
      return body.leases.map(({ leaseId }: Body) => leaseId);
    };
    const [both, none] = [[second.leaseId, first.leaseId], [] as string[]];
    expect(await list(`role=lessee&did=${lessee.did}`)).to.deep.equal(both);
    expect(await list(`role=lessor&did=${lessor.did}`)).to.deep.equal(both);
    expect(await list(`role=lessor&did=${lessee.did}`)).to.deep.equal(none);
    expect(await list(`role=all&did=${lessor.did}&status=exhausted`)).to.deep.equal([first.leaseId]);
    expect(await list(`did=${lessee.did}&status=active&limit=1`)).to.deep.equal([second.leaseId]);
    expectInvalid(await node().client.get(`${leasesPath}?role=lessee`), 'did');
    expectInvalid(await node().client.get(`${leasesPath}?role=buyer&did=${lessee.did}`), 'role');
    expectInvalid(await node().client.get(`${leasesPath}?status=over`), 'status');
    const own = await node().keyed({ scope: 'read', did: lessee.did });
    expect(expectStatus(await own.get(`${leasesPath}?role=lessee`)).total).to.equal(2);
  });

  it('shows in the statistics of its listing', async () => {
    const listing = await publishes(lessor);
    const lease = await leases(lessee, listing, { budget: 2 });
    const stats = async () =>
      expectStatus(await node().client.get(`/api/v1/markets/capabilities/${listing.listingId}`)).stats;
    expect(await stats()).to.include({ orders: 1, completedOrders: 0 });
    await acts(lessee, lease, 'invoke');
    expect(await stats()).to.include({ orders: 1, completedOrders: 1 });
  });
});
