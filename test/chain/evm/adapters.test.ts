/** Each adapter keeps the contract of the port. */
import { Anvil } from '../../../src/chain/devnet/anvil.js';
import { anvilBinary } from '../../../src/chain/devnet/anvil-binary.js';
import { openDevnet } from '../../../src/chain/devnet/devnet.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import { openRemote } from '../../../src/chain/evm/remote.js';
import { realWorld as world } from '../../../src/world.js';
import { scratch, tidy } from '../support/scratch.js';
import { evmContract } from './evm.contract.js';

const log = (): void => {};
const own = (mode: 'anvil' | 'embedded') => () =>
  openDevnet({ mode, network: 'devnet', folder: scratch(), chainId: undefined, world, log });

after(tidy);

evmContract('embedded in the process', own('embedded'));

if (anvilBinary() !== undefined) {
  evmContract('an anvil of the node', own('anvil'));

  evmContract('behind an RPC URL', async () => {
    const anvil = await Anvil.open({ binary: anvilBinary()!, folder: scratch(), chainId: 31_337, world, log });
    const remote = await openRemote({ url: anvil.url!, chainId: 31_337, contracts: {}, world });
    return {
      evm: remote.evm,
      async give(address: Hex, wei: bigint) {
        await anvil.request([{ method: 'anvil_setBalance', params: [address, `0x${wei.toString(16)}`] }]);
      },
      async close() {
        await remote.close();
        await anvil.stop();
      },
    };
  });
}
