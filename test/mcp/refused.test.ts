/** A refusal that a server of MCP hears: what it says of an act that was signed, and what is signed after it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { realEnvironment } from '../../packages/client/src/environment.js';
import { approvalOf } from '../../packages/mcp/src/limits.js';
import type { AgentProposal } from '../../packages/mcp/src/proposals.js';
import { onListing, publishes } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';
import { type Host, TestAgent } from './support/agent.js';

describe('A refusal over MCP', () => {
  const node = nodeForSuite();
  let agent: TestAgent;
  let listingId: string;
  /** Of an event that is sent: its reply is lost, it never arrives, it is taken and said to be refused, or it is refused unseen. */
  let fate: 'answered' | 'lost' | 'dropped' | 'denied' | 'unseen';
  /** Whether a proxy answers for the node. */
  let isAway: boolean;
  let aheadMs: number;

  beforeEach(async () => {
    [fate, isAway, aheadMs] = ['answered', false, 0];
    agent = await TestAgent.make(node());
    ({ listingId } = await publishes(await node().person(), { pricing: { price: 5 }, stock: 9 }));
  });
  afterEach(() => agent.discard());

  const sending = (async (url: string, init: RequestInit) => {
    if (isAway) return new Response('<h1>404</h1>', { status: 404, headers: { 'Content-Type': 'text/html' } });
    if (!String(url).endsWith('/api/v1/events') || init?.method !== 'POST') return fetch(url, init);
    if (fate !== 'unseen' && fate !== 'dropped') {
      const response = await fetch(url, init);
      if (fate === 'answered') return response;
    }
    if (fate === 'lost' || fate === 'dropped') throw new TypeError('lost');
    const problem = await (await fetch(`${node().url}/api/v1/events/none`)).json();
    return new Response(JSON.stringify({ ...(problem as object), code: 'INSUFFICIENT_BALANCE', status: 422 }), {
      status: 422,
      headers: { 'Content-Type': 'application/problem+json' },
    });
  }) as typeof fetch;
  /** As after a start. */
  const started = (): Promise<Host> => {
    const made = agent.agent({}, sending);
    Object.assign(made.environment, { now: () => realEnvironment.now() + aheadMs });
    return agent.host({}, made);
  };
  const purchase = (quantity = 1) => ({ action: 'info-order.create', input: { listingId, quantity } });
  const kept = async (handle: string) =>
    JSON.parse(await readFile(join(agent.folder, `${handle}.json`), 'utf8')) as AgentProposal;

  for (const isNew of [false, true])
    it(`by a proxy, of whatever age, does not end an act ${isNew ? 'after a start' : 'that was sent'}`, async () => {
      let host = await started();
      const proposal = await host.propose(purchase());
      fate = 'lost';
      expect((await host.call('commit', { proposal })).says).to.include('is not known yet');
      [isAway, aheadMs] = [true, 21 * 60_000];
      if (isNew) host = await started();
      expect((await host.call('commit', { proposal })).says).to.include('is not known yet');
      expect((await kept(proposal)).state).to.equal('sent');
      [fate, isAway, aheadMs] = ['answered', false, 0];
      expect((await host.call('commit', { proposal })).says).to.match(/^Done/);
      expect(await agent.events()).to.deep.equal(['order.purchased']);
    });

  it('of an act that was lost does not keep another from being made', async () => {
    const seller = await node().person();
    const its = await publishes(seller, { pricing: { price: 5 }, stock: 9 });
    const host = await started();
    const lost = await host.propose({ action: 'info-order.create', input: { listingId: its.listingId } });
    const other = await host.propose(purchase());
    fate = 'dropped';
    await host.call('commit', { proposal: lost });
    await onListing(seller, its, 'pause');
    fate = 'answered';
    const later = await started();
    expect((await later.call('commit', { proposal: other })).says).to.match(/^Done/);
    expect((await kept(lost)).state).to.equal('refused');
    expect(await agent.events()).to.deep.equal(['order.purchased']);
  });

  it('uses up what was approved', async () => {
    const host = await started();
    const proposal = await host.propose(purchase());
    const found = await kept(proposal);
    const approved = { ...found, approval: await approvalOf(found, agent.key, realEnvironment.now()) };
    await writeFile(join(agent.folder, `${proposal}.json`), JSON.stringify(approved));
    fate = 'unseen';
    await host.call('commit', { proposal });
    expect(host.asked).to.deep.equal([]);
    const { state, write, approval } = await kept(proposal);
    expect([state, write, approval]).to.deep.equal(['refused', undefined, undefined]);
  });

  it('of an event that the node has taken lets no second one be signed, also after a start', async () => {
    const host = await started();
    const proposal = await host.propose(purchase());
    fate = 'denied';
    await host.call('commit', { proposal });
    fate = 'answered';
    for (const its of [host, await started(), await started()]) {
      expect(await its.propose(purchase())).to.equal(proposal);
      expect((await its.call('commit', { proposal })).says).to.include('Nothing was signed');
    }
    // Another act follows both.
    const later = await started();
    const other = await later.propose(purchase(2));
    expect((await later.call('commit', { proposal: other })).says).to.match(/^Done/);
    await later.propose(purchase());
    expect((await later.call('commit', { proposal })).says).to.include('Nothing was signed');
    expect(await agent.events()).to.deep.equal(['order.purchased', 'order.purchased']);
  });

  it('that is true lets the act be made later, when another one has its place', async () => {
    const host = await started();
    const proposal = await host.propose(purchase());
    fate = 'unseen';
    await host.call('commit', { proposal });
    fate = 'answered';
    const later = await started();
    const other = await later.propose(purchase(2));
    expect((await later.call('commit', { proposal: other })).says).to.match(/^Done/);
    expect(await later.propose(purchase())).to.equal(proposal);
    expect((await later.call('commit', { proposal })).says).to.match(/^Done/);
    expect(await agent.events()).to.deep.equal(['order.purchased', 'order.purchased']);
  });
});
