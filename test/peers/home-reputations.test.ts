import { expect } from 'chai';
import { HomeReputations } from '../../src/peers/reading/home-reputations.js';
import { unseenAccount } from '../../src/store/store.js';
import { FakeWorld } from '../world/fake-world.js';
import { ada, didOf } from '../world/people.js';

const [own, old, next] = ['own', 'old', 'next'].map(didOf) as [string, string, string];

/** @param residence where Ada lives, as this journal says */
const storeOf = (nonce: number, residence?: string) =>
  ({
    account: async (did: string) => ({ ...unseenAccount(did), nonce }),
    load: async () => residence && { context: { home: residence, epoch: 1 }, lastHash: 'e', updatedAt: 1 },
  }) as never;

describe('The homes of a reputation', () => {
  it('count as the DID’s own: its new one, and one that it has left, whose operator could have made its records', async () => {
    const others = [
      { home: next, store: storeOf(0) },
      { home: old, store: storeOf(3, next) },
    ];
    const reputations = new HomeReputations({
      ...{ home: () => own, store: storeOf(0), world: new FakeWorld(), ownHomeWeight: 0.5 },
      foreign: { all: () => others as never },
    });
    const weighed = await reputations.weighed(ada);
    expect(weighed.map(({ home, lives, weight }) => [home, lives, weight])).to.deep.equal([
      [own, false, 1],
      [next, true, 0.5],
      [old, true, 0.5],
    ]);
  });
});
