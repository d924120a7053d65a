/** Runs the reader thread: starts it with the first read, and again after it was lost. */
import { StoreFault } from '../store.js';
import type { ReaderQuestion } from './reader-thread.js';
import type { SlowReads } from './slow-reads.js';
import { SharedThread, Thread, type ThreadRest } from './thread.js';

type ReadAnswer<Ask extends keyof SlowReads> = ReturnType<SlowReads[Ask]>;

/** @param rest absent: the thread runs until it is ended */
export const readerThread = (rest?: ThreadRest): SharedThread =>
  new SharedThread(
    () =>
      new Thread(new URL('./reader-thread.js', import.meta.url), { name: 'store-reader', heap: 512, young: 6 }, rest),
  );

export interface SlowReaderOptions {
  readonly dir: string;
  /**
   * A thread that other databases use as well, and that is not stopped when this one is closed; absent: a thread of its
   * own.
   */
  readonly shared?: SharedThread | undefined;
  readonly cacheKiB?: number | undefined;
}

export class SlowReader {
  readonly #options: SlowReaderOptions;
  readonly #own: SharedThread;
  /** The thread that has opened the database. */
  #opened: Thread | undefined;
  #closed = false;

  constructor(options: SlowReaderOptions) {
    this.#options = options;
    this.#own = options.shared ?? readerThread();
  }

  async ask<Ask extends keyof SlowReads>(ask: Ask, ...values: Parameters<SlowReads[Ask]>): Promise<ReadAnswer<Ask>> {
    if (this.#closed) throw new StoreFault('the store is closed');
    const { dir } = this.#options;
    return this.#running().call<ReadAnswer<Ask>>({ ask, dir, with: values } as ReaderQuestion);
  }

  /** Starts the thread early, because that takes a tenth of a second. */
  start(): void {
    this.#running();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const { dir, shared } = this.#options;
    // A thread that has ended has closed its file.
    await this.#opened?.call({ ask: 'close', dir } satisfies ReaderQuestion).catch(() => {});
    if (!shared) await this.#own.end();
  }

  #running(): Thread {
    const thread = this.#own.running();
    if (thread === this.#opened) return thread;
    this.#opened = thread;
    const { dir, cacheKiB, shared } = this.#options;
    // The next question fails as well and reports the error; a later one starts a new thread, or opens it again.
    thread.call({ ask: 'open', dir, cacheKiB } satisfies ReaderQuestion).catch(() => {
      this.#opened = undefined;
      return shared ? undefined : thread.end();
    });
    return thread;
  }
}
