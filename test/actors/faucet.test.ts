import { expect } from 'chai';
import { FaucetLedger, type FaucetQuotas } from '../../src/actors/faucet.js';
import { faucetQuotas } from '../../src/config.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { FakeWorld } from '../world/fake-world.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function faucet(more: Partial<FaucetQuotas> = {}) {
  const world = new FakeWorld();
  const store = new MemoryStore({ world });
  const quotas = { ...faucetQuotas, ...more };
  const ledger = new FaucetLedger(store, world, quotas);
  const claim = async (did: string, origin = 'here') => {
    const refusal = await world.settle(ledger.claim(did, origin));
    return refusal ? refusal.extras.retryAfter : 'given';
  };
  return { world, store, quotas, ledger, claim };
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

  it('an origin twenty times a day, whoever the recipients are', async () => {
    const { world, claim } = faucet();
    for (let i = 0; i < 20; i++) expect(await claim(`did ${i}`)).to.equal('given');
    expect(await claim('one more')).to.equal(dayMs / 1000);
    expect(await claim('one more', 'elsewhere')).to.equal('given');
    await world.advance(dayMs);
    expect(await claim('another')).to.equal('given');
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
    const { world, ledger, claim } = faucet();
    expect(await claim('ada')).to.equal('given');
    await world.settle(ledger.giveBack('ada', 'here'));
    expect(await claim('ada')).to.equal('given');
  });

  it('of claims at once only one is given', async () => {
    const { world, ledger } = faucet();
    const claims = Array.from({ length: 10 }, () => ledger.claim('ada', 'here'));
    const refused = (await world.settle(Promise.all(claims))).filter((refusal) => refusal !== undefined);
    expect(refused).to.have.length(9);
  });

  it('a restart forgets nothing', async () => {
    const { world, store, quotas, claim } = faucet();
    expect(await claim('ada')).to.equal('given');
    const again = new FaucetLedger(store.survivor(), world, quotas);
    expect(await world.settle(again.claim('ada', 'here'))).to.have.property('code', 'RATE_LIMITED');
  });
});
