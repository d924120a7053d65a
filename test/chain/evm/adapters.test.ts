/** Runs the contract suite of the EVM port on each adapter. */

import { openRemote } from '../../../src/chain/evm/remote.js';
import { openLocalChain } from '../../../src/chain/local/local-chain.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { scratch, tidy } from '../../support/scratch.js';
import { Anvil } from '../support/anvil.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { evmContract } from './evm.contract.js';

after(tidy);

evmContract('embedded in the process', () =>
  openLocalChain({ network: 'devnet', folder: scratch(), chainId: undefined, world, log: () => {} }),
);

(anvilBinary() === undefined ? describe.skip : describe)('with anvil', () => {
  evmContract('behind an RPC URL', async () => {
    const anvil = await Anvil.start(31_337);
    const remote = await openRemote({ url: anvil.url, chainId: 31_337, contracts: {}, world });
    return {
      evm: remote.evm,
      give: (address, wei) => anvil.give(address, wei),
      async close() {
        await remote.close();
        await anvil.stop();
      },
    };
  });
});
