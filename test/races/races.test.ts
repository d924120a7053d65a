/** Two simultaneous, competing requests over real HTTP: each Token moves once. */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { below } from '../crash/support/random.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { nodeForSuite } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { until } from '../support/until.js';

const rounds = 20;
const endowment = 100_000;

/** Sends all at once: most in the same turn of the event loop, some a few milliseconds later. */
const race = (...asked: (() => Promise<Reply>)[]): Promise<Reply[]> =>
  Promise.all(
    asked.map(async (ask) => {
      const delay = below(6) - 2;
      if (delay > 0) await pause(realEnvironment, delay);
      return ask();
    }),
  );

const winners = (replies: readonly Reply[]): number => replies.filter(({ status }) => status < 300).length;

describe('races', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let cyd: Person;
  let total = 0;

  before(async () => {
    [ada, ben, cyd] = [await node().rich(endowment), await node().rich(endowment), await node().rich(endowment)];
    total = 3 * endowment;
  });

  /** The totals agree with each other. The audit at the end compares them with the journal. */
  const conserved = async () => {
    const { supply, available, reserved, escrowed, fees } = await node().store.totals();
    expect(supply).to.equal(total);
    expect(available + reserved + escrowed + fees).to.equal(supply);
  };
  const again = (title: string, round: (i: number) => Promise<void>) =>
    it(title, async () => {
      for (let i = 0; i < rounds; i++) {
        await round(i);
        await conserved();
      }
    });
  const created = async (more: Body = {}): Promise<Body> => {
    const manual = { beneficiary: ben.did, arbiter: cyd.did, amount: 10, releaseRules: [{ type: 'manual' }] };
    return expectStatus(await ada.write('/api/v1/escrows', { ...manual, ...more }), 201);
  };
  const escrowNow = async (escrow: Body): Promise<Body> =>
    expectStatus(await node().client.get(`/api/v1/escrows/${escrow.escrowId}`));

  again('release against refund: one of them has the money', async () => {
    const escrow = await created({ autoFund: true });
    const { resourcePrev } = escrow;
    const replies = await race(
      () => ada.act(escrow, 'release', { amount: 10 }),
      () => ben.act(escrow, 'refund', { amount: 10, resourcePrev, reason: 'a race' }),
    );
    expect(winners(replies)).to.equal(1);
    for (const reply of replies) if (reply.status >= 300) expect(reply.status, reply.text).to.be.oneOf([409, 422]);
    const { released, refunded, status } = await escrowNow(escrow);
    expect(released + refunded).to.equal(10);
    expect(status).to.equal(released ? 'released' : 'refunded');
  });

  again('release against refund against expiry at the same instant: each unit moves once', async () => {
    const escrow = await created({ autoFund: true, expiresAt: node().world.now() + 60_000 });
    const { resourcePrev } = escrow;
    const replies = await race(
      () => ada.act(escrow, 'release', { amount: 4 }),
      () => cyd.act(escrow, 'refund', { amount: 6, resourcePrev, reason: 'a race' }),
      () => {
        node().world.skip(60_000);
        return ben.act(escrow, 'expire');
      },
    );
    for (const reply of replies) expect(reply.status, reply.text).to.be.oneOf([200, 409, 422]);
    await until('all has moved', async () => (await escrowNow(escrow)).remaining === 0);
    const { released, refunded, remaining, status } = await escrowNow(escrow);
    expect(released + refunded + remaining).to.equal(10);
    expect({ remaining, final: ['released', 'refunded', 'expired'].includes(status) }).to.include({
      remaining: 0,
      final: true,
    });
    expect(released).to.equal(replies[0]!.status === 200 ? 4 : 0);
  });

  again('two parts that are too much together: one of them', async () => {
    const escrow = await created({ autoFund: true });
    const part = (who: Person) => () => who.act(escrow, 'release', { amount: 7 });
    expect(winners(await race(part(ada), part(cyd)))).to.equal(1);
    expect(await escrowNow(escrow)).to.include({ released: 7, remaining: 3, status: 'funded' });
    expectStatus(await ada.act(escrow, 'release', { amount: 3 }));
  });

  again('fund against cancel: one of them, whichever nonce it has', async () => {
    const escrow = await created();
    const { resourcePrev } = escrow;
    const before = ada.nonce;
    const replies = await race(
      () => ada.act(escrow, 'fund', { amount: 10, resourcePrev }),
      () => ada.act(escrow, 'cancel'),
    );
    expect(winners(replies)).to.equal(1);
    expect(ada.nonce).to.equal(before + 1);
    const { status, lapsed = false } = await escrowNow(escrow);
    expect([status, lapsed]).to.deep.equal(replies[0]!.status === 200 ? ['funded', false] : ['created', true]);
    if (status === 'funded') expectStatus(await ada.act(escrow, 'release', { amount: 10 }));
  });

  again('two transfers that drain one balance: one of them', async () => {
    const eve = await node().rich(10);
    total += 10;
    const pay = (nonce: number) => () =>
      node().client.post('/api/v1/transfers', { ...eve.signed, nonce, to: ben.did, amount: 10 });
    const replies = await race(pay(1), pay(2));
    expect(winners(replies)).to.equal(1);
    expect(replies[0]!.status).to.equal(200);
    expectProblem(replies[1]!, 'INSUFFICIENT_BALANCE');
    expect(await eve.wallet()).to.include({ balance: 0, nonce: 1 });
  });

  again('one escrowId by two signers: one of them', async (i) => {
    const escrow = { escrowId: `esc-race-${i}`, amount: 5, releaseRules: [{ type: 'manual' }], autoFund: true };
    const replies = await race(
      () => ada.write('/api/v1/escrows', { ...escrow, beneficiary: cyd.did }),
      () => ben.write('/api/v1/escrows', { ...escrow, beneficiary: cyd.did }),
    );
    expect(winners(replies)).to.equal(1);
    const winner = replies[0]!.status === 201 ? ada : ben;
    expectProblem(replies.find(({ status }) => status !== 201)!, 'CONFLICT');
    expect(await escrowNow(escrow)).to.include({ depositor: winner.did, funded: 5 });
    expectStatus(await winner.act(escrow, 'release', { amount: 5 }));
  });

  again('64 with one nonce: one wins, 63 get 409', async () => {
    const nonce = ada.nonce;
    const { balance } = await ada.wallet();
    const ask = () => node().client.post('/api/v1/transfers', { ...ada.signed, nonce, to: ben.did, amount: 1 });
    const replies = await race(...Array.from({ length: 64 }, () => ask));
    expect(winners(replies)).to.equal(1);
    for (const reply of replies) if (reply.status !== 200) expectProblem(reply, 'CONFLICT', { nextNonce: nonce + 1 });
    ada.nonce += 1;
    expect(await ada.wallet()).to.include({ balance: balance - 1, nonce });
  });

  describe('with an operator', () => {
    again('freeze against transfers: those before it, none behind it', async () => {
      const eve = await node().rich(100);
      total += 100;
      const admin = await node().keyed({ scope: 'admin' });
      // The node assigns the nonces, so that none waits for a refused one.
      const body = { ...eve.signed, nonce: undefined, to: ben.did, amount: 1 };
      const pay = (key: string) => () => node().client.post('/api/v1/transfers', body, { 'Idempotency-Key': key });
      const freeze = () => admin.post(`/api/v1/admin/accounts/${eve.did}/actions/freeze`);
      const replies = await race(pay('a'), pay('b'), pay('c'), freeze);
      const frozen = replies.at(-1)!;
      expectStatus(frozen);
      const paid = winners(replies.slice(0, 3));
      expect(await eve.wallet()).to.include({ frozen: true, balance: 100 - paid, nonce: paid });
      const { events } = expectStatus(await node().client.get(`/api/v1/events?resource=account/${eve.did}&limit=100`));
      const { seq } = expectStatus(await node().client.get(`/api/v1/events/${frozen.body.eventHash}`));
      const late = events.filter((entry: Body) => entry.event.issuer === eve.did && entry.seq > seq);
      expect(late, 'transfers behind the freeze').to.deep.equal([]);
    });
  });
});
