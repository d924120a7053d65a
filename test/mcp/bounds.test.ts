/** What the server of MCP bounds: age, number, size, and who may write to its folder. */
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { mcpBounds } from '../../packages/mcp/src/bounds.js';
import { type AgentProposal, handleFor, type Intent } from '../../packages/mcp/src/proposals.js';
import { publishes } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';
import { TestAgent } from './support/agent.js';

describe('Bounds of a server of MCP', () => {
  const node = nodeForSuite();
  let agent: TestAgent;
  let listingId: string;

  beforeEach(async () => {
    agent = await TestAgent.make(node());
    ({ listingId } = await publishes(await node().person(), { pricing: { price: 5 } }));
  });
  afterEach(() => agent.discard());

  const purchase = () => ({ action: 'info-order.create', input: { listingId } });
  const fileOf = (handle: string) => join(agent.folder, `${handle}.json`);
  const changed = async (handle: string, change: Partial<AgentProposal>) => {
    const found = JSON.parse(await readFile(fileOf(handle), 'utf8')) as AgentProposal;
    await writeFile(fileOf(handle), JSON.stringify({ ...found, ...change }));
  };

  it('a proposal of more than an hour ago is proposed anew', async () => {
    const host = await agent.host();
    const proposal = await host.propose(purchase());
    await changed(proposal, { proposedAt: Date.now() - mcpBounds.proposalMs - 1_000 });
    expect((await host.call('commit', { proposal })).says).to.include('older than an hour');
    expect([host.asked, await agent.events()]).to.deep.equal([[], []]);
    expect(await host.propose(purchase())).to.equal(proposal);
    expect((await host.call('commit', { proposal })).says).to.match(/^Done/);
  });

  it('a paid call is not tried again once it could pay anew', async () => {
    const made = agent.agent();
    Object.assign(made.options, { payments: { hosts: ['127.0.0.1:1'], loopback: true } });
    const host = await agent.host({}, made);
    const intent: Intent = {
      did: agent.key.did,
      action: 'http.call',
      input: { url: 'http://127.0.0.1:1/', method: 'GET' },
    };
    const handle = handleFor(intent, 1);
    const sentAt = Date.now() - mcpBounds.paidCallMs - 1_000;
    const sent: AgentProposal = { handle, intent, most: 2, state: 'sent', proposedAt: sentAt, sentAt };
    await writeFile(fileOf(handle), JSON.stringify(sent));
    expect((await host.call('pay_http', { proposal: handle })).says).to.include('not tried again');
  });

  it('a request that a person could not see whole is not confirmed', async () => {
    const host = await agent.host();
    const releaseRules = Array.from({ length: 40 }, () => ({ type: 'manual', id: 'x'.repeat(180) }));
    const input = { beneficiary: node().did, amount: 1, releaseRules };
    const intent: Intent = { did: agent.key.did, action: 'escrow.create', input };
    const handle = handleFor(intent, 1);
    await host.call('wallet');
    const open: AgentProposal = { handle, intent, most: 1, state: 'open', proposedAt: Date.now() };
    await writeFile(fileOf(handle), JSON.stringify(open));
    expect((await host.call('commit', { proposal: handle })).says).to.include('too long for a person');
    expect([host.asked, await agent.events()]).to.deep.equal([[], []]);
  });

  it('open proposals are kept up to a number, the oldest go, and what was done or declined stays', async () => {
    const host = await agent.host();
    const done = await host.propose(purchase());
    await host.call('commit', { proposal: done });
    const old = Date.now() - 2 * mcpBounds.dayMs;
    await changed(done, { proposedAt: old, sentAt: old });
    const declined = await host.propose({ again: done });
    await changed(declined, { proposedAt: old, state: 'declined' });
    const made = async (count: number) => {
      const intent: Intent = { did: agent.key.did, action: 'escrow.create', input: { count } };
      const handle = handleFor(intent, count + 3);
      await writeFile(
        fileOf(handle),
        JSON.stringify({ handle, intent, most: 1, state: 'open', proposedAt: Date.now() }),
      );
      return handle;
    };
    const open: string[] = [];
    for (let count = 0; count < mcpBounds.openProposals; count++) open.push(await made(count));
    const proposal = await host.propose({ ...purchase(), input: { listingId, quantity: 1 } });
    const names = await readdir(agent.folder);
    const isKept = (handle: string) => names.includes(`${handle}.json`);
    expect([isKept(open[0]!), isKept(open.at(-1)!), isKept(proposal)]).to.deep.equal([false, true, true]);
    expect((await host.call('propose', purchase())).says).to.include('was done before');
    expect((await host.call('propose', { again: done })).says).to.include('has declined this');
    expect((await host.call('commit', { proposal })).says).to.match(/^Done/);
    expect(await agent.events()).to.deep.equal(['order.purchased', 'order.purchased']);
  });

  describe('of what has ended', () => {
    const old = Date.now() - 2 * mcpBounds.dayMs;
    const ended = (count: number, more: Partial<AgentProposal> = {}): AgentProposal => {
      const intent: Intent = { did: agent.key.did, action: 'escrow.create', input: { count } };
      const proposedAt = old + count;
      return {
        handle: handleFor(intent, count + 2),
        intent,
        most: 3,
        state: 'done',
        proposedAt,
        sentAt: proposedAt,
        ...more,
      };
    };
    const write = (each: AgentProposal) => writeFile(fileOf(each.handle), JSON.stringify(each));
    const files = async () => (await readdir(agent.folder)).filter((name) => /-\d+\.json$/.test(name));

    it('the newest are kept, 10,000 as a few; what is forgotten is told apart, and its handle is no one else’s', async () => {
      const host = await agent.host();
      const first = await host.propose(purchase());
      await host.call('commit', { proposal: first });
      await changed(first, { proposedAt: old, sentAt: old });
      for (let count = 0; count < 10_000; count += 1_000) {
        await Promise.all(Array.from({ length: 1_000 }, (_, index) => write(ended(count + index))));
        const input = { beneficiary: node().did, amount: 1 + count / 1_000, releaseRules: [{ type: 'manual' }] };
        await host.propose({ action: 'escrow.create', input });
        expect((await files()).length).to.be.at.most(mcpBounds.endedProposals + mcpBounds.openProposals);
      }
      expect((await host.call('commit', { proposal: first })).says).to.include('it is forgotten');
      const anew = await host.propose(purchase());
      expect(anew).to.not.equal(first);
      expect((await host.call('commit', { proposal: first })).says).to.include('it is forgotten');
      expect(await agent.events()).to.deep.equal(['order.purchased']);
    });

    it('those of a day stay, whatever their number, and count for its sum', async () => {
      const host = await agent.host({}, agent.agent({ askAbove: 1, askAboveDaily: 1 }));
      const today = { proposedAt: Date.now(), sentAt: Date.now() };
      for (let count = 0; count < 2_000; count += 1_000)
        await Promise.all(Array.from({ length: 1_000 }, (_, index) => write(ended(count + index, today))));
      await host.propose(purchase());
      expect((await host.call('wallet')).says).to.include(`(${2_000 * 3} used)`);
    });

    it('answers are kept up to a length, and then the newest', async () => {
      const host = await agent.host();
      await host.call('wallet');
      const text = 'x'.repeat(mcpBounds.keptCharacters / 4);
      const calls = Array.from({ length: 6 }, (_, count) => {
        const intent: Intent = { did: agent.key.did, action: 'http.call', input: { count } };
        const answer = { status: 200, type: null, text };
        return ended(count, { intent, answer, handle: handleFor(intent, count + 2) });
      });
      for (const each of calls) await write(each);
      await host.propose(purchase());
      const says = await Promise.all(
        calls.map(async ({ handle }) => (await host.call('pay_http', { proposal: handle, from: text.length })).says),
      );
      expect(says.map((each) => each.includes('not kept'))).to.deep.equal([true, true, false, false, false, false]);
    });
  });

  it('what a killed process left goes, and a proposal that the power broke makes no second act', async () => {
    const host = await agent.host();
    const intent: Intent = { did: agent.key.did, action: 'info-order.create', input: { listingId } };
    const left = join(agent.folder, `.${handleFor(intent, 1)}.json.0123456789abcdef.tmp`);
    await writeFile(left, '{}');
    await writeFile(fileOf(handleFor(intent, 1)), '{"handle":');
    const proposal = await host.propose(purchase());
    expect((await host.call('commit', { proposal })).says).to.match(/^Done/);
    expect((await host.call('propose', purchase())).says).to.include('was done before');
    expect(await readdir(agent.folder)).to.not.include(basename(left));
    expect(await agent.events()).to.deep.equal(['order.purchased']);
  });

  it('a folder in which others may write is not used', async () => {
    await agent.host();
    await chmod(agent.folder, 0o777);
    expect(() => agent.agent()).to.throw(/may write to the folder/);
    await chmod(agent.folder, 0o700);
  });

  it('arguments have a number of parts, and a depth', async () => {
    const host = await agent.host();
    const many = Object.fromEntries(Array.from({ length: mcpBounds.inputElements + 1 }, (_, at) => [`m${at}`, at]));
    let deep: object = {};
    for (let depth = 0; depth < 4_000; depth++) deep = { deep };
    for (const input of [many, deep]) {
      const answer = await host.call('propose', { action: 'escrow.create', input }).catch((error: unknown) => error);
      expect(answer instanceof Error || (answer as { isError: boolean }).isError).to.equal(true);
    }
    expect((await host.call('wallet')).isError).to.equal(false);
  });
});
