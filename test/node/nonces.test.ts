/** Nonces over HTTP (docs/reference/accounts-and-nonces.md#nonces). */
import { expect } from 'chai';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Reply } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { onMongo } from './support/shared-store.js';

/** On a remote database the writes of one DID are sequential round trips, so fewer fit into the second that a nonce waits. */
const inASecond = onMongo ? 16 : 64;

describe('Nonces', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;

  beforeEach(async () => {
    [ada, ben] = [await node().rich(1_000), await node().person()];
    // The clock stands still, so an answer came either without waiting, or when its predecessor arrived.
    node().world.hold();
  });
  afterEach(() => node().world.skip(0));

  const pay = (nonce: number, more = {}): Promise<Reply> =>
    node().client.post('/api/v1/transfers', { ...ada.signed, to: ben.did, amount: 1, nonce, ...more });
  const shuffled = (from: number, count: number): number[] => {
    const nonces = Array.from({ length: count }, (_, i) => from + i);
    for (let i = count - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [nonces[i], nonces[j]] = [nonces[j]!, nonces[i]!];
    }
    return nonces;
  };

  it('start at 1 and grow by one, across all kinds of writes', async () => {
    expectProblem(await pay(2_000), 'CONFLICT', { nextNonce: 1 });
    expectStatus(await pay(1));
    ada.nonce = 2;
    const rules = { beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }], autoFund: true };
    const escrow = await ada.does('/api/v1/escrows', rules);
    await ada.does(`/api/v1/escrows/${escrow.escrowId}/actions/release`, { amount: 5 });
    const { docHash } = expectStatus(await node().client.get(`/api/v1/identities/${ada.did}`));
    const document = { document: { bio: 'x' }, prevDocHash: docHash };
    expect((await ada.does(`/api/v1/identities/${ada.did}/actions/update`, document)).nonce).to.equal(4);
    expect(await ada.wallet()).to.include({ nonce: 4, nextNonce: 5 });
    expect(await ben.wallet(), 'the receiver’s are its own').to.include({ nonce: 0, nextNonce: 1 });
  });

  it('of a refused request are not used up', async () => {
    expectProblem(await pay(1, { amount: 5_000 }), 'INSUFFICIENT_BALANCE');
    expectProblem(await pay(1, { to: ada.did }), 'UNPROCESSABLE');
    expectStatus(await pay(1));
  });

  it('used ones are refused at once, with the next', async () => {
    expectStatus(await pay(1));
    expectProblem(await pay(1), 'CONFLICT', { nextNonce: 2 });
  });

  it('64 requests with one nonce: one is accepted, 63 are CONFLICT with the next', async () => {
    const replies = await Promise.all(Array.from({ length: 64 }, (_, i) => pay(1, { memo: `try ${i}` })));
    expect(replies.filter(({ status }) => status < 300)).to.have.length(1);
    for (const reply of replies) if (reply.status >= 300) expectProblem(reply, 'CONFLICT', { nextNonce: 2 });
    expect((await ben.wallet()).balance).to.equal(1);
    expect(await ada.wallet()).to.include({ balance: 999, nextNonce: 2 });
  });

  it(`${inASecond} consecutive ones in flight, in any order: all are accepted, each once`, async () => {
    for (const from of [1, 1 + inASecond]) {
      const replies = await Promise.all(shuffled(from, inASecond).map((nonce) => pay(nonce)));
      for (const reply of replies) expectStatus(reply);
      const nonces = replies.map(({ body }) => body.nonce).sort((a, b) => a - b);
      expect(nonces).to.deep.equal(Array.from({ length: inASecond }, (_, i) => from + i));
    }
    expect(await ada.wallet()).to.include({ balance: 1_000 - 2 * inASecond, nextNonce: 1 + 2 * inASecond });
  });

  it(`one ahead waits for its predecessors, up to ${inASecond} of them`, async () => {
    const early = pay(1 + inASecond);
    const rest = Promise.all(shuffled(1, inASecond).map((nonce) => pay(nonce)));
    expectStatus(await early);
    for (const reply of await rest) expectStatus(reply);
  });

  it('one whose predecessor never comes is CONFLICT after about a second', async () => {
    node().world.skip(0);
    const begun = Date.now();
    expectProblem(await pay(3), 'CONFLICT', { nextNonce: 1 });
    expect(Date.now() - begun).to.be.within(800, 15_000);
    expectStatus(await pay(1));
  });

  it('one more than 64 ahead is refused at once', async () => {
    expectProblem(await pay(66), 'CONFLICT', { nextNonce: 1 });
  });

  it('a wait for a nonce delays no one else', async () => {
    const waiting = pay(2);
    const cyd = await node().rich(10);
    await cyd.pays(ada.did, 1);
    expectStatus(await pay(1));
    expectStatus(await waiting);
  });

  it('an action may be sent right behind the create of its resource', async () => {
    for (let i = 0; i < 10; i++) {
      const escrowId = `right-behind-${i}`;
      const rules = { beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }], autoFund: true, escrowId };
      const nonce = 1 + 2 * i;
      const [created, released] = await Promise.all([
        node().client.post('/api/v1/escrows', { ...ada.signed, ...rules, nonce }),
        node().client.post(`/api/v1/escrows/${escrowId}/actions/release`, {
          ...ada.signed,
          amount: 5,
          nonce: nonce + 1,
        }),
      ]);
      expectStatus(created, 201);
      expectStatus(released);
    }
  });

  it('continue after a restart', async () => {
    node().world.skip(0);
    expectStatus(await pay(1));
    await node().restart();
    expectProblem(await pay(1), 'CONFLICT', { nextNonce: 2 });
    expectStatus(await pay(2));
    await node().restart();
    expect(await ada.through(node().client).wallet()).to.include({ nonce: 2, nextNonce: 3 });
  });
});
