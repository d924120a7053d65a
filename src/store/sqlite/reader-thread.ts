/** Thread for reads that may take long. */
import { assert } from '../../core/refusal.js';
import { SqliteConnection } from './connection.js';
import { databaseFile } from './durable.js';
import { SlowReads } from './slow-reads.js';
import { answerCalls } from './thread.js';

/** Page cache of a reader thread. There are two, one for searches. */
const cacheKiB = 16_384;

/** `dir` names the database: the stores of followed feeds share one thread. */
export type ReaderQuestion = { readonly dir: string } & (
  | { readonly ask: 'open'; readonly cacheKiB: number | undefined }
  | { [Ask in keyof SlowReads]: { readonly ask: Ask; readonly with: Parameters<SlowReads[Ask]> } }[keyof SlowReads]
  | { readonly ask: 'close' }
);

interface OpenDatabase {
  readonly connection: SqliteConnection;
  readonly reads: SlowReads;
}

const databases = new Map<string, OpenDatabase>();

answerCalls(([question]: readonly ReaderQuestion[]) => [answer(question!)]);

function answer(question: ReaderQuestion): unknown {
  const { dir } = question;
  if (question.ask === 'open') {
    const cache = question.cacheKiB ?? cacheKiB;
    const connection = new SqliteConnection(databaseFile(dir), { cacheKiB: cache, readOnly: true });
    databases.set(dir, { connection, reads: new SlowReads(connection) });
    return null;
  }
  const open = databases.get(dir);
  if (question.ask === 'close') {
    databases.delete(dir);
    open?.connection.close();
    return null;
  }
  assert(open, 'the reader was opened first');
  const read = open.reads[question.ask] as (...values: unknown[]) => unknown;
  return read.apply(open.reads, question.with);
}
