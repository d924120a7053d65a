/** Identities and their documents (docs/reference/identities.md#identity-documents). */
import { expect } from 'chai';
import sinon from 'sinon';
import { referring } from '../../scripts/demo/proof.js';
import { RefusedError, refuse } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { expectInvalid, expectProblem, expectStatus, expectWritten } from './support/answers.js';
import type { Body } from './support/client.js';
import { addressWith, bareDid, hex, jcs, keyIn } from './support/independent.js';
import { nodeForSuite, TestNode } from './support/node.js';
import type { Person } from './support/person.js';

describe('Identities', () => {
  const node = nodeForSuite();
  const read = (did: string, query = '') => node().client.get(`/api/v1/identities/${did}${query}`);
  const identity = async (did: string, query = ''): Promise<Body> => expectStatus(await read(did, query));

  /** The fields that docHash covers: the DID document with the holder's own fields. */
  /** @param document with references in the place of its texts */
  const documentHash = ({ did, publicKey, address }: Body, document: object = {}): string =>
    hex(jcs({ did, publicKey, address, ...document }));

  async function update(who: Person, document: Body, more: Body = {}) {
    const { docHash } = await identity(who.did);
    return who.write(`/api/v1/identities/${who.did}/actions/update`, { document, prevDocHash: docHash, ...more });
  }

  it('POST /identities makes a key and answers 201 with its identity', async () => {
    const before = await node().state();
    const made = await node().client.post('/api/v1/identities', { passphrase: 'a good long passphrase' });
    const body = expectStatus(made, 201);
    expect(body).to.include.all.keys([
      ...['did', 'publicKey', 'address', 'controller', 'created', 'updated', 'docHash', 'resourcePrev'],
      ...['platformLinks', 'capabilities'],
    ]);
    expect(body.did).to.match(/^did:svc:z6Mk/);
    const key = keyIn(body.did);
    expect(body).to.include({ publicKey: key.toString('hex'), address: addressWith(key), resourcePrev: null });
    expect(body.controller).to.match(/^0x[0-9a-fA-F]{40}$/);
    expect(body.docHash).to.equal(documentHash(body));
    expect(made.headers.location).to.equal(`/api/v1/identities/${encodeURIComponent(body.did)}`);
    expect(made.text).not.to.include('good long');
    expect(expectStatus(await node().client.get(made.headers.location!))).to.deep.equal(body);
    expect(await node().state(), 'local: nothing in the journal').to.deep.equal(before);
  });

  it('refuses a passphrase of less than twelve characters, or none', async () => {
    for (const passphrase of ['elevenchars', '', 12, undefined]) {
      expectInvalid(await node().client.post('/api/v1/identities', { passphrase }), 'passphrase');
    }
  });

  it('GET /identities/self is the node itself', async () => {
    expect(await identity('self')).to.include({ did: node().did });
  });

  it('resolves a DID in either spelling; an unknown one is DID_NOT_FOUND, a malformed one DID_INVALID', async () => {
    const ada = await node().person();
    expect(await identity(bareDid(ada.did))).to.deep.equal(await identity(ada.did));
    expectProblem(await read('did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH'), 'DID_NOT_FOUND');
    for (const bad of ['did:svc:z6Mk', 'ada', ada.address, ada.did.replace('svc', 'key'), `${ada.did}%20`]) {
      expectInvalid(await read(bad), 'did', 'DID_INVALID');
    }
    // A key of small order: it decodes, but has no secret.
    expectProblem(await read(`did:svc:z${'1'.repeat(32)}`), 'DID_INVALID');
  });

  it('carries an ETag and honours If-None-Match', async () => {
    const ada = await node().person();
    const first = await read(ada.did);
    const tag = first.headers.etag!;
    const again = await node().client.get(`/api/v1/identities/${ada.did}`, { 'If-None-Match': tag });
    expect(again.status).to.equal(304);
    expect(again.text).to.equal('');
    expectStatus(await update(ada, { bio: 'x' }));
    const later = await node().client.get(`/api/v1/identities/${ada.did}`, { 'If-None-Match': tag });
    expect(later.status).to.equal(200);
    expect(later.headers.etag).to.not.equal(tag);
  });

  it('updates the document against prevDocHash, and the hash covers what was written', async () => {
    const ada = await node().person();
    const before = await identity(ada.did);
    const document = {
      displayName: 'Ada',
      bio: 'Counts.',
      avatar: 'https://example.org/ada.png',
      platformLinks: [{ platform: 'web', url: 'https://example.org/ada' }],
    };
    const reply = await update(ada, document);
    const body = expectStatus(reply);
    expectWritten(body, 1);
    expect(body).to.deep.include(document);
    const { payload, leaves } = expectStatus(await node().client.get(`/api/v1/events/${body.eventHash}`));
    const signed = referring(payload.input, leaves) as { document: object };
    expect(body.docHash).to.equal(documentHash(body, signed.document)).and.not.equal(before.docHash);
    expect(body.resourcePrev).to.equal(body.eventHash);
    const now = await identity(ada.did);
    expect(now).to.deep.include({ ...document, docHash: body.docHash, resourcePrev: body.resourcePrev });
    expect(now.updated).to.be.at.least(before.updated);
    const replaced = expectStatus(await update(ada, { displayName: 'A.' }));
    expect(replaced, 'the document is replaced, not merged').not.to.have.any.keys('bio', 'avatar');
    expect(replaced.platformLinks).to.deep.equal([]);
  });

  it('refuses an update that starts from another document: DID_UPDATE_CONFLICT, and nothing changes', async () => {
    const ada = await node().person();
    const { docHash } = await identity(ada.did);
    expectStatus(await update(ada, { bio: 'one' }));
    const before = await identity(ada.did);
    for (const prevDocHash of [docHash, '0'.repeat(64)]) {
      expectProblem(await update(ada, { bio: 'two' }, { prevDocHash }), 'DID_UPDATE_CONFLICT');
    }
    expect(await identity(ada.did)).to.deep.equal(before);
    expectProblem(await update(ada, { bio: 'two' }, { resourcePrev: 'f'.repeat(64) }), 'CONFLICT');
    expectStatus(await update(ada, { bio: 'two' }, { resourcePrev: before.resourcePrev }));
  });

  it('refuses what is no document', async () => {
    const ada = await node().person();
    const bad: [Body, string][] = [
      [{ displayName: 'x'.repeat(129) }, 'document.displayName'],
      [{ avatar: 'javascript:alert(1)' }, 'document.avatar'],
      [{ platformLinks: [{ platform: 'web' }] }, 'document.platformLinks.0.url'],
      [{ platformLinks: 'https://example.org' }, 'document.platformLinks'],
      ['Ada', 'document'],
    ];
    for (const [document, field] of bad) expectInvalid(await update(ada, document), field);
    expectInvalid(await update(ada, {}, { prevDocHash: undefined }), 'prevDocHash');
  });

  it('no one else can write it', async () => {
    const [ada, eve] = [await node().person(), await node().person()];
    const { docHash } = await identity(ada.did);
    const body = { document: { bio: 'pwned' }, prevDocHash: docHash };
    expectProblem(await eve.write(`/api/v1/identities/${ada.did}/actions/update`, body), 'FORBIDDEN');
    expect(await identity(ada.did)).not.to.have.property('bio');
  });

  it('is as old as its key, whatever is written about it later', async () => {
    const ada = await node().person();
    const { created, updated } = await identity(ada.did);
    expect(updated).to.equal(created);
    node().world.skip(60_000);
    const reply = expectStatus(await update(ada, { displayName: 'Ada' }));
    expect(reply.created).to.equal(created);
    expect(reply.updated).to.be.at.least(created + 60_000);
    expect(await identity(ada.did)).to.include({ created, updated: reply.updated });
    expect(await identity(ada.did, '?source=log')).to.include({ created, updated: reply.updated });
  });

  it('source=log and source=store agree, before and after events', async () => {
    const ada = await node().person();
    const agree = async () =>
      expect(await identity(ada.did, '?source=log')).to.deep.equal(await identity(ada.did, '?source=store'));
    await agree();
    expectStatus(await update(ada, { displayName: 'Ada' }));
    expectStatus(await update(ada, { displayName: 'Ada L.', bio: 'x' }));
    const credential = {
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: ada.did,
      credentialSubject: { capability: 'counting' },
    };
    expectStatus(await ada.write(`/api/v1/identities/${ada.did}/capabilities`, { credential }), 201);
    await agree();
    expect(await identity(ada.did)).to.deep.equal(await identity(ada.did, '?source=store'));
    await node().restart();
    await agree();
    expect((await identity(ada.did)).capabilities).to.have.length(1);
    expectInvalid(await read(ada.did, '?source=hearsay'), 'source');
  });
});

describe('An identity that is made while the database does not answer', () => {
  it('is reported nevertheless: its key is there', async () => {
    const store = new MemoryStore();
    const node = await TestNode.start({ store: async () => store });
    const away = new RefusedError(refuse('SERVICE_UNAVAILABLE', 'away', { retryAfter: 1 }));
    const load = sinon.stub(store, 'load').rejects(away);
    try {
      const made = await node.client.post('/api/v1/identities', { passphrase: 'a good long passphrase' });
      const { did, created } = expectStatus(made, 201);
      load.restore();
      const known = expectStatus(await node.client.get(`/api/v1/identities/${did}`));
      expect(known).to.deep.equal(made.body);
      expect(created).to.be.closeTo(node.world.now(), 60_000);
    } finally {
      await node.discard();
    }
  });
});
