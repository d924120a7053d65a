/**
 * Deliverable envelopes (docs/reference/markets.md#envelopes): the description of a delivery, completed by the node and
 * signed by its producer. Pure; they can be verified offline.
 * For orders and milestones: `envelope` is the scalar of the request. A request transformer completes and signs it
 * (signed-envelope.ts); guards check it with `isSoundFor`.
 */

import { hashOf, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { parseDid, publicKeyOf } from '../../core/codecs/did.js';
import { verify } from '../../core/codecs/signature-check.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { placeText } from '../kernel/attest.js';
import type { MachineEvent } from '../kernel/resource.js';
import { looksBlank } from './blank.js';

export const types = ['text', 'data', 'document', 'code', 'model', 'binary', 'stream', 'composite', 'other'] as const;
export const methods = ['inline', 'external', 'stream', 'endpoint'] as const;
/** The largest envelope as canonical JSON, inline data included. */
const envelopeBytes = 262_144;

export const envelope = is.leavingOthers(
  is.atMostBytes(
    is.openObject({
      type: is.described(is.oneOf(...types), 'Type of the deliverable.'),
      format: is.optional(is.text(128, 1), 'Media type.'),
      name: is.optional(is.leaf(is.visible(is.text(256, 1))), 'Name of the file.'),
      contentHash: is.optional(is.hash, 'SHA-256 of the content, hex; absent: the node hashes `transport.data`.'),
      size: is.optional(is.integer(0), 'Bytes of the content; absent: of `transport.data`.'),
      transport: is.optional(
        is.leaf(
          is.openObject({
            method: is.described(is.oneOf(...methods), '`inline`: in `data`; the others: at `uri`.'),
            uri: is.optional(is.text(2048, 1), 'Where the content is.'),
            data: is.optional(is.text(envelopeBytes), 'The content itself, written as `encoding` says.'),
            encoding: is.optional(is.oneOf('utf8', 'base64', 'hex'), 'Encoding of `data`; default utf8.'),
          }),
        ),
        'How the content is delivered.',
      ),
      id: is.optional(is.chosenId(), 'Id of the envelope; default: the node creates one.'),
      contextId: is.optional(
        is.text(256, 1),
        'The order, or `<contract>/<milestone>`, that it is for; absent: this one.',
      ),
      producer: is.optional(is.did, 'DID that produced it; default: the signer.'),
      createdAt: is.optional(is.time, 'When it was made: ISO 8601 with an offset, or epoch milliseconds; absent: now.'),
      digest: is.optional(is.hash, 'What the signature covers; absent: the node computes it.'),
      signature: is.optional(
        is.text(128, 1),
        'The producer’s Ed25519 signature of `svc:deliverable:v2:<network>:<home>:<digest>`, base64url; absent: the node signs.',
      ),
    }),
    envelopeBytes,
  ),
);

export interface EnvelopeInput extends JsonObject {
  readonly type: string;
  readonly transport?: { readonly data?: string; readonly encoding?: string };
  readonly id?: string;
  readonly contextId?: string;
  readonly producer?: string;
  readonly createdAt?: number;
  readonly contentHash?: string;
  readonly size?: number;
  readonly digest?: string;
  readonly signature?: string;
}

/** A delivery: the signer's own members, and an envelope if there is one. */
export const withEnvelope = is.notNearly(
  is.leavingOthers(
    is.atMostBytes(
      is.openObject({
        envelope: is.optional(envelope, 'A deliverable envelope, which the node completes and signs.'),
        envelopeDigest: is.optional(is.hash, 'SHA-256 of the envelope; the node adds it.'),
      }),
      300_000,
    ),
  ),
  ['envelope'],
);

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

/** What the signature covers: everything but the digest and the signature. */
export const digestOf = ({ signature: _, digest: __, ...unsigned }: JsonObject): string => hashOf(unsigned);

/** The text that the producer signs. @param place version, network and home */
export const signingText = (digest: string, place: string): string => `svc:deliverable:${place}:${digest}`;

/** `envelopeDigest`: SHA-256, hex, of the RFC 8785 form of the whole, signature included. */
export const wholeDigestOf = (signed: JsonObject): string => hashOf(signed);

/** The producer, context and place that an envelope must be for. */
export interface EnvelopeFor {
  readonly producer: string;
  readonly contextId: string;
  readonly place: string;
}

export const envelopeFor = (
  { signer, network, home }: Pick<MachineEvent, 'signer' | 'network' | 'home'>,
  contextId: string,
): EnvelopeFor => ({ producer: signer, contextId, place: placeText(network, home) });

const needed = ['id', 'contextId', 'producer', 'createdAt', 'contentHash', 'digest', 'signature'];

/** Why an envelope is invalid, as far as its structured members say; undefined if it is valid. */
export function flawOfStructure(signed: JsonObject, { producer, contextId, place }: EnvelopeFor): string | undefined {
  for (const name of needed) if (signed[name] === undefined) return `it has no ${name}`;
  if (parseDid(String(signed.producer)) !== producer) return 'it was produced by somebody else';
  if (signed.contextId !== contextId) return 'it is for something else';
  return verify(publicKeyOf(producer), signingText(String(signed.digest), place), String(signed.signature))
    ? undefined
    : 'its signature does not verify';
}

/** Why an envelope with its texts is invalid, in a sentence; undefined if it is valid. */
export const flawOfWhole = (signed: JsonObject, by: EnvelopeFor): string | undefined =>
  (signed.digest === digestOf(signed) ? undefined : 'its digest is not that of its members') ??
  flawOfStructure(signed, by) ??
  flawOfContent(signed);

export interface Delivered {
  readonly envelope?: unknown;
  readonly envelopeDigest?: unknown;
}

/**
 * Whether the envelope, if there is one, is from this producer, for this order or milestone, and signed. Its texts may be
 * erased, so that the signature is one of a stated digest.
 */
export function isSoundFor(by: EnvelopeFor, { envelope, envelopeDigest }: Delivered = {}): boolean {
  if (envelope === undefined) return true;
  return typeof envelopeDigest === 'string' && flawOfStructure(envelope as JsonObject, by) === undefined;
}

/** Why the hash or the size does not match the inline data. */
function flawOfContent({ transport, contentHash, size }: JsonObject): string | undefined {
  const { data, encoding } = (transport ?? {}) as { data?: string; encoding?: string };
  if (data === undefined) return undefined;
  const bytes = inlineBytes(data, encoding);
  if (sha256Hex(bytes) !== contentHash) return 'its contentHash is not that of its data';
  return size === undefined || size === bytes.length ? undefined : 'its size is not that of its data';
}
