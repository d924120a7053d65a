/**
 * Tokens are withdrawn from a node's ledger to the chain and deposited again; DIDs have controllers; the journal is anchored.
 */
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from '../../../packages/client/src/client.js';
import { keys } from '../../../packages/client/src/signing/key.js';
import { accountKey } from '../../../src/chain/contracts/contract-reader.js';
import { type ContractName, contractInterface } from '../../../src/chain/contracts/interfaces.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import { deriveControllerKey } from '../../../src/keys/controller-key.js';
import { signerOf } from '../../../src/keys/signing.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { seedIn } from '../../node/support/kdf.js';
import type { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { contractCall } from '../support/contract-call.js';
import { receiptOf, Sender } from '../support/sender.js';
import { expectNodeSettled, nodeOnLocalChain } from '../support/settled-node.js';

describe('a node and its chain', () => {
  let node: TestNode;
  nodeOnLocalChain((started) => {
    node = started;
  });

  const read = async (path: string): Promise<Body> => expectStatus(await node.client.get(`/api/v1${path}`));
  const contracts = () => node.running.chain!.contracts!;
  const evm = () => node.running.chain!.evm!;

  /** A sender with the controller's key that does not use the node. */
  async function outside(person: Person): Promise<Sender> {
    const { key } = deriveControllerKey(signerOf(await seedIn(node.dir, person.address, person.passphrase)));
    const sender = new Sender(evm, key);
    sender.nonce = await evm().transactionCount(sender.address, 'latest');
    await evm().fund!(sender.address, 10n ** 18n);
    return sender;
  }
  async function call(from: Sender, contract: ContractName, method: string, ...args: unknown[]) {
    const sent = await from.send(...(await contractCall(contracts(), contract, method, args)));
    const receipt = await receiptOf(evm(), sent);
    expect(receipt.succeeded, method).to.equal(true);
  }
  async function tokensOf(address: string): Promise<number> {
    const abi = await contractInterface('ServiceToken');
    const data = abi.encodeFunctionData('balanceOf', [address]) as Hex;
    return Number(abi.decodeFunctionResult('balanceOf', await evm().call({ to: contracts().token as Hex, data }))[0]);
  }

  it('registers each DID that uses its key, and counts the controller’s transactions', async () => {
    const ada = await node.rich(10);
    expect((await read(`/nonce/${ada.did}`)).data).to.include({ registered: false, nonce: 0 });
    await ada.pays((await node.person()).did, 1);
    await until('the controller is registered', async () => (await read(`/nonce/${ada.did}`)).data.registered);
    const sender = await outside(ada);
    const { address } = (await read(`/nonce/${ada.did}`)).data;
    expect(address.toLowerCase()).to.equal(sender.address);
    expect((await read(`/identities/${ada.did}`)).controller).to.equal(address);
    await receiptOf(evm(), await sender.send(`0x${'12'.repeat(20)}`, '0x'));
    expect((await read(`/nonce/${ada.did}`)).data).to.include({ nonce: 1, nextNonce: 2, settlementNonce: 1 });
    expect((await read(`/nonce/${address}`)).data).to.deep.equal({ address, nonce: 1 });
  });

  it('withdraws Tokens to the controller, who deposits them for someone else', async () => {
    const [ada, ben] = [await node.rich(100), await node.person()];
    const sender = await outside(ada);
    const paid = await ada.does(`/api/v1/wallets/${ada.did}/actions/withdraw`, { amount: 40 });
    expect(paid).to.include({ status: 'confirmed', amount: 40 });
    expect(paid.to.toLowerCase()).to.equal(sender.address);
    expect(await tokensOf(paid.to)).to.equal(40);
    expect((await ada.wallet()).balance).to.equal(60);
    await call(sender, 'ServiceToken', 'approve', contracts().vault, 25);
    await call(sender, 'LedgerVault', 'deposit', accountKey(ben.did), 25);
    await until('the deposit is credited', () => ben.wallet(), {
      is: ({ balance }) => balance === 25,
    });
    await expectNodeSettled(node);
    expect(await tokensOf(paid.to)).to.equal(15);
    const { transactions } = await read(`/wallets/${ben.did}/transactions`);
    expect(transactions[0]).to.include({ op: 'deposit', amount: 25, from: null, status: 'confirmed' });
    const { chain, balanced, supply } = await read('/supply');
    expect(balanced).to.equal(true);
    expect(chain).to.include({
      owed: supply,
      waiting: 0,
      holdings: supply,
      kind: 'embedded',
      tokenSupply: supply + 15,
    });
  });

  it('withdraws Tokens of a key that their holder keeps, and credits them with deposits', async () => {
    const key = await keys.fromSeed(randomBytes(32));
    await node.fund(key, 100);
    const environment = { now: () => node.world.now() };
    const client = new Client({ url: node.url, signer: { key }, environment });
    const sender = new Sender(evm, randomBytes(32));
    await evm().fund!(sender.address, 10n ** 18n);
    const unnamed = await client.wallets.withdraw(key.did, { amount: 40 }).catch((error: Error) => error.message);
    expect(unnamed).to.match(/to: is required where the signer keeps the key/);
    const { address: to } = (await read(`/nonce/${sender.address}`)).data;
    // A node that would pay another address gets no signature.
    const lying = new Client({
      ...{ url: node.url, signer: { key }, environment },
      fetch: async (url, init) => {
        const text = await (await fetch(url, init)).text();
        return new Response(text.replaceAll(to, contracts().token));
      },
    });
    const lie = await lying.wallets.withdraw(key.did, { amount: 15, to }).catch((error: Error) => error.message);
    expect(lie).to.match(/something else .*: payload.input.to$/);
    const paid = await client.wallets.withdraw(key.did, { amount: 15, to: sender.address }, { most: 15 });
    expect(paid).to.include({ amount: 15, to });
    expect(await client.wallets.withdraw(key.did, { amount: 25, to })).to.include({ amount: 25, to });
    await expectNodeSettled(node);
    expect(await tokensOf(to)).to.equal(40);
    await call(sender, 'ServiceToken', 'approve', contracts().vault, 25);
    await call(sender, 'LedgerVault', 'deposit', accountKey(key.did), 25);
    await until('the deposit is credited', () => client.wallets.get(key.did), { is: ({ balance }) => balance === 85 });
    await expectNodeSettled(node);
  });

  it('withdraws Tokens to a contract, but not to the node’s contracts', async () => {
    const ada = await node.rich(100);
    const path = `/api/v1/wallets/${ada.did}/actions/withdraw`;
    const sender = await outside(ada);
    const contract = await sender.deploySum();
    const { address: to } = (await read(`/nonce/${contract}`)).data;
    expect(await ada.does(path, { amount: 7, to })).to.include({ status: 'confirmed', to });
    expect(await tokensOf(to)).to.equal(7);
    for (const ours of Object.values(contracts())) {
      expect((await ada.write(path, { amount: 7, to: ours.toLowerCase() })).body.code).to.equal('UNPROCESSABLE');
    }
    expect((await ada.wallet()).balance).to.equal(93);
    await expectNodeSettled(node);
  });

  it('repeats deposits if its chain was lost, and continues their numbers', async () => {
    const [ada, ben] = [await node.rich(100), await node.person()];
    let sender = await outside(ada);
    const { to } = await ada.does(`/api/v1/wallets/${ada.did}/actions/withdraw`, { amount: 40 });
    await call(sender, 'ServiceToken', 'approve', contracts().vault, 40);
    await call(sender, 'LedgerVault', 'deposit', accountKey(ben.did), 25);
    await until('the deposit is credited', () => ben.wallet(), {
      is: ({ balance }) => balance === 25,
    });
    await expectNodeSettled(node);
    const before = await read('/supply');
    await node.stop();
    for (const file of await readdir(join(node.dir, 'chain'))) {
      if (file !== 'id') await rm(join(node.dir, 'chain', file), { recursive: true });
    }
    await node.restart();
    await expectNodeSettled(node);
    const after = await read('/supply');
    expect(after.balanced).to.equal(true);
    expect(after.chain).to.include({ owed: before.supply, waiting: 0, holdings: before.supply });
    expect(await tokensOf(to), 'on a new chain no one has deposited what was withdrawn').to.equal(40);
    const person = ben.through(node.client);
    sender = await outside(ada);
    await call(sender, 'ServiceToken', 'approve', contracts().vault, 5);
    await call(sender, 'LedgerVault', 'deposit', accountKey(ben.did), 5);
    await until('the next deposit is credited', () => person.wallet(), {
      is: ({ balance }) => balance === 30,
    });
    await expectNodeSettled(node);
  });

  it('finds every move of a transaction by its hash', async () => {
    const [ada, ben] = [await node.rich(100), await node.person()];
    const { txHash, eventHash } = await ada.pays(ben.did, 3);
    const { transactions, status } = await read(`/transactions/${txHash}`);
    expect(status).to.equal('confirmed');
    expect(transactions.map(({ eventHash }: Body) => eventHash)).to.include(eventHash);
    expect((await read(`/transactions/${eventHash}`)).txHash).to.equal(txHash);
  });

  it('anchors the journal, and proves its events', async () => {
    const [ada, ben] = [await node.rich(5_000), await node.person()];
    const { eventHash } = await ada.pays(ben.did, 1);
    expect((await read(`/events/${eventHash}/proof`)).anchor).to.equal(null);
    node.world.skip(11 * 60_000);
    await ada.pays(ben.did, 1);
    await until('it is anchored', async () => (await read(`/events/${eventHash}/proof`)).anchor !== null, {});
    const { anchor } = await read(`/events/${eventHash}/proof`);
    expect((await evm().receipt(anchor.txHash))?.succeeded).to.equal(true);
    expect(expectStatus(await node.client.get('/readyz')).reasons).to.deep.equal([]);
  });
});
