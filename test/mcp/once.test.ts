/** Each tool may be called any number of times: what is done is done once. */
import { expect } from 'chai';
import { publishes } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';
import { type Host, TestAgent } from './support/agent.js';

const retries = 20;

describe('Retries over MCP', () => {
  const node = nodeForSuite();
  let agent: TestAgent;
  let host: Host;
  let listingId: string;

  beforeEach(async () => {
    agent = await TestAgent.make(node(), 500);
    host = await agent.host();
    listingId = (await publishes(await node().person(), { pricing: { price: 5 }, stock: 99 })).listingId;
  });
  afterEach(() => agent.discard());

  const purchase = (more: object = {}) => ({ action: 'info-order.create', input: { listingId, ...more } });
  const often = async <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: retries }, work));

  it('of a proposal give the same handle, before and after it is committed', async () => {
    expect(new Set(await often(() => host.propose(purchase()))).size).to.equal(1);
    const proposal = await host.propose(purchase());
    await host.call('commit', { proposal });
    for (const { says } of await often(() => host.call('propose', purchase())))
      expect(says).to.include('was done before').and.to.include(proposal);
    expect(await agent.events()).to.deep.equal(['order.purchased']);
  });

  it('of a commit make one purchase, at once and one after the other, in two processes', async () => {
    const other = await agent.host();
    const proposal = await host.propose(purchase());
    const commits = (its: Host) => often(() => its.call('commit', { proposal }));
    const answers = (await Promise.all([commits(host), commits(other)])).flat();
    for (let tries = 0; tries < retries; tries++) answers.push(await host.call('commit', { proposal }));
    const events = new Set(answers.map(({ says }) => /Event ([0-9a-f]{64})/.exec(says)?.[1]));
    expect([...events].length).to.equal(1);
    expect(await agent.events()).to.deep.equal(['order.purchased']);
  });

  it('of a wish for one more are one more', async () => {
    const first = await host.propose(purchase());
    await host.call('commit', { proposal: first });
    const handles = await often(() => host.propose({ again: first }));
    expect([...new Set(handles)]).to.deep.equal([first.replace(/-1$/, '-2')]);
    await often(() => host.call('commit', { proposal: handles[0]! }));
    expect(await agent.events()).to.deep.equal(['order.purchased', 'order.purchased']);
  });

  it('of a wish for one more are refused before the first is done', async () => {
    const first = await host.propose(purchase());
    expect((await host.call('propose', { again: first })).says).to.include('open: commit it');
  });

  it('of what another input asks for are other acts', async () => {
    const two = [await host.propose(purchase()), await host.propose(purchase({ quantity: 2 }))];
    for (const proposal of two) await host.call('commit', { proposal });
    expect(await agent.events()).to.deep.equal(['order.purchased', 'order.purchased']);
  });

  it('of reads change nothing', async () => {
    const head = (await node().store.head()).seq;
    const calls: readonly (readonly [string, object])[] = [
      ['search', { text: 'rain' }],
      ['read', { id: listingId }],
      ['list_mine', {}],
      ['wallet', {}],
      ['describe_action', {}],
      ['describe_action', { action: 'bid.create' }],
      ['wait', { id: listingId, states: ['active'], seconds: 1 }],
      ['open_delivery', { id: listingId }],
    ];
    for (const [tool, input] of calls) {
      const answers = await often(() => host.call(tool, input));
      expect(new Set(answers.map(({ blocks }) => blocks.join())).size, tool).to.equal(1);
    }
    expect((await node().store.head()).seq).to.equal(head);
  });

  it('of a refused commit can be proposed anew, under the same handle', async () => {
    const poor = await TestAgent.make(node(), 5);
    const its = await poor.host();
    const [first, second] = [await its.propose(purchase()), await its.propose(purchase({ quantity: 1 }))];
    await its.call('commit', { proposal: first });
    expect((await its.call('commit', { proposal: second })).says).to.include('INSUFFICIENT_BALANCE');
    expect((await its.call('commit', { proposal: second })).says).to.match(/INSUFFICIENT_BALANCE|propose it anew/);
    await node().fund(poor.key, 5);
    expect(await its.propose(purchase({ quantity: 1 }))).to.equal(second);
    expect((await its.call('commit', { proposal: second })).says).to.match(/^Done/);
    expect(await poor.events()).to.deep.equal(['order.purchased', 'order.purchased']);
    await poor.discard();
  });
});
