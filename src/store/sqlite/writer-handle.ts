/** The writer wherever it runs: on this thread, or in one of its own. */
import { StoreFault } from '../store.js';
import { openWriting } from './durable.js';
import type { Fault, Outcome } from './job.js';
import { Thread } from './thread.js';
import type { WriteGroup } from './write-queue.js';
import { Writer } from './writer.js';
import type { WriterQuestion } from './writer-thread.js';

export interface WriterHandle {
  readonly write: WriteGroup;
  /** True when `write` stays on this thread, so that a job may carry the parsed core along. */
  readonly inline: boolean;
  /** For tests, see Fault. */
  break(fault: Fault): Promise<void>;
  close(): Promise<void>;
}

export const openWriter = (dir: string, where: 'thread' | 'inline'): Promise<WriterHandle> =>
  where === 'thread' ? openThread(dir) : openInline(dir);

async function openInline(dir: string): Promise<WriterHandle> {
  const writer = new Writer(openWriting(dir));
  let dead = false;
  return {
    inline: true,
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

async function openThread(dir: string): Promise<WriterHandle> {
  const thread = new Thread(new URL('./writer-thread.js', import.meta.url), 'store-writer');
  const ask = <T>(question: WriterQuestion) => thread.call<T>(question);
  try {
    await ask({ ask: 'open', dir });
  } catch (error) {
    await thread.end();
    throw error;
  }
  return {
    inline: false,
    write: (jobs) => ask<readonly Outcome[]>({ ask: 'write', jobs }),
    break: (fault) => ask({ ask: 'break', fault }),
    async close() {
      // A thread that is gone has closed its file by going.
      await ask({ ask: 'close' }).catch(() => {});
      await thread.end();
    },
  };
}
