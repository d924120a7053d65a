/** Headers of requests and replies, as the description of the API declares them (docs/reference/requests.md). */
import type { JsonSchema } from '../../core/schema/scalar.js';
import type { Route } from '../server/route.js';

type Header = { readonly description: string; readonly schema: JsonSchema };

const text = { type: 'string' } as const;

/** Header components, by the name that replies use. */
export const replyHeaders: { readonly [name: string]: Header } = {
  ETag: { description: 'Hash of this reply in quotes, for `If-None-Match`. It differs between readers.', schema: text },
  'Idempotent-Replayed': {
    description: '`true` if the `Idempotency-Key` was known: this is the reply of the first request.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'Path of the new resource, or of the page.', schema: text },
  'Preference-Applied': {
    description: 'Only if members of the body were ignored: `handling=lenient, ignored="<names>"`.',
    schema: text,
  },
  RateLimit: { description: 'What is left of the limit, and the seconds until it is reset.', schema: text },
  'RateLimit-Policy': { description: 'The limit that counted the request.', schema: text },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  Vary: {
    description: '`Authorization, X-Api-Key, Svc-Reader`: a cache keeps the replies to different readers apart.',
    schema: text,
  },
  'X-Request-Id': { description: 'Names the request in the log of the node.', schema: text },
};

export const takesBody = ({ method }: Pick<Route, 'method'>): boolean => method === 'POST' || method === 'PUT';

/** Whether it honours `Idempotency-Key`. A DID creates an API key with its passphrase, which needs no scope to write. */
const isReplayable = (route: Route): boolean =>
  takesBody(route) && route.name !== 'batch' && (route.scope !== 'read' || route.replay !== undefined);

/** The views of single resources have an entity tag. */
const isTagged = ({ method, success }: Route): boolean => method === 'GET' && success.tagged === true;

const references = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const headersOfReply = (route: Route) =>
  references([
    ...(isTagged(route) ? ['ETag', 'Vary'] : []),
    ...(route.success.status === 201 ? ['Location'] : []),
    ...(isReplayable(route) ? ['Idempotent-Replayed'] : []),
    ...(takesBody(route) ? ['Preference-Applied'] : []),
    ...['RateLimit', 'RateLimit-Policy', 'X-Request-Id'],
  ]);

export const headersOfProblem = (status: number) =>
  references([...([429, 503].includes(status) ? ['Retry-After'] : []), 'X-Request-Id']);

const header = (name: string, description: string, schema: JsonSchema) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

const prefer = header(
  'Prefer',
  '`handling=lenient` ignores members of the body that the node does not know, and lists them in `Preference-Applied` ' +
    'and the reply’s `ignored`. Without it they are refused.',
  text,
);
const idempotencyKey = header(
  'Idempotency-Key',
  'Makes the write safe to repeat: the same key with the same body gives the same reply, and nothing happens twice. ' +
    'Required where the node assigns the nonce to the DID of an API key.',
  { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
);
const ifNoneMatch = header('If-None-Match', 'An `ETag`: the answer is 304 if the reply would still be the same.', text);

export const headerParameters = (route: Route) => [
  ...(isReplayable(route) ? [idempotencyKey] : []),
  ...(takesBody(route) ? [prefer] : []),
  ...(isTagged(route) ? [ifNoneMatch] : []),
];

/** The 302 reply, for routes whose explanation is a page as well. */
export const ledToPage = ({ success }: Route) =>
  success.hasPage
    ? { 302: { description: 'For `Accept: text/html`: the page.', headers: references(['Location']) } }
    : {};

/** The 304 reply, for routes with entity tags. */
export const notModified = (route: Route) =>
  isTagged(route)
    ? { 304: { description: 'The reply would be that of `If-None-Match`.', headers: references(['ETag']) } }
    : {};
