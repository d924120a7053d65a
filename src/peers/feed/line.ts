/**
 * The lines of a feed (docs/reference/feeds.md#lines): number and hash of an entry, with what it shows of listings and
 * identities; or the checkpoint of the entries before it. Each is one JSON object without line breaks.
 */
import { canonical, isJsonObject, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { guardJson, parseShaped } from '../../core/json-text.js';
import type { NumberedEntry } from '../../store/entry.js';
import { type Checkpoint, checkpointForm, parseForm } from '../checkpoint.js';
import { type CardPart, cardPartIn } from './card-part.js';

/** An entry as a feed shows it. */
export type FeedEntry = Pick<NumberedEntry, 'seq' | 'entryHash'> & {
  /** What is shown of a listing or an identity. */
  readonly part?: CardPart | undefined;
};

/** The line that a home sends behind each batch, and as a heartbeat. */
export interface FeedEnd {
  readonly checkpoint: Checkpoint;
  /** Number of the journal's newest entry. Not signed; it only shows how far a follower is behind. */
  readonly head: number;
}

export type FeedLine = { readonly entry: FeedEntry } | { readonly end: FeedEnd };

/** A line with the core has no hash: its reader computes it. */
export const lineOfEntry = ({ seq, entryHash, part }: FeedEntry): string =>
  JSON.stringify({ seq, ...(part?.core ? {} : { entryHash }), ...part });

export const lineOfEnd = ({ checkpoint, head }: FeedEnd): string => JSON.stringify({ checkpoint, head });

/**
 * Checks the form of a line alone.
 * @returns what is wrong with it, as the end of a sentence that begins with 'a line'
 */
export function parseFeedLine(text: string): FeedLine | string {
  const parsed = parseShaped(text);
  if (typeof parsed === 'string') return parsed;
  const { value: line } = parsed;
  if (!isJsonObject(line)) return 'is no JSON object';
  return Object.hasOwn(line, 'checkpoint') ? endIn(line) : entryIn(line, text);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function endIn({ checkpoint: given, head, ...more }: { readonly [member: string]: unknown }): FeedLine | string {
  const checkpoint = parseForm(checkpointForm, given);
  if (typeof checkpoint === 'string') return `has a checkpoint of another form: ${checkpoint}`;
  const isWhole = isCount(head) && Object.keys(more).length === 0;
  return isWhole ? { end: { checkpoint, head } } : 'has other members than a checkpoint';
}

function entryIn(line: { readonly [member: string]: unknown }, text: string): FeedLine | string {
  const { seq, entryHash, ...more } = line;
  if (!isCount(seq)) return 'has no number';
  const part = Object.keys(more).length > 0 ? partIn(line, more as JsonObject, text) : undefined;
  if (typeof part === 'string') return part;
  if (part?.core && entryHash === undefined)
    return { entry: { seq, entryHash: sha256Hex(canonical(part.core)), part } };
  const isHash = typeof entryHash === 'string' && /^[0-9a-f]{64}$/.test(entryHash);
  if (!isHash || part?.core) return 'has not one of hash and core';
  return { entry: part ? { seq, entryHash, part } : { seq, entryHash } };
}

/** What no caller of the API may send, no home may show. */
function partIn(line: object, members: JsonObject, text: string): CardPart | string {
  const refused = guardJson(line, text, undefined, true);
  return refused ? `has what no body may have: ${refused.detail}` : cardPartIn(members);
}
