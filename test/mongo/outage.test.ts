/** A server that is unreachable, and a driver that hangs. */
import { expect } from 'chai';
import { MongoNetworkError, MongoTopologyClosedError } from 'mongodb';
import sinon from 'sinon';
import { Outage } from '../../src/store/mongo/outage.js';
import { StoreClosed } from '../../src/store/store.js';
import { rejection } from '../contract/fixture.js';
import { FakeWorld } from '../world/fake-world.js';

function outage() {
  const world = new FakeWorld();
  const said: string[] = [];
  const renew = sinon.spy();
  const made = new Outage({ world, log: (message) => said.push(message), renew });
  return { world, said, outage: made, renew };
}

const cut = () => Promise.reject(new MongoNetworkError('cut'));

describe('while the server does not answer', () => {
  it('a call that the driver never settles is made again, with another client', async () => {
    const { world, outage: at, renew } = outage();
    const call = sinon.stub().resolves('there');
    call.onFirstCall().returns(new Promise(() => {}));
    const insisting = at.retry(call);
    await world.advance(11_000);
    sinon.assert.calledOnce(call);
    expect(await world.settle(insisting)).to.equal('there');
    sinon.assert.calledTwice(call);
    sinon.assert.calledOnce(renew);
  });

  it('the client is replaced every five seconds, in case it does not notice that the server is back', async () => {
    const { world, outage: at, said, renew } = outage();
    let isCut = true;
    const insisting = at.retry(() => (isCut ? cut() : Promise.resolve(1)));
    await world.advance(4_900);
    sinon.assert.notCalled(renew);
    await world.advance(3_595_600);
    expect(renew.callCount).to.be.within(600, 720);
    expect(at.forMs).to.be.above(3_600_000);
    isCut = false;
    await world.settle(insisting);
    expect(at.forMs).to.equal(undefined);
    expect([said, at.returns]).to.deep.equal([['the database is away', 'the database is back'], 1]);
  });

  it('a client that has closed itself is replaced at once, and not by each of those who find it closed', async () => {
    const { world, outage: at, renew } = outage();
    let isClosed = true;
    const closed = () => (isClosed ? Promise.reject(new MongoTopologyClosedError('closed')) : Promise.resolve(1));
    const insisting = Promise.all([at.retry(closed), at.retry(closed), at.retry(closed)]);
    await world.advance(900);
    sinon.assert.calledOnce(renew);
    await world.advance(1_200);
    sinon.assert.calledTwice(renew);
    isClosed = false;
    await world.settle(insisting);
  });

  it('a write is tried until the store is closed, also one that the driver never settles; a read is refused', async () => {
    const { world, outage: at } = outage();
    const waiting = [at.retry(cut), at.retry(() => new Promise(() => {}))].map(rejection);
    await world.advance(3_600_000);
    at.end();
    for (const refused of waiting) expect(await world.settle(refused)).to.be.instanceOf(StoreClosed);
    expect(await world.settle(rejection(at.read(cut)))).to.have.nested.property('refusal.code', 'SERVICE_UNAVAILABLE');
  });

  it('a network that swallows what is sent counts as an outage before the driver notices', async () => {
    const { world, outage: at } = outage();
    void at.retry(() => new Promise(() => {}));
    await world.advance(3_900);
    expect(at.forMs).to.equal(undefined);
    expect(at.silentForMs).to.equal(3_900);
    await world.advance(200);
    expect(at.forMs).to.be.above(4_000);
    await world.settle(at.retry(() => Promise.resolve(1)));
    expect(at.forMs, 'others are answered').to.equal(undefined);
  });

  it('errors that are not of the network are not repeated', async () => {
    const { world, outage: at, renew } = outage();
    const wrong = new TypeError('wrong');
    expect(await world.settle(rejection(at.retry(() => Promise.reject(wrong))))).to.equal(wrong);
    sinon.assert.notCalled(renew);
  });
});
