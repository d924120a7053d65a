/** The id of a local chain depends on its data directory and its network. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { localChainId } from '../../../src/chain/local/local-chain.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { scratch, tidy } from '../../support/scratch.js';

const idOf = (folder: string, network = 'devnet') => localChainId(folder, network, realEnvironment);

describe('the id of a local chain', () => {
  after(tidy);

  it('stays the same for a data directory', async () => {
    const folder = scratch();
    expect(await idOf(folder)).to.equal(await idOf(folder));
  });

  it('differs per data directory and per network', async () => {
    const [one, other] = [scratch(), scratch()];
    const ids = [await idOf(one), await idOf(other), await idOf(one, 'testnet'), await idOf(one, 'mainnet')];
    expect(new Set(ids).size).to.equal(4);
    for (const id of ids) expect(id).to.be.within(1e14, 2 ** 52);
  });

  it('is made anew where what was kept can’t be read', async () => {
    const folder = scratch();
    const before = await idOf(folder);
    for (const damage of [() => writeFileSync(join(folder, 'id'), 'x'), () => rmSync(join(folder, 'id'))]) {
      damage();
      const made = await idOf(folder);
      expect(made).to.not.equal(before);
      expect(await idOf(folder)).to.equal(made);
    }
  });
});
