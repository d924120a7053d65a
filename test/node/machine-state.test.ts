/** A resource's state and context over HTTP, whose hash the journal contains. */
import { expect } from 'chai';
import { type MachineState, Client as TypedClient } from '../../packages/client/src/index.js';
import { stateHashOf } from '../../scripts/demo/proof.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { castOf, Deal } from '../stories/contract/stage.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { buys, onOrder, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('The state of a resource', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  before(async () => {
    [ada, ben] = [await node().rich(1_000), await node().rich(100)];
  });

  const pathOf = (kind: string, id: string) => `/api/v1/machines/${kind}/${id}/state`;

  /** The newest version of each resource, from the entries of the journal. */
  async function written(): Promise<Map<string, Body>> {
    const newest = new Map<string, Body>();
    for await (const { event, versions } of new TypedClient({ url: node().url }).events.all({ after: 0 })) {
      for (const each of versions) newest.set(`${each.kind}/${each.id}`, { ...each, eventHash: event.hash });
    }
    return newest;
  }

  /** Compares the state with the entry whose event it names. */
  async function expectSound(kind: string, id: string, reader: Client = node().client): Promise<Body> {
    const reply = expectStatus(await reader.get(pathOf(kind, id)));
    const entry = expectStatus(await node().client.get(`/api/v1/events/${reply.eventHash}`));
    const version = entry.versions.find((each: Body) => each.kind === kind && each.id === id);
    expect(stateHashOf(reply as MachineState)).to.equal(version.stateHash);
    expect(reply).to.deep.include({ version: version.version, machine: version.machine, state: version.path.at(-1) });
    return reply;
  }

  it('is what its newest entry hashes, of every kind that has a history', async () => {
    const deal = await Deal.active(node(), await castOf(node()));
    await deal.steps('one', 'submit', 'reject', 'submit', 'approve');
    const order = await buys(ada, await publishes(ben));
    const kinds = new Set<string>();
    for (const { kind, id } of (await written()).values()) {
      kinds.add(kind);
      const party = new Map([
        ['contract', deal.cast.client.did],
        ['info-order', ada.did],
      ]).get(kind);
      await expectSound(kind, id, party ? await node().keyed({ did: party }) : node().client);
    }
    expect([...kinds]).to.include.members(['node', 'contract', 'escrow', 'info-listing', 'info-order']);
    expect(order.orderId).to.be.a('string');
    const { machines } = new TypedClient({ url: node().url });
    expect((await machines.state('escrow', (await deal.view()).escrowId)).state).to.equal('funded');
  });

  it('is for those who may see its payloads', async () => {
    const order = await buys(ada, await publishes(ben));
    expectStatus(await onOrder(ben, order, 'deliver', { accessUrl: 'https://example.org/secret.csv' }));
    for (const reader of [node().client, await node().keyed({ did: node().did })]) {
      expectProblem(await reader.get(pathOf('info-order', order.orderId)), 'FORBIDDEN');
    }
    const readable = async (reader: typeof ada.client) =>
      expectStatus(await reader.get(`/api/v1/machines/info-order/${order.orderId}/history`)).stateReadable;
    expect(await readable(node().client)).to.equal(false);
    expect(await readable(await node().keyed({ did: ada.did }))).to.equal(true);
    for (const { did } of [ada, ben]) {
      const reply = await expectSound('info-order', order.orderId, await node().keyed({ did }));
      expect(JSON.stringify(reply)).not.to.match(/secret\.csv|passphrase/);
    }
  });

  it('is not found by readers who may not see the resource, or the one that it belongs to', async () => {
    const { listingId } = await publishes(ben);
    await buys(ada, { listingId });
    await expectSound('listing-stats', listingId);
    expectStatus(await ben.write(`/api/v1/markets/info/${listingId}/actions/update`, { visibility: 'private' }));
    expectProblem(await node().client.get(pathOf(infoListing.kind, listingId)), 'LISTING_NOT_FOUND');
    expectProblem(await node().client.get(pathOf('listing-stats', listingId)), 'NOT_FOUND');
    const own = await node().keyed({ did: ben.did });
    for (const kind of [infoListing.kind, 'listing-stats']) await expectSound(kind, listingId, own);
  });

  it('is not there for what is unknown, nor for accounts, which are balances', async () => {
    const get = (path: string) => node().client.get(`/api/v1/machines/${path}/state`);
    expectProblem(await get('escrow/esc-none'), 'ESCROW_NOT_FOUND');
    expectProblem(await get('contract/__proto__'), 'CONTRACT_NOT_FOUND');
    expectProblem(await get('nothing/x'), 'NOT_FOUND');
    expectProblem(await get(`account/${ada.did}`), 'NOT_FOUND');
  });
});
