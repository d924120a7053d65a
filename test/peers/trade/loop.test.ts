/** The loop that answers and closes remote requests, with a node that is busy and news that come while it ends. */
import { expect } from 'chai';
import { refuse } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { RemoteTrading } from '../../../src/peers/trade/trade.js';
import type { TradeOptions } from '../../../src/peers/trade/trade-options.js';
import type { NumberedEntry } from '../../../src/store/entry.js';
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

/** The entry with which a request was sent to this home, or to another one. */
const sent = (id: string, home = 'own') => {
  const core = { event: { hash: `hash of ${id}`, issuer: 'ada' }, versions: [{ kind: 'remote-request', id }] };
  const input = { home, kind: 'unknown', action: 'create' };
  const payload = { kind: 'remote-request', id, action: 'create', input };
  return { seq: Number(id), core, payload, coreText: '', payloadText: '{"salt":""}' } as unknown as NumberedEntry;
};

/**
 * Trade with a home whose open requests are those of the entries that were adopted.
 * @param write the outcome of each answer; undefined: it is written
 */
function tradeByNews(write: () => Promise<unknown>) {
  const counts = { lists: 0 };
  const answers: string[] = [];
  const adopted = new Map<string, NumberedEntry>();
  const done = new Set<string>();
  const find = async () => {
    counts.lists++;
    return { items: [...adopted.keys()].map((id) => ({ ...open(id), lastHash: `hash of ${id}` })), next: null };
  };
  const own = { find: async () => ({ items: [], next: null }), entryByEvent: async () => undefined };
  const copy = {
    find,
    load: async (_: string, id: string) => (adopted.has(id) ? open(id) : undefined),
    entryByEvent: async (hash: string) => [...adopted.values()].find(({ core }) => core.event.hash === hash),
  };
  const home = { home: 'other', tag: 'o', store: copy, asOf: () => ({ seq: 1, time: 1 }) };
  const world = new FakeWorld();
  const options = {
    ...{ own: 'own', network: 'devnet', catalogue, world, store: own, homes: { all: () => [home] } },
    resource: async (_: string, id: string) => (done.has(id) ? answered : undefined),
    write: async ({ id }: { id: string }) => {
      const outcome = await write();
      if (outcome !== undefined) return outcome;
      answers.push(id);
      done.add(id);
      return {};
    },
    ...{ refusalOf: () => undefined, log: () => {} },
  } as unknown as TradeOptions;
  const trade = new RemoteTrading(options);
  const adopt = (...entries: NumberedEntry[]) => {
    for (const entry of entries) adopted.set(entry.payload!.id, entry);
    trade.adopted('other', entries);
  };
  return { trade, adopt, adopted, answers, counts, world };
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

  it('answers the requests in the news, and lists what is open only at the start', async () => {
    const { trade, adopt, answers, counts } = tradeByNews(async () => undefined);
    trade.start();
    await turn();
    const { lists } = counts;
    adopt(sent('1'), sent('2', 'a third home'), sent('3'));
    await turn();
    adopt(sent('4'));
    await turn();
    expect(answers).to.deep.equal(['hash of 1', 'hash of 3', 'hash of 4']);
    expect(counts.lists).to.equal(lists);
    await trade.close();
  });

  it('does not answer a request that was given up before its news are read', async () => {
    const { trade, adopt, adopted, answers } = tradeByNews(async () => undefined);
    trade.start();
    await turn();
    adopt(sent('1'));
    adopted.delete('1');
    await turn();
    expect(answers).to.deep.equal([]);
    await trade.close();
  });

  it('finds all that is open, in its order, after a failure and after more news than it keeps', async () => {
    let isBusy = true;
    const busy = refuse('SERVICE_UNAVAILABLE', 'busy', { retryAfter: 1 });
    const { trade, adopt, answers, world } = tradeByNews(async () => (isBusy ? busy : undefined));
    trade.start();
    await turn();
    adopt(sent('1'));
    await turn();
    isBusy = false;
    adopt(sent('2'));
    await turn();
    expect(answers).to.deep.equal(['hash of 1', 'hash of 2']);
    isBusy = true;
    adopt(sent('3'));
    await turn();
    isBusy = false;
    await world.advance(10_000);
    await turn();
    expect(answers).to.deep.equal(['hash of 1', 'hash of 2', 'hash of 3']);
    adopt(...Array.from({ length: 1_500 }, (_, index) => sent(String(4 + index))));
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(answers).to.have.length(1_503);
    await trade.close();
  });

  it('keeps no long news while it answers, and lists what is open instead', async () => {
    let answer = (_: unknown) => {};
    const { trade, adopt, answers, counts } = tradeByNews(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    trade.start();
    await turn();
    adopt(sent('1'));
    await turn();
    const { lists } = counts;
    const payloadText = JSON.stringify({ salt: '', long: 'x'.repeat(3 * 1024 * 1024) });
    for (const id of ['2', '3']) adopt({ ...sent(id), payloadText });
    for (let left = 3; left > 0; left--) {
      answer(undefined);
      await turn();
    }
    expect(answers).to.deep.equal(['hash of 1', 'hash of 2', 'hash of 3']);
    expect(counts.lists).to.equal(lists + 1);
    await trade.close();
  });

  it('finds what was adopted without being reported', async () => {
    const { trade, adopt, adopted, answers } = tradeByNews(async () => undefined);
    adopt(sent('1'));
    await turn();
    adopted.set('2', sent('2'));
    const other = { ...sent('3'), core: { event: {}, versions: [], postings: [] } } as unknown as NumberedEntry;
    trade.adopted('other', [other]);
    await turn();
    expect(answers).to.deep.equal(['hash of 1', 'hash of 2']);
    await trade.close();
  });

  it('answers news once, at whatever moment of a run they come', async () => {
    for (let moments = 0; moments < 60; moments++) {
      const { trade, adopt, answers } = tradeByNews(async () => undefined);
      adopt(sent('1'));
      for (let left = moments; left > 0; left--) await undefined;
      adopt(sent('2'));
      for (let turns = 0; turns < 3; turns++) await turn();
      expect(answers, `${moments} moments later`).to.deep.equal(['hash of 1', 'hash of 2']);
      await trade.close();
    }
  });
});
