/** Checks entries' texts in a worker thread that all replicas of a process share. */
import type { Worker } from 'node:worker_threads';
import { realEnvironment, type Timer } from '../../core/environment.js';
import { startThread } from '../../core/threads.js';
import type { Entry } from '../../store/entry.js';
import { type EntryFinding, findingInText } from '../../verify/entry-text.js';
import { noPlace } from '../../verify/may-sign.js';
import type { TextChecks } from './replica.js';

export type EntryTexts = readonly [coreText: string, payloadText: string | null, entryHash: string];
export type TextAnswer = readonly (EntryFinding | null)[];

interface AskedTexts {
  readonly entries: readonly Entry[];
  resolve(found: readonly (EntryFinding | undefined)[]): void;
}

/** With fewer entries, passing them to the thread costs more than it saves. */
const fewest = 4;
/** Entries per message, so that the thread answers the first while the next are on their way. */
const most = 64;

/** Checks on the calling thread. */
export const checkTexts: TextChecks = async (entries) => entries.map((entry) => findingInText(entry, noPlace));

export class TextThread {
  #worker: Worker | undefined;
  #asked: AskedTexts[] = [];
  #rest: Timer | undefined;

  /** @param restMs when an unused thread ends */
  constructor(private readonly restMs = 15_000) {}

  readonly check: TextChecks = async (entries) => {
    if (entries.length < fewest) return checkTexts(entries);
    const parts: Promise<readonly (EntryFinding | undefined)[]>[] = [];
    for (let from = 0; from < entries.length; from += most) parts.push(this.#ask(entries.slice(from, from + most)));
    return (await Promise.all(parts)).flat();
  };

  async close(): Promise<void> {
    this.#rest?.cancel();
    await this.#worker?.terminate();
  }

  #ask(entries: readonly Entry[]): Promise<readonly (EntryFinding | undefined)[]> {
    const worker = this.#running();
    this.#rest?.cancel();
    return new Promise((resolve) => {
      this.#asked.push({ entries, resolve });
      worker.ref();
      worker.postMessage(
        entries.map(({ coreText, payloadText, entryHash }): EntryTexts => [coreText, payloadText, entryHash]),
      );
    });
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = startThread(new URL('./text-thread.js', import.meta.url), {
      name: 'feed-texts',
      heap: 256,
      young: 8,
      isAside: true,
    });
    worker.on('message', (found: TextAnswer) => {
      this.#asked.shift()?.resolve(found.map((each) => each ?? undefined));
      if (this.#asked.length === 0) this.#unused(worker);
    });
    worker.on('error', () => {});
    worker.on('exit', () => this.#lost(worker));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #unused(worker: Worker): void {
    worker.unref();
    this.#rest?.cancel();
    this.#rest = realEnvironment.after(this.restMs, () => {
      this.#worker = undefined;
      void worker.terminate();
    });
  }

  /** Checks here what a lost thread left unanswered. The next call starts another thread. */
  #lost(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { entries, resolve } of this.#asked.splice(0)) void checkTexts(entries).then(resolve);
  }
}
