/** The writer wherever it runs: on this thread, or in one of its own. */
import { StoreFault } from '../store.js';
import { openWriting } from './durable.js';
import type { Fault, Job, Written } from './job.js';
import { Thread } from './thread.js';
import { Writer } from './writer.js';
import type { WriterQuestion } from './writer-thread.js';

export interface WriterHandle {
  /** Resolves after the jobs are on disk; rejects with StoreFault when durability is in doubt. */
  write(jobs: readonly Job[]): Promise<Written>;
  /** True when `write` stays on this thread, so that a job may carry the parsed core along. */
  readonly inline: boolean;
  /** How many jobs are worth sending together. */
  readonly gathering: Gathering;
  /** For tests, see Fault. */
  break(fault: Fault): Promise<void>;
  close(): Promise<void>;
}

/** When the jobs that wait are sent. */
export interface Gathering {
  /** So many are sent at once, before this turn of the event loop has brought all of its jobs. */
  readonly enough: number;
  /** Nobody waits longer for others. 0: jobs are sent with their turn. */
  readonly patienceMs: number;
}

const gatherings = {
  /** The thread writes the first half of what 64 clients ask for while the main thread still makes the other. */
  quick: { enough: 24, patienceMs: 4 },
  /** Who is answered after a batch of 64 anyway shares one fsync with the others in it. */
  patient: { enough: 96, patienceMs: 12 },
} satisfies { readonly [pace: string]: Gathering };

export interface WriterPlace {
  readonly dir: string;
  readonly where: 'thread' | 'inline';
  readonly newLeads?: number | undefined;
  /** @default quick */
  readonly gathering?: keyof typeof gatherings | undefined;
}

export const openWriter = (place: WriterPlace): Promise<WriterHandle> =>
  place.where === 'thread' ? openThread(place) : openInline(place);

async function openInline({ dir, newLeads }: WriterPlace): Promise<WriterHandle> {
  const writer = new Writer(openWriting(dir), newLeads);
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

async function openThread({ dir, newLeads, gathering = 'quick' }: WriterPlace): Promise<WriterHandle> {
  // With less of it, what waits for its transaction would outlive it.
  const thread = new Thread(new URL('./writer-thread.js', import.meta.url), { name: 'store-writer', young: 12 });
  const ask = <T>(question: WriterQuestion) => thread.call<T>(question);
  try {
    await ask({ ask: 'open', dir, newLeads });
  } catch (error) {
    await thread.end();
    throw error;
  }
  return {
    inline: false,
    gathering: gatherings[gathering],
    write: (jobs) => ask<Written>({ ask: 'write', jobs }),
    break: (fault) => ask({ ask: 'break', fault }),
    async close() {
      // A thread that is gone has closed its file by going.
      await ask({ ask: 'close' }).catch(() => {});
      await thread.end();
    },
  };
}
