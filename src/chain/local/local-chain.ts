/** The local chain of a node: an EVM in this process, without a port. */

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../core/canonical.js';
import { writeFileDurably } from '../../core/durable-file.js';
import type { Environment } from '../../core/environment.js';
import { JsonRpcEvm } from '../evm/json-rpc-evm.js';
import type { OpenChain } from '../evm/open-chain.js';
import { Embedded } from './embedded.js';

export interface LocalChainOptions {
  readonly network: string;
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

/** Far above the ids of public chains, and below the limit of wallets (2^52). */
const firstOf: { readonly [network: string]: number } = { devnet: 1e14, testnet: 2e14, mainnet: 3e14 };
const idBytes = 16;
const isId = /^[0-9a-f]{32}$/;

/** @param folder the chain's folder in the data directory; created when missing */
export async function localChainId(folder: string, network: string, world: Environment): Promise<number> {
  const id = await directoryId(folder, world);
  return (firstOf[network] ?? 4e14) + Number.parseInt(sha256Hex(`svc:chain:v1:${network}:${id}`).slice(0, 10), 16);
}

/** A random name stored in the directory. An unreadable one is replaced, which starts a new chain: the old one was a cache. */
async function directoryId(folder: string, world: Environment): Promise<string> {
  const file = join(folder, 'id');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (isId.test(found)) return found;
  const made = Buffer.from(world.random(idBytes)).toString('hex');
  await writeFileDurably(file, `${made}\n`);
  return made;
}
