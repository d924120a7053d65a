/** The chain's facts for an audit: from an RPC URL, or from the node that runs on the data directory. */
import type { ContractAddresses } from '../chain/contracts/deployment.js';
import type { ChainFacts } from '../chain/verifier/chain-facts.js';
import type { Config } from '../node/config/config.js';
import { askNode, noNodeRunning } from '../node/control/client.js';
import { askChain, openChain, readerOf } from './chain-reader.js';
import { CommandFailed, must } from './failure.js';

/** @param rpc the chain's RPC URL; absent: SVC_RPC_URL, or the running node. Rejects with CommandFailed. */
export async function chainFacts(config: Config, rpc: string | undefined): Promise<ChainFacts> {
  const url = rpc ?? config.rpcUrl;
  if (url === undefined) return factsOfNode(config);
  const { factsOf } = await import('../chain/verifier/chain-facts.js');
  const contracts = config.contracts === undefined ? (await factsOfNode(config)).contracts : await configured(config);
  const { evm, close } = await openChain(url, rpc === undefined ? 'SVC_RPC_URL' : '--rpc');
  try {
    return await askChain(factsOf(await readerOf(evm, contracts)));
  } finally {
    await close();
  }
}

async function configured(config: Config): Promise<ContractAddresses> {
  const { contractAddresses } = await import('../node/chain.js');
  return contractAddresses(config);
}

async function factsOfNode({ dataDir }: Config): Promise<ChainFacts> {
  const answer = await askNode(dataDir, 'chain', {});
  if (answer === noNodeRunning) {
    throw new CommandFailed(
      `no node runs on ${dataDir} that could be asked about its chain: start it, or name the chain with --rpc and SVC_CONTRACTS`,
    );
  }
  return must(answer) as unknown as ChainFacts;
}
