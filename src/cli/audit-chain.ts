/** Where an audit learns what the chain says: from the chain itself, or from the node that runs on the data directory. */
import type { Contracts } from '../chain/deployment.js';
import type { ChainFacts } from '../chain/witness/chain-facts.js';
import type { Config } from '../config.js';
import { askNode, nobodyThere } from '../control/client.js';
import { fromChain, openChain, readerOf } from './chain-reader.js';
import { CommandFailed, must } from './failure.js';

/** @param rpc where to ask the chain; without it SVC_RPC_URL, or the running node. @throws CommandFailed */
export async function chainFacts(config: Config, rpc: string | undefined): Promise<ChainFacts> {
  const url = rpc ?? config.rpcUrl;
  if (url === undefined) return factsOfNode(config);
  const { factsOf } = await import('../chain/witness/chain-facts.js');
  const contracts = config.contracts === undefined ? (await factsOfNode(config)).contracts : await configured(config);
  const { evm, close } = await openChain(url, rpc === undefined ? 'SVC_RPC_URL' : '--rpc');
  try {
    return await fromChain(factsOf(await readerOf(evm, contracts)));
  } finally {
    await close();
  }
}

async function configured(config: Config): Promise<Contracts> {
  const { contractsOf } = await import('../node-chain.js');
  return contractsOf(config);
}

/** The chain of a node's own, and the one that it settles on, as the node sees it. */
async function factsOfNode({ dataDir }: Config): Promise<ChainFacts> {
  const answer = await askNode(dataDir, 'chain', {});
  if (answer === nobodyThere) {
    throw new CommandFailed(
      `no node runs on ${dataDir} that could be asked about its chain: start it, or name the chain with --rpc and SVC_CONTRACTS`,
    );
  }
  return must(answer) as unknown as ChainFacts;
}
