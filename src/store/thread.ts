/** Calls a worker thread, and answers calls inside of it: one answer per call, in order. */
import { parentPort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { messageOf } from '../core/error-message.js';
import { assert } from '../core/refusal.js';
import { showPulse, startThread, type ThreadOptions } from '../core/threads.js';
import { StoreDamaged, StoreFault, StoreRefused } from './store.js';

type CallAnswer = { readonly value: unknown } | { readonly error: string; readonly sort: keyof typeof errors };

/** Errors that keep their class across threads. */
const errors = { refused: StoreRefused, damaged: StoreDamaged, fault: StoreFault } as const;

interface AwaitedAnswer {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Thread {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #waiting: AwaitedAnswer[] = [];
  #lost: StoreFault | undefined;

  constructor(script: URL, options: ThreadOptions) {
    this.#name = options.name;
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
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ resolve: resolve as (value: unknown) => void, reject });
      // The thread keeps the process alive only while a call is pending.
      this.#worker.ref();
      this.#worker.postMessage(question);
    });
  }

  async end(): Promise<void> {
    this.#lost ??= new StoreFault(`the ${this.#name} thread was ended`);
    await this.#worker.terminate();
  }

  #answered(answer: CallAnswer): void {
    const waiting = this.#waiting.shift();
    assert(waiting, 'a thread answers only what it was asked');
    if (this.#waiting.length === 0) this.#worker.unref();
    if ('value' in answer) waiting.resolve(answer.value);
    else waiting.reject(new errors[answer.sort](answer.error));
  }

  #lose(why: string): void {
    this.#lost ??= new StoreFault(`the ${this.#name} thread is gone: ${why}`);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#lost);
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
