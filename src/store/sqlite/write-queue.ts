/**
 * Group commit on the caller's side: jobs are collected and sent to the writer, on this thread or its own, together; each
 * resolves when it is on disk.
 */
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { StoreFault } from '../store.js';
import { Thread } from '../thread.js';
import { openWriting } from './durable.js';
import type { Fault, JobOutcome, WriteJob, WriteResult } from './job.js';
import { Writer } from './writer.js';
import type { WriterQuestion } from './writer-thread.js';

interface QueuedJob {
  readonly job: WriteJob;
  resolve(outcome: JobOutcome): void;
  reject(error: StoreFault): void;
}

type Writing = Pick<WriterHandle, 'write' | 'gathering'>;

export class WriteQueue {
  readonly #writer: Writing;
  readonly #world: Pick<Environment, 'monotonic'>;
  #waiting: QueuedJob[] = [];
  /** Arrival of the first job, and the number of jobs at the end of the last turn. */
  #since = 0;
  #before = 0;
  /** True when a caller has waited long for one of the jobs. */
  #isUrgent = false;
  #last = 1;
  readonly #sent = new Set<Promise<void>>();
  #scheduled = false;
  #dead: StoreFault | undefined;
  #sayLost!: (fault: StoreFault) => void;

  readonly stats = { entries: 0, commits: 0 };
  /** Resolves when a write has failed: none is taken any more. */
  readonly lost = new Promise<StoreFault>((resolve) => {
    this.#sayLost = resolve;
  });

  constructor(writer: Writing, world: Pick<Environment, 'monotonic'>) {
    this.#writer = writer;
    this.#world = world;
  }

  push(job: WriteJob): Promise<JobOutcome> {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#since = this.#world.monotonic();
      this.#waiting.push({ job, resolve, reject });
      this.#isUrgent ||= job.do === 'receipts';
      if (this.#waiting.length >= this.#writer.gathering.enough) this.#send();
      else this.#sendSoon();
    });
  }

  /** Refuses further jobs and waits for the pending ones. */
  async end(): Promise<void> {
    this.#send();
    this.#dead ??= new StoreFault('the store is closed');
    await Promise.all(this.#sent);
  }

  /** Sends after this turn of the event loop or a later one, because callers woken together may add jobs. */
  #sendSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#expectsMore()) this.#sendSoon();
      else this.#send();
    });
  }

  /**
   * Whether to wait for more jobs. While each turn adds another job, the main thread is busy creating them: waiting
   * hardly delays the reply and saves an fsync. A single job after a single job doesn't wait, and neither do jobs
   * together with receipts, because requests wait for those.
   */
  #expectsMore(): boolean {
    const now = this.#waiting.length;
    const brought = now > this.#before;
    this.#before = now;
    if (!brought || this.#isUrgent || (now === 1 && this.#last === 1)) return false;
    return this.#world.monotonic() - this.#since < this.#writer.gathering.patienceMs;
  }

  #send(): void {
    const chunk = this.#waiting;
    if (chunk.length === 0) return;
    this.#waiting = [];
    this.#before = 0;
    this.#isUrgent = false;
    this.#last = chunk.length;
    const sent = this.#settle(chunk).finally(() => this.#sent.delete(sent));
    this.#sent.add(sent);
  }

  async #settle(chunk: readonly QueuedJob[]): Promise<void> {
    try {
      const { outcomes, commits } = await this.#writer.write(chunk.map(({ job }) => job));
      this.stats.commits = commits;
      this.stats.entries += accepted(outcomes);
      for (const [i, { resolve }] of chunk.entries()) resolve(outcomes[i]!);
    } catch (cause) {
      this.#dead = cause instanceof StoreFault ? cause : new StoreFault(messageOf(cause), { cause });
      for (const { reject } of [...chunk, ...this.#waiting.splice(0)]) reject(this.#dead);
      this.#sayLost(this.#dead);
    }
  }
}

const accepted = (outcomes: readonly JobOutcome[]): number =>
  outcomes.reduce((sum, outcome) => sum + (Array.isArray(outcome) ? outcome.filter(({ ok }) => ok).length : 0), 0);

export interface WriterHandle {
  /** Resolves when the jobs are on disk. Rejects with StoreFault when durability is in doubt. */
  write(jobs: readonly WriteJob[]): Promise<WriteResult>;
  /** True when `write` runs on this thread, so that a job may include the parsed core. */
  readonly inline: boolean;
  readonly gathering: Gathering;
  /** For tests, see Fault. */
  break(fault: Fault): Promise<void>;
  close(): Promise<void>;
}

export interface Gathering {
  /** Number of jobs that are sent immediately, without waiting for the turn to end. */
  readonly enough: number;
  /** Longest wait for further jobs. 0: jobs are sent after their turn. */
  readonly patienceMs: number;
}

const gatherings = {
  /** With 64 clients, the thread writes the first half of their jobs while the main thread prepares the second. */
  quick: { enough: 24, patienceMs: 4 },
  /** Replies wait for a batch of 64 anyway, so they share one fsync. */
  patient: { enough: 96, patienceMs: 12 },
} satisfies { readonly [pace: string]: Gathering };

export interface WriterPlace {
  readonly dir: string;
  readonly where: 'thread' | 'inline';
  readonly newIndexRows?: number | undefined;
  /** @default quick */
  readonly gathering?: keyof typeof gatherings | undefined;
}

export const openWriter = (place: WriterPlace): Promise<WriterHandle> =>
  place.where === 'thread' ? openThread(place) : openInline(place);

async function openInline({ dir, newIndexRows }: WriterPlace): Promise<WriterHandle> {
  const writer = new Writer(openWriting(dir), newIndexRows);
  let dead = false;
  return {
    inline: true,
    gathering: { enough: Number.POSITIVE_INFINITY, patienceMs: 0 },
    async write(jobs) {
      if (dead) throw new StoreFault('the writer died, as a test asked');
      return writer.write(jobs);
    },
    async break(fault) {
      if (fault === 'die') dead = true;
      else writer.break(fault);
    },
    async close() {
      writer.close();
    },
  };
}

async function openThread({ dir, newIndexRows, gathering = 'quick' }: WriterPlace): Promise<WriterHandle> {
  // A smaller young generation would promote jobs that wait for their transaction.
  const options = { name: 'store-writer', heap: 512, young: 12 };
  const thread = new Thread(new URL('./writer-thread.js', import.meta.url), options);
  const ask = <T>(question: WriterQuestion): Promise<T> => thread.call<T>(question);
  await ask({ ask: 'open', dir, newIndexRows }).catch(async (error: unknown) => {
    await thread.end();
    throw error;
  });
  return {
    inline: false,
    gathering: gatherings[gathering],
    write: (jobs) => ask<WriteResult>({ ask: 'write', jobs }),
    break: (fault) => ask({ ask: 'break', fault }),
    async close() {
      // A thread that has ended has closed its file.
      await ask({ ask: 'close' }).catch(() => {});
      await thread.end();
    },
  };
}
