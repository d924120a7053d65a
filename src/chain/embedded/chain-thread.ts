/** The thread of the embedded chain: one question after the other, and the snapshot on disk. */
import { readFile, rename } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzip, gzip } from 'node:zlib';
import { writeFileDurably } from '../../durable-file.js';
import { assert } from '../../machines/kernel/refusal.js';
import type { RpcAnswer, RpcCall } from '../evm/transport.js';
import { type ChainImage, EmbeddedChain } from './embedded-chain.js';

export interface ThreadSettings {
  readonly chainId: number;
  /** Where the chain is saved; undefined: nowhere. */
  readonly file: string | undefined;
}

export type Question =
  | { readonly id: number; readonly calls: readonly RpcCall[]; readonly now: number }
  | { readonly id: number; readonly save: true };

export type ThreadAnswer =
  | { readonly id: number; readonly answers: readonly RpcAnswer[] }
  | { readonly id: number; readonly failed: string };

/** The thread's first word. */
export interface ThreadOpened {
  readonly opened: true;
  /** Why what was saved is not used. */
  readonly flaw: string | undefined;
}

const port = parentPort;
assert(port, 'runs in a worker thread');
const { chainId, file } = workerData as ThreadSettings;

async function load(): Promise<{ image?: ChainImage; flaw?: string }> {
  if (file === undefined) return {};
  const packed = await readFile(file).catch(() => undefined);
  if (!packed) return {};
  try {
    return { image: deserialize(await promisify(gunzip)(packed)) as ChainImage };
  } catch (error) {
    await rename(file, `${file}.bad`).catch(() => undefined);
    return { flaw: error instanceof Error ? error.message : String(error) };
  }
}

const { image, flaw } = await load();
const chain = await EmbeddedChain.open(chainId, image);

async function answer(question: Question): Promise<ThreadAnswer> {
  const { id } = question;
  try {
    const answers: RpcAnswer[] = [];
    if ('save' in question) {
      if (file !== undefined) await writeFileDurably(file, await promisify(gzip)(serialize(chain.image())));
    } else {
      for (const call of question.calls) answers.push(await chain.answer(call, question.now));
    }
    return { id, answers };
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}

let last: Promise<unknown> = Promise.resolve();
port.on('message', (question: Question) => {
  last = last.then(async () => port.postMessage(await answer(question)));
});
const opened: ThreadOpened = { opened: true, flaw };
port.postMessage(opened);
