/** A capability: leased by use until the budget is exhausted, and by time, ended early with the rest paid back. */
import type { Client, Lease } from '../../packages/client/src/index.js';
import { Person, refused } from './people.js';
import { check, shortName, step } from './stage.js';

export async function leaseStory(client: Client): Promise<void> {
  step('A capability, leased by use');
  const cyd = await Person.join(client, 'Cyd');
  const dan = await Person.join(client, 'Dan');
  await dan.claims();
  const spent = await byUse(cyd, dan);
  step('The same, leased by time');
  await byTime(cyd, dan, spent);
}

const described = {
  title: 'Speech to text',
  description: 'Thirty languages, a second of latency.',
  category: 'speech',
  tags: ['audio'],
  capabilityType: 'transcription',
  capability: { languages: 30 },
  access: { type: 'endpoint' },
} as const;

async function byUse(cyd: Person, dan: Person): Promise<number> {
  const { listingId } = await cyd.client.markets.capabilities.create({
    ...described,
    pricing: { usagePrice: { unit: 'minute of audio', pricePerUnit: 2 } },
    quota: { maxCalls: 4, period: 'hour' },
  });
  const { leases } = dan.client;
  const lease = await leases.create({ listingId, plan: { budget: 20 } });
  checkLease('Dan leases it with a budget of 20', lease, { status: 'active', amount: 20, unitPrice: 2 });
  await dan.has(80, 0, 20);
  const call = (latency: number, units: number, success = true) =>
    leases.invoke(lease.id, { resource: '/v1/transcripts', latency, success, units });
  await call(180, 2);
  checkLease('two calls, five minutes of audio', await call(240, 3), { status: 'active', accrued: 10, remaining: 10 });
  await refused('Cyd counts calls of her own', cyd.client.leases.invoke(lease.id, {}), 403, 'FORBIDDEN');
  checkLease('Cyd pauses it', await cyd.client.leases.pause(lease.id), { status: 'paused' });
  await refused('Dan calls all the same', call(200, 1), 409, 'LEASE_INVALID_STATE');
  checkLease('she resumes it', await cyd.client.leases.resume(lease.id), { status: 'active' });
  await call(900, 1, false);
  const last = await call(210, 7);
  checkLease('a call of 14 where 8 are left', last, { status: 'exhausted', accrued: 20, released: 20, refunded: 0 });
  const { successRate, p50LatencyMs, p95LatencyMs } = last.stats;
  check('its statistics', [successRate, p50LatencyMs, p95LatencyMs], [0.75, 210, 900], {
    as: '3 of 4 succeeded',
    aside: `p50 ${p50LatencyMs} ms, p95 ${p95LatencyMs} ms`,
  });
  await cyd.has(20);
  await refused('one call more', call(1, 1), 409, 'LEASE_INVALID_STATE');
  checkLease('Dan terminates it: nothing is left to share', await leases.terminate(lease.id), {
    status: 'terminated',
    released: 20,
    refunded: 0,
  });
  await dan.has(80);
  return 20;
}

async function byTime(cyd: Person, dan: Person, spent: number): Promise<void> {
  const { listingId } = await cyd.client.markets.capabilities.create({
    ...described,
    pricing: { subscriptionPrice: { period: 'day', price: 5 } },
    quota: { maxCalls: 1 },
  });
  const { leases } = dan.client;
  const lease = await leases.create({ listingId, plan: { periods: 6 } });
  checkLease('Dan subscribes for six days at 5', lease, { status: 'active', amount: 30, accrued: 5 });
  await dan.has(100 - spent - 30, 0, 30);
  await leases.invoke(lease.id, { latency: 150 });
  await refused('more than the quota', leases.invoke(lease.id, { latency: 150 }), 409, 'LEASE_QUOTA_EXCEEDED');
  const ended = await leases.terminate(lease.id);
  checkLease('he terminates it on the first day', ended, { status: 'terminated', released: 5, refunded: 25 });
  await dan.has(100 - spent - 5);
  await cyd.has(spent + 5);
  const mine = await leases.list({ role: 'lessee', did: dan.did });
  check('both are in his list', mine.leases.map(({ id }) => id).includes(lease.id), true, {
    as: `${mine.total} leases`,
  });
}

function checkLease(what: string, lease: Lease, expected: Partial<Lease>): void {
  const names = Object.keys(expected) as (keyof Lease)[];
  const actual = Object.fromEntries(names.map((name) => [name, lease[name]]));
  check(what, actual, expected, { as: lease.status, aside: `${shortName(lease.id)}, accrued ${lease.accrued}` });
}
