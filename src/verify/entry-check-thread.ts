/** A worker thread of an audit that checks the texts of entries. */
import { beat } from '../core/threads.js';
import { entryEvenIfDamaged } from '../store/entry.js';
import { answerCalls } from '../store/thread.js';
import { type CheckedEntries, type CheckedEntry, firstFinding } from './entry-checks.js';

function* parsed(page: readonly CheckedEntry[]) {
  for (const [seq, prevEntry, chainHash, entryHash, coreText, payloadText] of page) {
    beat();
    yield { ...entryEvenIfDamaged(coreText, payloadText, entryHash), seq, prevEntry, chainHash };
  }
}

answerCalls((asked: readonly CheckedEntries[]) =>
  asked.map(({ page, isKnown }) => firstFinding(parsed(page), isKnown)),
);
