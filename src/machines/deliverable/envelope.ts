/**
 * Deliverable envelopes (docs/reference/markets.md#envelopes): the description of a delivery, completed by the node and
 * signed by its producer. Pure; they can be verified offline.
 * For orders and milestones: `envelope` is the scalar of the request. A request transformer completes and signs it
 * (signed-envelope.ts); guards check it with `isSoundFor`, and `digestOf` identifies it.
 */

import { canonical, hashOf, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { parseDid, publicKeyOf } from '../../core/codecs/did.js';
import { verify } from '../../core/codecs/signature-check.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { looksBlank } from './blank.js';

export const types = ['text', 'data', 'document', 'code', 'model', 'binary', 'stream', 'composite', 'other'] as const;
export const methods = ['inline', 'external', 'stream', 'endpoint'] as const;
/** The largest envelope as canonical JSON, inline data included. */
const envelopeBytes = 262_144;

/** An envelope in a request; unknown members are kept and signed. */
export const envelope = is.atMostBytes(
  is.openObject({
    type: is.described(is.oneOf(...types), 'Type of the deliverable.'),
    format: is.described(is.optional(is.text(128, 1)), 'Media type.'),
    name: is.described(is.optional(is.text(256, 1)), 'Name of the file.'),
    contentHash: is.described(
      is.optional(is.hash),
      'SHA-256 of the content, hex; absent: the node hashes `transport.data`.',
    ),
    size: is.described(is.optional(is.integer(0)), 'Bytes of the content; absent: of `transport.data`.'),
    transport: is.described(
      is.optional(
        is.openObject({
          method: is.described(is.oneOf(...methods), '`inline`: in `data`; the others: at `uri`.'),
          uri: is.described(is.optional(is.text(2048, 1)), 'Where the content is.'),
          data: is.described(is.optional(is.text(envelopeBytes)), 'The content itself, written as `encoding` says.'),
          encoding: is.described(is.optional(is.oneOf('utf8', 'base64', 'hex')), 'Encoding of `data`; default utf8.'),
        }),
      ),
      'How the content is delivered.',
    ),
    id: is.described(is.optional(is.chosenId()), 'Id of the envelope; default: the node creates one.'),
    contextId: is.described(
      is.optional(is.text(256, 1)),
      'The order, or `<contract>/<milestone>`, that it is for; absent: this one.',
    ),
    producer: is.described(is.optional(is.did), 'DID that produced it; default: the signer.'),
    createdAt: is.described(
      is.optional(is.time),
      'When it was made: ISO 8601 with an offset, or epoch milliseconds; absent: now.',
    ),
    signature: is.described(
      is.optional(is.text(128, 1)),
      'The producer’s Ed25519 signature, base58btc; absent: the node signs.',
    ),
  }),
  envelopeBytes,
);
export type EnvelopeInput = is.TypeOf<typeof envelope>;

/** A delivery: the signer's own members, and an envelope if there is one. */
export const withEnvelope = is.notNearly(
  is.atMostBytes(
    is.openObject({
      envelope: is.described(is.optional(envelope), 'A deliverable envelope, which the node completes and signs.'),
    }),
    300_000,
  ),
  ['envelope'],
);

/** A completed envelope. */
export interface DeliverableEnvelope extends JsonObject {
  readonly id: string;
  readonly type: string;
  /** The order, or the contract's milestone, that it is delivered for. */
  readonly contextId: string;
  /** DID whose key has signed it. */
  readonly producer: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly contentHash: string;
  /** base58btc Ed25519. */
  readonly signature: string;
}

/** What the node knows about a delivery, so that the producer may omit it. */
export interface Circumstances {
  readonly contextId: string;
  readonly producer: string;
  readonly id: string;
  readonly createdAt: number;
}

/** The hash of no bytes at all. */
const hashOfNothing = sha256Hex(new Uint8Array());

const inlineBytes = (data: string, encoding = 'utf8'): Buffer => Buffer.from(data, encoding as BufferEncoding);

/**
 * Adds the missing members, unsigned. UNPROCESSABLE if it names another producer or context, has empty content, or its
 * hash or size does not match its data.
 */
export function complete(
  given: EnvelopeInput,
  { contextId, producer, id, createdAt }: Circumstances,
): JsonObject | Refusal {
  if ((given.producer ?? producer) !== producer) return refuse('UNPROCESSABLE', 'the envelope names another producer');
  if ((given.contextId ?? contextId) !== contextId)
    return refuse('UNPROCESSABLE', 'the envelope is for something else');
  const { data, encoding } = given.transport ?? {};
  const bytes = data === undefined ? undefined : inlineBytes(data, encoding);
  const contentHash = given.contentHash ?? (bytes && sha256Hex(bytes));
  const size = given.size ?? bytes?.length;
  if (contentHash === undefined) return refuse('UNPROCESSABLE', 'the envelope has neither contentHash nor inline data');
  const isText = data !== undefined && (encoding ?? 'utf8') === 'utf8';
  if (contentHash === hashOfNothing || (isText && looksBlank(data))) {
    return refuse('UNPROCESSABLE', 'the content of the envelope is empty');
  }
  const known = { ...given, contextId, producer, contentHash, ...(size === undefined ? {} : { size }) };
  const completed = { ...known, id: given.id ?? id, createdAt: given.createdAt ?? createdAt } as JsonObject;
  const flaw = flawOfContent(completed);
  return flaw === undefined ? completed : refuse('UNPROCESSABLE', flaw);
}

/** The text that the producer signs: everything but the signature. */
export function signingText({ signature: _, ...unsigned }: JsonObject): string {
  return `svc:deliverable:v1:${canonical(unsigned)}`;
}

/** `envelopeDigest`: SHA-256, hex, of the RFC 8785 form of the whole, signature included. */
export const digestOf = (signed: JsonObject): string => hashOf(signed);

/**
 * Why this envelope is invalid, in a sentence; undefined if it is valid. @param by the expected producer and context
 */
export function flawOf(given: unknown, by: { producer?: string; contextId?: string } = {}): string | undefined {
  const parsed = is.parse(envelope, given);
  if (isRefusal(parsed)) return parsed.detail;
  const signed = parsed as JsonObject;
  for (const name of ['id', 'contextId', 'producer', 'createdAt', 'contentHash', 'signature']) {
    if (signed[name] === undefined) return `it has no ${name}`;
  }
  const producer = parseDid(String(signed.producer));
  if (producer === undefined) return 'its producer is no DID';
  if (by.producer !== undefined && producer !== by.producer) return 'it was produced by somebody else';
  if (by.contextId !== undefined && signed.contextId !== by.contextId) return 'it is for something else';
  if (!verify(publicKeyOf(producer), signingText(given as JsonObject), String(signed.signature))) {
    return 'its signature does not verify';
  }
  return flawOfContent(signed);
}

/** A delivery; `envelopeDigest` is computed from the envelope. */
export interface Delivered {
  readonly envelope?: unknown;
  readonly envelopeDigest?: unknown;
}

/**
 * Whether the envelope, if there is one, is valid: from this producer, for this order or milestone, signed, and with
 * the right digest.
 */
export function isSoundFor(contextId: string, producer: string, delivered: Delivered | undefined): boolean {
  const envelope = delivered?.envelope;
  if (envelope === undefined) return true;
  return (
    flawOf(envelope, { producer, contextId }) === undefined &&
    delivered?.envelopeDigest === digestOf(envelope as JsonObject)
  );
}

/** Why the hash or the size does not match the inline data. */
function flawOfContent({ transport, contentHash, size }: JsonObject): string | undefined {
  const { data, encoding } = (transport ?? {}) as { data?: string; encoding?: string };
  if (data === undefined) return undefined;
  const bytes = inlineBytes(data, encoding);
  if (sha256Hex(bytes) !== contentHash) return 'its contentHash is not that of its data';
  return size === undefined || size === bytes.length ? undefined : 'its size is not that of its data';
}
