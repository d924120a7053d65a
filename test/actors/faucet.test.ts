import { expect } from 'chai';
import { FaucetLedger, type FaucetQuotas } from '../../src/actors/faucet.js';
import { dayMs, faucetQuotas } from '../../src/core/bounds.js';
import { isRefusal } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { FakeWorld } from '../world/fake-world.js';

const hourMs = 3_600_000;

function faucet(more: Partial<FaucetQuotas> = {}) {
  const world = new FakeWorld();
  const store = new MemoryStore({ world });
  const quotas = { ...faucetQuotas, ...more };
  const ledger = new FaucetLedger(store, world, quotas);
  let requests = 0;
  /** A new request each time, unless `by` names one. */
  const ask = (did: string, origin = 'here', by = `request ${++requests}`) =>
    world.settle(ledger.claim({ did, origin, by }));
  const claim = async (...asked: Parameters<typeof ask>) => {
    const outcome = await ask(...asked);
    return isRefusal(outcome) ? outcome.extras.retryAfter : 'given';
  };
  return { world, store, quotas, ledger, ask, claim };
}

describe('the faucet’s quotas', () => {
  it('a recipient has its share once in 24 hours', async () => {
    const { world, claim } = faucet();
    expect(await claim('ada')).to.equal('given');
    expect(await claim('ada')).to.equal(dayMs / 1000);
    await world.advance(dayMs - 1);
    expect(await claim('ada'), 'seconds to wait, rounded up').to.equal(1);
    await world.advance(1);
    expect(await claim('ada')).to.equal('given');
    expect(await claim('ben')).to.equal('given');
  });

  it('a DID four times in 30 days', async () => {
    const { world, claim } = faucet();
    for (let i = 0; i < 4; i++) {
      expect(await claim('ada'), `claim ${i}`).to.equal('given');
      await world.advance(dayMs);
    }
    expect(await claim('ada')).to.equal((26 * dayMs) / 1000);
    await world.advance(26 * dayMs);
    expect(await claim('ada')).to.equal('given');
  });

  it('an origin twenty times a day, for any recipients', async () => {
    const { world, claim } = faucet();
    for (let i = 0; i < 20; i++) expect(await claim(`did ${i}`)).to.equal('given');
    expect(await claim('one more')).to.equal(dayMs / 1000);
    expect(await claim('one more', 'elsewhere')).to.equal('given');
    await world.advance(dayMs);
    expect(await claim('another')).to.equal('given');
  });

  it('and keeps no address in which nothing counts any more', async () => {
    const { world, store, claim } = faucet();
    const counters = async () => (await world.settle(store.listLocal('faucet'))).map(({ id }) => id).sort();
    await claim('ada', 'here');
    await world.advance(dayMs / 2);
    await claim('ben', 'there');
    await world.advance(dayMs / 2);
    await claim('cyd', 'there');
    expect(await counters()).to.deep.equal(['did ada', 'did ben', 'did cyd', 'network', 'origin there']);
    await world.advance(30 * dayMs);
    await claim('dan', 'elsewhere');
    expect(await counters()).to.deep.equal(['did dan', 'network', 'origin elsewhere']);
  });

  it('the network so many Tokens a day', async () => {
    const { world, claim } = faucet({ networkDailyTokens: 350 });
    for (let i = 0; i < 3; i++) expect(await claim(`did ${i}`, `origin ${i}`)).to.equal('given');
    expect(await claim('late', 'far away')).to.equal(dayMs / 1000);
    await world.advance(dayMs);
    expect(await claim('late', 'far away')).to.equal('given');
  });

  it('a refused claim counts nowhere', async () => {
    const { claim } = faucet({ perOriginDaily: 2 });
    expect(await claim('ada')).to.equal('given');
    for (let i = 0; i < 5; i++) expect(await claim('ada')).to.be.a('number');
    expect(await claim('ben'), 'the origin has one left').to.equal('given');
    expect(await claim('cyd')).to.be.a('number');
    expect(await claim('cyd', 'elsewhere'), 'and Cyd was not counted').to.equal('given');
  });

  it('a claim that came to nothing is given back', async () => {
    const { world, ask, claim } = faucet();
    const giveBack = await ask('ada');
    if (isRefusal(giveBack)) expect.fail(giveBack.detail);
    await world.settle(giveBack());
    expect(await claim('ada')).to.equal('given');
  });

  it('gives back its own count, not another’s', async () => {
    const { world, ask, claim } = faucet({ perOriginDaily: 2 });
    const first = await ask('ada');
    await world.advance(hourMs);
    expect(await claim('ben')).to.equal('given');
    if (isRefusal(first)) expect.fail(first.detail);
    await world.settle(first());
    expect(await claim('cyd'), 'one of the two was given back').to.equal('given');
    expect(await claim('dan'), 'Ben’s counts for 24 hours, not Ada’s for 23').to.equal(dayMs / 1000);
  });

  it('one request that is sent again counts once, and gives nothing back that it did not count', async () => {
    const { world, ask, claim } = faucet({ perOriginDaily: 2 });
    expect(await claim('ada', 'here', 'one request')).to.equal('given');
    const again = await ask('ada', 'here', 'one request');
    if (isRefusal(again)) expect.fail(again.detail);
    await world.settle(again());
    expect(await claim('ada', 'elsewhere'), 'Ada is counted still').to.be.a('number');
    expect(await claim('ben')).to.equal('given');
    expect(await claim('cyd'), 'and so is where she asked from').to.be.a('number');
  });

  it('a name that comes back on another day counts again', async () => {
    const { world, claim } = faucet();
    for (let i = 0; i < 4; i++) {
      expect(await claim('ada', 'here', 'every day')).to.equal('given');
      await world.advance(dayMs);
    }
    expect(await claim('ada', 'here', 'every day')).to.be.a('number');
  });

  it('of claims at once only one is given', async () => {
    const { world, ledger } = faucet();
    const claims = Array.from({ length: 10 }, (_, i) =>
      ledger.claim({ did: 'ada', origin: 'here', by: `request ${i}` }),
    );
    expect((await world.settle(Promise.all(claims))).filter(isRefusal)).to.have.length(9);
  });

  it('a restart forgets nothing', async () => {
    const { world, store, quotas, claim } = faucet();
    expect(await claim('ada')).to.equal('given');
    const again = new FaucetLedger(store.survivor(), world, quotas);
    expect(await world.settle(again.claim({ did: 'ada', origin: 'here', by: 'another' }))).to.have.property(
      'code',
      'RATE_LIMITED',
    );
  });
});
