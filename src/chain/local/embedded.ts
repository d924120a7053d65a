import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { type Environment, pause, type Timer } from '../../core/environment.js';
import { startThread } from '../../core/threads.js';
import { ChainAway } from '../evm/evm.js';
import type { RpcAnswer, RpcCall, Transport } from '../evm/transport.js';
import type { ChainThreadRequest, ChainThreadResponse, ThreadOpened, ThreadSettings } from './chain-thread.js';

export interface EmbeddedOptions {
  readonly chainId: number;
  readonly folder: string;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
  /** @default 2 s */
  readonly saveMs?: number;
}

interface PendingCall {
  resolve(answers: readonly RpcAnswer[]): void;
  reject(error: Error): void;
}

const defaultSaveMs = 2_000;
const savingShare = 1 / 50;
const closingSaveMs = 4_000;
const changesState = ({ method }: RpcCall): boolean => /^(eth_send|anvil_|evm_)/.test(method);

/** Delay before an ended thread is started again. */
const restartMs = 500;

export class Embedded implements Transport {
  readonly #waiting = new Map<number, PendingCall>();
  #worker: Worker | undefined;
  /** The reason why no thread runs. */
  #away = 'it is being started';
  #stopped = false;
  #lastId = 0;
  #changed = false;
  #timer: Timer | undefined;

  private constructor(private readonly options: EmbeddedOptions) {}

  static async open(options: EmbeddedOptions): Promise<Embedded> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const embedded = new Embedded(options);
    try {
      await embedded.#start();
    } catch (error) {
      embedded.#stopped = true;
      throw error;
    }
    embedded.#saveLater(options.saveMs ?? defaultSaveMs);
    return embedded;
  }

  #start(): Promise<void> {
    const { chainId, folder, log } = this.options;
    const data: ThreadSettings = { chainId, path: join(folder, 'chain.db') };
    const script = new URL('./chain-thread.js', import.meta.url);
    const worker = startThread(script, { name: 'embedded chain', heap: 2_048, data });
    return new Promise((resolve, reject) => {
      let why = 'it was ended';
      worker.on('message', (answer: ChainThreadResponse | ThreadOpened) => {
        if (!('opened' in answer)) return this.#answered(answer);
        const { flaw } = answer;
        if (flaw !== undefined)
          log('the saved state of the embedded chain is not used: it starts empty', { error: flaw });
        worker.unref();
        this.#worker = worker;
        resolve();
      });
      worker.on('error', (error) => {
        why = error.message;
      });
      worker.on('exit', () => {
        reject(this.#lose(why));
      });
    });
  }

  request(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
    if (calls.some(changesState)) this.#changed = true;
    return this.#ask({ id: ++this.#lastId, calls, now: this.options.world.now() });
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    this.#stopped = true;
    await Promise.race([this.save(true), pause(this.options.world, closingSaveMs)]);
    await this.#worker?.terminate();
  }

  close(): void {
    void this.stop();
  }

  #ask(question: ChainThreadRequest): Promise<readonly RpcAnswer[]> {
    const worker = this.#worker;
    if (!worker) return Promise.reject(new ChainAway(`the embedded chain is away: ${this.#away}`));
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject });
      // The thread keeps the process alive only while a call waits for it.
      worker.ref();
      worker.postMessage(question);
    });
  }

  #answered(answer: ChainThreadResponse): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ('failed' in answer) waiting?.reject(new ChainAway(`the embedded chain failed: ${answer.failed}`));
    else waiting?.resolve(answer.answers);
  }

  /** Restarts an ended thread from the saved state; the missing operations are settled again. */
  #lose(why: string): ChainAway {
    this.#worker = undefined;
    this.#away = why;
    const lost = new ChainAway(`the embedded chain is away: ${why}`);
    for (const { reject } of this.#waiting.values()) reject(lost);
    this.#waiting.clear();
    if (this.#stopped) return lost;
    this.options.log('the thread of the embedded chain has ended: it is started again', { reason: why });
    this.options.world.after(restartMs, () => {
      // If the start fails, the thread ends, which restarts it.
      if (!this.#stopped) this.#start().catch(() => {});
    });
    return lost;
  }

  #saveLater(delayMs: number): void {
    const { world } = this.options;
    this.#timer = world.after(delayMs, () => {
      const from = world.monotonic();
      void this.save().finally(() => {
        const tookMs = world.monotonic() - from;
        if (!this.#stopped) this.#saveLater(Math.max(this.options.saveMs ?? defaultSaveMs, tookMs / savingShare));
      });
    });
  }

  async save(close = false): Promise<void> {
    if (!this.#changed && !close) return;
    this.#changed = false;
    try {
      await this.#ask({ id: ++this.#lastId, save: true, close });
    } catch (error) {
      this.#changed = true;
      this.options.log('the state of the embedded chain was not saved', { error: String(error) });
    }
  }
}
