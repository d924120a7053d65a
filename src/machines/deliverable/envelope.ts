/**
 * Deliverable envelopes (docs/reference/markets.md#envelopes): the description of a delivery, completed by the node and
 * signed by its producer. Pure; anybody can verify one offline.
 *
 * For orders and milestones: `envelope` is the scalar of the request. A request transformer completes and signs it
 * (signed-envelope.ts); guards check it with `isSoundFor`, and `digestOf` identifies it.
 */

import { canonical, hashOf, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { parseDid, publicKeyOf } from '../../core/codecs/did.js';
import { verify } from '../../core/codecs/signature-check.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';

export const types = ['text', 'data', 'document', 'code', 'model', 'binary', 'stream', 'composite', 'other'] as const;
export const methods = ['inline', 'external', 'stream', 'endpoint'] as const;
/** The largest envelope as canonical JSON, inline data included. */
const envelopeBytes = 262_144;

/** An envelope in a request; unknown members are kept and signed. */
export const envelope = is.atMostBytes(
  is.openObject({
    type: is.oneOf(...types),
    format: is.optional(is.text(128, 1)),
    name: is.optional(is.text(256, 1)),
    /** SHA-256, hex; computed by the node for inline data. */
    contentHash: is.optional(is.hash),
    /** Bytes. */
    size: is.optional(is.integer(0)),
    transport: is.optional(
      is.openObject({
        method: is.oneOf(...methods),
        uri: is.optional(is.text(2048, 1)),
        /** Inline data: UTF-8, or as `encoding` says. */
        data: is.optional(is.text(envelopeBytes)),
        encoding: is.optional(is.oneOf('utf8', 'base64', 'hex')),
      }),
    ),
    id: is.optional(is.chosenId()),
    contextId: is.optional(is.text(256, 1)),
    producer: is.optional(is.did),
    createdAt: is.optional(is.time),
    signature: is.optional(is.text(128, 1)),
  }),
  envelopeBytes,
);
export type EnvelopeInput = is.TypeOf<typeof envelope>;

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

/** Facts that the node knows and the producer may leave out. */
export interface Circumstances {
  readonly contextId: string;
  readonly producer: string;
  readonly id: string;
  readonly createdAt: number;
}

const inlineBytes = (data: string, encoding = 'utf8'): Buffer => Buffer.from(data, encoding as BufferEncoding);

/**
 * Adds the missing members, unsigned. UNPROCESSABLE if it names another producer or context, or its hash or size does
 * not match its data.
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
 * Whether the envelope, if there is one, is valid: by this producer, for this order or milestone, signed, and with the
 * right digest.
 */
export function isSoundFor(contextId: string, producer: string, delivered: Delivered | undefined): boolean {
  const envelope = delivered?.envelope;
  if (envelope === undefined) return true;
  return (
    flawOf(envelope, { producer, contextId }) === undefined &&
    delivered?.envelopeDigest === digestOf(envelope as JsonObject)
  );
}

/** Why hash or size do not match inline data. */
function flawOfContent({ transport, contentHash, size }: JsonObject): string | undefined {
  const { data, encoding } = (transport ?? {}) as { data?: string; encoding?: string };
  if (data === undefined) return undefined;
  const bytes = inlineBytes(data, encoding);
  if (sha256Hex(bytes) !== contentHash) return 'its contentHash is not that of its data';
  return size === undefined || size === bytes.length ? undefined : 'its size is not that of its data';
}
