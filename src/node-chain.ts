/**
 * Which chain a node settles on (decisions.md, Configuration): a configured RPC URL, looked at before the node answers;
 * else one that the node runs itself and that comes up behind the first answer.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainLog } from './chain/chain.js';
import type { Contracts } from './chain/deployment.js';
import type { Credit } from './chain/deposits/deposit-watcher.js';
import { ChainFollower } from './chain/on-chain.js';
import type { OpenChain } from './chain/open-chain.js';
import { ChainSettlement } from './chain/settlement/chain-settlement.js';
import { bounds, type Config } from './config.js';
import { deriveKey, type Signer } from './keys/signing.js';
import type { Refusal } from './machines/kernel/refusal.js';
import { StartRefused } from './node-identity.js';
import type { Store } from './store/store.js';
import type { World } from './world.js';

export interface ChainParts {
  readonly config: Config;
  readonly store: Store;
  readonly world: World;
  readonly log: ChainLog;
  readonly onBatch: (batch: { operations: number; gas: number; reverted: boolean }) => void;
}

/** The `info` of the key that pays on a chain of the node's own, derived from the node's key. */
const operatorKeyInfo = 'svc:operator:v1';
const contractNames = ['token', 'registry', 'vault', 'settlement'] as const;

/** @returns undefined where the node settles on no chain. Rejects with StartRefused. */
export function chainOf({ config, store, world, log, onBatch }: ChainParts): ChainSettlement | undefined {
  const { chain, rpcUrl } = config;
  if (rpcUrl !== undefined && chain !== 'auto') {
    throw new StartRefused(`SVC_RPC_URL is for SVC_CHAIN=auto, and SVC_CHAIN says ${chain}: leave one of them out.`);
  }
  if (chain === 'none') return undefined;
  if (rpcUrl === undefined && (config.contracts !== undefined || config.operatorKeyFile !== undefined)) {
    throw new StartRefused(
      'SVC_CONTRACTS and SVC_OPERATOR_KEY_FILE are for the chain of SVC_RPC_URL, which is not set: set it, or leave them out.',
    );
  }
  return new ChainSettlement({
    store,
    network: config.network,
    world,
    log,
    onBatch,
    kind: rpcUrl !== undefined ? 'rpc' : chain === 'embedded' ? 'embedded' : 'anvil',
    confirmations: config.confirmations,
    contracts: rpcUrl === undefined ? undefined : contractsOf(config),
    waitMs: config.settlementWaitMs,
    bounds: { operations: bounds.pendingOperations, ms: bounds.pendingOperationsMs },
    notice:
      rpcUrl === undefined && config.network === 'mainnet'
        ? 'mainnet settles on a chain that this node runs itself, which binds nobody: set SVC_RPC_URL'
        : undefined,
  });
}

/**
 * What a node settles on, in words for people. Processes on one database must say the same: each would otherwise settle
 * the whole journal once more, on a chain that the others know nothing of, whenever the lease comes to it.
 */
export function settlesOn(config: Config, did: string): string {
  if (config.chain === 'none') return 'no chain';
  if (config.rpcUrl === undefined) return `the chain that ${did} runs itself`;
  return `the contracts at ${contractsOf(config).settlement.toLowerCase()}`;
}

export interface FollowerParts extends ChainParts {
  /** Brings a deposit into the ledger. */
  readonly credit: (credit: Credit) => Promise<Refusal | undefined>;
}

/** What goes on on the chain beside settlement, from when the contracts are found. */
export function followerOf(
  settlement: ChainSettlement,
  { config, store, world, log, credit }: FollowerParts,
): ChainFollower {
  const { shared } = store;
  const follower = new ChainFollower({
    ...{ store, world, log, credit },
    isOwn: config.rpcUrl === undefined,
    confirmations: config.confirmations,
    ...(shared ? { mine: async () => (await shared.holds('settlement')) !== undefined } : {}),
  });
  settlement.whenStanding((standing) => follower.attach(standing));
  return follower;
}

/** A configured chain is looked at here and now; one of the node's own is opened when `start` is called. */
export async function startable(
  settlement: ChainSettlement,
  { config, world, log }: ChainParts,
  node: Signer,
): Promise<() => void> {
  const { rpcUrl, chain, chainId, network, dataDir } = config;
  if (rpcUrl !== undefined) {
    const operatorKey = operatorKeyOf(config);
    const { openRemote, RemoteRefused } = await import('./chain/evm/remote.js');
    const contracts = contractsOf(config);
    const opened = await openRemote({ url: rpcUrl, chainId, contracts: { ...contracts }, world }).catch(
      (error: unknown) => {
        throw error instanceof RemoteRefused ? new StartRefused(error.message) : error;
      },
    );
    return () => settlement.start(async () => ({ chain: opened, operatorKey }));
  }
  if (chain === 'anvil') await mustHaveAnvil();
  const open = async (): Promise<{ chain: OpenChain; operatorKey: Uint8Array }> => {
    const { openDevnet } = await import('./chain/devnet/devnet.js');
    const mode = chain === 'none' ? 'auto' : chain;
    const opened = await openDevnet({ mode, network, chainId, folder: join(dataDir, 'chain'), world, log });
    return { chain: opened, operatorKey: deriveKey(node, operatorKeyInfo) };
  };
  return () => settlement.start(open);
}

async function mustHaveAnvil(): Promise<void> {
  const { anvilBinary } = await import('./chain/devnet/anvil-binary.js');
  if (anvilBinary() !== undefined) return;
  throw new StartRefused(
    `SVC_CHAIN is anvil, and no package of anvil is installed for ${process.platform}-${process.arch}: SVC_CHAIN=embedded needs none.`,
  );
}

/** As `svc-node chain deploy` prints them, or a file that holds that. */
export function contractsOf({ contracts }: Config): Contracts {
  if (contracts === undefined) {
    throw new StartRefused(
      'SVC_RPC_URL needs SVC_CONTRACTS: what `svc-node chain deploy` prints, or a file that holds it.',
    );
  }
  const text = contracts.trimStart().startsWith('{') ? contracts : contentOf('SVC_CONTRACTS', contracts);
  let parsed: { readonly [name: string]: unknown } = {};
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch {
    // Said below: none of the addresses is there.
  }
  for (const name of contractNames) {
    if (typeof parsed?.[name] === 'string' && /^0x[0-9a-fA-F]{40}$/.test(parsed[name])) continue;
    throw new StartRefused(
      `SVC_CONTRACTS has no address of ${name}: what \`svc-node chain deploy\` prints has all of them.`,
    );
  }
  const [token, registry, vault, settlement] = contractNames.map((name) => parsed[name] as string);
  return { token: token!, registry: registry!, vault: vault!, settlement: settlement! };
}

export function operatorKeyOf({ operatorKeyFile }: Config): Uint8Array {
  if (operatorKeyFile === undefined) {
    throw new StartRefused(
      'SVC_RPC_URL needs SVC_OPERATOR_KEY_FILE: a file with the private key that pays for settlement.',
    );
  }
  const line = contentOf('SVC_OPERATOR_KEY_FILE', operatorKeyFile).split(/\r?\n/, 1)[0]!.trim();
  const hex = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(line)?.[1];
  if (hex === undefined || /^0+$/.test(hex)) {
    throw new StartRefused('SVC_OPERATOR_KEY_FILE holds no private key: its first line must be 32 bytes in hex.');
  }
  return Buffer.from(hex, 'hex');
}

function contentOf(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new StartRefused(`${variable} names ${file}, which cannot be read.`);
  }
}
