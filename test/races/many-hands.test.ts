/** Requests of more than two people on one escrow at once: each Token is paid out once. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import type { Person } from '../node/support/person.js';
import { until } from '../support/until.js';
import { accepted, outcomes, racingNode, shuffled } from './support.js';

const hour = 3_600_000;

describe('Races over one escrow', () => {
  const node = racingNode();
  let ada: Person;
  let ben: Person;
  let cyd: Person;

  beforeEach(async () => {
    [ada, ben, cyd] = [await node().rich(1_000), await node().person(), await node().person()];
  });

  const create = (more: Body = {}): Promise<Body> =>
    ada.does('/api/v1/escrows', {
      ...{ beneficiary: ben.did, arbiter: cyd.did, amount: 30, releaseRules: [{ type: 'manual' }] },
      ...{ expiresAt: node().world.now() + hour, ...more },
    });
  const read = async ({ escrowId }: Body): Promise<Body> =>
    expectStatus(await node().client.get(`/api/v1/escrows/${escrowId}`));
  /** Sends without waiting. Nonces are assigned here, so that one signer can send several requests at once. */
  const ask = (who: Person, { escrowId }: Body, action: string, body: Body = {}): Promise<Reply> => {
    const asked = who.client.post(`/api/v1/escrows/${escrowId}/actions/${action}`, { ...who.signed, ...body });
    who.nonce += 1;
    return asked;
  };
  const refresh = async (...people: Person[]) => {
    for (const who of people) who.nonce = (await who.wallet()).nextNonce;
  };

  it('many parts at once: what was paid and paid back is what was there, and not a Token more', async () => {
    for (let round = 0; round < 2; round++) {
      const escrow = await create({ autoFund: true });
      const paid = (await ben.wallet()).balance;
      const part = { amount: 7 };
      const back = { ...part, reason: 'race', resourcePrev: escrow.resourcePrev };
      const replies = await Promise.all([
        ...Array.from({ length: 4 }, () => ask(ada, escrow, 'release', part)),
        ...Array.from({ length: 4 }, () => ask(cyd, escrow, 'release', part)),
        ask(ben, escrow, 'refund', back),
      ]);
      const { released, refunded, remaining } = await read(escrow);
      expect(accepted(replies).length * 7, JSON.stringify(outcomes(replies))).to.equal(released + refunded);
      expect(released + refunded + remaining).to.equal(30);
      expect(released, '28 of 30 fit').to.be.within(21, 28);
      expect((await ben.wallet()).balance).to.equal(paid + released);
      await refresh(ada, ben, cyd);
    }
  });

  it('one id for many: one escrow, and no one else’s money is touched', async () => {
    const people = await Promise.all(Array.from({ length: 16 }, () => node().rich(50)));
    for (let round = 0; round < 4; round++) {
      const escrowId = `same-${round}`;
      const body = { escrowId, beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }] };
      const replies = await Promise.all(shuffled(people).map((who) => who.write('/api/v1/escrows', body)));
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, CONFLICT: 15 });
      const { depositor } = await read({ escrowId });
      expect(accepted(replies)[0]!.body.depositor).to.equal(depositor);
    }
    const wallets = await Promise.all(people.map((who) => who.wallet()));
    expect(wallets.reduce((sum, { reserved }) => sum + reserved, 0)).to.equal(20);
  });

  it('the clock and the arbiter at once: one of them', async () => {
    for (let round = 0; round < 8; round++) {
      const escrow = await create({ autoFund: true });
      node().world.skip(hour + 1);
      const reply = await ask(cyd, escrow, 'release', { amount: 30 });
      await until('it expires', () => read(escrow), { is: ({ status }) => status !== 'funded' });
      const { status, released, refunded } = await read(escrow);
      expect(status).to.equal(reply.status === 200 ? 'released' : 'expired');
      expect([released, refunded]).to.deep.equal(status === 'released' ? [30, 0] : [0, 30]);
      await refresh(cyd);
    }
  });
});
