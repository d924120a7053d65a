/** Two agents deal with each other in all markets, over MCP alone. */
import { expect } from 'chai';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { nodeForSuite } from '../node/support/node.js';
import { type Host, TestAgent } from './support/agent.js';

describe('Acts over MCP', () => {
  const node = nodeForSuite();
  let agents: readonly TestAgent[];
  let ada: Host;
  let ben: Host;
  let benDid: string;

  before(async () => {
    agents = [await TestAgent.make(node(), 1_000), await TestAgent.make(node(), 1_000)];
    const limits = { askAbove: 1_000, askAboveDaily: 10_000 };
    ada = await agents[0]!.host({ person: 'none' }, agents[0]!.agent(limits));
    ben = await agents[1]!.host({ person: 'none' }, agents[1]!.agent(limits));
    benDid = agents[1]!.key.did;
  });
  after(async () => {
    for (const agent of agents) await agent.discard();
  });

  /** @returns the ids that it names, by kind and part */
  const does = async (host: Host, action: string, input: object, id?: string) => {
    const proposal = await host.propose({ action, input, ...(id !== undefined && { id }) });
    const { says, isError, data } = await host.call('commit', { proposal });
    expect(isError, `${says} ${JSON.stringify(data)}`).to.equal(false);
    return Object.fromEntries(
      [...says.matchAll(/([a-z-]+) ((?:lst|ord|esc|bid|task-ord|sub|lease)-\S+?)[,.]/g)].map(([, part, its]) => [
        part!,
        its!,
      ]),
    );
  };

  it('sell information, which the buyer opens', async () => {
    const content = { format: 'text/plain', data: `It rained.${'.'.repeat(50_000)}` };
    const sold = await does(ada, 'info-listing.create', { ...infoListing.create.example, content });
    const listingId = sold['info-listing']!;
    const order = (await does(ben, 'info-order.create', { listingId }))['info-order']!;
    await does(ada, 'info-order.deliver', { listingId }, order);
    expect((await ben.call('wait', { id: order, states: ['delivered'] })).says).to.equal('It is reached.');
    const first = await ben.call('open_delivery', { id: order });
    const rest = await ben.call('open_delivery', { id: order, from: 40_000 });
    const text = [first, rest].map(({ data }) => (data as { content: string }).content).join('');
    expect(text).to.equal(content.data);
    expect(first.blocks.join() + rest.blocks.join()).to.not.match(/contentKeyHex|contentSaltHex/);
    await does(ben, 'info-order.confirm', { listingId }, order);
    await does(ben, 'info-order.review', { listingId, rating: 5 }, order);
    expect((await ada.call('list_mine', { kind: 'info-order', role: 'seller' })).says).to.include('1 of kind');
  });

  it('give out a task, bid, deliver and are paid', async () => {
    const given = await does(ada, 'task-listing.create', taskListing.create.example);
    const taskId = given['task-listing']!;
    expect((await ben.call('read', { id: taskId })).says).to.include('bid.create');
    const bidId = (await does(ben, 'bid.create', { taskId, price: 40, timeline: '5 days', approach: 'By hand.' })).bid!;
    const order = (await does(ada, 'bid.accept', { taskId }, bidId)).order!;
    const delivered = await does(
      ben,
      'task-order.deliver',
      { taskId, deliverables: [{ type: 'text', content: 'Done.' }] },
      order,
    );
    expect(delivered['task-order']).to.equal(order);
    await does(ada, 'task-order.confirm', { taskId, approved: true }, order);
    expect((await ben.call('wait', { id: order, states: ['confirmed'] })).says).to.equal('It is reached.');
  });

  it('are told which action gives the ids that an input names', async () => {
    const told = (action: string) => ben.call('describe_action', { action });
    const cases: [string, string, Record<string, string>][] = [
      ['info-order.create', 'It gives the id of what it makes', { listingId: 'info-listing.create' }],
      ['info-order.deliver', 'orderId of input, or id, is the one that info-order.create gave', {}],
      ['task-order.confirm', 'is the one that bid.accept gave', { taskId: 'task-listing.create' }],
      ['lease.create', 'It gives the id', { listingId: 'capability-listing.create' }],
      ['bid.accept', 'is the one that bid.create gave', { taskId: 'task-listing.create', bidId: 'bid.create' }],
      ['dispute.resolve', 'info-order.dispute or task-order.dispute or contract.dispute gave', {}],
      ['escrow.release', 'escrowId of input, or id, is the one that escrow.create gave', {}],
      ['account.transfer', 'It takes no id.', {}],
    ];
    for (const [action, says, places] of cases) {
      const described = await told(action);
      expect(described.says, action).to.include(says);
      const { properties } = (described.data as { input: { properties: Record<string, { description?: string }> } })
        .input;
      for (const [name, giver] of Object.entries(places))
        expect(properties[name]?.description, `${action} ${name}`).to.equal(`As ${giver} gave it.`);
    }
    for (const action of Object.keys((await ben.call('describe_action')).data as object))
      expect((await told(action)).says, action).not.to.include('that of a resource');
  });

  it('lease a capability, use it and end it', async () => {
    const offered = await does(ada, 'capability-listing.create', capabilityListing.create.example);
    const listingId = offered['capability-listing']!;
    const { data } = await ben.call('describe_action', { action: 'lease.create' });
    expect(data).to.have.nested.property('input.properties.plan');
    const { example } = data as { example: object };
    const lease = (await does(ben, 'lease.create', { ...example, listingId })).lease!;
    expect((await ben.call('open_delivery', { id: lease })).says).to.match(/leased|NOT_FOUND|refuses|signed/);
    await does(ben, 'lease.terminate', {}, lease);
  });

  it('hold Tokens in an escrow, whose version is stated where an act needs it', async () => {
    const input = { beneficiary: benDid, amount: 10, releaseRules: [{ type: 'manual' }] };
    const escrow = (await does(ada, 'escrow.create', input)).escrow!;
    await does(ada, 'escrow.fund', { amount: 10 }, escrow);
    await does(ada, 'escrow.release', { amount: 4 }, escrow);
    await does(ada, 'escrow.refund', { amount: 6, reason: 'The rest is not needed.' }, escrow);
    const { data } = await ada.call('read', { id: escrow });
    expect(data).to.include({ released: 4, refunded: 6, remaining: 0 });
    expect(
      (
        await ada.call('commit', {
          proposal: await ada.propose({ action: 'escrow.fund', id: escrow, input: { amount: 10 } }),
        })
      ).says,
    ).to.include('Done');
  });
});
