/**
 * A worker thread of an audit that checks the texts of entries. On Linux it gives way to the auditing thread, which has
 * more to do than its share of the cores.
 */
import { getPriority, setPriority } from 'node:os';
import { beat } from '../core/threads.js';
import { entryEvenIfDamaged } from '../store/entry.js';
import { answerCalls } from '../store/thread.js';
import { type CheckedEntry, firstFinding } from './entry-checks.js';
import { findingInEntry } from './entry-text.js';

const [lessUrgent, least] = [5, 19];
// Only Linux sets the priority of one thread; other systems would change the whole process's.
if (process.platform === 'linux') setPriority(0, Math.min(least, getPriority(0) + lessUrgent));

function* parsed(page: readonly CheckedEntry[]) {
  for (const [seq, prevEntry, chainHash, entryHash, coreText, payloadText] of page) {
    beat();
    yield { ...entryEvenIfDamaged(coreText, payloadText, entryHash), seq, prevEntry, chainHash };
  }
}

answerCalls((asked: readonly (readonly CheckedEntry[])[]) =>
  asked.map((page) => firstFinding(parsed(page), findingInEntry)),
);
