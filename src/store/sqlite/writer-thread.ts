/** The writer in a thread of its own (docs/decisions/0003-sqlite-writer-thread.md). */
import { assert } from '../../machines/kernel/refusal.js';
import { openWriting } from './durable.js';
import type { Fault, Job } from './job.js';
import { answerCalls } from './thread.js';
import { Writer } from './writer.js';

export type WriterQuestion =
  | { readonly ask: 'open'; readonly dir: string }
  | { readonly ask: 'write'; readonly jobs: readonly Job[] }
  | { readonly ask: 'break'; readonly fault: Fault }
  | { readonly ask: 'close' };

let writer: Writer | undefined;
let dieNext = false;

answerCalls((question: WriterQuestion) => {
  if (question.ask === 'open') {
    writer = new Writer(openWriting(question.dir));
    return null;
  }
  assert(writer, 'the writer was opened first');
  switch (question.ask) {
    case 'write':
      if (dieNext) process.exit(1);
      return writer.write(question.jobs);
    case 'break':
      if (question.fault === 'die') dieNext = true;
      else writer.break(question.fault);
      return null;
    case 'close':
      writer.close();
      return null;
  }
});
