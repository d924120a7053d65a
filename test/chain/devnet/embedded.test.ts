/** The EVM inside the process: its state outlives it, as a cache. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Embedded } from '../../../src/chain/embedded/embedded.js';
import { JsonRpcEvm } from '../../../src/chain/evm/json-rpc-evm.js';
import { realWorld as world } from '../../../src/world.js';
import { scratch, tidy } from '../support/scratch.js';
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

  it('removes what a save has left that was cut off', async () => {
    const folder = scratch();
    const torn = join(folder, '.embedded.gz.0123456789abcdef.tmp');
    writeFileSync(torn, 'half');
    await (await open(folder)).stop();
    expect(existsSync(torn)).to.equal(false);
  });

  it('is saved while it runs', async () => {
    const folder = scratch();
    const chain = await open(folder, { saveMs: 20 });
    await evmOn(chain).mine!();
    const until = Date.now() + 5_000;
    while (!existsSync(join(folder, 'embedded.gz')) && Date.now() < until) await new Promise((r) => setTimeout(r, 10));
    const again = await open(folder);
    expect(await evmOn(again).blockNumber()).to.equal(1);
    await again.stop();
    await chain.stop();
  });

  for (const [what, bytes] of [
    ['that is not packed', Buffer.from('not gzip')],
    ['that holds something else', gzipSync('something else')],
    ['without a byte', Buffer.alloc(0)],
  ] as const) {
    it(`starts empty from a state ${what}, which is kept aside`, async () => {
      const folder = scratch();
      const said: string[] = [];
      writeFileSync(join(folder, 'embedded.gz'), bytes);
      const chain = await open(folder, { said });
      expect(await evmOn(chain).blockNumber()).to.equal(0);
      expect(readFileSync(join(folder, 'embedded.gz.bad'))).to.deep.equal(bytes);
      expect(said.join()).to.include('cannot be read');
      await chain.stop();
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
