/**
 * Runs the writer in a separate thread (docs/decisions/0003). Jobs that arrive while a group is written form the next
 * group, so that a slow disk makes large groups.
 */
import { assert } from '../../core/refusal.js';
import { answerCalls } from '../thread.js';
import { openWriting } from './durable.js';
import { entryCountOf, type Fault, largestGroup, type WriteJob, type WriteResult } from './job.js';
import { Writer } from './writer.js';

export type WriterQuestion =
  | { readonly ask: 'open'; readonly dir: string; readonly newIndexRows: number | undefined }
  | { readonly ask: 'write'; readonly jobs: readonly WriteJob[] }
  | { readonly ask: 'break'; readonly fault: Fault }
  | { readonly ask: 'close' };

let writer: Writer | undefined;
let dieNext = false;

answerCalls(
  (group: readonly WriterQuestion[]) => {
    const [question] = group;
    return question?.ask === 'write' ? write(group) : [other(question!)];
  },
  (group, next) => next.ask === 'write' && group[0]?.ask === 'write' && entryCountOf(jobsOf(group)) < largestGroup,
);

const jobsOf = (group: readonly WriterQuestion[]): readonly WriteJob[] =>
  group.flatMap((question) => (question.ask === 'write' ? question.jobs : []));

function write(group: readonly WriterQuestion[]): readonly WriteResult[] {
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

function other(question: WriterQuestion): null {
  if (question.ask === 'open') writer = new Writer(openWriting(question.dir), question.newIndexRows);
  else if (question.ask === 'close') writer?.close();
  else if (question.ask === 'break' && question.fault === 'die') dieNext = true;
  else if (question.ask === 'break') writer?.break(question.fault);
  return null;
}
