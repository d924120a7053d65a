/** Tokens between homes over the peers' port (docs/reference/other-homes.md#tokens-between-homes). */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Client } from '../../../packages/client/src/client.js';
import { keys } from '../../../packages/client/src/index.js';
import { onwardBounds } from '../../../src/core/bounds.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from './network.js';

const api = '/api/v1';

describe('Whose key a node keeps, and who has no Tokens at another home', () => {
  let [a, b] = [] as unknown as [Home, Home];
  let ben: Person;

  before(async () => {
    [a, b] = [await Home.start(), await Home.start()];
    await acquaint([a, b]);
    ben = await b.node.rich(100);
    await a.node.fund(b, 50);
    await b.node.fund(b, 100);
  });
  after(() => discard([a, b]));

  const held = async (): Promise<readonly number[]> =>
    Promise.all([a, b].map(async (home) => (await home.get(`/wallets/${ben.did}`)).balance));
  const isHeld = (atA: number, atB: number) =>
    until(`${atA} and ${atB}`, held, { is: ([one, other]) => one === atA && other === atB });
  const onward = (home: Home, more: Body = {}): Body => ({
    to: b.did,
    onward: { home: home.did, to: ben.did },
    ...more,
  });
  /** Ben pays the node at the other home. */
  const there = async (amount: number) => {
    const { nextNonce: nonce } = await b.get(`/wallets/${ben.did}~${a.did}`);
    return b.node.client.post(`${api}/transfers`, { ...ben.signed, home: a.did, nonce, ...onward(b, { amount }) });
  };

  it('is paid at its own home for what it sends the node elsewhere with its own key', async () => {
    const key = await keys.fromSeed(randomBytes(32));
    await a.node.fund(key, 10);
    await b.operator('peers.limit', { did: a.did, tokens: 10 });
    const own = new Client({ url: a.node.url }).as({ key, home: a.did });
    await own.wallets.transfer({ to: b.did, amount: 10, onward: { home: b.did, to: key.did } });
    // What may have been there before the node began waits.
    b.node.world.skip(2 * onwardBounds.lifeMs);
    const look = async () => (await b.get(`/wallets/${key.did}`)).balance;
    await until('the node has looked there', look, { is: (balance) => balance === 10 });
  });

  it('is paid there by the node, and gets them back home', async () => {
    expectStatus(await ben.write(`${api}/transfers`, onward(a, { amount: 20 })));
    await isHeld(20, 80);
    // It counts what it has paid there once the other home has answered.
    await until('it takes them in', () => there(15), { is: ({ status }) => status === 200 });
    await isHeld(5, 95);
  });

  it('is told at once what the node would give back', async () => {
    const pay = (body: Body) => ben.write(`${api}/transfers`, body);
    expect(expectProblem(await pay(onward(a, { amount: 60 })), 'UNPROCESSABLE').detail).to.contain(
      `55 Tokens at ${a.did}`,
    );
    for (const home of [b, { did: ben.did } as Home]) {
      const refused = expectProblem(await pay(onward(home, { amount: 1 })), 'UNPROCESSABLE');
      expect(refused.detail).to.contain('does not follow');
    }
    await isHeld(5, 95);
    await a.node.fund(ben, 100);
    expect(expectProblem(await there(40), 'UNPROCESSABLE').detail).to.contain('takes in 5 Tokens');
    await b.operator('peers.limit', { did: a.did, tokens: 45 });
    expect((await b.peer(a)).limit).to.equal(45);
    expectStatus(await there(40));
    await isHeld(65, 135);
  });

  it('is shown to the operator in /readyz while it can be neither paid nor given back', async () => {
    const reasons = async () => expectStatus(await b.node.client.get('/readyz')).reasons.join();
    const gauge = async () => (await b.node.client.get('/metrics')).text.match(/^svc_ready (.)$/m)?.[1];
    expect([await reasons(), await gauge()]).to.deep.equal(['', '1']);
    // More than this node has at that home, which therefore refuses to give it back.
    const stuck = {
      ...{ home: a.did, event: 'cd'.repeat(32), seq: 1, amount: 1_000, from: ben.did },
      back: 'too late',
    };
    const record = { ...stuck, onward: { home: b.did, to: ben.did } };
    const key = `${a.did} ${record.event}`;
    await b.node.store.putLocal('onward', key, record, 0);
    b.node.world.skip(onwardBounds.longestMs);
    const says = 'a transfer of 1000 Tokens to this node can be neither paid onward nor given back now: see the log';
    await until('it is shown', reasons, { is: (shown) => shown.includes(says) });
    expect(await gauge()).to.equal('0');
    await a.node.fund(b, 1_000);
    b.node.world.skip(onwardBounds.longestMs);
    await until('it is given back', reasons, { is: (shown) => shown === '' });
  });

  it('is shown what it has at each home that knows it, and which home does not answer', async () => {
    const wallet = async () => (await b.get(`/wallets/${ben.did}/homes`)).homes as Body[];
    const [here, there] = await wallet();
    const shown = [here, there].map((each) => [each!.home, each!.balance, each!.availableBalance]);
    const [atA, atB] = await held();
    expect(shown).to.deep.equal([
      [b.did, atB, atB],
      [a.did, atA, atA],
    ]);
    const stranger = await a.node.person();
    expect(await b.get(`/wallets/${stranger.did}/homes`)).to.deep.include({ homes: [], total: 2 });
    await a.stop();
    const gone = (homes: Body[]) => homes[1]?.error !== undefined;
    const [, away] = await until('a is away', wallet, { is: gone });
    expect(away).to.have.keys('home', 'error');
    const record = { ...{ home: b.did, event: 'ab'.repeat(32), seq: 1, amount: 3 }, from: ben.did, ...onward(a) };
    await b.node.store.putLocal('onward', `${b.did} ${record.event}`, record, 0);
    expect((await wallet())[0]!.waiting).to.equal(3);
    await b.node.restart();
    expect((await b.peer(a)).limit, 'after a restart').to.equal(45);
  });
});
