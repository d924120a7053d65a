/**
 * The error classes behind the type URIs (docs/reference/errors.md#type-uris): the titles of problem documents, and the
 * explanations of `GET /errors/<suffix>`.
 */
import { type Code, codes } from '../../core/refusal.js';

export interface ErrorClass {
  readonly title: string;
  readonly meaning: string;
  readonly advice: string;
}

type Suffix = (typeof codes)[Code][1];

export const errorClasses: { readonly [S in Suffix]: ErrorClass } = {
  'validation-error': {
    title: 'Invalid request',
    meaning:
      'A field is missing, has the wrong type or breaks a constraint; or, with status 402, the balance does not cover the amount.',
    advice: 'Read `detail` and `errors`, correct the request and send it again. Repeating it unchanged is of no use.',
  },
  unauthorized: {
    title: 'API key needed',
    meaning: 'The request carries no API key where one is needed, or one that is unknown, revoked or expired.',
    advice: 'Send a valid key as `X-Api-Key: <key>` or `Authorization: Bearer <key>`, not two different ones.',
  },
  forbidden: {
    title: 'Not allowed',
    meaning: "The caller is known, but the key's scope, the DID or the role in the resource does not allow this.",
    advice: 'Use a key with a wider scope, or the DID that owns the resource.',
  },
  'not-found': {
    title: 'Not found',
    meaning: 'No such route, or no such resource on this network; `detail` says which.',
    advice: 'Check the path and the id. What another node has just created may take some seconds to arrive here.',
  },
  'method-not-allowed': {
    title: 'Method not allowed',
    meaning: 'The path exists, but not with this method.',
    advice: 'The `Allow` header names the methods that the path has.',
  },
  conflict: {
    title: 'Conflict',
    meaning:
      'The state of the resource, its `resourcePrev` or the nonce of the signer is not what the request assumes.',
    advice:
      'Read the resource (and `nextNonce`) again, rebuild the request, and send it again if it still makes sense.',
  },
  'unprocessable-entity': {
    title: 'Cannot be processed',
    meaning: 'The request is well formed but makes no sense: amounts, parties or terms contradict each other.',
    advice: 'Read `detail` and change what the request asks for.',
  },
  'too-many-requests': {
    title: 'Too many requests',
    meaning: 'A limit per address, per key or per DID is used up.',
    advice: 'Wait as many seconds as `Retry-After` says; the RateLimit header tells what is left.',
  },
  'internal-error': {
    title: 'Internal error',
    meaning: 'The node failed. With `committed: true` the event stands in spite of it.',
    advice: 'Try reads again with back-off; before repeating a write, look whether it took effect. Quote `requestId`.',
  },
  'payload-too-large': {
    title: 'Body too large',
    meaning: 'The body of the request has more than 1 MiB, as sent or as unpacked.',
    advice: 'Send less; refer to large contents by hash and URI.',
  },
  'unsupported-media-type': {
    title: 'Unsupported media type',
    meaning: 'The body is not `application/json` in UTF-8, or has an encoding other than gzip, deflate or br.',
    advice: 'Send JSON with `Content-Type: application/json`.',
  },
  'service-unavailable': {
    title: 'Service unavailable',
    meaning:
      'The node is stopping or overloaded, or its store or chain is away. Where `detail` says that the outcome is unknown, the request may have taken effect.',
    advice:
      'Try again after `Retry-After` seconds, with back-off. Send a write again with the same `Idempotency-Key` or nonce: it takes effect once.',
  },
};

export const isSuffix = (text: string): text is Suffix => Object.hasOwn(errorClasses, text);

/** The codes that share a class, with their statuses. */
export const codesOf = (suffix: Suffix): readonly { code: Code; status: number }[] =>
  (Object.keys(codes) as Code[])
    .filter((code) => codes[code][1] === suffix)
    .map((code) => ({ code, status: codes[code][0] }));
