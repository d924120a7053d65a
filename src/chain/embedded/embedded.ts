/** The embedded chain as a transport: questions go to its thread; it is saved now and then, and at the end. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { pause, type Timer, type World } from '../../world.js';
import { ChainAway } from '../evm/evm.js';
import type { RpcAnswer, RpcCall, Transport } from '../evm/transport.js';
import type { Question, ThreadAnswer, ThreadOpened, ThreadSettings } from './chain-thread.js';

export interface EmbeddedOptions {
  readonly chainId: number;
  /** The chain's folder in the data directory; undefined: it is kept in memory only. */
  readonly folder: string | undefined;
  readonly world: World;
  readonly log: (message: string, detail: object) => void;
  /** @default 30 s */
  readonly saveMs?: number;
}

/** The folder, without what a save has left that was cut off. */
async function tidied(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (name.startsWith('.embedded.gz.')) await rm(join(folder, name), { force: true });
  }
}

interface Waiting {
  resolve(answers: readonly RpcAnswer[]): void;
  reject(error: Error): void;
}

const defaultSaveMs = 30_000;
const savingShare = 1 / 50;
const closingSaveMs = 4_000;
const changesState = ({ method }: RpcCall): boolean => /^(eth_send|anvil_|evm_)/.test(method);

export class Embedded implements Transport {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #lost: ChainAway | undefined;
  #changed = false;
  #timer: Timer | undefined;

  private constructor(
    private readonly options: EmbeddedOptions,
    onOpened: (opened: ThreadOpened) => void,
  ) {
    const { chainId, folder } = options;
    const workerData: ThreadSettings = {
      chainId,
      file: folder === undefined ? undefined : join(folder, 'embedded.gz'),
    };
    this.#worker = new Worker(new URL('./chain-thread.js', import.meta.url), {
      name: 'embedded chain',
      workerData,
      execArgv: [],
    });
    this.#worker.on('message', (answer: ThreadAnswer | ThreadOpened) => {
      if ('opened' in answer) onOpened(answer);
      else this.#answered(answer);
    });
    this.#worker.on('error', (error) => this.#lose(error.message));
    this.#worker.on('exit', (code) => this.#lose(`exit code ${code}`));
  }

  static async open(options: EmbeddedOptions): Promise<Embedded> {
    if (options.folder !== undefined) await tidied(options.folder);
    const [embedded, { flaw }] = await new Promise<[Embedded, ThreadOpened]>((resolve, reject) => {
      const embedded: Embedded = new Embedded(options, (opened) => resolve([embedded, opened]));
      embedded.#worker.on('error', reject);
    });
    if (flaw !== undefined) {
      options.log('the saved state of the embedded chain cannot be read: it starts empty', { error: flaw });
    }
    embedded.#worker.unref();
    embedded.#saveLater(options.saveMs ?? defaultSaveMs);
    return embedded;
  }

  request(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
    if (calls.some(changesState)) this.#changed = true;
    return this.#ask({ id: ++this.#lastId, calls, now: this.options.world.now() });
  }

  /** Saves, and ends the thread. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    if (this.#lost) return;
    await Promise.race([this.#save(), pause(this.options.world, closingSaveMs)]);
    this.#lost = new ChainAway('the embedded chain was ended');
    await this.#worker.terminate();
  }

  close(): void {
    void this.stop();
  }

  #ask(question: Question): Promise<readonly RpcAnswer[]> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject });
      // A thread keeps the process alive only while somebody waits for it.
      this.#worker.ref();
      this.#worker.postMessage(question);
    });
  }

  #answered(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('failed' in answer) waiting?.reject(new ChainAway(`the embedded chain failed: ${answer.failed}`));
    else waiting?.resolve(answer.answers);
  }

  #lose(why: string): void {
    this.#lost ??= new ChainAway(`the embedded chain is gone: ${why}`);
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }

  #saveLater(delayMs: number): void {
    const { world } = this.options;
    this.#timer = world.after(delayMs, () => {
      const from = world.monotonic();
      void this.#save().finally(() => {
        const tookMs = world.monotonic() - from;
        if (!this.#lost) this.#saveLater(Math.max(this.options.saveMs ?? defaultSaveMs, tookMs / savingShare));
      });
    });
  }

  async #save(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    try {
      await this.#ask({ id: ++this.#lastId, save: true });
    } catch (error) {
      this.#changed = true;
      this.options.log('the state of the embedded chain was not saved', { error: String(error) });
    }
  }
}
