/** Simultaneous requests on one lease: where only one can win exactly one does, and its escrow is paid out once. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { leases, leasesPath, publishes, readLease, start } from '../node/support/lessor.js';
import type { Person } from '../node/support/person.js';
import { until } from '../support/until.js';
import { outcomes, racingNode, shuffled } from './support.js';

const rounds = 10;

describe('Races over one lease', () => {
  const node = racingNode();
  let lessor: Person;
  let lessee: Person;

  beforeEach(async () => {
    [lessor, lessee] = [await node().person(), await node().rich(10_000)];
  });

  /** Sends an action with a given nonce, so that two can be sent at once. A refused request does not use the nonce. */
  const ask = (who: Person, nonce: number, { leaseId }: Body, action: string, body: Body = {}): Promise<Reply> =>
    who.client.post(`${leasesPath}/${leaseId}/actions/${action}`, { ...who.signed, nonce, ...body });

  async function settles(lease: Body, status: readonly string[]): Promise<Body> {
    const after = await readLease(lessee, lease);
    expect(after.status).to.be.oneOf([...status]);
    expect(after.released + after.refunded, 'shared out once, and whole').to.equal(after.amount);
    const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${lease.escrowId}`));
    expect(escrow).to.include({ released: after.released, refunded: after.refunded, remaining: 0 });
    return after;
  }

  it('a call that would exhaust it against its end by the lessor', async () => {
    const listing = await publishes(lessor);
    for (let round = 0; round < rounds; round++) {
      const lease = await leases(lessee, listing, { budget: 10 });
      const acts = [
        () => ask(lessee, lessee.nonce, lease, 'invoke', { units: 5 }),
        () => ask(lessor, lessor.nonce, lease, 'terminate'),
      ];
      const replies = await Promise.all(shuffled(acts).map((act) => act()));
      // If ended first, the call is refused; if exhausted first, the lease still ends.
      expect([{ accepted: 2 }, { accepted: 1, LEASE_INVALID_STATE: 1 }]).to.deep.include(outcomes(replies));
      const after = await settles(lease, ['terminated']);
      expect(after.released).to.equal(outcomes(replies).accepted === 2 ? 10 : 0);
      for (const who of [lessee, lessor]) who.nonce = (await who.wallet()).nextNonce;
    }
  });

  it('two calls that both reach the budget: one is charged the rest, the other is refused', async () => {
    const listing = await publishes(lessor, { meteredBy: 'lessor' });
    for (let round = 0; round < rounds; round++) {
      const lease = await leases(lessee, listing, { budget: 10, maxUnitsPerHour: 14 });
      const calls = [5, 9].map((units) => () => ask(lessor, lessor.nonce, lease, 'invoke', { units }));
      // Both calls have the same nonce: the second is refused for it, or finds the budget used up.
      const replies = await Promise.all(shuffled(calls).map((call) => call()));
      expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
      expect(replies.find(({ status }) => status !== 200)?.body.code).to.be.oneOf(['CONFLICT', 'LEASE_INVALID_STATE']);
      await settles(lease, ['exhausted']);
      lessor.nonce = (await lessor.wallet()).nextNonce;
    }
  });

  it('ten calls in a row, sent at once: the budget is never passed', async () => {
    const listing = await publishes(lessor);
    const lease = await leases(lessee, listing, { budget: 13 });
    const { nonce } = lessee;
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ask(lessee, nonce + i, lease, 'invoke', { units: 1 })),
    );
    const { accepted } = outcomes(replies);
    expect(accepted).to.equal(7);
    const after = await settles(lease, ['exhausted']);
    expect(after).to.include({ released: 13, refunded: 0 });
    expect(after.stats.calls).to.equal(7);
  });

  it('pause against the clock: paused or not, it expires', async () => {
    const listing = await publishes(lessor);
    for (let round = 0; round < rounds; round++) {
      const lease = await leases(lessee, listing, { budget: 10, endsAt: node().world.now() + 60_000 });
      node().world.skip(60_000 - 3 + (round % 6));
      const [reply] = await Promise.all([ask(lessee, lessee.nonce, lease, 'pause')]);
      expect(['accepted', 'LEASE_INVALID_STATE']).to.include(Object.keys(outcomes([reply!]))[0]);
      lessee.nonce = (await lessee.wallet()).nextNonce;
      const status = async () => (await readLease(lessee, lease)).status;
      await until('the clock comes', status, { is: (seen) => seen === 'expired', everyMs: 1 });
      expect(await settles(lease, ['expired'])).to.include({ released: 0, refunded: 10 });
    }
  });

  it('the last of the stock, leased by five at once: one lease, one escrow', async () => {
    for (let round = 0; round < 3; round++) {
      const listing = await publishes(lessor, { stock: 1 });
      const many = await Promise.all(Array.from({ length: 5 }, () => node().rich(10)));
      const replies = await Promise.all(many.map((who) => start(who, listing, { plan: { budget: 10 } })));
      expect(outcomes(replies)).to.deep.equal({ accepted: 1, LISTING_NOT_ACTIVE: 4 });
      const wallets = await Promise.all(many.map((who) => who.wallet()));
      expect(wallets.reduce((sum, { escrowed }) => sum + escrowed, 0)).to.equal(10);
    }
  });

  it('a start against the pause of its listing: leased, or refused', async () => {
    for (let round = 0; round < rounds; round++) {
      const listing = await publishes(lessor);
      const path = `/api/v1/markets/capabilities/${listing.listingId}/actions/pause`;
      const acts = [() => start(lessee, listing, { plan: { budget: 1 } }), () => lessor.write(path)];
      const replies = await Promise.all(shuffled(acts).map((act) => act()));
      expect([{ accepted: 2 }, { accepted: 1, LISTING_NOT_ACTIVE: 1 }]).to.deep.include(outcomes(replies));
    }
  });
});
