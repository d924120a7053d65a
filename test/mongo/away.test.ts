/** A server that is away, and a driver that hangs. */
import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { Away } from '../../src/store/mongo/away.js';
import { StoreFault } from '../../src/store/store.js';
import { rejection } from '../contract/fixture.js';
import { FakeWorld } from '../world/fake-world.js';

function away(outageMs = 30_000) {
  const world = new FakeWorld();
  const said: string[] = [];
  let renewals = 0;
  const renew = () => {
    renewals++;
  };
  const made = new Away({ world, outageMs, log: (message) => said.push(message), renew });
  return { world, said, away: made, renewals: () => renewals };
}

const cut = () => Promise.reject(new MongoNetworkError('cut'));

describe('while the server does not answer', () => {
  it('a call that the driver never settles is made again, with another client', async () => {
    const { world, away: at, renewals } = away();
    let calls = 0;
    const insisting = at.insist(() => (++calls === 1 ? new Promise<string>(() => {}) : Promise.resolve('there')));
    await world.advance(11_000);
    expect(calls).to.equal(1);
    expect(await world.settle(insisting)).to.equal('there');
    expect([calls, renewals()]).to.deep.equal([2, 1]);
  });

  it('the client is replaced when it has been away for some seconds, and again only after some more', async () => {
    const { world, away: at, said, renewals } = away();
    let isCut = true;
    const insisting = at.insist(() => (isCut ? cut() : Promise.resolve(1)));
    await world.advance(4_900);
    expect(renewals()).to.equal(0);
    await world.advance(1_000);
    expect(renewals()).to.equal(1);
    await world.advance(10_100);
    expect(renewals()).to.equal(3);
    expect(at.forMs).to.be.above(15_000);
    isCut = false;
    await world.settle(insisting);
    expect(at.forMs).to.equal(undefined);
    expect(said).to.deep.equal(['the database is away', 'the database is back']);
  });

  it('whoever has promised a write gives up after the outage that is allowed; a read is refused at once', async () => {
    const { world, away: at } = away(2_000);
    expect(await world.settle(rejection(at.insist(cut)))).to.be.instanceOf(StoreFault);
    expect(await world.settle(rejection(at.read(cut)))).to.have.nested.property('refusal.code', 'SERVICE_UNAVAILABLE');
  });

  it('what is no matter of the network is nobody’s to repeat', async () => {
    const { world, away: at, renewals } = away();
    const wrong = new TypeError('wrong');
    expect(await world.settle(rejection(at.insist(() => Promise.reject(wrong))))).to.equal(wrong);
    expect(renewals()).to.equal(0);
  });
});
