/** A payload as the API shows it (docs/reference/journal-format.md#payload), and its hash. */
import type { Json, JsonObject } from '../core/canonical.js';
import { canonical, sha256Hex } from '../core/canonical.js';
import { type LeafTexts, type RenderedLeaves, rendered, unrendered } from '../core/leaf.js';
import { saltFor, sealedHash } from '../core/sealed-hash.js';
import { payloadOf, payloadPart, type StoredPayload } from '../store/payload.js';

export interface PublishedPayload {
  /** Kind, id, action, `ids`, and those members of `input` that this reader may see, with the texts of their leaves. */
  readonly payload: JsonObject;
  /** The leaves in `input`, by their place in it. */
  readonly leaves?: RenderedLeaves;
  /** Names of the confidential members of `input`, for their readers; with the salt of their hash, hex. */
  readonly confidential?: readonly string[];
  readonly salt?: string;
  /** For other readers: the hash of the confidential members. */
  readonly sealed?: string;
}

/** @param isWhole whether the reader may see the confidential members */
export function publishedPayload(stored: StoredPayload, isWhole: boolean, texts: LeafTexts): PublishedPayload {
  const { public: open, confidential, salt = '' } = stored;
  const { value, leaves } = rendered((isWhole ? payloadOf(stored) : open).input, texts);
  const part = saltFor(salt, payloadPart);
  return {
    payload: { ...open, input: value },
    ...(Object.keys(leaves).length > 0 && { leaves }),
    ...(confidential &&
      (isWhole ? { confidential: Object.keys(confidential), salt: part } : { sealed: sealedHash(part, confidential) })),
  };
}

/** @returns its `payloadHash`, or a sentence if a text is not that of its leaf */
export function hashOfPublished({
  payload,
  leaves = {},
  confidential,
  salt = '',
  sealed,
}: PublishedPayload): { readonly hash: string } | string {
  const input = unrendered(payload.input as Json, leaves);
  if (typeof input === 'string') return input;
  const hidden = new Set(confidential);
  const members = Object.entries(input.value as JsonObject);
  const open = Object.fromEntries(members.filter(([name]) => !hidden.has(name)));
  const closed = Object.fromEntries(members.filter(([name]) => hidden.has(name)));
  const sealedMembers = confidential ? sealedHash(salt, closed) : (sealed ?? null);
  return { hash: sha256Hex(canonical({ public: { ...payload, input: open }, sealed: sealedMembers })) };
}
