/** The worker thread of the embedded chain: it handles one request at a time, and saves the chain. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../core/error-message.js';
import { assert } from '../../core/refusal.js';
import { showPulse } from '../../core/threads.js';
import type { RpcAnswer, RpcCall } from '../evm/transport.js';
import { ChainFile } from './chain-file.js';
import { EmbeddedChain } from './embedded-chain.js';

export interface ThreadSettings {
  readonly chainId: number;
  readonly path: string;
}

export type ChainThreadRequest =
  | { readonly id: number; readonly calls: readonly RpcCall[]; readonly now: number }
  | { readonly id: number; readonly save: true; readonly close: boolean };

export type ChainThreadResponse =
  | { readonly id: number; readonly answers: readonly RpcAnswer[] }
  | { readonly id: number; readonly failed: string };

export interface ThreadOpened {
  readonly opened: true;
  /** The reason why the saved chain is not used. */
  readonly flaw?: string;
}

const port = parentPort;
assert(port, 'runs in a worker thread');
const { chainId, path } = workerData as ThreadSettings;
const { file, saved, flaw } = ChainFile.open(path, chainId);
const chain = await EmbeddedChain.open(chainId, saved);

async function answer(question: ChainThreadRequest): Promise<ChainThreadResponse> {
  const { id } = question;
  try {
    const answers: RpcAnswer[] = [];
    if ('save' in question) {
      file.save(chain.changes());
      chain.markSaved();
      if (question.close) file.close();
    } else {
      for (const call of question.calls) answers.push(await chain.answer(call, question.now));
    }
    return { id, answers };
  } catch (error) {
    return { id, failed: messageOf(error) };
  }
}

let last: Promise<unknown> = Promise.resolve();
port.on('message', (question: ChainThreadRequest) => {
  last = last.then(async () => port.postMessage(await answer(question)));
});
showPulse();
const opened: ThreadOpened = { opened: true, ...(flaw === undefined ? {} : { flaw }) };
port.postMessage(opened);
