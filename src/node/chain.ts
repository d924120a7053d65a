/**
 * Selects the chain that a node settles on (docs/reference/configuration.md#chain-selection). A configured RPC URL is
 * checked before the node answers; a local chain starts after that.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractAddresses } from '../chain/contracts/deployment.js';
import type { Credit } from '../chain/deposits/deposit-watcher.js';
import { ChainAway, type Hex } from '../chain/evm/evm.js';
import type { OpenChain } from '../chain/evm/open-chain.js';
import { ChainFollower } from '../chain/follower/chain-follower.js';
import type { PinnedBlock } from '../chain/settlement/chain-pin.js';
import { ChainSettlement } from '../chain/settlement/chain-settlement.js';
import type { ChainLog } from '../chain/settlement/settlement.js';
import { bounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import type { Refusal } from '../core/refusal.js';
import { deriveKey, type Signer } from '../keys/signing.js';
import { holderOf, type Store } from '../store/store.js';
import type { Config } from './config/config.js';
import { StartRefused } from './identity.js';

export interface ChainParts {
  readonly config: Config;
  readonly store: Store;
  readonly world: Environment;
  readonly log: ChainLog;
  readonly onBatch: (batch: { operations: number; gas: number; reverted: boolean }) => void;
}

/** `info` of HKDF for the operator's key on a local chain, which is derived from the node's key. */
const operatorKeyInfo = 'svc:operator:v1';
const contractNames = ['token', 'registry', 'vault', 'settlement'] as const;

/** @returns undefined when the node settles on no chain. @throws StartRefused */
export function chainOf({ config, store, world, log, onBatch }: ChainParts): ChainSettlement | undefined {
  const { chain, rpcUrl } = config;
  if (rpcUrl !== undefined && chain !== 'auto') {
    throw new StartRefused(`SVC_RPC_URL is for SVC_CHAIN=auto, and SVC_CHAIN says ${chain}: leave one of them out.`);
  }
  if (chain === 'none') return undefined;
  if (rpcUrl === undefined) mustRunItsOwn(config);
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
    kind: rpcUrl === undefined ? 'embedded' : 'rpc',
    confirmations: config.confirmations,
    contracts: rpcUrl === undefined ? undefined : contractAddresses(config),
    madeIn: rpcUrl === undefined ? undefined : madeIn(config),
    waitMs: config.settlementWaitMs,
    bounds: { operations: bounds.pendingOperations, ms: bounds.pendingOperationsMs },
  });
}

/**
 * Describes the chain that a node settles on. All processes on one database must have the same description: otherwise
 * each new lease holder would settle the whole journal again, on its own chain.
 */
export function settlesOn(config: Config, did: string): string {
  if (config.chain === 'none') return 'no chain';
  if (config.rpcUrl === undefined) return `the chain that ${did} runs itself`;
  return `the contracts at ${contractAddresses(config).settlement.toLowerCase()}`;
}

export interface FollowerParts extends ChainParts {
  /** Credits a deposit to the ledger. */
  readonly credit: (credit: Credit) => Promise<Refusal | undefined>;
}

/** Creates the follower, which attaches to the chain when the contracts are found. */
export function followerOf(
  settlement: ChainSettlement,
  { config, store, world, log, credit }: FollowerParts,
): ChainFollower {
  const follower = new ChainFollower({
    ...{ store, world, log },
    // The chain must be the pinned one: another chain at the same URL could report Tokens that anyone minted there.
    async credit(deposit) {
      if (config.rpcUrl !== undefined && settlement.evm) await settlement.requirePinned(settlement.evm);
      return credit(deposit);
    },
    isOwn: config.rpcUrl === undefined,
    // The operator of a local chain can mint Tokens there, so only devnet credits them.
    credits: config.rpcUrl !== undefined || config.network === 'devnet',
    confirmations: config.confirmations,
    mine: holderOf(store, 'settlement'),
  });
  settlement.onReady((ready) => follower.attach(ready));
  return follower;
}

/**
 * Checks a configured chain now, unless it does not answer: then settlement asks it again until it does.
 * @returns the function that starts settlement; it opens a local chain
 * @throws StartRefused
 */
export async function startable(
  settlement: ChainSettlement,
  { config, world, log }: ChainParts,
  node: Signer,
): Promise<() => void> {
  const { rpcUrl, chainId, network, dataDir } = config;
  if (rpcUrl !== undefined) {
    const operatorKey = readOperatorKey(config);
    const { openRemote, RemoteAway, RemoteRefused } = await import('../chain/evm/remote.js');
    const contracts = { ...contractAddresses(config) };
    const open = async () => {
      const opened = await openRemote({ url: rpcUrl, chainId, contracts, world });
      await settlement.requirePinned(opened.evm).catch(async (error: unknown) => {
        await opened.close();
        throw error;
      });
      return opened;
    };
    let away: string | undefined;
    let chain: OpenChain | undefined = await open().catch((error: unknown) => {
      if (error instanceof RemoteAway || error instanceof ChainAway) {
        log('the chain does not answer; the node starts without it and asks again', { err: error });
        away = error.message;
        return undefined;
      }
      if (error instanceof RemoteRefused) throw new StartRefused(error.message);
      throw error instanceof Error ? new StartRefused(`${error.message}.`) : error;
    });
    return () =>
      settlement.start(async () => {
        chain ??= await open();
        return { chain, operatorKey };
      }, away);
  }
  const open = async (): Promise<{ chain: OpenChain; operatorKey: Uint8Array }> => {
    const { openLocalChain } = await import('../chain/local/local-chain.js');
    const opened = await openLocalChain({ network, chainId, folder: join(dataDir, 'chain'), world, log });
    return { chain: opened, operatorKey: deriveKey(node, operatorKeyInfo) };
  };
  return () => settlement.start(open);
}

/** Refuses a local chain on mainnet, and on testnet unless it is configured: its operator could rewrite it. */
function mustRunItsOwn({ network, chain }: Config): void {
  if (network === 'mainnet') {
    throw new StartRefused(
      'mainnet needs SVC_RPC_URL: a local chain has no authority there, because its operator can rewrite it.',
    );
  }
  if (network === 'testnet' && chain !== 'embedded') {
    throw new StartRefused(
      'testnet needs SVC_RPC_URL; SVC_CHAIN=embedded settles on a local chain, which has no authority because its operator can rewrite it.',
    );
  }
}

/** Parses SVC_CONTRACTS: the output of `svc-node chain deploy`, or the name of a file with it. */
function deploymentOf({ contracts }: Config): { readonly [name: string]: unknown } {
  if (contracts === undefined) {
    throw new StartRefused(
      'SVC_RPC_URL needs SVC_CONTRACTS: what `svc-node chain deploy` prints, or a file that holds it.',
    );
  }
  const text = contracts.trimStart().startsWith('{') ? contracts : contentOf('SVC_CONTRACTS', contracts);
  try {
    return (JSON.parse(text) ?? {}) as { readonly [name: string]: unknown };
  } catch {
    return {}; // contractAddresses reports the missing addresses
  }
}

/** The block of the deployment; undefined if SVC_CONTRACTS has addresses alone. */
function madeIn(config: Config): PinnedBlock | undefined {
  const { block } = deploymentOf(config);
  if (block === undefined) return undefined;
  const { number, hash } = (block ?? {}) as { readonly number?: unknown; readonly hash?: unknown };
  if (Number.isSafeInteger(number) && typeof hash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(hash)) {
    return { number: number as number, hash: hash.toLowerCase() as Hex };
  }
  throw new StartRefused(
    'SVC_CONTRACTS has a block without number and hash: take what `svc-node chain deploy` printed.',
  );
}

export function contractAddresses(config: Config): ContractAddresses {
  const parsed = deploymentOf(config);
  for (const name of contractNames) {
    if (typeof parsed[name] === 'string' && /^0x[0-9a-fA-F]{40}$/.test(parsed[name])) continue;
    throw new StartRefused(
      `SVC_CONTRACTS has no address of ${name}: what \`svc-node chain deploy\` prints has all of them.`,
    );
  }
  const [token, registry, vault, settlement] = contractNames.map((name) => parsed[name] as string);
  return { token: token!, registry: registry!, vault: vault!, settlement: settlement! };
}

export function readOperatorKey({ operatorKeyFile }: Config): Uint8Array {
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
