/** Calls into a worker thread, and the worker's side of them: one answer for each call, in their order. */
import { parentPort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { assert } from '../../machines/kernel/refusal.js';
import { StoreFault, StoreRefused } from '../store.js';
import { messageOf } from './connection.js';

type Answer = { readonly value: unknown } | { readonly error: string; readonly refused: boolean };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Thread {
  readonly #worker: Worker;
  readonly #name: string;
  readonly #waiting: Waiting[] = [];
  #lost: StoreFault | undefined;

  /** @param young bound of what it has just made, MiB: by itself V8 takes 48 before it looks what is still used */
  constructor(script: URL, { name, young }: { readonly name: string; readonly young: number }) {
    this.#name = name;
    // Not the flags of this process: some (--input-type) don't let a thread start from a file.
    const resourceLimits = { maxYoungGenerationSizeMb: young };
    this.#worker = new Worker(script, { name, execArgv: [], resourceLimits });
    this.#worker.on('message', (answer: Answer) => this.#answered(answer));
    this.#worker.on('error', (error) => this.#lose(messageOf(error)));
    this.#worker.on('exit', (code) => this.#lose(`exit code ${code}`));
    this.#worker.unref();
  }

  get lost(): boolean {
    return this.#lost !== undefined;
  }

  /** Rejects with StoreFault when the thread failed or is gone, with StoreRefused when it refused to open. */
  call<T>(question: unknown): Promise<T> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ resolve: resolve as (value: unknown) => void, reject });
      // A thread keeps the process alive only while somebody waits for it.
      this.#worker.ref();
      this.#worker.postMessage(question);
    });
  }

  async end(): Promise<void> {
    this.#lost ??= new StoreFault(`the ${this.#name} thread was ended`);
    await this.#worker.terminate();
  }

  #answered(answer: Answer): void {
    const waiting = this.#waiting.shift();
    assert(waiting, 'a thread answers only what it was asked');
    if (this.#waiting.length === 0) this.#worker.unref();
    if ('value' in answer) waiting.resolve(answer.value);
    else waiting.reject(answer.refused ? new StoreRefused(answer.error) : new StoreFault(answer.error));
  }

  #lose(why: string): void {
    this.#lost ??= new StoreFault(`the ${this.#name} thread is gone: ${why}`);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#lost);
  }
}

/**
 * The worker's side: `answer` gives a value for each question of a group, or throws for all of them. Questions that
 * have arrived form one group as long as `joins` lets the next one in; by default each is alone.
 */
export function answerCalls<Question>(
  answer: (group: readonly Question[]) => readonly unknown[],
  joins: (group: readonly Question[], next: Question) => boolean = () => false,
): void {
  const port = parentPort;
  assert(port, 'runs in a worker thread');
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
): Answer[] {
  try {
    return answer(group).map((value) => ({ value }));
  } catch (error) {
    return group.map(() => ({ error: messageOf(error), refused: error instanceof StoreRefused }));
  }
}
