/** API keys that are bound to a DID (docs/reference/access.md#bound-keys). */
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { bareDid } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const day = 86_400_000;

describe('API keys bound to a DID', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let bound: Client;

  beforeEach(async () => {
    [ada, ben] = [await node().rich(100), await node().rich(100)];
    bound = await node().keyed({ scope: 'write', did: ada.did });
  });

  const own = (who: Person, body: Body = {}, client = node().client, did = who.did) =>
    client.post(`/api/v1/identities/${did}/api-keys`, { passphrase: who.passphrase, ...body });

  it('sign for their DID, and refuse another did: FORBIDDEN', async () => {
    expectStatus(await ada.through(bound).write('/api/v1/transfers', { to: ben.did, amount: 1 }));
    ada.nonce += 1;
    const before = await node().state();
    expectProblem(await ben.through(bound).write('/api/v1/transfers', { to: ada.did, amount: 1 }), 'FORBIDDEN');
    const rules = { beneficiary: ada.did, amount: 1, releaseRules: [{ type: 'manual' }] };
    expectProblem(await ben.through(bound).write('/api/v1/escrows', rules), 'FORBIDDEN');
    const credential = {
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: ben.did,
      credentialSubject: {},
    };
    const path = `/api/v1/identities/${ben.did}/capabilities`;
    expectProblem(await ben.through(bound).write(path, { credential }), 'FORBIDDEN');
    expectProblem(await ben.through(bound).write(path, { credential, passphrase: 'wrong wrong wrong' }), 'FORBIDDEN');
    expect(await node().state()).to.deep.equal(before);
    const spelled = { did: bareDid(ada.did), to: ben.did, amount: 1 };
    const again = ada.through(bound);
    expectStatus(await again.write('/api/v1/transfers', spelled));
  });

  it('still need the passphrase and the nonce where requests do', async () => {
    const body = { to: ben.did, amount: 1 };
    expectInvalid(
      await ada.through(bound).write('/api/v1/transfers', { ...body, passphrase: undefined }),
      'passphrase',
    );
    expectProblem(
      await ada.through(bound).write('/api/v1/transfers', { ...body, passphrase: 'a wrong passphrase' }),
      'TRANSFER_NOT_ALLOWED',
    );
  });

  it('are the reader of lists with a role', async () => {
    const rules = { beneficiary: ben.did, amount: 1, releaseRules: [{ type: 'manual' }] };
    const { escrowId } = await ada.does('/api/v1/escrows', rules);
    const mine = expectStatus(await bound.get('/api/v1/escrows?role=depositor'));
    expect(mine.escrows.map((each: Body) => each.escrowId)).to.deep.equal([escrowId]);
    expect(expectStatus(await bound.get('/api/v1/escrows?role=beneficiary')).escrows).to.deep.equal([]);
    const unbound = await node().keyed({ scope: 'read' });
    expectInvalid(await unbound.get('/api/v1/escrows?role=depositor'), 'did');
  });

  it('are created by anyone who can unlock the DID', async () => {
    const made = expectStatus(await own(ada, { label: 'mine' }), 201);
    expect(made).to.include({ did: ada.did, scope: 'read', label: 'mine', status: 'active' });
    expect(made.expiresAt).to.be.within(node().world.now() + 89 * day, node().world.now() + 91 * day);
    const reader = node().client.keyed(made.key);
    expectStatus(await reader.get('/api/v1/escrows?role=depositor'));
    expectProblem(await ada.through(reader).write('/api/v1/transfers', { to: ben.did, amount: 1 }), 'FORBIDDEN');
    const writes = expectStatus(await own(ada, { scope: 'write', expiresAt: node().world.now() + day }), 201);
    expectStatus(
      await ada.through(node().client.keyed(writes.key)).write('/api/v1/transfers', { to: ben.did, amount: 1 }),
    );
  });

  it('are not made with a wrong passphrase, for a stranger, or for too long', async () => {
    expectProblem(await own(ada, { passphrase: 'a wrong passphrase' }), 'TRANSFER_NOT_ALLOWED');
    expectProblem(await own(ada, {}, node().client, ben.did), 'TRANSFER_NOT_ALLOWED');
    expectInvalid(await own(ada, {}, node().client, 'ada'), 'did', 'DID_INVALID');
    expectInvalid(await own(ada, { scope: 'admin' }), 'scope');
    expectInvalid(await own(ada, { expiresAt: node().world.now() + 367 * day }), 'expiresAt');
    expectInvalid(await own(ada, { expiresAt: node().world.now() - 1 }), 'expiresAt');
    expectInvalid(await own(ada, { passphrase: undefined }), 'passphrase');
  });

  it('are never made wider than the key that asks for them', async () => {
    const read = await node().keyed({ scope: 'read' });
    expectProblem(await own(ada, { scope: 'write' }, read), 'FORBIDDEN');
    expectStatus(await own(ada, { scope: 'read' }, read), 201);
    expectProblem(await own(ben, {}, bound), 'FORBIDDEN');
    expectStatus(await own(ada, { scope: 'write' }, bound), 201);
  });

  it('an Idempotency-Key reveals nothing to a stranger: the passphrase is checked first', async () => {
    const headers = { 'Idempotency-Key': `key of ${ada.did}`.replaceAll(' ', '-') };
    const path = `/api/v1/identities/${ada.did}/api-keys`;
    const first = expectStatus(await node().client.post(path, { passphrase: ada.passphrase }, headers), 201);
    const again = await node().client.post(path, { passphrase: ada.passphrase }, headers);
    expect(expectStatus(again, 201)).to.deep.equal({ ...first, key: null });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    const stranger = await node().client.post(path, { passphrase: 'a wrong passphrase' }, headers);
    expectProblem(stranger, 'TRANSFER_NOT_ALLOWED');
  });
});
