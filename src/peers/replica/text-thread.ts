/**
 * Worker thread that checks the texts of entries (form, hashes, signature), which is most of the cost of a followed
 * entry.
 */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../core/error-message.js';
import { assert } from '../../core/refusal.js';
import { showPulse } from '../../core/threads.js';
import type { EntryCore } from '../../store/entry.js';
import { type EntryFinding, findingInText } from '../../verify/entry-text.js';
import { noPlace } from '../../verify/may-sign.js';
import type { EntryTexts, TextAnswer } from './text-checks.js';

const port = parentPort;
assert(port, 'runs in a worker thread');

function findingIn([coreText, payloadText, entryHash]: EntryTexts): EntryFinding | null {
  try {
    const core = JSON.parse(coreText) as EntryCore;
    return findingInText({ core, coreText, payloadText, entryHash }, noPlace) ?? null;
  } catch (error) {
    return { check: 'form', what: `it cannot be read: ${messageOf(error)}` };
  }
}

showPulse();
port.on('message', (texts: readonly EntryTexts[]) => port.postMessage(texts.map(findingIn) satisfies TextAnswer));
