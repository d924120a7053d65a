/** Thread for reads that may take long. */
import { assert } from '../../core/refusal.js';
import { SqliteConnection } from './connection.js';
import { databaseFile } from './durable.js';
import { SlowReads } from './slow-reads.js';
import { answerCalls } from './thread.js';

/** Page cache of a reader thread. There are two, one for searches. */
const cacheKiB = 16_384;

export type ReaderQuestion =
  | { readonly ask: 'open'; readonly dir: string }
  | { [Ask in keyof SlowReads]: { readonly ask: Ask; readonly with: Parameters<SlowReads[Ask]> } }[keyof SlowReads]
  | { readonly ask: 'close' };

let connection: SqliteConnection | undefined;
let reads: SlowReads | undefined;

answerCalls(([question]: readonly ReaderQuestion[]) => [answer(question!)]);

function answer(question: ReaderQuestion): unknown {
  if (question.ask === 'open') {
    connection = new SqliteConnection(databaseFile(question.dir), { cacheKiB, readOnly: true });
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
