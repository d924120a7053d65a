/** Agents that keep their keys (docs/signing.md): the node sees what they sign, and no secret of theirs. */
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { type HeldKey, keys } from '../../packages/client/src/signing/key.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { OwnKey } from '../node/support/independent.js';
import { signedBy } from '../node/support/key-holder.js';
import { nodeForSuite } from '../node/support/node.js';

describe('Who keeps their key', () => {
  const node = nodeForSuite();
  let [client, ada, ben]: Client[] = [];
  let key: HeldKey;

  beforeEach(async () => {
    client = new Client({ url: node().url });
    key = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
    ada = client.as({ key });
    ben = client.as({ key: await keys.generate() });
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
