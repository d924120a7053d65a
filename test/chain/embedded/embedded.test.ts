/** The EVM in the node's process: its state is stored on disk as a cache. */
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import Database from 'libsql';
import { JsonRpcEvm } from '../../../src/chain/evm/json-rpc-evm.js';
import { Embedded } from '../../../src/chain/local/embedded.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { richSender, word } from '../support/sender.js';

const open = (folder: string, { chainId = 78_001, saveMs = 60_000, said = [] as string[] } = {}) =>
  Embedded.open({ chainId, folder, world, saveMs, log: (message) => said.push(message) });
const evmOn = (embedded: Embedded, chainId = 78_001) =>
  new JsonRpcEvm({ kind: 'embedded', chainId, transport: embedded, world });

describe('the embedded chain', () => {
  after(tidy);

  it('keeps accounts, code, storage, blocks and receipts from one run to the next', async () => {
    const folder = scratch();
    const first = await open(folder);
    let evm = evmOn(first);
    const sender = await richSender(() => evm);
    const sum = await sender.deploySum();
    const receipt = await sender.mined(sum, word(5));
    const balance = await evm.balance(sender.address);
    await first.stop();

    const second = await open(folder);
    evm = evmOn(second);
    expect(await evm.call({ to: sum, data: '0x' })).to.equal(word(5));
    expect(await evm.receipt(receipt.transactionHash)).to.deep.equal(receipt);
    expect(await evm.balance(sender.address)).to.equal(balance);
    expect((await sender.mined(sum, word(6))).blockNumber).to.equal(receipt.blockNumber + 1);
    expect(await evm.call({ to: sum, data: '0x' })).to.equal(word(11));
    expect((await evm.logs({ address: sum, topics: [word(1)], fromBlock: 0, toBlock: 99 })).length).to.equal(2);
    await second.stop();
  });

  it('keeps what was set back as it was', async () => {
    const folder = scratch();
    const first = await open(folder);
    let evm = evmOn(first);
    const sender = await richSender(() => evm);
    const sum = await sender.deploySum();
    await sender.mined(sum, word(5));
    // Saved with 5, then read, which changes nothing, then reverted.
    await first.save();
    await evm.call({ to: sum, data: word(7) });
    expect((await sender.mined(sum, word(0))).succeeded).to.equal(false);
    await first.stop();
    const second = await open(folder);
    evm = evmOn(second);
    expect(await evm.call({ to: sum, data: '0x' })).to.equal(word(5));
    expect(await evm.transactionCount(sender.address, 'latest')).to.equal(3);
    await second.stop();
  });

  it('is saved while it runs', async () => {
    const folder = scratch();
    const chain = await open(folder, { saveMs: 20 });
    await evmOn(chain).mine!();
    const copy = scratch();
    const saved = async (): Promise<number> => {
      cpSync(folder, copy, { recursive: true });
      const again = await open(copy);
      const number = await evmOn(again).blockNumber();
      await again.stop();
      return number;
    };
    await until('the block is saved', () => saved(), { is: (count) => count === 1 });
    await chain.stop();
  });

  it('continues from the saved state when its thread has ended', async () => {
    const folder = scratch();
    let thread: Worker | undefined;
    process.once('worker', (worker) => {
      thread = worker;
    });
    const said: string[] = [];
    const chain = await open(folder, { said });
    const evm = evmOn(chain);
    const sender = await richSender(() => evm);
    const sum = await sender.deploySum();
    await chain.save();
    await sender.mined(sum, word(5));
    await thread!.terminate();
    const error = await chain.request([{ method: 'eth_chainId', params: [] }]).catch((reason: Error) => reason);
    expect(error).to.have.property('name', 'ChainAway');
    await until('it is there again', () =>
      evm.blockNumber().then(
        () => true,
        () => false,
      ),
    );
    expect(await evm.call({ to: sum, data: '0x' }), 'what was not saved').to.equal(word(0));
    expect(said.join()).to.match(/has ended: it is started again/);
    await chain.stop();
  });

  for (const [what, content] of [
    ['that is no database', 'not a database, and longer than its header'],
    ['of another kind of database', (file: string) => new Database(file).exec('CREATE TABLE state (other)')],
  ] as const) {
    it(`starts empty from a state ${what}, which is kept aside`, async () => {
      const folder = scratch();
      const said: string[] = [];
      const file = join(folder, 'chain.db');
      if (typeof content === 'string') writeFileSync(file, content);
      else content(file);
      const chain = await open(folder, { said });
      expect(await evmOn(chain).blockNumber()).to.equal(0);
      expect(existsSync(`${file}.bad`)).to.equal(true);
      expect(said.join()).to.include('is not used');
      await evmOn(chain).mine!();
      await chain.stop();
      const again = await open(folder);
      expect(await evmOn(again).blockNumber()).to.equal(1);
      await again.stop();
    });
  }

  it('does not take over the state of a chain with another id', async () => {
    const folder = scratch();
    const first = await open(folder);
    await evmOn(first).mine!();
    await first.stop();
    const second = await open(folder, { chainId: 78_002 });
    expect(await evmOn(second, 78_002).blockNumber()).to.equal(0);
    await second.stop();
  });

  it('says that it is away once it was ended', async () => {
    const chain = await open(scratch());
    await chain.stop();
    const error = await evmOn(chain)
      .blockNumber()
      .catch((reason: Error) => reason);
    expect(error).to.have.property('name', 'ChainAway');
  });
});
