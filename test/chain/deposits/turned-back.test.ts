/**
 * A chain of someone else reorganises after deposits: a deposit that disappeared is never credited, and a credited one is
 * credited once.
 */
import { expect } from 'chai';
import { accountKey } from '../../../src/chain/contracts/contract-reader.js';
import { type ContractName, roleOf } from '../../../src/chain/contracts/interfaces.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { contractCall } from '../support/contract-call.js';
import { PublicChain } from '../support/public-chain.js';
import { RpcProxy } from '../support/rpc-proxy.js';
import { receiptOf, richSender, Sender } from '../support/sender.js';
import { chainOf, expectNodeSettled } from '../support/settled-node.js';

/** Longer than the watcher's interval. */
const lookMs = 2_500;
/** Longer than the settler waits after an unexpected chain. */
const awayMs = 11_000;

(anvilBinary() === undefined ? describe.skip : describe)('a chain that turns back under deposits', () => {
  let chain: PublicChain;
  let proxy: RpcProxy;
  let node: TestNode;
  let depositor: Sender;
  let ada: Person;
  let ben: Person;

  async function open(confirmations: number): Promise<void> {
    chain = await PublicChain.start();
    depositor = await richSender(
      () => chain.evm,
      (address, wei) => chain.rpc('anvil_setBalance', address, `0x${wei.toString(16)}`),
    );
    const operator = new Sender(() => chain.evm, chain.key);
    operator.nonce = await chain.evm.transactionCount(operator.address, 'latest');
    await mined(operator, 'ServiceToken', 'grantRole', await roleOf('MINTER_ROLE'), operator.address);
    await mined(operator, 'ServiceToken', 'mint', depositor.address, 1_000);
    await mined(depositor, 'ServiceToken', 'approve', chain.contracts.vault, 1_000);
    proxy = await RpcProxy.open(() => chain.url);
    node = await TestNode.start({
      variables: { ...chain.variables(proxy.url), SVC_CONFIRMATIONS: String(confirmations) },
    });
    [ada, ben] = [await node.person(), await node.person()];
  }
  afterEach(async () => {
    const report = await node?.audit();
    await node?.discard();
    await proxy?.close();
    await chain?.stop();
    expect(report?.flaw?.what).to.equal(undefined);
  });
  after(tidy);

  const signed = async (from: Sender, contract: ContractName, method: string, ...args: unknown[]) =>
    from.sign(...(await contractCall(chain.contracts, contract, method, args)));
  async function lands(raw: Hex): Promise<void> {
    expect((await receiptOf(chain.evm, await chain.evm.send(raw))).succeeded).to.equal(true);
  }
  const mined = async (...call: Parameters<typeof signed>): Promise<void> => lands(await signed(...call));
  const deposit = (to: Person, amount: number) =>
    signed(depositor, 'LedgerVault', 'deposit', accountKey(to.did), amount);

  async function looked(): Promise<void> {
    for (let look = 0; look < 3; look++) {
      node.world.skip(lookMs);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }
  const balances = async (): Promise<number[]> => [(await ada.wallet()).balance, (await ben.wallet()).balance];
  const credited = async (): Promise<number> =>
    (await node.store.entries({ after: 0, limit: 100, type: 'tokens.deposited' })).length;
  const why = async (): Promise<string> => expectStatus(await node.client.get('/readyz')).reasons.join();
  const figure = async (name: string): Promise<number> =>
    Number(new RegExp(`^svc_settlement_${name} (\\S+)$`, 'm').exec((await node.client.get('/metrics')).text)?.[1]);
  async function expectBooks(supply: number): Promise<void> {
    const { chain: vault, ...books }: Body = expectStatus(await node.client.get('/api/v1/supply'));
    expect(books).to.include({ balanced: true, supply });
    expect(vault).to.include({ owed: supply, waiting: 0, holdings: supply });
  }

  it('before they have their confirmations: they are not credited, and others take their place', async () => {
    await open(3);
    await lands(await deposit(ada, 70));
    await looked();
    expect(await balances()).to.deep.equal([0, 0]);
    await chain.rpc('anvil_reorg', 1, []);
    await chain.rpc('anvil_mine', '0x8');
    await looked();
    expect(await balances()).to.deep.equal([0, 0]);
    depositor.nonce -= 1;
    await lands(await deposit(ben, 5));
    await chain.rpc('anvil_mine', '0x3');
    await until('the other deposit is credited', () => ben.wallet(), { is: ({ balance }) => balance === 5 });
    // The batch with the operation needs its confirmations too.
    await until(
      'it is settled',
      async () => {
        await chain.rpc('anvil_mine', '0x1');
        return chainOf(node);
      },
      { is: ({ lag }) => lag === 0 },
    );
    expect(await expectNodeSettled(node)).to.equal(1);
    expect(await balances()).to.deep.equal([0, 5]);
    await expectBooks(5);
  });

  it('that were credited, and brings them again in other blocks: they stay credited once', async () => {
    await open(1);
    const snapshot = await chain.rpc('evm_snapshot');
    const raw = await deposit(ada, 70);
    await lands(raw);
    node.world.skip(lookMs);
    await until('it is credited', () => ada.wallet(), { is: ({ balance }) => balance === 70 });
    await ada.pays(ben.did, 20);
    expect(await expectNodeSettled(node)).to.equal(2);
    await chain.rpc('evm_revert', snapshot);
    const sent = await chain.evm.transactionCount(chain.operator.address, 'latest');
    node.world.skip(lookMs);
    const waiting = /deposit 1 of 70 for .* was credited, and then the chain was reorganised: it is not in the vault/;
    await until('settlement waits', why, { is: (reason) => waiting.test(reason) });
    node.world.skip(lookMs);
    expect(await chain.evm.transactionCount(chain.operator.address, 'latest'), 'nothing was paid for').to.equal(sent);
    expect(await balances()).to.deep.equal([50, 20]);
    await lands(raw);
    node.world.skip(awayMs);
    expect(await expectNodeSettled(node)).to.equal(2);
    await looked();
    expect([await credited(), await balances()]).to.deep.equal([1, [50, 20]]);
    await ada.pays(ben.did, 1);
    expect(await expectNodeSettled(node)).to.equal(3);
    await expectBooks(70);
  });

  it('while the batch that takes them is on its way: it is reverted, and sent again once they are there again', async () => {
    await open(1);
    const snapshot = await chain.rpc('evm_snapshot');
    const raw = await deposit(ada, 70);
    let turned: Promise<unknown> | undefined;
    proxy.treat = ({ method }) => {
      if (method !== 'eth_sendRawTransaction' || turned) return 'pass';
      turned = chain.rpc('evm_revert', snapshot);
      return 300;
    };
    await lands(raw);
    node.world.skip(lookMs);
    await until('it is missing', why, { is: (reason) => /reorganised/.test(reason) });
    node.world.skip(lookMs);
    expect(await turned).to.equal(true);
    expect(await figure('lag_operations')).to.equal(1);
    expect(await figure('lag_seconds')).to.be.above(lookMs / 1_000);
    expect(await balances()).to.deep.equal([70, 0]);
    await lands(raw);
    node.world.skip(awayMs);
    expect(await expectNodeSettled(node)).to.equal(1);
    await expectBooks(70);
    expect(await figure('reverts_total'), 'the case that is meant').to.equal(1);
    expect([await figure('lag_operations'), await figure('lag_seconds')]).to.deep.equal([0, 0]);
  });
});
