/** On which networks a node may run a local chain, and how it treats deposits there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { accountKey } from '../../../src/chain/contracts/contract-reader.js';
import { StartRefused } from '../../../src/node/identity.js';
import { expectStatus } from '../../node/support/answers.js';
import { TestNode, type Variables } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { scratch, tidy } from '../../support/scratch.js';
import { contractCall } from '../support/contract-call.js';
import { richSender } from '../support/sender.js';
import { chainOf, settled, untilAsTimePasses } from '../support/settled-node.js';

/** Longer than the deposit watcher's interval. */
const restMs = 2_500;

describe('a chain that the node runs itself', () => {
  after(tidy);

  for (const [network, chain, says] of [
    ['mainnet', 'auto', /^mainnet needs SVC_RPC_URL/],
    ['mainnet', 'embedded', /^mainnet needs SVC_RPC_URL/],
    ['testnet', 'auto', /^testnet needs SVC_RPC_URL; SVC_CHAIN=embedded/],
  ] as const) {
    it(`is refused on ${network} with SVC_CHAIN=${chain}`, async () => {
      const variables = { SVC_NETWORK: network, SVC_CHAIN: chain };
      const error = await TestNode.start({ variables }).then(
        (node) => node.discard(),
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(StartRefused);
      expect((error as Error).message).to.match(says);
    });
  }

  it('of others may be away at the start: /healthz answers, and /readyz says what is missing', async () => {
    const dir = scratch();
    const operatorKey = join(dir, 'operator.key');
    writeFileSync(operatorKey, `0x${'11'.repeat(32)}\n`, { mode: 0o600 });
    const names = ['token', 'registry', 'vault', 'settlement'];
    const node = await start({
      SVC_CHAIN: 'auto',
      SVC_CHAIN_ID: '5',
      SVC_RPC_URL: 'http://127.0.0.1:1',
      SVC_CONTRACTS: JSON.stringify(
        Object.fromEntries(names.map((name, i) => [name, `0x${String(i + 1).repeat(40)}`])),
      ),
      SVC_OPERATOR_KEY_FILE: operatorKey,
    });
    expect(expectStatus(await node.client.get('/healthz'))).to.include({ status: 'ok' });
    const ready = expectStatus(await node.client.get('/readyz'));
    expect(ready.status).to.equal('degraded');
    expect(ready.reasons.join()).to.match(/SVC_RPC_URL was asked for its chain id and gave no answer: .*ECONNREFUSED/);
    await node.rich(1);
    await node.discard();
  });

  /** Withdraws 40 of 100 Tokens and deposits them again. */
  async function depositedAgain(node: TestNode): Promise<Person> {
    await settled(node);
    const evm = node.running.chain!.evm!;
    const ada = await node.rich(100);
    const sender = await richSender(() => evm);
    const { status } = await ada.does(`/api/v1/wallets/${ada.did}/actions/withdraw`, {
      amount: 40,
      to: sender.address,
    });
    expect(status).to.equal('confirmed');
    const { contracts } = node.running.chain!;
    const call = async (...what: [string, unknown[]]) =>
      sender.mined(
        ...(await contractCall(contracts!, what[0] === 'approve' ? 'ServiceToken' : 'LedgerVault', ...what)),
      );
    await call('approve', [contracts!.vault, 40]);
    expect((await call('deposit', [accountKey(ada.did), 40])).succeeded).to.equal(true);
    return ada;
  }

  const start = (variables: Variables) => TestNode.start({ variables });

  it('is inside of the process on devnet, without being asked for, and takes deposits', async () => {
    const node = await start({ SVC_CHAIN: 'auto' });
    expect(await chainOf(node))
      .to.include({ kind: 'embedded' })
      .and.not.have.property('rpcUrl');
    const ada = await depositedAgain(node);
    await untilAsTimePasses('it is credited', node, restMs, async () => (await ada.wallet()).balance === 100);
    await node.discard();
  });

  it('gives nothing for a deposit on testnet, where its operator could make the Tokens from nothing', async () => {
    const node = await start({ SVC_NETWORK: 'testnet', SVC_CHAIN: 'embedded', SVC_LOOPBACK: 'on' });
    const ada = await depositedAgain(node);
    for (let look = 0; look < 4; look++) {
      node.world.skip(restMs);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await settled(node);
    expect((await ada.wallet()).balance).to.equal(60);
    await node.discard();
  });
});
