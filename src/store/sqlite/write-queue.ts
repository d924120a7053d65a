/**
 * Group commit, the caller's side: jobs are sent to the writer in chunks, and each answers when it is on disk.
 */
import { StoreFault } from '../store.js';
import { messageOf } from './connection.js';
import type { Job, Outcome } from './job.js';
import type { WriterHandle } from './writer-handle.js';

interface Waiting {
  readonly job: Job;
  resolve(outcome: Outcome): void;
  reject(error: StoreFault): void;
}

export class WriteQueue {
  readonly #writer: Pick<WriterHandle, 'write' | 'chunk'>;
  #waiting: Waiting[] = [];
  readonly #sent = new Set<Promise<void>>();
  #scheduled = false;
  #dead: StoreFault | undefined;

  readonly stats = { entries: 0, commits: 0 };

  constructor(writer: Pick<WriterHandle, 'write' | 'chunk'>) {
    this.#writer = writer;
  }

  push(job: Job): Promise<Outcome> {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      if (this.#waiting.length >= this.#writer.chunk) this.#send();
      else this.#sendSoon();
    });
  }

  /** Refuses further jobs and waits for those that were pushed. */
  async end(): Promise<void> {
    this.#send();
    this.#dead ??= new StoreFault('the store is closed');
    await Promise.all(this.#sent);
  }

  /** After this turn of the event loop: whoever was woken together with the caller may ask too. */
  #sendSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  #send(): void {
    const chunk = this.#waiting;
    if (chunk.length === 0) return;
    this.#waiting = [];
    const sent = this.#settle(chunk).finally(() => this.#sent.delete(sent));
    this.#sent.add(sent);
  }

  async #settle(chunk: readonly Waiting[]): Promise<void> {
    try {
      const { outcomes, commits } = await this.#writer.write(chunk.map(({ job }) => job));
      this.stats.commits = commits;
      this.stats.entries += accepted(outcomes);
      for (const [i, { resolve }] of chunk.entries()) resolve(outcomes[i]!);
    } catch (cause) {
      this.#dead = cause instanceof StoreFault ? cause : new StoreFault(messageOf(cause), { cause });
      for (const { reject } of [...chunk, ...this.#waiting.splice(0)]) reject(this.#dead);
    }
  }
}

const accepted = (outcomes: readonly Outcome[]): number =>
  outcomes.reduce((sum, outcome) => sum + (Array.isArray(outcome) ? outcome.filter(({ ok }) => ok).length : 0), 0);
