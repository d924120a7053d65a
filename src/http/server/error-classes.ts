/**
 * The error classes behind the type URIs (docs/reference/errors.md#type-uris): the titles of problem documents, and the
 * explanations of `GET /errors/<suffix>`.
 */
import { type Code, codes } from '../../core/refusal.js';

export interface ErrorClass {
  /** Stable name of the class, `error.code` of the problem document. */
  readonly constant: string;
  readonly title: string;
  readonly meaning: string;
  readonly advice: string;
}

type Suffix = (typeof codes)[Code][1];

export const errorClasses: { readonly [S in Suffix]: ErrorClass } = {
  'validation-error': {
    constant: 'VALIDATION',
    title: 'Invalid request',
    meaning:
      'A field is missing, has the wrong type or violates a constraint. With status 402, the balance does not cover the amount.',
    advice: 'Read `detail` and `errors`, correct the request and send it again. Repeating it unchanged does not help.',
  },
  unauthorized: {
    constant: 'UNAUTHORIZED',
    title: 'No valid API key',
    meaning: 'The request needs an API key and has none, or its key is unknown, revoked or expired.',
    advice: 'Send one valid key, as `X-Api-Key: <key>` or as `Authorization: Bearer <key>`.',
  },
  forbidden: {
    constant: 'FORBIDDEN',
    title: 'Not allowed',
    meaning: "The caller is known, but the key's scope, the DID or the role in the resource does not allow this.",
    advice: 'Use a key with a wider scope, or the DID that owns the resource.',
  },
  'not-found': {
    constant: 'NOT_FOUND',
    title: 'Not found',
    meaning: 'There is no such route, or no such resource on this network; `detail` says which.',
    advice:
      'Check the path and the id. A resource that was just created on another node may take a few seconds to appear here.',
  },
  'method-not-allowed': {
    constant: 'METHOD_NOT_ALLOWED',
    title: 'Method not allowed',
    meaning: 'The path exists, but not with this method.',
    advice: 'Use one of the methods in the `Allow` header.',
  },
  conflict: {
    constant: 'CONFLICT',
    title: 'Conflict',
    meaning:
      'The state of the resource, its `resourcePrev` or the nonce of the signer is not what the request assumes.',
    advice:
      'Read the resource (and `nextNonce`) again, rebuild the request, and send it again if it still makes sense.',
  },
  'unprocessable-entity': {
    constant: 'UNPROCESSABLE',
    title: 'Cannot be processed',
    meaning: 'The request is well formed but impossible: amounts, parties or terms contradict each other.',
    advice: 'Read `detail`, and change the request.',
  },
  'too-many-requests': {
    constant: 'TOO_MANY_REQUESTS',
    title: 'Too many requests',
    meaning: 'The limit of the address, the API key or the DID is used up.',
    advice:
      'Wait for the number of seconds in `Retry-After`. The `RateLimit` header of each reply shows what is left of the limit.',
  },
  'internal-error': {
    constant: 'INTERNAL',
    title: 'Internal error',
    meaning: 'The node failed. With `committed: true` the event is nevertheless in the journal.',
    advice:
      'Retry reads with back-off. Before you repeat a write, check whether it took effect. If you report the error, quote `requestId`.',
  },
  'payload-too-large': {
    constant: 'PAYLOAD_TOO_LARGE',
    title: 'Body too large',
    meaning: 'The body of the request is larger than 1 MiB, as sent or after decompression.',
    advice: 'Send less. Refer to large content by its hash and URI.',
  },
  'unsupported-media-type': {
    constant: 'UNSUPPORTED_MEDIA_TYPE',
    title: 'Unsupported media type',
    meaning: 'The body is not `application/json` in UTF-8, or has an encoding other than gzip, deflate or br.',
    advice: 'Send JSON with `Content-Type: application/json`.',
  },
  'service-unavailable': {
    constant: 'SERVICE_UNAVAILABLE',
    title: 'Service unavailable',
    meaning:
      'The node is stopping or overloaded, or its store or chain does not answer. If `detail` says that the outcome is unknown, the request may have taken effect.',
    advice:
      'Retry after the number of seconds in `Retry-After`, with back-off. Repeat a write with the same `Idempotency-Key` or nonce: it takes effect once.',
  },
};

/** The title of a problem document. A balance that does not suffice shares the class of requests that are wrong. */
export const problemTitle = (code: Code): string =>
  code === 'INSUFFICIENT_BALANCE' ? 'Not enough Tokens' : errorClasses[codes[code][1]].title;

export const isSuffix = (text: string): text is Suffix => Object.hasOwn(errorClasses, text);

/** The codes that share a class, with their statuses. */
export const codesOf = (suffix: Suffix): readonly { code: Code; status: number }[] =>
  (Object.keys(codes) as Code[])
    .filter((code) => codes[code][1] === suffix)
    .map((code) => ({ code, status: codes[code][0] }));
