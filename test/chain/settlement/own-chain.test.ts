/** A local chain that is lost, outdated, another node's, or ahead of the journal. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import { TestNode } from '../../node/support/node.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { backupThenSettle, chainOf, expectNodeSettled, history, someDid } from '../support/settled-node.js';

describe('a chain of the node’s own', () => {
  const nodes: TestNode[] = [];

  const start = async (dir?: string, chain = 'embedded'): Promise<TestNode> => {
    const node = await TestNode.start({ variables: { SVC_CHAIN: chain }, ...(dir === undefined ? {} : { dir }) });
    nodes.push(node);
    return node;
  };
  const stop = async (node: TestNode): Promise<void> => {
    nodes.splice(nodes.indexOf(node), 1);
    await node.stop();
  };
  const stateOf = (dir: string): string => join(dir, 'chain', 'chain.db');

  /** A journal, a copy of its data directory, and the chain, which has settled more than the copy contains. */
  async function backedUp(): Promise<{ readonly backup: string; readonly chain: string }> {
    const node = await start();
    const backup = await backupThenSettle(node);
    await stop(node);
    return { backup, chain: join(node.dir, 'chain') };
  }

  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.discard();
  });
  after(tidy);

  it('that is empty is settled again, from the journal', async () => {
    const node = await start();
    await history(node, 5);
    const operations = await expectNodeSettled(node);
    await node.stop();
    rmSync(stateOf(node.dir));
    await node.restart();
    expect(await expectNodeSettled(node)).to.equal(operations);
  });

  it('that is back at an older state is sent the rest, once', async () => {
    const node = await start();
    await history(node, 3);
    await node.stop();
    const older = readFileSync(stateOf(node.dir));
    await node.restart();
    await history(node, 4);
    const operations = await expectNodeSettled(node);
    await node.stop();
    writeFileSync(stateOf(node.dir), older);
    await node.restart();
    expect(await expectNodeSettled(node)).to.equal(operations);
  });

  it('that is ahead of a journal restored from an older backup halts with the reason', async () => {
    const { backup, chain } = await backedUp();
    rmSync(join(backup, 'chain'), { recursive: true });
    cpSync(chain, join(backup, 'chain'), { recursive: true });
    const node = await start(backup);
    await until('it halts', () => chainOf(node), { is: ({ settlement }) => settlement === 'halted' });
    const { reasons } = expectStatus(await node.client.get('/readyz'));
    expect(reasons.join()).to.match(/the chain has 4 operations and the journal 3: the journal was rolled back/);
    const refused = await node.client.post('/api/v1/faucet', { did: someDid(1) });
    expect(refused.status).to.equal(503);
    const auditor = await node.keyed({ scope: 'admin' });
    expectStatus(await auditor.post('/api/v1/audit'), 201);
    const last = async () => expectStatus(await auditor.get('/api/v1/audit')).last;
    await until('the audit is finished', async () => (await last()) !== null);
    expect((await last()).flaw).to.include({ check: 'settlement' });
    expect(await last()).to.include({ status: 'flawed' });
  });

  it('with another history than the journal halts settlement, and reads continue', async () => {
    const { backup, chain } = await backedUp();
    const apart = await start(backup, 'none');
    const [ada] = await history(apart, 3);
    await stop(apart);
    rmSync(join(backup, 'chain'), { recursive: true });
    cpSync(chain, join(backup, 'chain'), { recursive: true });
    const node = await start(backup);
    await until('it halts', () => chainOf(node), { is: ({ settlement }) => settlement === 'halted' });
    const { reasons } = expectStatus(await node.client.get('/readyz'));
    expect(reasons.join()).to.match(/the chain holds another history than the journal: after operation 4/);
    expect(expectStatus(await node.client.get(`/api/v1/wallets/${ada.did}`)).balance).to.equal(994);
  });
});
