/** Runs the reader thread: starts it with the first read, and again after it was lost. */
import { StoreFault } from '../store.js';
import { Thread } from '../thread.js';
import type { ReaderQuestion } from './reader-thread.js';
import type { SlowReads } from './slow-reads.js';

type ReadAnswer<Ask extends keyof SlowReads> = ReturnType<SlowReads[Ask]>;

export class SlowReader {
  #thread: Thread | undefined;
  #closed = false;

  constructor(private readonly dir: string) {}

  async ask<Ask extends keyof SlowReads>(ask: Ask, ...values: Parameters<SlowReads[Ask]>): Promise<ReadAnswer<Ask>> {
    if (this.#closed) throw new StoreFault('the store is closed');
    return this.#running().call<ReadAnswer<Ask>>({ ask, with: values } as ReaderQuestion);
  }

  /** Starts the thread early, because that takes a tenth of a second. */
  start(): void {
    this.#running();
  }

  async close(): Promise<void> {
    this.#closed = true;
    // A thread that has ended has closed its file.
    await this.#thread?.call({ ask: 'close' } satisfies ReaderQuestion).catch(() => {});
    await this.#thread?.end();
  }

  #running(): Thread {
    if (this.#thread && !this.#thread.lost) return this.#thread;
    const options = { name: 'store-reader', heap: 512, young: 6 };
    const thread = new Thread(new URL('./reader-thread.js', import.meta.url), options);
    this.#thread = thread;
    // The next question fails as well and reports the error; a later one starts a new thread.
    thread.call({ ask: 'open', dir: this.dir } satisfies ReaderQuestion).catch(() => thread.end());
    return thread;
  }
}
