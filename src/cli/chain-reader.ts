/** A chain that a command reads itself, without a node. */
import { MessageChannel } from 'node:worker_threads';
import type { ContractReader } from '../chain/contracts/contract-reader.js';
import type { ContractAddresses } from '../chain/contracts/deployment.js';
import type { Evm } from '../chain/evm/evm.js';
import { realEnvironment } from '../core/environment.js';
import { CommandFailed } from './failure.js';

export interface AskedChain {
  readonly evm: Evm;
  close(): Promise<void>;
}

/**
 * @param called the option or variable with the URL, for messages. Rejects with CommandFailed when no chain answers.
 */
export async function openChain(url: string, called = '--rpc'): Promise<AskedChain> {
  const { openRemote, RemoteRefused } = await import('../chain/evm/remote.js');
  const end = stayAwake();
  try {
    const { evm, close } = await openRemote({ url, chainId: undefined, contracts: {}, world: realEnvironment, called });
    return { evm, close: () => close().finally(end) };
  } catch (error) {
    end();
    throw error instanceof RemoteRefused ? new CommandFailed(error.message) : error;
  }
}

/** Keeps the process alive, because the timers between two attempts do not. */
function stayAwake(): () => void {
  const { port1 } = new MessageChannel();
  port1.on('message', () => {});
  return () => port1.close();
}

/** Awaits a reply of the chain. Rejects with CommandFailed when the chain does not answer. */
export async function askChain<T>(question: Promise<T>): Promise<T> {
  const { ChainAway, ChainRefused } = await import('../chain/evm/evm.js');
  try {
    return await question;
  } catch (error) {
    const isKnown = error instanceof ChainAway || error instanceof ChainRefused;
    throw isKnown ? new CommandFailed(`the chain gives no answer: ${error.message}`) : error;
  }
}

export async function readerOf(evm: Evm, contracts: ContractAddresses): Promise<ContractReader> {
  const { ContractReader } = await import('../chain/contracts/contract-reader.js');
  return new ContractReader(evm, contracts);
}
