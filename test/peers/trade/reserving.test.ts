/** Tokens that go home count as at risk until they are there (docs/reference/remote-requests.md#limits). */
import { expect } from 'chai';
import { isRefusal } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { lawOf } from '../../../src/machines/kernel/other-signer.js';
import { RemoteTrading } from '../../../src/peers/trade/trade.js';
import type { TradeOptions } from '../../../src/peers/trade/trade-options.js';
import { FakeWorld } from '../../world/fake-world.js';
import { ada, ben, cyd } from '../../world/people.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const none = async () => ({ items: [], next: null });
const accountOf = (did: string, available: number, nonce: number) => ({
  ...{ did, available, reserved: 0, escrowed: 0, version: 0, frozen: false, nonce, lastHash: null, seq: 1 },
});

/** This home holds 100 Tokens at the other one, whose resident has earned 80 here. */
function tradeWith(mostAtRisk: number) {
  const world = new FakeWorld();
  const limit = { mostAtRisk, answersPerSecond: 500 };
  const sent: { readonly input: { readonly money: number } }[] = [];
  const earned = accountOf(ben, 80, 0);
  const own = {
    find: none,
    load: async () => undefined,
    account: async (did: string) => (did === ben ? earned : undefined),
    accounts: async () => ({ items: [earned], next: null }),
  };
  const copy = {
    find: none,
    load: async () => undefined,
    account: async (did: string) => accountOf(did, did === 'own' ? 100 : 0, did === ben ? 1 : 0),
  };
  const home = { home: 'other', tag: 'o', store: copy, asOf: () => ({ seq: 1, time: 1 }) };
  const options = {
    ...{ own: 'own', network: 'devnet', catalogue, world, store: own, homes: { all: () => [home] } },
    ...{ refusalOf: () => undefined, log: () => {}, homewardMs: 1_000, resource: async () => undefined },
    limits: { of: () => limit, takeAnswer: () => true },
    // Its entry is being written for as long as the test looks.
    write: (request: (typeof sent)[number]) => {
      sent.push(request);
      return new Promise(() => {});
    },
  } as unknown as TradeOptions;
  const trade = new RemoteTrading(options);
  const passes = async () => {
    await world.advance(1_000);
    for (let turns = 0; turns < 10; turns++) await turn();
  };
  /** What a resident needs to send so many Tokens at the other home. */
  const costs = (amount: number) => {
    const request = { kind: 'account', id: ada, action: 'transfer', input: { to: cyd, amount } };
    const by = { did: ada, law: lawOf(catalogue, 'account', 'transfer') };
    return trade.sending(ada, 'other', (sending) =>
      trade.moneyFor(home as never, { request, by, home: 'own' } as never, sending),
    );
  };
  return { trade, limit, sent, costs, passes };
}

describe('The limit of what is at risk with a home', () => {
  it('counts Tokens that go home while their request is written', async () => {
    const { trade, sent, costs, passes } = tradeWith(200);
    expect(await costs(30)).to.equal(30);
    trade.startHomeward();
    await turn();
    await passes();
    expect(sent.map(({ input }) => input.money)).to.deep.equal([80]);
    expect(await costs(20)).to.equal(20);
    const refused = await costs(30);
    if (!isRefusal(refused)) return expect.fail('it was sent');
    expect(refused.detail).to.include('has 180 Tokens at risk with other, and 30 more would exceed the 200');
  });

  it('keeps Tokens here that would exceed it, until it is raised', async () => {
    const { trade, limit, sent, passes } = tradeWith(179);
    trade.startHomeward();
    await turn();
    for (let seconds = 3; seconds > 0; seconds--) await passes();
    expect(sent).to.have.length(0);
    limit.mostAtRisk = 180;
    await passes();
    expect(sent, 'not before the operator has changed it').to.have.length(0);
    trade.limitChanged('other');
    await passes();
    expect(sent).to.have.length(1);
  });
});
