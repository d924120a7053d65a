/**
 * Another chain at the same URL, with the same id and fresh contracts at the same addresses, is not accepted as the right one.
 */
import { expect } from 'chai';
import { accountKey } from '../../../src/chain/contracts/contract-reader.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import { SettlementContract } from '../../../src/chain/settlement/settlement-contract.js';
import { createLog } from '../../../src/core/log.js';
import { StartRefused } from '../../../src/node/identity.js';
import { expectStatus } from '../../node/support/answers.js';
import { TestNode, type Variables } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { contractCall } from '../support/contract-call.js';
import { PublicChain } from '../support/public-chain.js';
import { richSender } from '../support/sender.js';
import { chainOf, expectNodeSettled, untilAsTimePasses } from '../support/settled-node.js';

const stepMs = 10_500;

(anvilBinary() === undefined ? describe.skip : describe)('another chain in the place of the right one', () => {
  let chain: PublicChain;
  let node: TestNode | undefined;
  let ada: Person;

  /** The node's log, shown when an assertion times out. */
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } });

  async function settledOn(args: readonly string[] = [], more: Variables = {}): Promise<TestNode> {
    chain = await PublicChain.start(args);
    lines.length = 0;
    node = await TestNode.start({ variables: { ...chain.variables(), ...more }, parts: { log } });
    ada = await node.rich(100);
    await expectNodeSettled(node);
    return node;
  }
  afterEach(async () => {
    await node?.discard();
    node = undefined;
    await chain?.stop();
  });
  after(tidy);

  const halts = async (running: TestNode): Promise<string> => {
    await untilAsTimePasses(
      'it halts',
      running,
      stepMs,
      async () => (await chainOf(running)).settlement === 'halted',
    ).catch(async (error: Error) => {
      const ready = await running.client.get('/readyz');
      error.message += `; ${JSON.stringify([await chainOf(running), ready.body])}\n${lines.slice(-40).join('')}`;
      throw error;
    });
    return expectStatus(await running.client.get('/readyz')).reasons.join();
  };

  async function refusal(dir: string, variables: Variables): Promise<string> {
    const error = await TestNode.start({ dir, variables }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartRefused);
    return (error as Error).message;
  }

  /** Tokens that the operator of the other chain created there, deposited for Ada. */
  async function deposits(amount: number): Promise<void> {
    const sender = await richSender(
      () => chain.evm,
      (address, wei) => chain.anvil.give(address, wei),
    );
    const { contracts } = chain;
    await chain.rpc('anvil_impersonateAccount', contracts.vault);
    await chain.anvil.give(contracts.vault, 10n ** 18n);
    const [to, data] = await contractCall(contracts, 'ServiceToken', 'mint', [sender.address, amount]);
    await chain.rpc('eth_sendTransaction', { from: contracts.vault, to, data });
    const call = async (contract: 'ServiceToken' | 'LedgerVault', method: string, args: unknown[]) => {
      const receipt = await sender.mined(...(await contractCall(contracts, contract, method, args)));
      expect(receipt.succeeded, method).to.equal(true);
    };
    await call('ServiceToken', 'approve', [contracts.vault, amount]);
    await call('LedgerVault', 'deposit', [accountKey(ada.did), amount]);
  }

  it('is noticed while the node runs, credits no deposits, and is refused at the next start', async () => {
    const running = await settledOn();
    await chain.replace();
    await deposits(1_000_000);
    expect(await halts(running)).to.match(/settlement has halted: SVC_RPC_URL leads to another chain than this ledger/);
    const refused = await ada.write('/api/v1/transfers', { to: running.did, amount: 1 });
    expect(refused.status).to.equal(503);
    for (let look = 0; look < 4; look++) {
      running.world.skip(stepMs);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect((await ada.wallet()).balance).to.equal(100);
    await running.stop();
    expect(await refusal(running.dir, chain.variables())).to.match(
      /^SVC_RPC_URL leads to another chain than this ledger is settled on: block 0 is 0x/,
    );
  });

  it('halts settlement where only the code of the contract is another', async () => {
    const running = await settledOn();
    const { settlement } = chain.contracts;
    const code = await chain.rpc('eth_getCode', settlement, 'latest');
    // Takes every call and does nothing.
    await chain.rpc('anvil_setCode', settlement, '0x00');
    const write = ada.write('/api/v1/transfers', { to: running.did, amount: 1 });
    await until('it is written, before the halt refuses writes', async () => (await ada.wallet()).balance < 100);
    expect(await halts(running)).to.match(/the code of the contract 0x\w+, which settles, is not what it was/);
    running.world.skip(stepMs);
    expect((await write).body.status).to.equal('pending');
    expect((await ada.write('/api/v1/transfers', { to: running.did, amount: 1 })).status).to.equal(503);
    await chain.rpc('anvil_setCode', settlement, code as string);
    await untilAsTimePasses(
      'it goes on',
      running,
      stepMs,
      async () => (await chainOf(running)).settlement === 'running',
    );
    await expectNodeSettled(running);
  });

  it('with the same genesis is recognised by the block of its contracts', async () => {
    const args = ['--timestamp', String(Math.floor(Date.now() / 1_000))];
    const running = await settledOn(args);
    const genesis = (await chain.evm.block(0))!.hash;
    await running.stop();
    await chain.kill();
    await chain.boot(args);
    await chain.rpc('anvil_mine', '0x20');
    await chain.anvil.give(chain.operator.address, 10n ** 24n);
    await chain.deployAgain();
    expect((await chain.evm.block(0))!.hash).to.equal(genesis);
    expect(await refusal(running.dir, chain.variables())).to.match(/another chain .*: block [1-9]\d* is 0x/);
  });

  it('is taken where SVC_CONTRACTS names the block that its contracts were made in, and no other', async () => {
    const running = await settledOn();
    const operations = await expectNodeSettled(running);
    await running.stop();
    await chain.replace();
    const deployed = (hash: Hex) => JSON.stringify({ ...chain.contracts, block: { ...chain.madeIn, hash } });
    const wrong = { ...chain.variables(), SVC_CONTRACTS: deployed(`0x${'12'.repeat(32)}`) };
    expect(await refusal(running.dir, wrong)).to.match(/says that its contracts were made in block \d+, 0x1212/);
    const moved = { ...chain.variables(), SVC_CONTRACTS: deployed(chain.madeIn.hash) };
    const there = await TestNode.start({ dir: running.dir, variables: moved });
    node = there;
    const contract = await SettlementContract.at(chain.evm, chain.contracts.settlement);
    await until('it is settled there', () => contract.cursor(), {
      is: ({ operation }) => operation === operations,
    });
    expect(await expectNodeSettled(there)).to.equal(operations);
  });
});
