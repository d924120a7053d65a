import { assert } from '../../core/refusal.js';
import { answerCalls } from '../thread.js';
import { SqliteConnection } from './connection.js';
import { databaseFile } from './durable.js';
import { SlowReads } from './slow-reads.js';

/** Page cache of a reader thread. There are two, one for searches. */
const cacheKiB = 16_384;

export type ReaderQuestion =
  | { readonly ask: 'open'; readonly dir: string }
  | { [Ask in keyof SlowReads]: { readonly ask: Ask; readonly with: Parameters<SlowReads[Ask]> } }[keyof SlowReads]
  | { readonly ask: 'close' };

interface OpenDatabase {
  readonly connection: SqliteConnection;
  readonly reads: SlowReads;
}

let open: OpenDatabase | undefined;

answerCalls(([question]: readonly ReaderQuestion[]) => [answer(question!)]);

function answer(question: ReaderQuestion): unknown {
  if (question.ask === 'open') {
    const connection = new SqliteConnection(databaseFile(question.dir), { cacheKiB, readOnly: true });
    open = { connection, reads: new SlowReads(connection) };
    return null;
  }
  if (question.ask === 'close') {
    open?.connection.close();
    open = undefined;
    return null;
  }
  assert(open, 'the reader was opened first');
  const read = open.reads[question.ask] as (...values: unknown[]) => unknown;
  return read.apply(open.reads, question.with);
}
