/** The API keys of a DID (docs/reference/access.md#bound-keys), managed with such a key; and the admin log. */
import { expect } from 'chai';
import { expectInvalid, expectPage, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('The API keys of a DID', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;

  beforeEach(async () => {
    [ada, ben] = [await node().person(), await node().person()];
  });

  const rootOf = (who: Person): string => `/api/v1/identities/${who.did}/api-keys`;
  const make = async (who: Person, body: Body = {}): Promise<Body> =>
    expectStatus(await node().client.post(rootOf(who), { passphrase: who.passphrase, ...body }), 201);
  const holding = ({ key }: Body): Client => node().client.with({ 'X-Forwarded-For': '203.0.113.9' }).keyed(key);

  it('are listed and read with a key bound to it, without their secrets, and no other’s', async () => {
    const [first, second] = [await make(ada, { label: 'phone' }), await make(ada, { scope: 'write' })];
    await make(ben);
    const page = expectStatus(await holding(first).get(`${rootOf(ada)}?limit=1`));
    expectPage(page.pagination, { total: 2, limit: 1, hasMore: true });
    const { apiKeys, total } = expectStatus(await holding(first).get(rootOf(ada)));
    expect(total).to.equal(2);
    expect(apiKeys.map(({ id }: Body) => id)).to.have.members([first.id, second.id]);
    const { key, ...view } = first;
    expect(apiKeys.find(({ id }: Body) => id === first.id)).to.deep.include({ label: 'phone', did: ada.did });
    expect(JSON.stringify(apiKeys)).not.to.include(key.slice(12));
    const read = expectStatus(await holding(second).get(`${rootOf(ada)}/${first.id}`));
    expect({ ...read, lastUsedAt: null }).to.deep.equal({ ...view, lastUsedAt: null });
  });

  it('can be looked at where Location says', async () => {
    const reply = await node().client.post(rootOf(ada), { passphrase: ada.passphrase });
    const made = expectStatus(reply, 201);
    expect(expectStatus(await holding(made).get(reply.headers.location!)).id).to.equal(made.id);
  });

  it('are ended with such a key, which may be the one that is ended', async () => {
    const [phone, laptop] = [await make(ada), await make(ada)];
    const revoked = await holding(laptop).post(`${rootOf(ada)}/${phone.id}/revoke`);
    expect(expectStatus(revoked)).to.include({ id: phone.id, status: 'revoked' });
    expectProblem(await holding(phone).get(rootOf(ada)), 'UNAUTHORIZED');
    expectStatus(await holding(laptop).post(`${rootOf(ada)}/${laptop.id}/revoke`));
    expectProblem(await holding(laptop).get(rootOf(ada)), 'UNAUTHORIZED');
  });

  it('make room when they are ended: twenty may be active', async () => {
    const first = await make(ada);
    for (let i = 1; i < 20; i++) await make(ada);
    const another = () => node().client.post(rootOf(ada), { passphrase: ada.passphrase });
    expectProblem(await another(), 'CONFLICT');
    expectStatus(await holding(first).post(`${rootOf(ada)}/${first.id}/revoke`));
    expectStatus(await another(), 201);
  });

  it('a key that reads ends none that writes', async () => {
    const [reader, writer] = [await make(ada), await make(ada, { scope: 'write' })];
    expectProblem(await holding(reader).post(`${rootOf(ada)}/${writer.id}/revoke`), 'FORBIDDEN');
    expectStatus(await holding(writer).get(rootOf(ada)));
    expectStatus(await holding(writer).post(`${rootOf(ada)}/${reader.id}/revoke`));
  });

  it('can be seen and ended by their DID and operators only', async () => {
    const [own, others] = [await make(ada), await make(ben, { scope: 'write' })];
    const unbound = await node().keyed({ scope: 'write' });
    for (const client of [holding(others), unbound, node().client]) {
      expectProblem(await client.get(rootOf(ada)), 'FORBIDDEN');
      expectProblem(await client.get(`${rootOf(ada)}/${own.id}`), 'FORBIDDEN');
      expectProblem(await client.post(`${rootOf(ada)}/${own.id}/revoke`), 'FORBIDDEN');
    }
    // Her own path does not give access to another DID's key.
    expectProblem(await holding(own).get(`${rootOf(ada)}/${others.id}`), 'NOT_FOUND');
    expectProblem(await holding(own).post(`${rootOf(ada)}/${others.id}/revoke`), 'NOT_FOUND');
    expectStatus(await holding(others).get(rootOf(ben)));
    expectInvalid(await holding(own).get('/api/v1/identities/ada/api-keys'), 'did', 'DID_INVALID');
    const admin = await node().keyed({ scope: 'admin' });
    expect(expectStatus(await admin.get(rootOf(ada))).total).to.equal(1);
    expectProblem(await admin.post(`${rootOf(ada)}/${others.id}/revoke`), 'NOT_FOUND');
    expectStatus(await admin.post(`${rootOf(ada)}/${own.id}/revoke`));
  });
});

describe('The admin log', () => {
  const node = nodeForSuite();

  it('shows operators what operators did, newest first, and no one else', async () => {
    const { key, id: by } = await node().key({ scope: 'admin' });
    const admin = node().client.keyed(key);
    const ada = await node().person();
    const made = expectStatus(await admin.post('/api/v1/admin/api-keys', { scope: 'read' }), 201);
    const { eventHash } = expectStatus(await admin.post(`/api/v1/admin/accounts/${ada.did}/actions/freeze`));
    const { passphrase } = ada;
    expectStatus(await admin.post(`/api/v1/admin/identities/${ada.did}/actions/unlock`, { passphrase }));
    const { acts, total, pagination } = expectStatus(await admin.get('/api/v1/admin/log'));
    expect(acts.map(({ act }: Body) => act)).to.deep.equal(['identity.unlock', 'account.freeze', 'api-key.create']);
    expect(acts[1]).to.deep.include({ by, details: { id: ada.did, eventHash } });
    expect(acts[2].details).to.include({ id: made.id, scope: 'read' });
    expect(JSON.stringify(acts)).not.to.include(passphrase).and.not.include(made.key);
    expectPage(pagination, { total, hasMore: false });
    const next = expectStatus(await admin.get('/api/v1/admin/log?limit=1&offset=1'));
    expect(next.acts).to.deep.equal([acts[1]]);
    for (const client of [node().client, await node().keyed({ scope: 'write' })]) {
      expectProblem(await client.get('/api/v1/admin/log'), 'FORBIDDEN');
    }
  });
});
