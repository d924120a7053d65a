import { expect } from 'chai';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from './network.js';

describe('Three nodes of three operators', () => {
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  let payer: Person;

  before(async () => {
    homes = [await Home.start(), await Home.start(), await Home.start()];
    [a, b, c] = homes as [Home, Home, Home];
    await acquaint(homes);
    payer = await a.node.rich();
  });
  after(() => discard(homes));

  it('know each other', async () => {
    for (const home of homes) {
      await until('both peers are current', () => home.peers(), {
        is: (peers) =>
          peers.length === 2 && peers.every(({ status, direction }) => status === 'current' && direction === 'both'),
      });
      const { peerId, peers, synced } = await home.get('/node');
      expect(peerId).to.match(/^12D3KooW/);
      expect({ peers, synced }).to.deep.equal({ peers: 2, synced: true });
    }
    const { peers, total, pagination } = await a.get('/node/peers?limit=1');
    expect(peers).to.have.length(1);
    expect(total).to.equal(2);
    const { peers: rest } = await a.get(`/node/peers?limit=1&after=${pagination.after}`);
    expect([...peers, ...rest].map(({ did }) => did)).to.deep.equal([b.did, c.did].sort());
    await until('all are measured', () => a.peers(), {
      is: (all) => all.every(({ latencyMs, connectedAt, lagMs }) => ![latencyMs, connectedAt, lagMs].includes(null)),
    });
    for (const peer of [b, c])
      expect(await a.addressOf(peer)).to.match(/^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/12D3KooW/);
  });

  it('show nothing of each other but how far each is followed', async () => {
    await payer.pays(b.did, 1);
    for (const home of [b, c]) {
      await home.sees(a);
      expect((await home.get(`/wallets/${payer.did}`)).nonce).to.equal(0);
      const { events } = await home.get('/events?limit=100');
      expect(events.every((each: { home: string }) => each.home === home.did)).to.equal(true);
    }
  });

  it('continue without each other, and after their cursors afterwards', async () => {
    await b.stop();
    await payer.pays(a.did, 1);
    await until('the loss is noticed', () => a.peer(b), { is: ({ status }) => status === 'unreachable' });
    await c.sees(a);
    await payer.pays(a.did, 1);
    const { followed } = await c.peer(a);
    const back = await Home.start({
      dir: b.node.dir,
      variables: { SVC_LISTEN: (await a.addressOf(b)).replace(/\/p2p.*/, '') },
    });
    homes = [a, back, c];
    b = back;
    await b.sees(a);
    expect((await b.peer(a)).followed).to.be.at.least(followed);
    await until('all are connected', () => a.peers(), {
      is: (peers) => peers.every(({ direction }) => direction === 'both'),
    });
    for (const home of homes) expect((await home.node.audit()).ok).to.equal(true);
  });

  it('remember what a removed peer has shown, and begin anew with a forgotten one', async () => {
    await c.operator('peers.remove', { did: a.did });
    expect((await c.peers()).map(({ did }) => did)).to.deep.equal([b.did]);
    await c.operator('peers.add', { address: await b.addressOf(a) });
    await c.sees(a);
    await c.operator('peers.remove', { did: a.did });
    expect(await c.node.store.getLocal('peer-feeds', a.did))
      .to.have.nested.property('value.seq')
      .that.is.above(0);
    await c.operator('peers.forget', { did: a.did });
    expect(await c.node.store.getLocal('peer-feeds', a.did)).to.equal(undefined);
    expect(await c.operator('peers.list'))
      .to.have.property('peers')
      .with.length(1);
    await c.operator('peers.add', { address: await b.addressOf(a) });
    await c.sees(a);
  });
});
