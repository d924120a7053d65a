/**
 * Runs the writer in a separate thread (docs/decisions/0003). Jobs that arrive while a group is written form the next
 * group, so that a slow disk makes large groups.
 */
import { assert } from '../../core/refusal.js';
import { openWriting } from './durable.js';
import { entriesIn, type Fault, largestGroup, type WriteJob, type WriteResult } from './job.js';
import { answerCalls } from './thread.js';
import { Writer } from './writer.js';

/** `dir` names the database: the stores of followed feeds share one thread. */
export type WriterQuestion =
  | ({ readonly dir: string } & (
      | { readonly ask: 'open'; readonly newIndexRows: number | undefined; readonly cacheKiB: number | undefined }
      | { readonly ask: 'write'; readonly jobs: readonly WriteJob[] }
      | { readonly ask: 'break'; readonly fault: Fault }
      | { readonly ask: 'close' }
    ))
  | { readonly ask: 'closeAll' };

const writers = new Map<string, Writer>();
let dieNext = false;

answerCalls(
  (group: readonly WriterQuestion[]) => {
    const [question] = group;
    return question?.ask === 'write' ? write(question.dir, group) : [other(question!)];
  },
  (group, next) =>
    next.ask === 'write' &&
    group[0]?.ask === 'write' &&
    group[0].dir === next.dir &&
    entriesIn(jobsOf(group)) < largestGroup,
);

const jobsOf = (group: readonly WriterQuestion[]): readonly WriteJob[] =>
  group.flatMap((question) => (question.ask === 'write' ? question.jobs : []));

/** Runs one transaction for all pending questions; each gets its part of the results. */
function write(dir: string, group: readonly WriterQuestion[]): readonly WriteResult[] {
  const writer = writers.get(dir);
  assert(writer, 'the writer was opened first');
  if (dieNext) process.exit(1);
  const { outcomes, commits } = writer.write(jobsOf(group));
  let next = 0;
  return group.map((question) => {
    const from = next;
    next += jobsOf([question]).length;
    return { outcomes: outcomes.slice(from, next), commits };
  });
}

function other(question: WriterQuestion): unknown {
  switch (question.ask) {
    case 'open':
      writers.set(
        question.dir,
        new Writer(openWriting(question.dir, { cacheKiB: question.cacheKiB }), question.newIndexRows),
      );
      return null;
    case 'break':
      if (question.fault === 'die') dieNext = true;
      else writers.get(question.dir)?.break(question.fault);
      return null;
    case 'close':
      writers.get(question.dir)?.close();
      writers.delete(question.dir);
      return null;
    default:
      for (const writer of writers.values()) writer.close();
      writers.clear();
      return null;
  }
}
