/** The local chain of a node: an EVM in this process, without a port. */
import type { Environment } from '../../core/environment.js';
import { JsonRpcEvm } from '../evm/json-rpc-evm.js';
import type { OpenChain } from '../evm/open-chain.js';
import { localChainId } from './chain-id.js';
import { Embedded } from './embedded.js';

export interface LocalChainOptions {
  readonly network: string;
  /** The chain's folder in the data directory. */
  readonly folder: string;
  /** Replaces the chain id that is derived from the data directory. */
  readonly chainId: number | undefined;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
}

const pulseMs = 1_000;

export async function openLocalChain(options: LocalChainOptions): Promise<OpenChain> {
  const { network, folder, world, log } = options;
  const chainId = options.chainId ?? (await localChainId(folder, network, world));
  const transport = await Embedded.open({ chainId, folder, world, log });
  const evm = new JsonRpcEvm({ kind: 'embedded', chainId, transport, world, pulseMs });
  await evm.blockNumber();
  return {
    evm,
    rpcUrl: () => undefined,
    async close() {
      evm.close();
      await transport.stop();
    },
  };
}
