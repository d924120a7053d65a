/** Capabilities and their leases over HTTP. */
import { expectStatus } from './answers.js';
import type { Body, Reply } from './client.js';
import type { Person } from './person.js';

export const leasesPath = '/api/v1/markets/capabilities/leases';

/** Two Tokens a call, unless a test changes it. */
export const publishes = (lessor: Person, more: Body = {}): Promise<Body> =>
  lessor.does('/api/v1/markets/capabilities', {
    title: 'Speech to text',
    description: 'Thirty languages.',
    category: 'speech',
    pricing: { usagePrice: { unit: 'call', pricePerUnit: 2 } },
    capabilityType: 'transcription',
    capability: { languages: 30 },
    quota: {},
    access: { type: 'endpoint' },
    ...more,
  });

export const start = (lessee: Person, { listingId }: Body, body: Body): Promise<Reply> =>
  lessee.write(`/api/v1/markets/capabilities/${listingId}/leases`, body);

export const leases = async (lessee: Person, listing: Body, plan: Body): Promise<Body> =>
  expectStatus(await start(lessee, listing, { plan }), 201);

export const act = (who: Person, { leaseId }: Body, action: string, body: Body = {}): Promise<Reply> =>
  who.write(`${leasesPath}/${leaseId}/actions/${action}`, body);

export const acts = async (who: Person, lease: Body, action: string, body: Body = {}): Promise<Body> =>
  expectStatus(await act(who, lease, action, body));

export const readLease = async ({ client }: Person, { leaseId }: Body): Promise<Body> =>
  expectStatus(await client.get(`${leasesPath}/${leaseId}`));
