/** Reads that may take long, away from the main thread. */
import { assert } from '../../machines/kernel/refusal.js';
import { Connection } from './connection.js';
import { databaseFile } from './durable.js';
import { SlowReads } from './slow-reads.js';
import { answerCalls } from './thread.js';

/** Bound of a reader's page cache: there are two of them, one for searches. */
const cacheKiB = 16_384;

export type ReaderQuestion =
  | { readonly ask: 'open'; readonly dir: string }
  | { [Ask in keyof SlowReads]: { readonly ask: Ask; readonly with: Parameters<SlowReads[Ask]> } }[keyof SlowReads]
  | { readonly ask: 'close' };

let connection: Connection | undefined;
let reads: SlowReads | undefined;

answerCalls(([question]: readonly ReaderQuestion[]) => [answer(question!)]);

function answer(question: ReaderQuestion): unknown {
  if (question.ask === 'open') {
    connection = new Connection(databaseFile(question.dir), { cacheKiB, readOnly: true });
    reads = new SlowReads(connection);
    return null;
  }
  if (question.ask === 'close') {
    connection?.close();
    return null;
  }
  assert(reads, 'the reader was opened first');
  const read = reads[question.ask] as (...values: unknown[]) => unknown;
  return read.apply(reads, question.with);
}
