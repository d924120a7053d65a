/**
 * The writer in a thread of its own (docs/decisions/0003-sqlite-writer-thread.md). Whatever was asked while a group
 * was being written forms the next one, so a slow disk makes large groups and a fast one small ones.
 */
import { assert } from '../../machines/kernel/refusal.js';
import { openWriting } from './durable.js';
import { entriesIn, type Fault, type Job, largestGroup, type Written } from './job.js';
import { answerCalls } from './thread.js';
import { Writer } from './writer.js';

export type WriterQuestion =
  | { readonly ask: 'open'; readonly dir: string; readonly newLeads: number | undefined }
  | { readonly ask: 'write'; readonly jobs: readonly Job[] }
  | { readonly ask: 'break'; readonly fault: Fault }
  | { readonly ask: 'close' };

let writer: Writer | undefined;
let dieNext = false;

answerCalls(
  (group: readonly WriterQuestion[]) => {
    const [question] = group;
    return question?.ask === 'write' ? write(group) : [other(question!)];
  },
  (group, next) => next.ask === 'write' && group[0]?.ask === 'write' && entriesIn(jobsOf(group)) < largestGroup,
);

const jobsOf = (group: readonly WriterQuestion[]): readonly Job[] =>
  group.flatMap((question) => (question.ask === 'write' ? question.jobs : []));

/** One transaction for all that was asked; each question is answered with its own part of the outcomes. */
function write(group: readonly WriterQuestion[]): readonly Written[] {
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
      writer = new Writer(openWriting(question.dir), question.newLeads);
      return null;
    case 'break':
      if (question.fault === 'die') dieNext = true;
      else writer?.break(question.fault);
      return null;
    default:
      writer?.close();
      return null;
  }
}
