/** Access to the writer, on this thread or its own. */
import { StoreFault } from '../store.js';
import { openWriting } from './durable.js';
import type { Fault, WriteJob, WriteResult } from './job.js';
import { Thread } from './thread.js';
import { Writer } from './writer.js';
import type { WriterQuestion } from './writer-thread.js';

export interface WriterHandle {
  /** Resolves when the jobs are on disk. Rejects with StoreFault when durability is in doubt. */
  write(jobs: readonly WriteJob[]): Promise<WriteResult>;
  /** True when `write` runs on this thread, so that a job may include the parsed core. */
  readonly inline: boolean;
  /** When collected jobs are sent. */
  readonly gathering: Gathering;
  /** For tests, see Fault. */
  break(fault: Fault): Promise<void>;
  close(): Promise<void>;
}

/** When collected jobs are sent. */
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
  const thread = new Thread(new URL('./writer-thread.js', import.meta.url), {
    name: 'store-writer',
    heap: 512,
    young: 12,
  });
  const ask = <T>(question: WriterQuestion) => thread.call<T>(question);
  try {
    await ask({ ask: 'open', dir, newIndexRows });
  } catch (error) {
    await thread.end();
    throw error;
  }
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
