/**
 * Capability credentials (docs/reference/identities.md#capability-credentials). The proofs are verified with the test's own
 * code.
 */
import { expect } from 'chai';
import { expectInvalid, expectPage, expectProblem, expectStatus, expectWritten } from './support/answers.js';
import type { Body } from './support/client.js';
import { bareDid, base58, fromBase58, keyIn, OwnKey, proofInput, verifies } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('Capability credentials', () => {
  const node = nodeForSuite();
  let ada: Person;

  beforeEach(async () => {
    ada = await node().person();
  });

  const credentialOf = (did: string, more: Body = {}): Body => ({
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential', 'CapabilityCredential'],
    issuer: did,
    credentialSubject: { id: did, capability: 'translation', languages: ['de', 'zh'], weight: 0.5 },
    ...more,
  });
  const register = (who: Person, credential: Body, more: Body = {}, did = who.did) =>
    who.write(`/api/v1/identities/${did}/capabilities`, { credential, ...more });
  const listed = async (did: string): Promise<Body[]> =>
    expectStatus(await node().client.get(`/api/v1/identities/${did}/capabilities`)).capabilities;

  const isProven = (credential: Body): boolean => {
    const { proof } = credential;
    return verifies(keyIn(ada.did), proofInput(credential, proof), fromBase58(proof.proofValue.slice(1)));
  };

  /** A Data Integrity proof as the holder's wallet would make it. */
  async function proven(who: Person, credential: Body, change: Body = {}): Promise<Body> {
    const proof = {
      type: 'DataIntegrityProof',
      cryptosuite: 'eddsa-jcs-2022',
      created: '2026-01-01T00:00:00Z',
      verificationMethod: `${who.did}#${who.did.slice(8)}`,
      proofPurpose: 'assertionMethod',
      '@context': credential['@context'],
      ...change,
    };
    const signature = (await who.key()).sign(proofInput(credential, proof));
    return { ...credential, proof: { ...proof, proofValue: `z${base58(signature)}` } };
  }

  it('adds a proof with the key of the signer where there is none', async () => {
    const credential = credentialOf(ada.did);
    const reply = await register(ada, credential);
    const body = expectStatus(reply, 201);
    expectWritten(body, 1);
    expect(reply.headers.location).to.equal(`/api/v1/identities/${encodeURIComponent(ada.did)}/capabilities`);
    const [stored] = await listed(ada.did);
    const { proof, ...unsecured } = stored!;
    expect(unsecured).to.deep.equal(credential);
    expect(proof).to.include({ type: 'DataIntegrityProof', cryptosuite: 'eddsa-jcs-2022' });
    expect(proof.verificationMethod).to.equal(`${ada.did}#${ada.did.slice('did:svc:'.length)}`);
    expect(isProven(stored!)).to.equal(true);
    expect(isProven({ ...stored!, credentialSubject: { capability: 'anything' } })).to.equal(false);
    expect(body.credential).to.deep.equal(stored);
  });

  it('stores one that comes with a proof exactly as it came', async () => {
    const credential = await proven(ada, credentialOf(ada.did, { validUntil: '2030-01-01T00:00:00Z' }));
    const body = expectStatus(await register(ada, credential), 201);
    expect(body.credential).to.deep.equal(credential);
    expect(await listed(ada.did)).to.deep.equal([credential]);
    const { event, payload } = expectStatus(await node().client.get(`/api/v1/events/${body.eventHash}`));
    expect(event.type).to.equal('capability.registered');
    expect(payload.input.credential).to.deep.equal(credential);
  });

  it('takes the issuer as an object, the DID in its bare spelling, and no subject id', async () => {
    for (const issuer of [{ id: ada.did, name: 'Ada' }, bareDid(ada.did)]) {
      expectStatus(await register(ada, credentialOf(ada.did, { issuer, credentialSubject: { a: 1 } })), 201);
    }
    expect(await listed(bareDid(ada.did))).to.have.length(2);
  });

  it('refuses a wrong type, issuer or subject as CAPABILITY_INVALID', async () => {
    const eve = await node().person();
    const bad: [Body, string][] = [
      [{ type: 'CapabilityCredential' }, 'type'],
      [{ type: ['CapabilityCredential'] }, 'type'],
      [{ type: ['VerifiableCredential'] }, 'type'],
      [{ type: ['VerifiableCredential', 'CapabilityCredential', 7] }, 'type'],
      [{ type: undefined }, 'type'],
      [{ issuer: eve.did }, 'issuer'],
      [{ issuer: undefined }, 'issuer'],
      [{ issuer: 'ada' }, 'issuer'],
      [{ issuer: { name: 'Ada' } }, 'issuer'],
      [{ credentialSubject: undefined }, 'credentialSubject'],
      [{ credentialSubject: [{ id: ada.did }] }, 'credentialSubject'],
      [{ credentialSubject: 'translation' }, 'credentialSubject'],
      [{ credentialSubject: { id: eve.did } }, 'credentialSubject.id'],
      [{ credentialSubject: { id: 7 } }, 'credentialSubject.id'],
    ];
    const before = await node().state();
    for (const [change, field] of bad) {
      const reply = await register(ada, credentialOf(ada.did, change));
      expectInvalid(reply, `credential.${field}`, 'CAPABILITY_INVALID');
    }
    for (const credential of ['x', [], null, 1]) expectInvalid(await register(ada, credential), 'credential');
    expect(await node().state()).to.deep.equal(before);
  });

  it('refuses a proof that is not one of this key over this credential', async () => {
    const eve = await node().person();
    const credential = credentialOf(ada.did);
    const good = await proven(ada, credential);
    const bad: Body[] = [
      { ...good, credentialSubject: { capability: 'everything' } },
      { ...good, proof: { ...good.proof, created: '2026-01-02T00:00:00Z' } },
      { ...good, proof: { ...good.proof, proofValue: good.proof.proofValue.slice(1) } },
      { ...good, proof: { ...good.proof, proofValue: `z${base58(OwnKey.fresh().sign('something'))}` } },
      { ...good, proof: [good.proof] },
      { ...good, proof: 'signed' },
      { ...good, proof: null },
      await proven(ada, credential, { cryptosuite: 'eddsa-rdfc-2022' }),
      await proven(ada, credential, { proofPurpose: 'authentication' }),
      await proven(ada, credential, { verificationMethod: `${eve.did}#${eve.did.slice(8)}` }),
      { ...(await proven(eve, credential, { verificationMethod: good.proof.verificationMethod })) },
      await proven(ada, credential, { verificationMethod: `${ada.did}#${eve.did.slice(8)}` }),
      await proven(ada, credential, { verificationMethod: ada.did }),
      await proven(ada, credential, { created: 'yesterday' }),
      await proven(ada, credential, { created: 1_700_000_000_000 }),
      await proven(ada, credential, { expires: '2020-01-01T00:00:00Z' }),
      await proven(ada, credential, { expires: 'never' }),
      await proven(ada, credential, { '@context': ['https://example.org/another'] }),
      await proven(ada, credentialOf(ada.did, { validUntil: '2020-01-01T00:00:00Z' })),
      credentialOf(ada.did, { validUntil: '2020-01-01T00:00:00Z' }),
      credentialOf(ada.did, { validUntil: 'soon' }),
      credentialOf(ada.did, { expirationDate: '2020-01-01T00:00:00Z' }),
      credentialOf(ada.did, { expirationDate: 'soon' }),
    ];
    for (const each of bad) expectProblem(await register(ada, each), 'CAPABILITY_INVALID');
    expect(await listed(ada.did)).to.deep.equal([]);
    expectStatus(await register(ada, good), 201);
  });

  it('shows one that has expired since as expired', async () => {
    const later = (ms: number) => new Date(node().world.now() + ms).toISOString();
    const hourMs = 3_600_000;
    for (const credential of [
      credentialOf(ada.did, { validUntil: later(hourMs) }),
      await proven(ada, credentialOf(ada.did), { expires: later(hourMs) }),
      credentialOf(ada.did, { expirationDate: later(hourMs) }),
      credentialOf(ada.did, { validUntil: later(9 * hourMs) }),
      credentialOf(ada.did),
    ]) {
      expectStatus(await register(ada, credential), 201);
    }
    const at = `/api/v1/identities/${ada.did}`;
    const expired = async () => {
      const { expired: listed } = expectStatus(await node().client.get(`${at}/capabilities`));
      expect(expectStatus(await node().client.get(at)).expired).to.deep.equal(listed);
      return listed;
    };
    expect(await expired()).to.deep.equal([false, false, false, false, false]);
    node().world.skip(hourMs);
    expect(await expired()).to.deep.equal([true, true, true, false, false]);
  });

  it('refuses to register for another DID', async () => {
    const eve = await node().person();
    expectProblem(await register(eve, credentialOf(ada.did), {}, ada.did), 'FORBIDDEN');
    expectProblem(
      await register(eve, credentialOf(ada.did), { passphrase: 'a wrong passphrase' }, ada.did),
      'TRANSFER_NOT_ALLOWED',
    );
    expectProblem(await register(eve, credentialOf(ada.did), { nonce: 7_000 }, ada.did), 'CONFLICT');
  });

  it('lists them as a page, in the order of registration', async () => {
    for (const capability of ['a', 'b', 'c']) {
      expectStatus(await register(ada, credentialOf(ada.did, { credentialSubject: { capability } })), 201);
    }
    const path = `/api/v1/identities/${ada.did}/capabilities`;
    const page = expectStatus(await node().client.get(`${path}?limit=2&offset=1`));
    expect(page.capabilities.map((each: Body) => each.credentialSubject.capability)).to.deep.equal(['b', 'c']);
    expectPage(page.pagination, { total: 3, limit: 2, offset: 1, hasMore: false });
    expectProblem(
      await node().client.get(
        '/api/v1/identities/did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH/capabilities',
      ),
      'DID_NOT_FOUND',
    );
    expectInvalid(await node().client.get('/api/v1/identities/ada/capabilities'), 'did', 'DID_INVALID');
  });
});
