/**
 * Chains that are reset, lose blocks, reorganise, or are not ours: missing operations are sent again, a contradiction halts
 * settlement.
 */
import { expect } from 'chai';
import { StartRefused } from '../../../src/node/identity.js';
import { expectStatus } from '../../node/support/answers.js';
import { TestNode } from '../../node/support/node.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { asHex, PublicChain } from '../support/public-chain.js';
import { RpcProxy } from '../support/rpc-proxy.js';
import { backupThenSettle, chainOf, expectNodeSettled, history, settled } from '../support/settled-node.js';

(anvilBinary() === undefined ? describe.skip : describe)('a chain that moved', () => {
  const nodes: TestNode[] = [];
  const chains: PublicChain[] = [];
  const proxies: RpcProxy[] = [];

  const start = async (variables: { readonly [name: string]: string }, dir?: string): Promise<TestNode> => {
    const node = await TestNode.start({ variables, ...(dir === undefined ? {} : { dir }) });
    nodes.push(node);
    return node;
  };
  const publicChain = async (args?: readonly string[]): Promise<PublicChain> => {
    const chain = await PublicChain.start(args);
    chains.push(chain);
    return chain;
  };

  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.discard();
    for (const proxy of proxies.splice(0)) await proxy.close();
    for (const chain of chains.splice(0)) await chain.stop();
  });
  after(tidy);

  it('back by evm_revert, under a running node', async () => {
    const chain = await publicChain();
    const node = await start(chain.variables());
    const [ada, ben] = await history(node, 3);
    await expectNodeSettled(node);
    const snapshot = await chain.rpc('evm_snapshot');
    for (let n = 1; n <= 4; n++) await ada.pays(ben.did, n);
    const operations = await expectNodeSettled(node);
    expect(await chain.rpc('evm_revert', snapshot)).to.equal(true);
    await ada.pays(ben.did, 9);
    expect(await expectNodeSettled(node)).to.equal(operations + 1);
  });

  it('reordered, with the last blocks gone', async () => {
    const chain = await publicChain();
    const node = await start(chain.variables());
    const [ada, ben] = await history(node, 6);
    const operations = await expectNodeSettled(node);
    await chain.rpc('anvil_reorg', { depth: 3, tx_block_pairs: [] }).catch(() => chain.rpc('anvil_reorg', 3, []));
    await ada.pays(ben.did, 9);
    expect(await expectNodeSettled(node)).to.equal(operations + 1);
  });

  it('reordered before what was settled had its confirmations', async () => {
    const chain = await publicChain(['--block-time', '1', '--mixed-mining']);
    const node = await start({ ...chain.variables(), SVC_CONFIRMATIONS: '3', SVC_SETTLEMENT_WAIT_MS: '60000' });
    const [ada, ben] = [await node.rich(1_000), await node.person()];
    const sent = await ada.pays(ben.did, 1);
    expect(sent).to.include({ status: 'confirmed' });
    expect(sent.confirmations).to.be.at.least(3);
    const paying = ada.pays(ben.did, 2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await chain.rpc('anvil_reorg', 1, []);
    expect((await paying).status).to.equal('confirmed');
    await expectNodeSettled(node);
  });

  it('with another history halts settlement, and reads continue', async () => {
    const chain = await publicChain();
    const other = await start(chain.variables());
    await history(other, 2);
    await expectNodeSettled(other);
    await other.stop();
    nodes.shift();
    const before = await start({ SVC_CHAIN: 'none' });
    const [, ben] = await history(before, 6);
    await before.stop();
    const node = await start(chain.variables(), before.dir);
    nodes.shift();
    await until('it halts', () => chainOf(node), { is: ({ settlement }) => settlement === 'halted' });
    const ready = expectStatus(await node.client.get('/readyz'));
    expect(ready.status).to.equal('degraded');
    expect(ready.reasons.join()).to.match(/settlement has halted: the chain holds another history/);
    const refused = await node.client.post('/api/v1/faucet', { did: ben.did });
    expect(refused.status).to.equal(503);
    expect(refused.body.detail).to.match(/settlement has halted/);
    expect(refused.headers['retry-after']).to.equal('30');
    expect(expectStatus(await node.client.get(`/api/v1/wallets/${ben.did}`)).balance).to.equal(21);
    expectStatus(await node.client.post('/api/v1/identities', { passphrase: 'correct horse battery' }), 201);
  });

  it('continues where it was halted once the chain is right again', async () => {
    const chain = await publicChain();
    const other = await start(chain.variables());
    await history(other, 1);
    await expectNodeSettled(other);
    await other.stop();
    nodes.shift();
    const before = await start({ SVC_CHAIN: 'none' });
    await history(before, 6);
    await before.stop();
    const halted = await start(chain.variables(), before.dir);
    nodes.shift();
    await until('it halts', () => chainOf(halted), { is: ({ settlement }) => settlement === 'halted' });
    await halted.stop();
    nodes.shift();
    const node = await start(chain.variables(undefined, await chain.deployAgain()), before.dir);
    expect(await expectNodeSettled(node)).to.equal(7);
  });

  it('ahead of a journal that was restored from an older backup halts with the reason', async () => {
    const chain = await publicChain();
    const node = await start(chain.variables());
    const backup = await backupThenSettle(node);
    await node.stop();
    nodes.shift();
    const restored = await start(chain.variables(), backup);
    await until('it halts', () => chainOf(restored), { is: ({ settlement }) => settlement === 'halted' });
    const { reasons } = expectStatus(await restored.client.get('/readyz'));
    expect(reasons.join()).to.match(/the chain has 4 operations and the journal 3: the journal was rolled back/);
  });

  it('whose state the operator has tampered with refuses what the journal holds: 500, and halted', async () => {
    const chain = await publicChain();
    const node = await start(chain.variables());
    const [ada, ben] = await history(node, 2);
    const operations = await expectNodeSettled(node);
    // Ada's row in the vault: the mapping's slot is unknown, so the test empties her balance at each candidate.
    const { keccak256, zeroPadValue } = await import('ethers');
    const key = Buffer.from((await import('../../../src/core/codecs/did.js')).publicKeyOf(ada.did));
    for (let slot = 0; slot < 12; slot++) {
      const at = keccak256(
        Buffer.concat([
          key,
          Buffer.from(
            zeroPadValue(asHex(slot).length % 2 ? `0x0${slot.toString(16)}` : asHex(slot), 32).slice(2),
            'hex',
          ),
        ]),
      );
      const word = await chain.rpc('eth_getStorageAt', chain.contracts.vault, at, 'latest');
      if (!/^0x0*$/.test(word))
        await chain.rpc('anvil_setStorageAt', chain.contracts.vault, at, `0x${'0'.repeat(63)}1`);
    }
    const reply = await ada.write('/api/v1/transfers', { to: ben.did, amount: 5 });
    expect(reply.status).to.equal(500);
    expect(reply.body).to.include({ code: 'INTERNAL_ERROR', committed: true });
    expect(reply.body.eventHash).to.match(/^[0-9a-f]{64}$/);
    ada.nonce += 1;
    await until('it halts', () => chainOf(node), { is: ({ settlement }) => settlement === 'halted' });
    const { reasons } = expectStatus(await node.client.get('/readyz'));
    expect(reasons.join()).to.match(new RegExp(`rejects operation ${operations + 1}.*InsufficientBalance`));
    expect((await ada.write('/api/v1/transfers', { to: ben.did, amount: 1 })).status).to.equal(503);
  });

  it('that refuses a whole batch is reported at once: 500 for all that wait, and halted', async () => {
    const chain = await publicChain();
    const node = await start({ ...chain.variables(), SVC_SETTLEMENT_WAIT_MS: '60000' });
    const people = await Promise.all([1, 2, 3].map(() => node.rich(100)));
    await expectNodeSettled(node);
    await chain.revokeOperator();
    const from = Date.now();
    const replies = await Promise.all(
      people.map((person, index) => person.write('/api/v1/transfers', { to: people[(index + 1) % 3]!.did, amount: 1 })),
    );
    expect(Date.now() - from, 'not after the 60 s that a request waits').to.be.below(55_000);
    for (const { status, body } of replies) {
      if (status === 503) continue; // The request came after an earlier one had halted settlement.
      expect(status).to.equal(500);
      expect(body).to.include({ code: 'INTERNAL_ERROR', committed: true });
      expect(body).to.include.keys('eventHash', 'nonce');
    }
    expect(replies.map(({ status }) => status)).to.include(500);
    await until('it halts', () => chainOf(node), { is: ({ settlement }) => settlement === 'halted' });
    const { reasons } = expectStatus(await node.client.get('/readyz'));
    expect(reasons.join()).to.match(/settlement has halted: the chain rejects a batch: AccessControl/);
  });

  describe('at start', () => {
    it('is not refused while nothing answers: the node says so, and settles once the chain answers', async () => {
      const chain = await publicChain();
      const proxy = await RpcProxy.open(() => chain.url);
      proxies.push(proxy);
      proxy.treat = () => 'drop';
      const node = await start(chain.variables(proxy.url));
      const ready = expectStatus(await node.client.get('/readyz'));
      expect(ready.status).to.equal('degraded');
      expect(ready.reasons.join()).to.match(/SVC_RPC_URL was asked for its chain id and gave no answer/);
      expectStatus(await node.client.get('/healthz'));
      proxy.treat = ({ method }) => (method === 'eth_chainId' ? { answer: { result: '0x5' } } : 'pass');
      await until(
        'it says which chain answers',
        async () => expectStatus(await node.client.get('/readyz')).reasons.join(),
        {
          is: (reasons) => /leads to chain 5, and SVC_CHAIN_ID says 41337/.test(reasons),
        },
      );
      proxy.treat = () => 'pass';
      await settled(node);
    });

    it('is refused where the RPC is no chain, another chain, or has no contracts', async () => {
      const chain = await publicChain();
      const refusal = async (more: { readonly [name: string]: string }): Promise<string> => {
        const testnet = { ...chain.variables(), SVC_NETWORK: 'testnet', ...more };
        const error = await start(testnet).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(StartRefused);
        return (error as Error).message;
      };
      expect(await refusal({ SVC_CHAIN_ID: '5' })).to.match(/leads to chain 41337, and SVC_CHAIN_ID says 5/);
      const nowhere = { ...chain.contracts, vault: `0x${'12'.repeat(20)}` };
      expect(await refusal({ SVC_CONTRACTS: JSON.stringify(nowhere) })).to.match(/no contract at 0x1212.* \(vault\)/);
      expect(await refusal({ SVC_CONTRACTS: '{"token":"0x1"}' })).to.match(/has no address of token/);
      expect(await refusal({ SVC_CONTRACTS: '/nowhere' })).to.match(/cannot be read/);
      expect(await refusal({ SVC_OPERATOR_KEY_FILE: '/nowhere' })).to.match(/cannot be read/);
      expect(await refusal({ SVC_CONTRACTS: '' })).to.match(/needs SVC_CONTRACTS/);
      expect(await refusal({ SVC_OPERATOR_KEY_FILE: '' })).to.match(/needs SVC_OPERATOR_KEY_FILE/);
      expect(await refusal({ SVC_CHAIN: 'embedded' })).to.match(/leave one of them out/);
    });
  });

  it('on testnet: settled on the configured chain', async () => {
    const chain = await publicChain();
    const node = await start(chain.variables());
    expect(await chainOf(node))
      .to.include({ kind: 'rpc', chainId: 41_337 })
      .and.not.have.property('rpcUrl');
    const admin = await node.keyed({ scope: 'admin' });
    expect(expectStatus(await admin.get('/api/v1/node')).chain).to.include({ rpcUrl: chain.url });
    await settled(node);
  });
});
