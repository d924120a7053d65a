/** A server that is killed while it commits: the same proposal, committed again, takes effect once. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { AgentProposal } from '../../packages/mcp/src/proposals.js';
import { publishes } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';
import { TestAgent } from './support/agent.js';
import type { DoomedOrders, Point } from './support/doomed.js';

const run = promisify(execFile);
const program = new URL('./support/doomed.js', import.meta.url).pathname;

/** What is on disk where it ends: the state of the proposal, and whether the node has its event. */
const left: { readonly [at in Point]: readonly [state: AgentProposal['state'], events: number] } = {
  signed: ['open', 0],
  kept: ['sent', 0],
  sent: ['sent', 1],
  heard: ['sent', 1],
  noted: ['done', 1],
};

describe('A server of MCP that is killed', () => {
  const node = nodeForSuite();
  let agent: TestAgent;
  let proposal: string;

  beforeEach(async () => {
    agent = await TestAgent.make(node());
    const { listingId } = await publishes(await node().person(), { pricing: { price: 5 }, stock: 9 });
    proposal = await (await agent.host()).propose({ action: 'info-order.create', input: { listingId } });
  });
  afterEach(() => agent.discard());

  const commits = (at: DoomedOrders['at']) => {
    const orders: DoomedOrders = { url: node().url, seed: agent.seed, folder: agent.folder, proposal, at };
    return run(process.execPath, [program, JSON.stringify(orders)]);
  };
  const stateLeft = () =>
    (JSON.parse(readFileSync(join(agent.folder, `${proposal}.json`), 'utf8')) as AgentProposal).state;

  for (const [at, [state, events]] of Object.entries(left) as [Point, (typeof left)[Point]][]) {
    it(`where its act is ${at} makes it once`, async () => {
      const error = await commits(at).catch((thrown: unknown) => thrown);
      expect(error).to.include({ signal: 'SIGKILL' });
      expect([stateLeft(), (await agent.events()).length]).to.deep.equal([state, events]);
      const [lock] = readdirSync(join(agent.folder, 'locks')).sort((one, other) => Number(other) - Number(one));
      const isHeld = readFileSync(join(agent.folder, 'locks', lock!), 'utf8') !== '';
      expect(isHeld, 'its lock is left').to.equal(at !== 'noted');
      // Two servers come after it, at once.
      const answers = await Promise.all([commits('never'), commits('never')]);
      for (const { stdout } of answers) expect(stdout).to.match(/^Done: info-order.create/);
      expect(await agent.events()).to.deep.equal(['order.purchased']);
      expect(stateLeft()).to.equal('done');
    });
  }

  it('leaves files that only its user can read', async () => {
    await commits('sent').catch(() => {});
    expect(statSync(agent.folder).mode & 0o077).to.equal(0);
    for (const name of readdirSync(agent.folder))
      expect(statSync(join(agent.folder, name)).mode & 0o077, name).to.equal(0);
  });
});
