/** The loop that answers and closes remote requests, with a node that is busy and news that come while it ends. */
import { expect } from 'chai';
import { refuse } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { RemoteTrading } from '../../../src/peers/trade/trade.js';
import type { TradeOptions } from '../../../src/peers/trade/trade-options.js';
import type { Snapshot } from '../../../src/store/store.js';
import { FakeWorld } from '../../world/fake-world.js';

const open = (id: string) => ({ id, lastHash: id, state: 'sent' }) as unknown as Snapshot;
const answered = { state: 'accepted', lastHash: 'an answer', context: {} } as unknown as Snapshot;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Trade with one home. @param found what is open @param load reads from the copy of the home's journal */
function tradeWith(found: () => readonly Snapshot[], load: (id: string) => Promise<Snapshot | undefined>) {
  const logged: string[] = [];
  const store = { find: async () => ({ items: found(), next: null }), load: (_: string, id: string) => load(id) };
  const home = { home: 'other', tag: 'o', store, asOf: () => ({ seq: 1, time: 1 }) };
  const busy = refuse('SERVICE_UNAVAILABLE', 'busy', { retryAfter: 1 });
  const options = {
    ...{ own: 'own', network: 'devnet', catalogue, world: new FakeWorld(), store },
    ...{ resource: async () => open('any'), write: async () => busy, homes: { all: () => [home] } },
    ...{ refusalOf: () => busy, log: (message: string) => logged.push(message) },
  } as unknown as TradeOptions;
  return { trade: new RemoteTrading(options), logged };
}

describe('The loop of trade', () => {
  it('tries again if one request can’t be closed while the next is still read', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', note);
    const { trade, logged } = tradeWith(
      () => [open('first'), open('second')],
      async (id) => {
        if (id === 'first') return answered;
        await turn();
        await turn();
        return undefined;
      },
    );
    trade.wake('other');
    for (let turns = 0; turns < 5; turns++) await turn();
    process.off('unhandledRejection', note);
    expect(rejections).to.deep.equal([]);
    expect(logged).to.have.length(1);
    await trade.close();
  });

  it('misses no news, at whatever moment of a run it comes', async () => {
    for (let moments = 0; moments < 60; moments++) {
      let reads = 0;
      const { trade } = tradeWith(
        () => {
          reads++;
          return [];
        },
        async () => undefined,
      );
      trade.wake('other');
      for (let left = moments; left > 0; left--) await undefined;
      const before = reads;
      trade.wake('other');
      await turn();
      expect(reads, `${moments} moments later`).to.be.above(before);
      await trade.close();
    }
  });
});
