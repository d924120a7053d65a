/** Calls a worker thread, and answers calls inside of it: one answer per call, in order. */
import { parentPort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { realEnvironment, type Timer } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { assert } from '../../core/refusal.js';
import { showPulse, startThread, type ThreadOptions } from '../../core/threads.js';
import { StoreDamaged, StoreFault, StoreRefused } from '../store.js';

type CallAnswer = { readonly value: unknown } | { readonly error: string; readonly sort: keyof typeof errors };

/** Errors that keep their class across threads. */
const errors = { refused: StoreRefused, damaged: StoreDamaged, fault: StoreFault } as const;

interface AwaitedAnswer {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** When an unused thread ends. The next use of a `SharedThread` starts another. */
export interface ThreadRest {
  readonly afterMs: number;
  /** Asked of the thread before it ends, so that it closes its files. */
  readonly farewell?: unknown;
}

export class Thread {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #waiting: AwaitedAnswer[] = [];
  readonly #rest: ThreadRest | undefined;
  #timer: Timer | undefined;
  #lost: StoreFault | undefined;

  constructor(script: URL, options: ThreadOptions, rest?: ThreadRest) {
    this.#name = options.name;
    this.#rest = rest;
    this.#worker = startThread(script, options);
    this.#worker.on('message', (answer: CallAnswer) => this.#answered(answer));
    this.#worker.on('error', (error) => this.#lose(messageOf(error)));
    this.#worker.on('exit', (code) => this.#lose(`exit code ${code}`));
    this.#worker.unref();
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * Rejects with StoreFault if the thread has failed or ended, and with StoreRefused if it could not open the store.
   */
  call<T>(question: unknown): Promise<T> {
    if (this.#lost) return Promise.reject(this.#lost);
    this.#timer?.cancel();
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ resolve: resolve as (value: unknown) => void, reject });
      // The thread keeps the process alive only while a call is pending.
      this.#worker.ref();
      this.#worker.postMessage(question);
    });
  }

  async end(): Promise<void> {
    this.#timer?.cancel();
    this.#lost ??= new StoreFault(`the ${this.#name} thread was ended`);
    await this.#worker.terminate();
  }

  async #retire(farewell: unknown): Promise<void> {
    const closed = farewell === undefined ? undefined : this.call(farewell);
    this.#lost ??= new StoreFault(`the ${this.#name} thread was not used and ends`);
    // A thread that has ended has closed its files.
    await closed?.catch(() => {});
    await this.end();
  }

  #answered(answer: CallAnswer): void {
    const waiting = this.#waiting.shift();
    assert(waiting, 'a thread answers only what it was asked');
    if (this.#waiting.length === 0) this.#unused();
    if ('value' in answer) waiting.resolve(answer.value);
    else waiting.reject(new errors[answer.sort](answer.error));
  }

  #unused(): void {
    this.#worker.unref();
    if (!this.#rest || this.#lost) return;
    const { afterMs, farewell } = this.#rest;
    this.#timer = realEnvironment.after(afterMs, () => void this.#retire(farewell));
  }

  #lose(why: string): void {
    this.#timer?.cancel();
    this.#lost ??= new StoreFault(`the ${this.#name} thread is gone: ${why}`);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#lost);
  }
}

/** The thread of several stores: starts with its first use, and again after it was lost or has ended unused. */
export class SharedThread {
  #thread: Thread | undefined;

  constructor(private readonly start: () => Thread) {}

  running(): Thread {
    if (!this.#thread || this.#thread.lost) this.#thread = this.start();
    return this.#thread;
  }

  async end(): Promise<void> {
    await this.#thread?.end();
  }
}

/**
 * Answers calls inside the worker. `answer` returns a value for each question of a group, or throws for all of them.
 * Waiting questions form a group as long as `joins` accepts the next one; by default each is alone.
 */
export function answerCalls<Question>(
  answer: (group: readonly Question[]) => readonly unknown[],
  joins: (group: readonly Question[], next: Question) => boolean = () => false,
): void {
  const port = parentPort;
  assert(port, 'runs in a worker thread');
  showPulse();
  port.on('message', (first: Question) => {
    const arrived = [first];
    for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) arrived.push(more.message);
    while (arrived.length > 0) {
      const group = arrived.splice(0, 1);
      while (arrived.length > 0 && joins(group, arrived[0]!)) group.push(arrived.shift()!);
      for (const each of answersTo(group, answer)) port.postMessage(each);
    }
  });
}

function answersTo<Question>(
  group: readonly Question[],
  answer: (group: readonly Question[]) => readonly unknown[],
): CallAnswer[] {
  try {
    return answer(group).map((value) => ({ value }));
  } catch (error) {
    const sort = error instanceof StoreRefused ? 'refused' : error instanceof StoreDamaged ? 'damaged' : 'fault';
    return group.map(() => ({ error: messageOf(error), sort }));
  }
}
