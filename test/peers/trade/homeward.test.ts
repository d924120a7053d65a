/** What Tokens that go home cost a node whose peers have many DIDs that have moved. */
import { expect } from 'chai';
import { Homeward } from '../../../src/peers/trade/homeward.js';
import { FakeWorld } from '../../world/fake-world.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Tokens that go home', () => {
  it('are not looked for again and again when a home has more moved DIDs than are remembered', async () => {
    const world = new FakeWorld();
    const moved = Array.from({ length: 10_001 }, (_, index) => ({ id: `did:${index}` }));
    let looks = 0;
    const own = {
      find: async () => ({ items: [], next: null }),
      account: async () => undefined,
      accounts: async () => {
        looks++;
        return { items: [], next: null };
      },
    };
    const other = { home: 'other', store: { find: async () => ({ items: moved, next: null }) } };
    const homes = { all: () => [other] };
    const options = { own: 'own', store: own, world, homes, afterMs: 1_000, log: () => {} } as never;
    const homeward = new Homeward(options);
    homeward.start();
    for (let seconds = 0; seconds < 3; seconds++) {
      for (let turns = 0; turns < 20; turns++) await turn();
      await world.advance(1_000);
    }
    await homeward.close();
    expect(looks).to.equal(1);
  });
});
