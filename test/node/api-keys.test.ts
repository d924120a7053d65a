/** What an API key permits, and until when (docs/reference/access.md#api-keys). */
import { expect } from 'chai';
import { expectInvalid, expectPage, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const root = '/api/v1/admin/api-keys';

describe('API keys', () => {
  const node = nodeForSuite();
  let admin: Client;
  let ada: Person;

  before(async () => {
    admin = await node().keyed({ scope: 'admin' });
    ada = await node().rich(1_000);
  });

  const make = async (body: Body): Promise<Body> => expectStatus(await admin.post(root, body), 201);
  const client = (made: Body): Client => node().client.keyed(made.key);
  const pays = (through: Client, more: Body = {}) => {
    const payer = ada.through(through);
    return payer.write('/api/v1/transfers', { to: node().did, amount: 1, ...more }).then((reply) => {
      ada.nonce = payer.nonce;
      return reply;
    });
  };

  it('are made by an admin, shown once, and never again', async () => {
    const reply = await admin.post(root, { label: 'monitoring', scope: 'read' });
    const made = expectStatus(reply, 201);
    expect(made.key).to.match(/^svck_[1-9A-HJ-NP-Za-km-z]{40,}$/);
    const { key, ...view } = made;
    expect(view).to.have.all.keys([
      ...['id', 'label', 'scope', 'prefix', 'status', 'createdAt', 'expiresAt', 'expiresSoon', 'lastUsedAt', 'limits'],
    ]);
    expect(view).to.include({ label: 'monitoring', scope: 'read', status: 'active', prefix: key.slice(0, 10) });
    expect(reply.headers.location).to.equal(`${root}/${made.id}`);
    const shown = await admin.get(reply.headers.location!);
    expect(expectStatus(shown)).to.deep.equal(view);
    expect((await admin.get(`${root}?limit=100`)).text)
      .not.to.include(key)
      .and.not.include(key.slice(12));
  });

  it('are listed without those that expire soon, or these alone', async () => {
    const soon = await make({ scope: 'read', expiresAt: node().world.now() + 60_000 });
    const idsOf = async (query: string): Promise<readonly string[]> =>
      expectStatus(await admin.get(`${root}?limit=100${query}`)).apiKeys.map(({ id }: Body) => id);
    expect(await idsOf('&expiresSoon=true')).to.deep.equal([soon.id]);
    const others = await idsOf('&expiresSoon=false');
    expect(others).not.to.include(soon.id);
    expect(await idsOf('')).to.have.members([soon.id, ...others]);
  });

  it('go into X-Api-Key or Authorization: Bearer; two different ones are none', async () => {
    const [one, two] = [await make({ scope: 'read' }), await make({ scope: 'read' })];
    const { client: plain } = node();
    const path = '/api/v1/events?limit=1';
    expectStatus(await plain.get(path, { 'X-Api-Key': one.key }));
    expectStatus(await plain.get(path, { Authorization: `Bearer ${one.key}` }));
    expectStatus(await plain.get(path, { Authorization: `bearer ${one.key}`, 'X-Api-Key': one.key }));
    expectProblem(await plain.get(path, { Authorization: `Bearer ${one.key}`, 'X-Api-Key': two.key }), 'UNAUTHORIZED');
    for (const bad of ['', 'svck_x', `${one.key}x`, one.key.slice(0, -1), one.id]) {
      const refused = await plain.get('/api/v1/node', { 'X-Api-Key': bad });
      expectProblem(refused, 'UNAUTHORIZED');
      expect(refused.headers['www-authenticate']).to.match(/^Bearer/);
    }
    expectProblem(await plain.get('/api/v1/node', { Authorization: `Basic ${one.key}` }), 'UNAUTHORIZED');
  });

  it('reach as far as their scope: admin over write over read', async () => {
    const [read, write] = [client(await make({ scope: 'read' })), client(await make({ scope: 'write' }))];
    for (const each of [read, write, admin]) expectStatus(await each.get(`/api/v1/wallets/${ada.did}`));
    const before = await node().state();
    expectProblem(await pays(read), 'FORBIDDEN');
    expectProblem(await read.post('/api/v1/escrows', {}), 'FORBIDDEN');
    expect(await node().state()).to.deep.equal(before);
    for (const each of [write, admin]) expectStatus(await pays(each));
    for (const each of [read, write, node().client]) {
      expectProblem(await each.get(root), 'FORBIDDEN');
      expectProblem(await each.post(root, { scope: 'read' }), 'FORBIDDEN');
      expectProblem(await each.post(`/api/v1/admin/accounts/${ada.did}/actions/freeze`), 'FORBIDDEN');
    }
  });

  it('are refused from the moment they are revoked, removed or expired', async () => {
    const revoked = await make({ scope: 'read' });
    expectStatus(await client(revoked).get('/api/v1/events'));
    expect(expectStatus(await admin.post(`${root}/${revoked.id}/revoke`))).to.include({ status: 'revoked' });
    expectProblem(await client(revoked).get('/api/v1/events'), 'UNAUTHORIZED');
    expect(expectStatus(await admin.get(`${root}/${revoked.id}`)).status).to.equal('revoked');

    const removed = await make({ scope: 'read' });
    expectStatus(await client(removed).get('/api/v1/events'));
    const gone = await admin.delete(`${root}/${removed.id}`);
    expect([gone.status, gone.text]).to.deep.equal([204, '']);
    expectProblem(await client(removed).get('/api/v1/events'), 'UNAUTHORIZED');
    expectProblem(await admin.get(`${root}/${removed.id}`), 'NOT_FOUND');
    expectProblem(await admin.delete(`${root}/${removed.id}`), 'NOT_FOUND');
    expectProblem(await admin.post(`${root}/${removed.id}/revoke`), 'NOT_FOUND');

    const expiring = await make({ scope: 'read', expiresAt: node().world.now() + 60_000 });
    expectStatus(await client(expiring).get('/api/v1/events'));
    node().world.skip(60_001);
    expectProblem(await client(expiring).get('/api/v1/events'), 'UNAUTHORIZED');
    expect(expectStatus(await admin.get(`${root}/${expiring.id}`)).status).to.equal('expired');
    // A wrong key is refused also where no key is needed.
    expectProblem(await client(expiring).get('/api/v1/node'), 'UNAUTHORIZED');
  });

  it('survive a restart', async () => {
    const made = await make({ scope: 'read' });
    await node().restart();
    expectStatus(await node().client.keyed(made.key).get('/api/v1/events'));
    admin = await node().keyed({ scope: 'admin' });
    ada = ada.through(node().client);
  });

  it('are listed as a page, newest first', async () => {
    const made = [await make({ scope: 'read', label: 'a' }), await make({ scope: 'read', label: 'b' })];
    const page = expectStatus(await admin.get(`${root}?limit=2`));
    expect(page.apiKeys.map((each: Body) => each.id)).to.have.members(made.map(({ id }) => id));
    expectPage(page.pagination, { total: page.total, limit: 2, hasMore: true });
    const ids = new Set<string>();
    for (let offset = 0; offset < page.total; offset += 3) {
      const { apiKeys } = expectStatus(await admin.get(`${root}?limit=3&offset=${offset}`));
      for (const { id } of apiKeys) ids.add(id);
    }
    expect(ids.size).to.equal(page.total);
  });

  it('cannot be made with what is no scope, DID, time or limit', async () => {
    const refused = async (body: Body, field: string, code = 'INVALID_REQUEST' as const) =>
      expectInvalid(await admin.post(root, body), field, code);
    await refused({}, 'scope');
    await refused({ scope: 'root' }, 'scope');
    await refused({ scope: 'read', did: 'ada' }, 'did', 'DID_INVALID' as never);
    await refused({ scope: 'read', expiresAt: node().world.now() - 1 }, 'expiresAt');
    await refused({ scope: 'read', label: 'x'.repeat(101) }, 'label');
    await refused({ scope: 'read', limits: { reads: 0 } }, 'limits.reads');
  });

  it('are limited on their own quota, and say so', async () => {
    const made = client(await make({ scope: 'read', limits: { reads: 2 } })).with({ 'X-Forwarded-For': '203.0.113.9' });
    for (let left = 1; left >= 0; left--) {
      const { headers } = await made.get('/api/v1/events?limit=1');
      expect(headers.ratelimit).to.match(new RegExp(`r=${left};`));
      expect(headers['ratelimit-policy']).to.match(/q=2;w=60/);
    }
    expectProblem(await made.get('/api/v1/events?limit=1'), 'RATE_LIMITED');
  });
});
