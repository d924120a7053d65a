/** Agents that keep their keys (docs/signing.md): the node sees what they sign, and no secret of theirs. */
import { createDecipheriv } from 'node:crypto';
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { type HeldKey, keys } from '../../packages/client/src/signing/key.js';
import { unwrapped } from '../../packages/client/src/signing/sealing.js';
import { sha256Hex } from '../../src/core/canonical.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { OwnKey } from '../node/support/independent.js';
import { signedBy } from '../node/support/independent-signing.js';
import { nodeForSuite } from '../node/support/node.js';

describe('Who keeps their key', () => {
  const node = nodeForSuite();
  let [client, ada, ben]: Client[] = [];
  let key: HeldKey;
  let bensKey: HeldKey;

  beforeEach(async () => {
    client = new Client({ url: node().url });
    key = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
    ada = client.as({ key });
    bensKey = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
    ben = client.as({ key: bensKey });
    const rich = await node().rich(1_000);
    await rich.pays(key.did, 500);
    await rich.pays(ben.did!, 100);
  });

  it('pays, and the journal has what they signed', async () => {
    const paid = await ada!.wallets.transfer({ to: ben!.did!, amount: 5, memo: 'thanks' });
    expect(paid).to.include({ from: key.did, amount: 5 });
    const wallet = await client!.wallets.get(key.did);
    expect(wallet).to.include({ available: 495, nextNonce: 2 });
    expect((await node().audit()).entries).to.be.above(2);
  });

  it('is told apart from those whose key the node keeps', async () => {
    const isKept = async (did: string) => (await client!.identities.get(did)).keptHere;
    const custodial = await node().person();
    const { events } = await client!.events.list({ type: 'faucet.claimed', limit: 1 });
    expect(await isKept(key.did)).to.equal(false);
    for (const did of [custodial.did, events[0]!.event.issuer, (await client!.node.status()).did])
      expect(await isKept(did), did).to.equal(true);
  });

  it('build each write after the first, and leave nothing behind where it is refused', async () => {
    const posted: string[] = [];
    const kept: unknown[] = [];
    const counting: typeof fetch = (url, init) => {
      if (init?.method === 'POST') posted.push(String(url).slice(`${node().url}/api/v1`.length));
      return fetch(url, init);
    };
    const outbox = {
      put: async (write: unknown) => void kept.push(write),
      drop: async (write: unknown) => void kept.splice(kept.indexOf(write), 1),
    };
    const own = new Client({ url: node().url, fetch: counting as never, signer: { key, outbox } });
    const to = ben!.did!;
    await own.wallets.transfer({ to, amount: 1, memo: 'first' });
    await own.wallets.transfer({ to, amount: 1, memo: 'second' });
    const escrow = { beneficiary: to, amount: 5, releaseRules: [{ type: 'manual' }] } as const;
    const { escrowId } = (await own.escrows.create({ ...escrow, autoFund: true } as never)) as Body;
    expect(escrowId).to.match(/^esc-/);
    expect(posted).to.deep.equal(['/transfers', '/events', '/events', '/events']);
    const bens = ((await ben!.escrows.create({ ...escrow, beneficiary: key.did } as never)) as Body).escrowId;
    const refusals = [
      () => own.wallets.transfer({ to, amount: 1_000_000 }),
      () => own.escrows.fund(bens, {} as never),
      () => own.escrows.release('esc-none', {} as never),
      () => own.wallets.transfer({ to, amount: 1, no: 'such member' } as never), // only its own route knows that
    ];
    for (const refusal of refusals) {
      const error = await refusal().catch((each) => each);
      expect(error.problem?.detail, String(error)).to.not.match(/prepare it|payload/);
      expect(kept, String(error)).to.deep.equal([]);
    }
    await own.escrows.release(escrowId, { amount: 5 } as never);
    expect((await node().audit()).flaw?.what).to.equal(undefined);
  });

  it('need nothing from a node to be paid, and nothing but a free act to be known', async () => {
    const newcomer = client!.as({ key: await keys.generate() });
    const did = newcomer.did!;
    const unknown = await newcomer.identities.get(did).catch((each) => each);
    expect(unknown).to.include({ refusal: 'DID_NOT_FOUND' });
    const type = ['VerifiableCredential', 'CapabilityCredential'];
    const credential = { type, issuer: did, credentialSubject: { capability: 'rain' } };
    await newcomer.identities.registerCapability(did, credential as never, { most: 0 });
    expect((await client!.identities.get(did)).capabilities).to.have.lengthOf(1);
    expect(await client!.wallets.get(did)).to.include({ balance: 0, nonce: 1 });
    const { did: paid } = await keys.generate();
    await ada!.wallets.transfer({ to: paid, amount: 5 }, { most: 5 });
    expect(await client!.wallets.get(paid)).to.include({ available: 5, nonce: 0 });
    expect(await client!.identities.get(paid)).to.include({ did: paid });
  });

  it('may use their key in two programs, which say so if one is never first', async () => {
    let isMeeting = false;
    let looks = 0;
    const meeting: typeof fetch = async (url, init) => {
      const isSubmitted = init?.method === 'POST' && String(url).endsWith('/events');
      if (isMeeting && isSubmitted) await ada!.wallets.transfer({ to: ben!.did!, amount: 1 });
      // As long as an event is not on disk, it is not shown.
      if (/events\/[0-9a-f]{64}$/.test(String(url)) && looks++ === 0)
        return fetch(`${url.toString().slice(0, -1)}-`, init);
      return fetch(url, init);
    };
    await ada!.wallets.transfer({ to: ben!.did!, amount: 1 });
    const other = new Client({ url: node().url, fetch: meeting as never, signer: { key } });
    await other.wallets.transfer({ to: ben!.did!, amount: 1 });
    expect(looks).to.equal(2);
    isMeeting = true;
    const error = await other.wallets.transfer({ to: ben!.did!, amount: 1 }).catch((each) => each);
    expect(error).to.include({ status: 409, refusal: 'CONFLICT' });
    expect(error.message).to.match(/^nonce 9 is used; the next is 10: another program signs with this key/);
  });

  it('sells content that only its buyer can open, and has credentials and reviews', async () => {
    const data = 'Rain fell every day.';
    const { example } = infoListing.create;
    const content = { format: 'text/plain', data };
    const made = await ada!.markets.info.create({ ...example, content } as never);
    const { listingId, contentKeyHex } = made as Body;
    const { orderId } = await ben!.infoOrders.create({ listingId } as never, { most: 100 });
    await ada!.infoOrders.deliver(orderId, { listingId, contentKeyHex, deliveryData: { note: 'enjoy' } } as never);
    const buyers = new Client({ url: node().url, key: (await node().key({ did: ben!.did! })).key });
    const [record, sold] = [await buyers.information.delivery(orderId), await buyers.information.content(listingId)];
    const opened = await unwrapped(record.keyEnvelope!, bensKey.agreement!);
    expect(Buffer.from(opened).toString('hex')).to.equal(contentKeyHex);
    const decipher = createDecipheriv('aes-256-gcm', opened, Buffer.from(sold.nonceHex!, 'hex'));
    decipher.setAuthTag(Buffer.from(sold.tagHex!, 'hex'));
    expect(decipher.update(sold.ciphertextHex!, 'hex', 'utf8') + decipher.final('utf8')).to.equal(data);
    await ben!.infoOrders.confirm(orderId, { listingId } as never);
    const score = { dimension: 'quality', score: 900, ref: orderId, comment: 'as told' } as const;
    await ben!.reputations.review({ target: key.did, ...score });
    const credential = {
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: key.did,
      credentialSubject: { capability: 'rain' },
    };
    await ada!.identities.registerCapability(key.did, credential as never);
    const { docHash } = await client!.identities.get(key.did);
    await ada!.identities.update(key.did, { document: { displayName: 'Ada' }, prevDocHash: docHash } as never);
    expect((await node().audit()).flaw?.what).to.equal(undefined);
  });

  it('may write times and evidence as any caller may', async () => {
    const at = node().world.now() + 86_400_000;
    const [expiresAt, after] = [at, at - 1_000].map((time) => new Date(time).toISOString());
    const releaseRules = [{ type: 'time', after }];
    const made = await ada!.escrows.create({ beneficiary: ben!.did!, amount: 5, releaseRules, expiresAt } as never);
    const escrow: Body = await client!.escrows.get((made as Body).escrowId);
    expect([escrow.expiresAt, escrow.releaseRules[0].after]).to.deep.equal([at, at - 1_000]);
    const { example } = infoListing.create;
    const { listingId } = (await ada!.markets.info.create({
      ...example,
      content: { format: 'text/plain' },
    } as never)) as Body;
    const { orderId } = await ben!.infoOrders.create({ listingId } as never, { most: 100 });
    const piece = { uri: 'https://ada.example/rain' };
    const evidence = ['It did not rain.', piece];
    const disputed = await ben!.infoOrders.dispute(orderId, { reason: 'quality', evidence } as never);
    const shown = (await ben!.disputes.get((disputed as Body).disputeId)) as Body;
    const hashes = ['It did not rain.', '{"uri":"https://ada.example/rain"}'].map((text) => sha256Hex(text));
    expect(shown.evidence.map(({ hash }: Body) => hash)).to.deep.equal(hashes);
  });

  describe('and submits an event', () => {
    let own: OwnKey;
    let prepared: Body;
    beforeEach(async () => {
      own = OwnKey.fresh();
      await (await node().rich(100)).pays(own.did, 50);
      const body = { did: own.did, prepare: true, to: key.did, amount: 5, memo: 'thanks', most: 5 };
      ({ prepared } = expectStatus(await node().client.post('/api/v1/transfers', body)));
    });
    const submit = (body: Body) => node().client.post('/api/v1/events', body);
    const unchanged = async (refused: Promise<Reply>, code: string) => {
      const before = await node().state();
      expectProblem(await refused, code as never);
      expect(await node().state()).to.deep.equal(before);
    };

    it('gets the reply of its action, and the same reply for the same event', async () => {
      const signed = signedBy(own, prepared);
      const [first, second] = await Promise.all([submit(signed), submit(signed)]);
      expect([first!.status, second!.status]).to.deep.equal([200, 200]);
      expect(first!.body).to.include({ from: own.did, amount: 5, eventHash: signed.event.hash });
      expect(second!.body).to.deep.equal(first!.body);
      const again = await submit(signed);
      expect(again.headers['idempotent-replayed']).to.equal('true');
      expect(again.body).to.deep.equal(first!.body);
      expect((await node().client.get(`/api/v1/wallets/${own.did}`)).body).to.include({ available: 45, nextNonce: 2 });
    });

    it('is told the next nonce at once, and takes no place among writes that wait for earlier ones', async () => {
      node().world.hold();
      const asked = { did: own.did, prepare: true, to: key.did, amount: 5, nonce: 3 };
      const { nextNonce } = expectProblem(await node().client.post('/api/v1/transfers', asked), 'CONFLICT');
      expect(nextNonce).to.equal(1);
    });

    it('is refused with another payload, leaf, home, kind or signature, and nothing changes', async () => {
      const signed = signedBy(own, prepared);
      const { payload } = signed;
      const other = (change: Body) => submit({ ...signed, payload: { ...payload, ...change } });
      await unchanged(other({ input: { ...payload.input, amount: 4 } }), 'INVALID_REQUEST');
      await unchanged(other({ input: { ...payload.input, memo: 'no' } }), 'INVALID_REQUEST');
      await unchanged(submit({ ...signed, leaves: {} }), 'INVALID_REQUEST');
      await unchanged(other({ kind: 'none' }), 'NOT_FOUND');
      await unchanged(other({ action: 'mint', input: { amount: 5 } }), 'UNPROCESSABLE');
      await unchanged(submit(signedBy(OwnKey.fresh(), prepared)), 'TRANSFER_NOT_ALLOWED');
      await unchanged(submit({ ...signed, event: { ...signed.event, issuer: 'did:svc:zNo' } }), 'DID_INVALID');
      const elsewhere = { ...prepared, event: { ...prepared.event, home: own.did } };
      await unchanged(submit(signedBy(own, elsewhere)), 'UNPROCESSABLE');
    });

    it('is refused after its time, above what it may cost, and after another of its nonce', async () => {
      const dear = { ...prepared, event: { ...prepared.event, most: 4 } };
      await unchanged(submit(signedBy(own, dear)), 'CONFLICT');
      const late = { ...prepared, event: { ...prepared.event, until: prepared.event.ts } };
      node().world.outrun(5);
      await unchanged(submit(signedBy(own, late)), 'CONFLICT');
      expectStatus(await submit(signedBy(own, prepared)));
      const second = { ...prepared, event: { ...prepared.event, until: prepared.event.until - 1 } };
      await unchanged(submit(signedBy(own, second)), 'CONFLICT');
    });
  });
});
