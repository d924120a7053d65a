/** A chain that a command asks by itself, without a node. */
import { MessageChannel } from 'node:worker_threads';
import type { ContractReader } from '../chain/contract-reader.js';
import type { Contracts } from '../chain/deployment.js';
import type { Evm } from '../chain/evm/evm.js';
import { realWorld } from '../world.js';
import { CommandFailed } from './failure.js';

export interface AskedChain {
  readonly evm: Evm;
  close(): Promise<void>;
}

/** @param called what the URL is called where it was given. @throws CommandFailed where nobody answers there */
export async function openChain(url: string, called = '--rpc'): Promise<AskedChain> {
  const { openRemote, RemoteRefused } = await import('../chain/evm/remote.js');
  const end = stayAwake();
  try {
    const { evm, close } = await openRemote({ url, chainId: undefined, contracts: {}, world: realWorld, called });
    return { evm, close: () => close().finally(end) };
  } catch (error) {
    end();
    throw error instanceof RemoteRefused ? new CommandFailed(error.message) : error;
  }
}

/** The world's timers keep no process alive: between two tries of a question it would end without a word. */
function stayAwake(): () => void {
  const { port1 } = new MessageChannel();
  port1.on('message', () => {});
  return () => port1.close();
}

/** What a question came to; a chain that gives no answer ends the command with a sentence. */
export async function fromChain<T>(question: Promise<T>): Promise<T> {
  const { ChainAway, ChainRefused } = await import('../chain/evm/evm.js');
  try {
    return await question;
  } catch (error) {
    const isKnown = error instanceof ChainAway || error instanceof ChainRefused;
    throw isKnown ? new CommandFailed(`the chain gives no answer: ${error.message}`) : error;
  }
}

export async function readerOf(evm: Evm, contracts: Contracts): Promise<ContractReader> {
  const { ContractReader } = await import('../chain/contract-reader.js');
  return new ContractReader(evm, contracts);
}
