/** The tour as a program, with the types of openapi-typescript and the client openapi-fetch. */
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const client = createClient<paths>({ baseUrl: process.argv[2]! });
const passphrase = 'correct horse battery staple';

interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
}

async function done<T>(reply: Promise<Outcome<T>>): Promise<NonNullable<T>> {
  const { data, error } = await reply;
  if (data === undefined || data === null) throw new Error(JSON.stringify(error));
  return data;
}

const ada = await done(client.POST('/api/v1/identities', { body: { passphrase } }));
const ben = await done(client.POST('/api/v1/identities', { body: { passphrase } }));
const nonces = new Map<string, number>();
const signed = (did: string) => {
  const nonce = (nonces.get(did) ?? 0) + 1;
  nonces.set(did, nonce);
  return { did, passphrase, nonce };
};

await done(client.GET('/api/v1/node'));
await done(client.POST('/api/v1/faucet', { body: { did: ada.did } }));
await done(client.GET('/api/v1/nonce/{did}', { params: { path: { did: ada.did } } }));
await done(
  client.POST('/api/v1/transfers', {
    params: { header: { 'Idempotency-Key': 'tour-transfer' } },
    body: { ...signed(ada.did), to: ben.did, amount: 5 },
  }),
);
await done(
  client.GET('/api/v1/wallets/{address}/transactions', {
    params: { path: { address: ada.did }, query: { type: 'sent', limit: 5 } },
  }),
);

const escrow = await done(
  client.POST('/api/v1/escrows', {
    body: {
      ...{ ...signed(ada.did), beneficiary: ben.did, amount: 10 },
      ...{ releaseRules: [{ type: 'manual' }], autoFund: true, expiresAt: '2099-01-01T00:00:00Z' },
    },
  }),
);
const path = { escrowId: escrow.escrowId };
await done(
  client.POST('/api/v1/escrows/{escrowId}/actions/release', {
    params: { path },
    body: { ...signed(ada.did), amount: 4 },
  }),
);
const { remaining, createdAt } = await done(client.GET('/api/v1/escrows/{escrowId}', { params: { path } }));
await done(client.GET('/api/v1/escrows', { params: { query: { did: ada.did } } }));
const ofEscrow = { kind: 'escrow', id: escrow.escrowId } as const;
await done(client.GET('/api/v1/machines/{kind}/{id}/history', { params: { path: ofEscrow } }));
await done(client.GET('/api/v1/machines/{kind}/{id}/permitted', { params: { path: ofEscrow } }));
await done(client.GET('/api/v1/machines'));

const offer = { description: 'Hourly.', category: 'weather', tags: ['rain', 'hourly'] };
const listing = await done(
  client.POST('/api/v1/markets/info', {
    body: {
      ...{ ...signed(ada.did), ...offer, title: 'Rainfall', pricing: { price: 2 }, infoType: 'dataset' },
      ...{ content: { format: 'text/csv' }, accessMethod: { type: 'download' }, license: { type: 'CC-BY-4.0' } },
    },
  }),
);
const ofListing = { params: { path: { listingId: listing.listingId } } };
await done(client.POST('/api/v1/markets/info/{listingId}/actions/pause', { ...ofListing, body: signed(ada.did) }));
await done(client.POST('/api/v1/markets/info/{listingId}/actions/resume', { ...ofListing, body: signed(ada.did) }));
await done(client.GET('/api/v1/markets/info/{listingId}', ofListing));
const search = await done(
  client.GET('/api/v1/markets/search', {
    params: { query: { tags: ['rain', 'hourly'], seller: ada.did, includeFacets: true } },
  }),
);

const task = await done(
  client.POST('/api/v1/markets/tasks', {
    body: {
      ...{ ...signed(ada.did), ...offer, title: 'Count', pricing: { budget: 9 }, taskType: 'counting' },
      ...{ task: { beans: 40 }, timeline: {} },
    },
  }),
);
const taskId = task.listingId;
const bid = await done(
  client.POST('/api/v1/markets/tasks/{taskId}/bids', {
    params: { path: { taskId } },
    body: { ...signed(ben.did), price: 3 },
  }),
);
const { bids } = await done(client.GET('/api/v1/markets/tasks/{taskId}/bids', { params: { path: { taskId } } }));
await done(
  client.POST('/api/v1/markets/tasks/{taskId}/bids/{bidId}/actions/accept', {
    params: { path: { taskId, bidId: bid.bidId } },
    body: signed(ada.did),
  }),
);

const contract = await done(
  client.POST('/api/v1/contracts', { body: { ...signed(ada.did), provider: ben.did, terms: { scope: 'a logo' } } }),
);
const ofContract = { params: { path: { contractId: contract.contractId } } };
const { signatures } = await done(
  client.POST('/api/v1/contracts/{contractId}/actions/sign', { ...ofContract, body: signed(ada.did) }),
);
await done(client.GET('/api/v1/contracts/{contractId}', ofContract));

const { events } = await done(client.GET('/api/v1/events', { params: { query: { issuer: ada.did, limit: 2 } } }));
await done(client.GET('/api/v1/events/{hash}', { params: { path: { hash: escrow.resourcePrev } } }));
await done(client.GET('/api/v1/identities/{did}', { params: { path: { did: ada.did } } }));
await done(client.GET('/api/v1/supply'));
const { balance } = await done(client.GET('/api/v1/wallets/{address}', { params: { path: { address: ben.did } } }));
const refused = await client.POST('/api/v1/transfers', {
  body: { ...signed(ada.did), to: ben.did, amount: 1_000_000 },
});

const facts = {
  ...{ remaining, balance, refusal: refused.error?.code, found: search.total, bids: bids.length },
  ...{ signatures: signatures.length, events: events.length, isWide: createdAt > 2 ** 32 },
};
process.stdout.write(`${JSON.stringify(facts)}\n`);
