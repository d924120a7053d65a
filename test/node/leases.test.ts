/** Every endpoint of leases over HTTP (docs/reference/leases.md). */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { expectInvalid, expectPage, expectProblem, expectStatus, expectWritten } from './support/answers.js';
import type { Body } from './support/client.js';
import { act, acts, leases, leasesPath, publishes, readLease, start } from './support/lessor.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

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
    expect(whole).to.deep.equal({ ...view, title: listing.title });
    expect(again).to.deep.equal(whole);
    const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${lease.escrowId}`));
    expect(escrow).to.deep.include({ amount: 100, funded: 100, purpose: { kind: 'lease', id: lease.leaseId } });
    expect(await balances()).to.deep.equal([900, 100, 0]);
    expectProblem(
      await lessee.act(escrow, 'refund', { amount: 1, reason: 'x', resourcePrev: escrow.resourcePrev }),
      'ESCROW_RULE_NOT_MET',
    );
  });

  it('shows each call, the statistics, and what is paid when the budget is exhausted', async () => {
    const lease = await leases(lessee, await publishes(lessor), { budget: 10 });
    const first = await acts(lessee, lease, 'invoke', { resource: '/v1/x', latency: 40, success: true });
    expectWritten(first, 2);
    expect(first).to.deep.include({ status: 'active', accrued: 2, remaining: 8 });
    expect(first.usage).to.include({ resource: '/v1/x', latency: 40, success: true, units: 1, cost: 2 });
    await acts(lessee, lease, 'invoke', { latency: 160, success: false, units: 2 });
    const last = await acts(lessee, lease, 'invoke', { latency: 90, units: 3 });
    expect(last).to.include({ status: 'exhausted', accrued: 10, remaining: 0, released: 10, refunded: 0 });
    expect(last.usage).to.include({ units: 3, cost: 4 });
    expect(last.stats).to.deep.equal({
      ...{ calls: 3, succeeded: 2, failed: 1, units: 6, successRate: 2 / 3 },
      ...{ p50LatencyMs: 90, p95LatencyMs: 160 },
    });
    expect(await balances()).to.deep.equal([990, 0, 10]);
  });

  it('by time shows what has accrued so far, without an entry', async () => {
    const lease = await leases(lessee, await publishes(lessor, byDay), { type: 'subscription', periods: 3 });
    expect(lease).to.deep.include({ accrued: 20, remaining: 40, amount: 60 });
    expect(lease.plan).to.include({ type: 'subscription', budget: null, periods: 3 });
    node().world.skip(dayMs);
    expect(await read(lease)).to.include({ accrued: 40, resourcePrev: lease.resourcePrev });
  });

  it('refuses a start and a call with the name of the field', async () => {
    const listing = await publishes(lessor);
    expectInvalid(await start(lessee, listing, {}), 'plan');
    expectInvalid(await start(lessee, listing, { plan: {} }), 'plan.budget');
    expectInvalid(await start(lessee, listing, { plan: { budget: 0.5 } }), 'plan.budget');
    expectInvalid(await start(lessee, listing, { plan: { type: 'barter' } }), 'plan.type');
    const lease = await leases(lessee, listing, { budget: 100 });
    expectInvalid(await act(lessee, lease, 'invoke', { units: 0 }), 'units');
    expectInvalid(await act(lessee, lease, 'invoke', { latency: -1 }), 'latency');
    expectInvalid(await act(lessee, lease, 'invoke', { success: 'yes' }), 'success');
    expectInvalid(await act(lessee, lease, 'invoke', { resource: 7 }), 'resource');
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
