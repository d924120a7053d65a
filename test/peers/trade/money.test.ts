/** Tokens between homes: transfers to residents of another one. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { tagOf } from '../../../src/peers/tag.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from '../nodes/network.js';

describe('Money between homes', function () {
  this.timeout(60_000);
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  /** One resident of each home. */
  let [ada, ben, cleo] = [] as unknown as [Person, Person, Person];

  before(async () => {
    homes = await Promise.all([0, 1, 2].map(() => Home.start({ variables: { SVC_SETTLEMENT_WAIT_MS: '5000' } })));
    [a, b, c] = homes as [Home, Home, Home];
    await acquaint(homes);
    [ada, ben, cleo] = (await Promise.all(homes.map(({ node }) => node.rich()))) as [Person, Person, Person];
    for (const [at, did] of [
      [a, b.did],
      [b, a.did],
    ] as const)
      expectStatus(await at.node.client.post('/api/v1/faucet', { did }));
    // An event of each makes it known as a resident.
    for (const [who, at] of [
      [ada, a],
      [ben, b],
      [cleo, c],
    ] as const)
      await who.pays(at.did, 1);
    await settled();
  });
  after(() => discard(homes));

  async function settled(): Promise<void> {
    for (const home of homes) for (const other of homes) if (other !== home) await home.sees(other);
  }

  const available = async (home: Home, did: string): Promise<number> =>
    (await home.get(`/wallets/${did}`)).availableBalance;

  /** Both ledgers add up, and all copies agree with their homes. */
  async function addsUp(): Promise<void> {
    await settled();
    for (const home of homes) {
      expect(await home.node.audit()).to.include({ ok: true });
      for (const { status } of await home.peers()) expect(status).to.equal('current');
    }
  }

  const balances = async () => ({
    adaAtA: await available(a, ada.did),
    benAtA: await available(a, ben.did),
    benAtB: await available(b, ben.did),
    homeBAtA: await available(a, b.did),
    homeAAtB: await available(b, a.did),
  });

  describe('A transfer', () => {
    it('pays a resident of another home there, through the accounts of both homes', async () => {
      const before = await balances();
      const sent = await ben.pays(ada.did, 7, { memo: 'for the rain' });
      expect(sent).to.include({ from: ben.did, to: ada.did, amount: 7, memo: 'for the rain', home: a.did });
      expect(sent).to.include({ nonce: ben.nonce - 1, status: 'confirmed' });
      const request = await b.get(`/remote-requests/${sent.remoteRequestId}`);
      expect(request).to.include({ status: 'accepted', money: 7, to: a.did, signer: ben.did });
      expect(request.subject).to.deep.equal({ kind: 'account', id: ben.did, action: 'transfer' });
      expect(await balances()).to.deep.equal({
        ...before,
        adaAtA: before.adaAtA + 7,
        benAtB: before.benAtB - 7,
        homeBAtA: before.homeBAtA - 7,
        homeAAtB: before.homeAAtB + 7,
      });
      const { transactions } = await a.get(`/wallets/${ada.did}/transactions?limit=1`);
      expect(transactions[0]).to.include({ from: ben.did, to: ada.did, amount: 7 });
      await addsUp();
    });

    it('is sent once for one Idempotency-Key', async () => {
      const before = await balances();
      const body = { to: ada.did, amount: 2, nonce: ben.nonce };
      const replies = [];
      for (let times = 0; times < 2; times++) {
        replies.push(await ben.write('/api/v1/transfers', body, { 'Idempotency-Key': 'a-transfer' }));
      }
      const [first, again] = replies.map((reply) => expectStatus(reply)) as [Body, Body];
      expect(again.eventHash).to.equal(first.eventHash);
      expect((await balances()).adaAtA).to.equal(before.adaAtA + 2);
    });

    it('stays here for residents, for other homes, for DIDs that none knows, and where the sender says so', async () => {
      const stranger = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';
      for (const [to, more] of [
        [a.did, {}],
        [stranger, {}],
        [b.did, {}],
        [cleo.did, { home: 'own' }],
      ] as const) {
        const sent = await ben.pays(to, 1, more);
        expect(sent).to.not.have.property('remoteRequestId');
        expect(sent).to.include({ to, amount: 1 });
      }
      expect(await available(b, cleo.did)).to.equal(1);
    });

    it('is refused before it is sent, at no cost', async () => {
      const before = await balances();
      const short = expectProblem(
        await ben.write('/api/v1/transfers', { to: ada.did, amount: 500 }),
        'INSUFFICIENT_BALANCE',
      );
      expect(short.detail).to.include(`the account of this home (${b.did}) at ${a.did}`);
      expectProblem(await ben.write('/api/v1/transfers', { to: ben.did, amount: 1, home: a.did }), 'INVALID_REQUEST');
      expectProblem(
        await ben.write('/api/v1/transfers', { to: ada.did, amount: 1, home: 'nowhere-at-all' }),
        'INVALID_REQUEST',
      );
      expect(await balances()).to.deep.equal(before);
    });

    it('names the homes if several have the recipient, and pays at the one that is named', async () => {
      // A key at two homes is a DID with two accounts.
      const twin = await a.node.rich();
      const file = join('keystore', `${twin.address}.json`);
      await copyFile(join(a.node.dir, file), join(c.node.dir, file));
      const atC = twin.through(c.node.client);
      expectStatus(await c.node.client.post('/api/v1/faucet', { did: twin.did }));
      await twin.pays(a.did, 1);
      atC.nonce = 1;
      await atC.pays(c.did, 1);
      await settled();
      const problem = expectProblem(await ben.write('/api/v1/transfers', { to: twin.did, amount: 3 }), 'CONFLICT');
      for (const { did } of [a, c]) expect(problem.detail).to.include(tagOf(did, []));
      const before = await available(a, twin.did);
      expect(await ben.pays(twin.did, 3, { home: tagOf(a.did, []) })).to.include({ home: a.did });
      expect(await available(a, twin.did)).to.equal(before + 3);
      await until('no request is open', () => b.get('/remote-requests?status=sent'), {
        is: ({ total }) => total === 0,
      });
      await addsUp();
    });
  });

  describe('The limits of a home', () => {
    const pays = (amount: number) => ben.write('/api/v1/transfers', { to: ada.did, amount });
    const accountOf = async (home: Home, did: string): Promise<Body> => {
      const { accounts } = await home.get('/node/peers/accounts');
      return accounts.find((each: Body) => each.did === did);
    };

    it('are shown with what both hold at each other, and with their statements', async () => {
      const [atA, atB] = [await accountOf(a, b.did), await accountOf(b, a.did)];
      const { homeBAtA, homeAAtB } = await balances();
      expect(atB).to.include({ held: homeBAtA, owed: homeAAtB, sent: 0, received: 0, atRisk: homeBAtA });
      expect(atA).to.include({ held: homeAAtB, owed: homeBAtA, mostAtRisk: null, answersPerSecond: 500 });
      for (const path of [atB.statements.there, atB.statements.here]) {
        expect(expectStatus(await b.node.client.get(path)).transactions).to.have.length.above(0);
      }
      expect((await b.peer(a)).limits).to.deep.equal({ mostAtRisk: null, answersPerSecond: 500 });
    });

    it('refuse a request that would put more Tokens at risk, before it is sent', async () => {
      const { atRisk } = await accountOf(b, a.did);
      await b.operator('peers.limit', { did: a.did, mostAtRisk: atRisk + 2 });
      const before = await balances();
      const refused = expectProblem(await pays(3), 'INSUFFICIENT_BALANCE');
      expect(refused.detail).to.include(`would exceed the ${atRisk + 2} that its operator allows`);
      expect(await balances()).to.deep.equal(before);
      expectStatus(await pays(2));
      await b.operator('peers.limit', { did: a.did, mostAtRisk: null });
    });

    it('let requests wait that come faster than they may be answered', async () => {
      const [perSecond, count] = [4, 18];
      await a.operator('peers.limit', { did: b.did, answersPerSecond: perSecond });
      const from = (await a.node.store.head()).seq;
      const nonce = ben.nonce;
      const body = (index: number) => ({ to: ada.did, amount: 1, nonce: nonce + index });
      const sent = await Promise.all(
        Array.from({ length: count }, (_, index) => ben.write('/api/v1/transfers', body(index))),
      );
      for (const reply of sent) expectStatus(reply);
      const entries = await a.node.store.entries({ after: from, limit: 100, type: 'remote.answered' });
      const times = entries.map(({ core }) => core.time);
      expect(times).to.have.length(count);
      for (const [index, time] of times.entries()) {
        expect(index + 1, `answers after ${time - times[0]!} ms`).to.be.at.most(
          2 * perSecond + (perSecond * (time - times[0]!)) / 1_000 + 1,
        );
      }
      await a.operator('peers.limit', { did: b.did, answersPerSecond: 500 });
      await addsUp();
    });

    it('are those of peers, and stay after a restart', async () => {
      await b.operator('peers.limit', { did: a.did, mostAtRisk: 77 });
      await b.stop();
      b = await Home.start({ dir: b.node.dir, variables: { SVC_SETTLEMENT_WAIT_MS: '5000' } });
      homes = [a, b, c];
      expect((await b.peer(a)).limits).to.deep.equal({ mostAtRisk: 77, answersPerSecond: 500 });
    });
  });
});
