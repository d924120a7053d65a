/**
 * The lines of a feed (docs/reference/feeds.md#lines): an entry, or the checkpoint of the entries before it. Each is
 * one JSON object without line breaks.
 */
import { sha256Hex } from '../../core/canonical.js';
import { messageOf } from '../../core/error-message.js';
import { entryOf } from '../../store/entry.js';
import { type Checkpoint, checkpointForm, parseForm } from '../checkpoint.js';
import type { FeedEntry, Revealed } from '../replica/replica.js';

/** The line that a home sends behind each batch, and as a heartbeat. */
export interface FeedEnd {
  readonly checkpoint: Checkpoint;
  /** Number of the journal's newest entry. Not signed; it only shows how far a copy is behind. */
  readonly head: number;
  /** Whether the home waits for signed copies: the follower sends one as soon as the entries are on disk. */
  readonly copy?: boolean;
}

export type FeedLine = { readonly entry: FeedEntry } | { readonly end: FeedEnd };

/** The most resources that one entry may reveal: as many as it may write. */
const mostRevealed = 1_024;

export const lineOfEntry = ({ entry, revealed }: FeedEntry): string =>
  JSON.stringify({
    ...{ seq: entry.seq, chainHash: entry.chainHash, core: entry.coreText, payload: entry.payloadText },
    ...(revealed && revealed.length > 0 ? { revealed } : {}),
  });

export const lineOfEnd = ({ checkpoint, head, copy }: FeedEnd): string =>
  JSON.stringify({ checkpoint, head, ...(copy ? { copy } : {}) });

/**
 * Checks the form of a line alone; the replica checks hashes, signatures and meaning.
 * @param prevEntry chain hash of the entry before
 * @returns what is wrong with it, as the end of a sentence that begins with 'a line'
 */
export function parseFeedLine(text: string, prevEntry: string): FeedLine | string {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is no JSON object';
    const line = value as { readonly [member: string]: unknown };
    return 'checkpoint' in line ? endIn(line) : entryIn(line, prevEntry);
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function endIn({ checkpoint: given, head, copy, ...more }: { readonly [member: string]: unknown }): FeedLine | string {
  const checkpoint = parseForm(checkpointForm, given);
  if (typeof checkpoint === 'string') return `has a checkpoint of another form: ${checkpoint}`;
  const isWhole = isCount(head) && (copy === undefined || copy === true) && Object.keys(more).length === 0;
  return isWhole ? { end: { checkpoint, head, copy: copy === true } } : 'has other members than a checkpoint';
}

function entryIn(line: { readonly [member: string]: unknown }, prevEntry: string): FeedLine | string {
  const { seq, chainHash, core, payload, revealed, ...more } = line;
  const isWhole =
    isCount(seq) &&
    typeof chainHash === 'string' &&
    typeof core === 'string' &&
    (payload === null || typeof payload === 'string') &&
    (revealed === undefined || isRevealed(revealed)) &&
    Object.keys(more).length === 0;
  if (!isWhole) return 'has other members than an entry';
  const entry = { ...entryOf(core, payload, sha256Hex(core)), seq, prevEntry, chainHash };
  return { entry: revealed === undefined ? { entry } : { entry, revealed } };
}

const isRevealed = (value: unknown): value is Revealed[] =>
  Array.isArray(value) && value.length <= mostRevealed && value.every(isRevealedResource);

function isRevealedResource(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id, state, context, ...more } = value as { readonly [member: string]: unknown };
  return (
    [kind, id, state].every((each) => typeof each === 'string') &&
    typeof context === 'object' &&
    context !== null &&
    !Array.isArray(context) &&
    Object.keys(more).length === 0
  );
}
