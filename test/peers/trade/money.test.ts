/** Tokens between homes: transfers to residents of another one. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { addressOf } from '../../../src/core/codecs/address.js';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { catalogue as everyKind } from '../../../src/machines/catalogue.js';
import { infoOrder } from '../../../src/machines/info-order/resource.js';
import { askNode } from '../../../src/node/control/client.js';
import { tagOf } from '../../../src/peers/tag.js';
import { below } from '../../crash/support/random.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { onOrder, publishes } from '../../node/support/market.js';
import { nodePassphrase, type Variables } from '../../node/support/node.js';
import { Person } from '../../node/support/person.js';
import { isLong } from '../../support/long.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from '../nodes/network.js';

/** Orders with an optional signer, as contracts have: what they cost at another home is the node's own. */
const relaxed = {
  ...everyKind,
  definitions: { ...everyKind.definitions, 'info-order': { ...infoOrder, signerOptional: true as const } },
};

describe('Money between homes', function () {
  this.timeout(60_000);
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  /** One resident of each home. */
  let [ada, ben, cleo] = [] as unknown as [Person, Person, Person];

  before(async () => {
    const variables = { SVC_SETTLEMENT_WAIT_MS: '5000' };
    homes = await Promise.all([{}, { catalogue: relaxed }, {}].map((parts) => Home.start({ variables, parts })));
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

  /** Starts the home again, at the address that its peers know. */
  async function restarted(home: Home, variables: Variables): Promise<Home> {
    const address = (await home.address()).replace(/\/p2p.*/, '');
    await home.stop();
    return Home.start({ dir: home.node.dir, variables: { ...variables, SVC_LISTEN: address } });
  }

  const available = async (home: Home, did: string): Promise<number> =>
    (await home.get(`/wallets/${did}`)).availableBalance;

  /** Both ledgers add up, and all copies agree with their homes. */
  async function addsUp(): Promise<void> {
    await settled();
    for (const home of homes) {
      expect(await home.node.audit()).to.include({ ok: true });
      await until('all copies are current', () => home.peers(), {
        is: (peers) => peers.every(({ status }) => status === 'current'),
      });
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

  describe('The Tokens that a home holds at another one', () => {
    it('are not moved by a local caller who proves nothing', async () => {
      const { listingId } = await publishes(ada, { title: 'dew', pricing: { price: 3 } });
      await b.node.fund(b, 50);
      await b.sees(a);
      const owner = new Person(b.node.client, b.did, addressOf(b.did), nodePassphrase, b.node.dir);
      owner.nonce = (await owner.wallet()).nextNonce;
      const at = `~${tagOf(a.did, [])}`;
      /** Without the passphrase nothing is sent; with it, it is done. */
      const takesPassphrase = async (action: string, body: Body = {}): Promise<Body> => {
        const path = `/api/v1/markets/info/${listingId}${at}/actions/${action}`;
        const [before, { seq }] = [await balances(), await b.node.store.head()];
        const { detail } = expectProblem(await b.node.client.post(path, body), 'FORBIDDEN');
        expect(detail).to.include('this moves Tokens of the node’s own DID');
        expect(await balances()).to.deep.equal(before);
        expect((await b.node.store.head()).seq).to.equal(seq);
        return expectStatus(await owner.write(path, body), [200, 201]);
      };
      const order = await takesPassphrase('purchase');
      expectStatus(await onOrder(ada, order, 'deliver', { accessUrl: 'https://example.org/dew.csv' }));
      await b.sees(a);
      const { adaAtA } = await balances();
      await takesPassphrase('confirm', { orderId: `${order.orderId}${at}` });
      expect((await balances()).adaAtA).to.equal(adaAtA + 3);
      await addsUp();
    });

    it('are withdrawn by its operator only where there is a chain, and no more than its open requests leave', async () => {
      const before = await balances();
      const withdraw = (more: Body = {}) =>
        askNode(b.node.dir, 'peers.withdraw', { did: a.did, amount: 5, to: `0x${'22'.repeat(20)}`, ...more });
      for (const [more, code, says] of [
        [{ did: ada.did }, 'NOT_FOUND', 'is not a followed home'],
        [{ to: `0x${'aB'.repeat(20)}` }, 'INVALID_REQUEST', 'checksum'],
        [{ to: `0x${'0'.repeat(40)}` }, 'UNPROCESSABLE', 'zero address'],
        [{ amount: before.homeBAtA + 1 }, 'INSUFFICIENT_BALANCE', `${before.homeBAtA} Tokens available at ${a.did}`],
        [{ amount: before.homeBAtA, fee: 1 }, 'INSUFFICIENT_BALANCE', 'its open requests need 0'],
      ] as const) {
        const { seq } = await b.node.store.head();
        const refused = await withdraw(more);
        if (!isRefusal(refused)) return expect.fail(`withdrawn with ${JSON.stringify(more)}`);
        expect(refused.code, refused.detail).to.equal(code);
        expect(refused.detail).to.include(says);
        expect((await b.node.store.head()).seq, 'nothing was sent').to.equal(seq);
      }
      const sent = (await withdraw()) as Body;
      expect(sent).to.include({ state: 'refused', code: 'UNPROCESSABLE', detail: 'this node settles on no chain' });
      const request = await b.get(`/remote-requests/${sent.id}`);
      expect(request).to.include({ signer: b.did, to: a.did, money: 0, status: 'refused' });
      expect(request.subject).to.deep.equal({ kind: 'account', id: b.did, action: 'withdraw' });
      expect(await balances()).to.deep.equal(before);
      await addsUp();
    });

    it('are withdrawn once by a command that is repeated with its idempotency key', async () => {
      const withdraw = (more: Body = {}) =>
        b.operator('peers.withdraw', { did: a.did, amount: 5, to: `0x${'22'.repeat(20)}`, ...more });
      const sent = await withdraw({ idempotencyKey: 'may' });
      expect(sent.replayed).to.equal(false);
      const { seq } = await b.node.store.head();
      expect(await withdraw({ idempotencyKey: 'may' })).to.deep.equal({ ...sent, replayed: true });
      const { homeBAtA } = await balances();
      const other = await askNode(b.node.dir, 'peers.withdraw', {
        ...{ did: a.did, amount: homeBAtA + 1, to: `0x${'22'.repeat(20)}`, idempotencyKey: 'may' },
      });
      expect(other).to.include({ code: 'UNPROCESSABLE', detail: 'idempotencyKey was used for another withdrawal' });
      expect((await b.node.store.head()).seq, 'nothing was sent').to.equal(seq);
      const at = await Promise.all(['june', 'june', 'july'].map((idempotencyKey) => withdraw({ idempotencyKey })));
      expect(new Set(at.map(({ id }) => id))).to.have.property('size', 2);
      expect(at[0].id).to.equal(at[1].id);
      expect((await withdraw()).id).to.not.equal((await withdraw()).id);
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
      b = await restarted(b, { SVC_SETTLEMENT_WAIT_MS: '5000' });
      homes = [a, b, c];
      ben = ben.through(b.node.client);
      expect((await b.peer(a)).limits).to.deep.equal({ mostAtRisk: 77, answersPerSecond: 500 });
    });
  });

  describe('Tokens of a resident of another home', () => {
    const pays = (amount: number) => ada.pays(ben.did, amount, { home: 'own' });
    const goneHome = () =>
      until('nothing is left', () => available(a, ben.did), { is: (left) => left === 0, longestMs: 15_000 });

    before(async () => {
      await b.operator('peers.limit', { did: a.did, mostAtRisk: null });
      a = await restarted(a, { SVC_PEERS_HOMEWARD: '1' });
      homes = [a, b, c];
      ada = ada.through(a.node.client);
      ben = ben.through(b.node.client);
      await until('the peers are connected', () => a.peer(b), { is: ({ status }) => status === 'current' });
      await goneHome();
      await settled();
    });

    it('go home, through the accounts of both homes', async () => {
      const before = await balances();
      await pays(20);
      await goneHome();
      await until('they have arrived', balances, { is: ({ benAtB }) => benAtB === before.benAtB + 20 });
      const { remoteRequests } = await a.get(`/remote-requests?owner=${ben.did}`);
      const [newest] = remoteRequests;
      await until('it is closed', () => a.get(`/remote-requests/${newest.id}`), {
        is: ({ status }) => status === 'accepted',
      });
      expect(newest).to.include({ owner: ben.did, money: 20, to: b.did });
      expect(await balances()).to.deep.equal({
        ...before,
        adaAtA: before.adaAtA - 20,
        benAtB: before.benAtB + 20,
        homeBAtA: before.homeBAtA + 20,
        homeAAtB: before.homeAAtB - 20,
      });
      await addsUp();
    });

    it('wait until the account of their home has enough, and pay meanwhile for what their owner does', async () => {
      const { homeAAtB } = await balances();
      await pays(homeAAtB + 40);
      await pause(realEnvironment, 2_500);
      expect(await available(a, ben.did)).to.equal(homeAAtB + 40);
      await b.sees(a);
      const sent = await ben.pays(ada.did, 3);
      expect(await b.get(`/remote-requests/${sent.remoteRequestId}`)).to.include({ money: 0, status: 'accepted' });
      expectStatus(await b.node.client.post('/api/v1/faucet', { did: a.did }));
      await goneHome();
      await addsUp();
    });

    it('are not taken from a request that counts on them', async () => {
      for (let round = 0; round < (isLong ? 100 : 8); round++) {
        await pays(5);
        await b.sees(a);
        await pause(realEnvironment, below(400));
        // Some of them find the Tokens at the other home, some on their way, and some here.
        expect(await ben.pays(ada.did, 5)).to.include({ amount: 5 });
      }
      await goneHome();
      await addsUp();
    });
  });

  describe('A request that is given up', () => {
    const giveUp = (id: string) => askNode(b.node.dir, 'peers.give-up', { id, reason: 'its home is gone' });

    it('gives its Tokens back, while its home is away, and is not answered afterwards', async () => {
      expectStatus(await c.node.client.post('/api/v1/faucet', { did: b.did }));
      await b.sees(c);
      const before = await available(b, ben.did);
      const address = (await c.address()).replace(/\/p2p.*/, '');
      const refusedWhileConnected = await giveUp('rem-unknown');
      expect(isRefusal(refusedWhileConnected) && refusedWhileConnected.code).to.equal('NOT_FOUND');
      await c.stop();
      const sending = { ...ben.signed, to: cleo.did, amount: 6 };
      const send = () => ben.client.post('/api/v1/transfers', sending, { 'idempotency-key': 'given-up' });
      const pending = expectStatus(await send(), 202);
      ben.nonce++;
      expect(await available(b, ben.did)).to.equal(before - 6);
      await until('it is away', () => b.peer(c), { is: ({ status }) => status === 'unreachable' });
      expect(await giveUp(pending.remoteRequestId)).to.deep.equal({ id: pending.remoteRequestId, loss: 6 });
      expect(await available(b, ben.did)).to.equal(before);
      const { detail, committed } = expectProblem(await send(), 'CONFLICT');
      expect(detail).to.include('its Tokens are back');
      expect(committed).to.equal(true);
      const again = await giveUp(pending.remoteRequestId);
      expect(isRefusal(again) && again.code).to.equal('CONFLICT');
      c = await Home.start({ dir: c.node.dir, variables: { SVC_LISTEN: address } });
      homes = [a, b, c];
      await until('it is back', () => b.peer(c), { is: ({ status }) => status === 'current' });
      await addsUp();
      expect(await b.get(`/remote-requests/${pending.remoteRequestId}`)).to.include({ status: 'given-up', loss: 6 });
      const { total } = await b.get('/remote-requests?status=sent');
      expect(total).to.equal(0);
    });

    it('is not given up while its home is connected', async () => {
      await c.operator('peers.limit', { did: b.did, answersPerSecond: 1 });
      const sending = [1, 2, 3, 4].map((amount) =>
        ben.client.post('/api/v1/transfers', { ...ben.signed, to: cleo.did, amount, nonce: ben.nonce + amount - 1 }),
      );
      const open = await until('one is open', () => b.get('/remote-requests?status=sent'), {
        is: ({ total }) => total > 0,
      });
      const refused = await giveUp(open.remoteRequests[0].id);
      expect(isRefusal(refused) && refused.detail).to.include('is connected, and will answer');
      for (const reply of await Promise.all(sending)) expectStatus(reply, [200, 202]);
    });
  });
});
