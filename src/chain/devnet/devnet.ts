/**
 * A chain that the node runs itself: anvil, or the EVM inside the process where anvil cannot run.
 */
import { mkdir } from 'node:fs/promises';
import type { World } from '../../world.js';
import { Embedded } from '../embedded/embedded.js';
import { JsonRpcEvm } from '../evm/json-rpc-evm.js';
import type { Transport } from '../evm/transport.js';
import type { OpenChain } from '../open-chain.js';
import { Anvil } from './anvil.js';
import { anvilBinary } from './anvil-binary.js';
import { AnvilFailed } from './anvil-process.js';
import { localChainId } from './chain-id.js';

export interface DevnetOptions {
  /** auto: anvil, else embedded. */
  readonly mode: 'auto' | 'anvil' | 'embedded';
  readonly network: string;
  /** The chain's folder in the data directory. */
  readonly folder: string;
  /** Instead of the one that follows from the data directory. */
  readonly chainId: number | undefined;
  readonly world: World;
  readonly log: (message: string, detail: object) => void;
}

const pulseMs = 1_000;

/** Rejects with AnvilFailed where anvil was asked for and can't run. */
export async function openDevnet(options: DevnetOptions): Promise<OpenChain> {
  const { mode, network, folder, world, log } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const chainId = options.chainId ?? (await localChainId(folder, network, world));
  const anvil = mode === 'embedded' ? undefined : await openAnvil(options, chainId);
  const host: Transport & { stop(): Promise<void> } = anvil ?? (await Embedded.open({ chainId, folder, world, log }));
  const evm = new JsonRpcEvm({ kind: anvil ? 'anvil' : 'embedded', chainId, transport: host, world, pulseMs });
  await evm.blockNumber();
  return {
    evm,
    rpcUrl: () => anvil?.url,
    async close() {
      evm.close();
      await host.stop();
    },
  };
}

async function openAnvil({ mode, folder, world, log }: DevnetOptions, chainId: number): Promise<Anvil | undefined> {
  const binary = anvilBinary();
  const mustRun = mode === 'anvil';
  if (binary === undefined) {
    if (mustRun) throw new AnvilFailed(`no package of anvil is installed for ${process.platform}-${process.arch}`);
    log('anvil is not installed for this platform: the embedded EVM stands in', {});
    return undefined;
  }
  try {
    return await Anvil.open({ binary, folder, chainId, world, log });
  } catch (error) {
    if (mustRun || !(error instanceof AnvilFailed)) throw error;
    log('anvil does not run here: the embedded EVM stands in', { error: error.message });
    return undefined;
  }
}
