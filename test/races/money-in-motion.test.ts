/** Many simultaneous debits of one balance: it is spent once. */
import { expect } from 'chai';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { outcomes, racingNode, shuffled } from './support.js';

describe('Races over one balance', () => {
  const node = racingNode();

  const ask = (who: Person, path: string, body: Body): Promise<Reply> => {
    const asked = who.client.post(`/api/v1/${path}`, { ...who.signed, ...body });
    who.nonce += 1;
    return asked;
  };
  const rules = [{ type: 'manual' }];

  it('a transfer and an escrow of all of it: one of them', async () => {
    for (let round = 0; round < 10; round++) {
      const [ada, ben] = [await node().rich(100), await node().person()];
      const acts = [
        () => ask(ada, 'transfers', { to: ben.did, amount: 100 }),
        () => ask(ada, 'escrows', { beneficiary: ben.did, amount: 100, releaseRules: rules, autoFund: true }),
      ];
      const replies = await Promise.all(shuffled(acts).map((act) => act()));
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, INSUFFICIENT_BALANCE: 1 });
      const { balance, availableBalance, escrowed } = await ada.wallet();
      expect([availableBalance, balance - escrowed]).to.deep.equal([0, 0]);
    }
  });

  it('money goes round in a ring as fast as it comes in, and none is lost', async () => {
    const ring = await Promise.all(Array.from({ length: 8 }, () => node().rich(10)));
    const before = (await node().store.totals()).available;
    await Promise.all(
      ring.map(async (who, i) => {
        const next = ring[(i + 1) % ring.length]!;
        for (let n = 0; n < 15; n++) {
          const { status, body } = await who.write('/api/v1/transfers', { to: next.did, amount: 7 });
          if (status !== 200) expect(body.code).to.equal('INSUFFICIENT_BALANCE');
        }
      }),
    );
    const wallets = await Promise.all(ring.map((who) => who.wallet()));
    for (const { balance } of wallets) expect(balance).to.be.at.least(0);
    expect(wallets.reduce((sum, { balance }) => sum + balance, 0)).to.equal(80);
    expect((await node().store.totals()).available).to.equal(before);
  });

  it('what was acknowledged as received can be spent at once', async () => {
    const chain = [await node().rich(60), ...(await node().people(20))];
    for (const [i, who] of chain.slice(0, -1).entries()) await who.pays(chain[i + 1]!.did, 60);
    expect((await chain.at(-1)!.wallet()).balance).to.equal(60);
  });

  it('what a reader saw on disk can be spent, also where the process has yet to hear of it', async () => {
    let onDisk = () => {};
    const late = await TestNode.start({
      async store(dir) {
        const store = await SqliteStore.open({ dir });
        const real = store.append.bind(store);
        store.append = async (commits) => {
          const results = await real(commits);
          onDisk();
          await new Promise((resolve) => setTimeout(resolve, 200));
          return results;
        };
        return store;
      },
    });
    try {
      const [ada, ben] = [await late.rich(100), await late.person()];
      await late.fund(ben, 1);
      await ben.pays(ada.did, 1);
      const written = new Promise<void>((resolve) => {
        onDisk = resolve;
      });
      const paying = ada.pays(ben.did, 60);
      await written;
      expect((await ben.wallet()).balance).to.equal(60);
      await ben.pays(ada.did, 60);
      await paying;
      const refused = await ben.write('/api/v1/transfers', { to: ada.did, amount: 1 });
      expect(refused.body.code).to.equal('INSUFFICIENT_BALANCE');
    } finally {
      await late.discard();
    }
  });

  it('all collected fees withdrawn ten times at once: once', async () => {
    const admin = await node().keyed({ scope: 'admin' });
    const [ada, ben, cyd] = [await node().rich(100), await node().person(), await node().person()];
    for (let round = 0; round < 5; round++) {
      await ada.pays(ben.did, 1, { fee: 4 });
      const { fees } = await node().store.totals();
      const withdraw = { to: cyd.did, amount: fees };
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => admin.post('/api/v1/admin/fees/actions/withdraw', withdraw)),
      );
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, INSUFFICIENT_BALANCE: 9 });
      expect((await node().store.totals()).fees).to.equal(0);
    }
    expect(node().faults).to.deep.equal([]);
  });

  it('fees that come in while they are withdrawn are counted once', async () => {
    const admin = await node().keyed({ scope: 'admin' });
    const payers = await Promise.all(Array.from({ length: 6 }, () => node().rich(200)));
    const cyd = await node().person();
    let collected = 0;
    let isPaying = true;
    const withdrawing = (async () => {
      while (isPaying) {
        const { fees } = await node().store.totals();
        if (fees === 0) continue;
        const reply = await admin.post('/api/v1/admin/fees/actions/withdraw', { to: cyd.did, amount: fees });
        collected += expectStatus(reply).amount;
      }
    })();
    await Promise.all(
      payers.map(async (who) => {
        for (let n = 0; n < 20; n++) await who.pays(cyd.did, 1, { fee: 3 });
      }),
    );
    isPaying = false;
    await withdrawing;
    const { fees } = await node().store.totals();
    expect(collected + fees).to.equal(6 * 20 * 3);
    expect(node().faults).to.deep.equal([]);
  });
});
