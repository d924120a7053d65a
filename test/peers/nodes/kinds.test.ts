/**
 * Every kind at its home and at a peer: a home where a party lives shows what the party may see, any other one what everyone
 * may see (docs/reference/other-homes.md#withheld).
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../../src/machines/catalogue.js';
import { tagOf } from '../../../src/peers/tag.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Reply } from '../../node/support/client.js';
import * as lessor from '../../node/support/lessor.js';
import { buys, onOrder, publishes } from '../../node/support/market.js';
import type { Person } from '../../node/support/person.js';
import { accepts, bids, publishesTask } from '../../node/support/requester.js';
import { acquaint, discard, Home } from './network.js';

/** Ids by kind. */
type Made = { readonly [kind: string]: string };

/** Creates one resource of each kind between two people, and a dispute. */
async function tradesEverything(one: Person, other: Person): Promise<Made> {
  const manual = { releaseRules: [{ type: 'manual' }] };
  const escrow = await one.does('/api/v1/escrows', { ...manual, beneficiary: other.did, amount: 20, autoFund: true });
  expectStatus(await one.act(escrow, 'release', { amount: 5 }));
  const listing = await publishes(one, { title: 'rain' });
  const hidden = await publishes(one, { title: 'snow', visibility: 'private' });
  const order = await buys(other, listing);
  expectStatus(await onOrder(one, order, 'deliver'));
  const task = await publishesTask(one);
  const bid = await bids(other, task, { price: 30, approach: 'By hand.' });
  const work = await accepts(one, bid);
  const capability = await lessor.publishes(one);
  const lease = await lessor.leases(other, capability, { budget: 100 });
  const contract = await one.does('/api/v1/contracts', {
    ...{ provider: other.did, terms: { description: 'the terms' }, payment: { totalAmount: 40 } },
    milestones: [{ id: 'all', title: 'All of it', amount: 40 }],
  });
  const at = `/api/v1/contracts/${contract.contractId}/actions`;
  for (const who of [one, other]) expectStatus(await who.write(`${at}/sign`));
  expectStatus(await one.write(`${at}/activate`, { amount: 40 }));
  const { disputeId } = expectStatus(await one.write(`${at}/dispute`, { reason: 'quality' }));
  return {
    ...{ escrow: escrow.escrowId, 'info-listing': listing.listingId, hidden: hidden.listingId },
    ...{ 'info-order': order.orderId, 'task-listing': task.listingId, bid: bid.bidId, 'task-order': work.orderId },
    ...{ 'capability-listing': capability.listingId, lease: lease.leaseId },
    ...{ contract: contract.contractId, dispute: disputeId },
  };
}

describe('Every kind at its home and at a peer', function () {
  this.timeout(120_000);
  let [home, peer] = [] as unknown as [Home, Home];
  let ada: Person;
  let ofAda: Made;
  let ofOthers: Made;

  before(async () => {
    [home, peer] = [await Home.start(), await Home.start()];
    await acquaint([home, peer]);
    ada = await home.node.rich();
    const [ben, cleo] = [await home.node.rich(), await home.node.rich()];
    // She is a resident of both: both keystores have her key, and she has signed at both.
    const file = join('keystore', `${ada.address}.json`);
    await cp(join(home.node.dir, file), join(peer.node.dir, file));
    await peer.node.fund(ada, 10);
    const there = ada.through(peer.node.client);
    there.nonce = 1;
    await there.pays(peer.did, 1);
    await home.sees(peer);
    ofAda = await tradesEverything(ada, ben);
    ofOthers = await tradesEverything(ben, cleo);
    await peer.sees(home);
  });
  after(() => discard([home, peer]));

  /** The reader's answers at the home, and at the peer under `id~tag`. */
  async function answers(name: string, id: string, did: string | undefined) {
    const kind = name === 'hidden' ? 'info-listing' : name;
    const { path } = machinesOf(catalogue).find((each) => each.kind === kind)!.route;
    const pathsOf = (spelling: string): readonly string[] => [
      `/api/v1${path}/${spelling}`,
      ...['state', 'history', 'permitted', 'proof'].map((part) => `/api/v1/machines/${kind}/${spelling}/${part}`),
    ];
    const readers = [home, peer].map(({ node }) => (did ? node.keyed({ did }) : node.client));
    const [own, foreign] = await Promise.all(readers);
    const there = pathsOf(`${id}~${tagOf(home.did, [])}`);
    return Promise.all(
      pathsOf(id).map(async (at, index) => ({ own: await own!.get(at), foreign: await foreign!.get(there[index]!) })),
    );
  }

  /** Removes what differs from node to node: the home's mark, current times, and the instance of a problem. */
  const common = ({ status, body }: Reply): object =>
    status === 200
      ? JSON.parse(JSON.stringify({ ...body, home: 0, asOf: 0, time: 0 }), (name, value) =>
          name === 'journal' ? undefined : value,
        )
      : { status, code: body.code };

  it('is the same for every reader where a party lives', async () => {
    for (const [name, id] of Object.entries(ofAda)) {
      for (const did of [undefined, ada.did]) {
        for (const { own, foreign } of await answers(name, id, did))
          expect(common(foreign), `${name} for ${did ?? 'everyone'}`).to.deep.equal(common(own));
      }
    }
  });

  it('is the same elsewhere where everyone may see it, and else what the cores say', async () => {
    const withheld = ['info-order', 'contract', 'dispute'];
    for (const [name, id] of Object.entries(ofOthers)) {
      const found = await answers(name, id, ada.did);
      if (!withheld.includes(name)) {
        for (const { own, foreign } of found) expect(common(foreign), name).to.deep.equal(common(own));
        continue;
      }
      const [view, state, history, permitted, proof] = found.map(({ foreign }) => foreign);
      const known = ['kind', 'id', 'state', 'version', 'createdAt', 'updatedAt', 'resourcePrev', 'txHash'];
      expect(expectStatus(view!), name).to.have.all.keys(...known, 'home', 'asOf', 'withheld');
      expect(view!.body, name).to.include({ id, home: home.did, withheld: true });
      for (const refused of [state!, permitted!]) expectProblem(refused, 'FORBIDDEN');
      for (const shown of [history!, proof!]) expect(expectStatus(shown), name).to.include({ home: home.did });
    }
  });
});
