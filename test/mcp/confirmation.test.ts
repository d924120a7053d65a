/** A person confirms, or nothing is signed (docs/mcp.md#limits). */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { keys } from '../../packages/client/src/signing/key.js';
import { approvalOf, questionOf } from '../../packages/mcp/src/limits.js';
import { type AgentProposal, Proposals } from '../../packages/mcp/src/proposals.js';
import { publishes } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';
import { until } from '../support/until.js';
import { type Person, revisions, TestAgent } from './support/agent.js';

const price = 5;

describe('Confirmation over MCP', () => {
  const node = nodeForSuite();
  let agent: TestAgent;
  let listingId: string;

  beforeEach(async () => {
    agent = await TestAgent.make(node());
    const { listingId: published } = await publishes(await node().person(), {
      title: 'Rain',
      pricing: { price },
      stock: 9,
    });
    listingId = published;
  });
  afterEach(() => agent.discard());

  const purchase = () => ({ action: 'info-order.create', input: { listingId } });

  for (const revision of revisions) {
    describe(`in ${revision}`, () => {
      it('is asked with the price, the request and the title, and one yes makes one purchase', async () => {
        const host = await agent.host({ revision });
        const proposal = await host.propose(purchase());
        expect(await agent.events()).to.deep.equal([]);
        const { says } = await host.call('commit', { proposal });
        expect(says).to.match(/^Done: info-order.create/);
        expect(host.asked.length).to.equal(1);
        expect(host.asked[0]).to.include(`at most ${price} Tokens`).and.to.include(listingId).and.to.include('"Rain"');
        expect(await agent.events()).to.deep.equal(['order.purchased']);
      });

      for (const person of ['no', 'cancel', 'unticked', 'none', 'urls'] satisfies readonly Person[]) {
        it(`signs nothing where the answer is: ${person}`, async () => {
          const cannotAsk = person === 'none' || person === 'urls';
          const host = await agent.host({ revision, person });
          const proposal = await host.propose(purchase());
          for (let tries = 0; tries < 3; tries++) {
            const { isError, says } = await host.call('commit', { proposal });
            expect(isError, says).to.equal(true);
            expect(says).to.include(cannotAsk ? `svc-node mcp approve ${proposal}` : proposal);
          }
          expect(host.asked.length).to.equal(cannotAsk ? 0 : 1);
          expect(await agent.events()).to.deep.equal([]);
        });
      }

      it('is of what the form has shown: of another title another form is shown', async () => {
        const host = await agent.host({ revision });
        const proposal = await host.propose(purchase());
        const file = join(agent.folder, `${proposal}.json`);
        host.client.setRequestHandler('elicitation/create', async ({ params }) => {
          host.asked.push(params.message);
          const found = JSON.parse(await readFile(file, 'utf8')) as AgentProposal;
          await writeFile(file, JSON.stringify({ ...found, about: 'Snow' }));
          return { action: 'accept', content: { confirm: true } };
        });
        expect((await host.call('commit', { proposal })).says).to.match(/^Done/);
        expect(host.asked.map((each) => each.includes('"Snow"'))).to.deep.equal([false, true]);
        expect(await agent.events()).to.deep.equal(['order.purchased']);
      });

      it('signs nothing while no answer comes, and the proposal can be committed later', async () => {
        const host = await agent.host({ revision, person: 'silent' });
        const proposal = await host.propose(purchase());
        host.call('commit', { proposal }).catch(() => {});
        await until('asked', () => host.asked.length);
        expect(await agent.events()).to.deep.equal([]);
        const later = await agent.host({ revision });
        expect((await later.call('commit', { proposal })).says).to.match(/^Done/);
        expect(await agent.events()).to.deep.equal(['order.purchased']);
      });
    });
  }

  it('does not count where the client has not started the server', async () => {
    const host = await agent.host({}, agent.agent(), false);
    const proposal = await host.propose(purchase());
    expect((await host.call('commit', { proposal })).says).to.include('svc-node mcp approve');
    expect([host.asked, await agent.events()]).to.deep.equal([[], []]);
  });

  it('is not needed below a threshold, for one act and for the sum of a day', async () => {
    const limits = { askAbove: price, askAboveDaily: 2 * price };
    const host = await agent.host({ person: 'none' }, agent.agent(limits));
    let proposal = await host.propose(purchase());
    expect((await host.call('commit', { proposal })).says).to.match(/^Done/);
    for (const isMade of [true, false]) {
      proposal = await host.propose({ again: proposal });
      expect((await host.call('commit', { proposal })).isError).to.equal(!isMade);
    }
    // Another process counts the same.
    const other = await agent.host({ person: 'none' }, agent.agent(limits));
    expect((await other.call('commit', { proposal })).isError).to.equal(true);
    expect(await agent.events()).to.deep.equal(['order.purchased', 'order.purchased']);
  });

  it('is needed for an act above the threshold', async () => {
    const host = await agent.host({ person: 'none' }, agent.agent({ askAbove: price - 1, askAboveDaily: 100 }));
    const proposal = await host.propose(purchase());
    expect((await host.call('commit', { proposal })).isError).to.equal(true);
    expect(await agent.events()).to.deep.equal([]);
  });

  it('is needed each time for what was declined once', async () => {
    const host = await agent.host({ person: 'no' }, agent.agent({ askAbove: price - 1, askAboveDaily: 100 }));
    const declined = await host.propose(purchase());
    await host.call('commit', { proposal: declined });
    const limits = { askAbove: 100, askAboveDaily: 100 };
    const unasked = await agent.host({ person: 'none' }, agent.agent(limits));
    let proposal = await unasked.propose({ again: declined });
    expect((await unasked.call('commit', { proposal })).says).to.include('svc-node mcp approve');
    const asked = await agent.host({}, agent.agent(limits));
    expect((await asked.call('commit', { proposal })).says).to.match(/^Done/);
    proposal = await unasked.propose({ again: proposal });
    expect((await unasked.call('commit', { proposal })).isError).to.equal(true);
    expect([asked.asked.length, await agent.events()]).to.deep.equal([1, ['order.purchased']]);
  });

  it('shows every DID and amount of the request, and who gets the Tokens, in whatever order they are written', async () => {
    const host = await agent.host();
    const signers = await Promise.all(Array.from({ length: 28 }, async () => (await keys.generate()).did));
    const beneficiary = (await keys.generate()).did;
    const rules = [signers.slice(0, 14), signers.slice(14)].map((each) => ({ type: 'signature', signers: each }));
    const proposal = await host.propose({
      action: 'escrow.create',
      input: { releaseRules: [...rules, { type: 'manual' }], autoFund: true, amount: 20, beneficiary },
    });
    await host.call('commit', { proposal });
    for (const shown of [...signers, '"amount":20', `"beneficiary":"${beneficiary}"`])
      expect(host.asked[0]).to.include(shown);
    const { says } = await host.call('propose', purchase());
    const file = join(agent.folder, `${/[0-9a-f]{16}-\d+/.exec(says)![0]}.json`);
    const found = JSON.parse(await readFile(file, 'utf8')) as AgentProposal;
    expect(found.to).to.be.an('array');
    const scope = `${'x'.repeat(3_000)} and all to ${beneficiary}`;
    expect(questionOf({ ...found, intent: { ...found.intent, input: { scope } } })).to.include(scope);
    expect(questionOf({ ...found, to: [beneficiary] })).to.include(`Tokens go to ["${beneficiary}"]`);
  });

  it('is of what was shown: not of a request with another title, receiver or version', async () => {
    const host = await agent.host({ person: 'none' });
    const handle = await host.propose(purchase());
    const file = join(agent.folder, `${handle}.json`);
    const found = JSON.parse(await readFile(file, 'utf8')) as AgentProposal;
    const approval = await approvalOf(found, agent.key, agent.agent().environment.now());
    for (const other of [{ about: 'Snow' }, { to: [agent.key.did] }, { resourcePrev: 'a'.repeat(64) }]) {
      await writeFile(file, JSON.stringify({ ...found, ...other, approval }));
      expect((await host.call('commit', { proposal: handle })).isError).to.equal(true);
    }
    expect(await agent.events()).to.deep.equal([]);
  });

  describe('in a terminal', () => {
    const fileOf = (handle: string) => join(agent.folder, `${handle}.json`);
    const proposalIn = async (handle: string) => JSON.parse(await readFile(fileOf(handle), 'utf8')) as AgentProposal;
    const waiting = async () => {
      const host = await agent.host({ person: 'none' });
      const handle = await host.propose(purchase());
      return { host, handle, found: await proposalIn(handle) };
    };

    it('lets the same proposal through, once', async () => {
      const { host, handle, found } = await waiting();
      const { environment } = agent.agent();
      await new Proposals(agent.folder, environment).save({
        ...found,
        approval: await approvalOf(found, agent.key, environment.now()),
      });
      for (let tries = 0; tries < 3; tries++) await host.call('commit', { proposal: handle });
      expect(await agent.events()).to.deep.equal(['order.purchased']);
    });

    it('is bound to the key, the request, the price and a time', async () => {
      const { host, handle, found } = await waiting();
      const now = agent.agent().environment.now();
      const stranger = await keys.generate();
      const good = await approvalOf(found, agent.key, now);
      const forged = [
        await approvalOf(found, stranger, now),
        await approvalOf({ ...found, most: 1 }, agent.key, now),
        await approvalOf({ ...found, handle: handle.replace(/1$/, '2') }, agent.key, now),
        await approvalOf(found, agent.key, now - 7_200_000),
        { ...good, until: good.until + 1 },
        { ...good, sig: '' },
        { until: good.until },
      ];
      for (const approval of forged) {
        await writeFile(fileOf(handle), JSON.stringify({ ...found, approval }));
        expect((await host.call('commit', { proposal: handle })).isError).to.equal(true);
      }
      await writeFile(fileOf(handle), JSON.stringify({ ...found, most: 50, approval: good }));
      expect((await host.call('commit', { proposal: handle })).isError).to.equal(true);
      const elsewhere = { ...found.intent, input: { listingId: 'lst-another' } };
      await writeFile(fileOf(handle), JSON.stringify({ ...found, intent: elsewhere, approval: good }));
      expect((await host.call('commit', { proposal: handle })).says).to.include('not that of this proposal');
      expect(await agent.events()).to.deep.equal([]);
    });
  });
});
