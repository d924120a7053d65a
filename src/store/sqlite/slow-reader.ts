/** The reader thread, started by the first read that needs it, and again after it was lost. */
import { StoreFault } from '../store.js';
import type { ReaderQuestion } from './reader-thread.js';
import type { SlowReads } from './slow-reads.js';
import { Thread } from './thread.js';

type Answer<Ask extends keyof SlowReads> = ReturnType<SlowReads[Ask]>;

export class SlowReader {
  readonly #dir: string;
  #thread: Thread | undefined;
  #closed = false;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async ask<Ask extends keyof SlowReads>(ask: Ask, ...values: Parameters<SlowReads[Ask]>): Promise<Answer<Ask>> {
    if (this.#closed) throw new StoreFault('the store is closed');
    const thread = this.#running();
    return thread.call<Answer<Ask>>({ ask, with: values } as ReaderQuestion);
  }

  /** So that the first question finds it running: a thread takes a tenth of a second to come up. */
  start(): void {
    this.#running();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#thread) return;
    // A thread that is gone has closed its file by going.
    await this.#thread.call({ ask: 'close' } satisfies ReaderQuestion).catch(() => {});
    await this.#thread.end();
  }

  #running(): Thread {
    if (this.#thread && !this.#thread.lost) return this.#thread;
    const thread = new Thread(new URL('./reader-thread.js', import.meta.url), { name: 'store-reader', young: 6 });
    // The question behind this one fails too, and that one has somebody who hears it; the next starts a new thread.
    thread.call({ ask: 'open', dir: this.#dir } satisfies ReaderQuestion).catch(() => thread.end());
    this.#thread = thread;
    return thread;
  }
}
