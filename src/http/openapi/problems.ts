/** The error responses of operations in the API description (docs/reference/errors.md). */
import { type Code, codes } from '../../core/refusal.js';
import type { JsonSchema, Scalar } from '../../core/schema/scalar.js';
import { errorClasses } from '../server/error-codes.js';
import { parametersOf } from '../server/paths.js';
import type { Route } from '../server/route.js';
import { headersOfProblem } from './headers.js';

const media = 'application/problem+json';
const everyCode = Object.keys(codes) as Code[];

/** Statuses of refusals before a request has a route (http/server/client-error.ts): all are INVALID_REQUEST. */
const beforeRoutes: { readonly [status: number]: string } = {
  408: 'The request did not arrive in time',
  431: 'The headers are too large, target included',
};

/** The codes with which every operation can fail, by status. */
const always: { readonly [status: number]: Code } = {
  401: 'UNAUTHORIZED',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

const statusTitle = (status: number): string => {
  const [, suffix] = codes[everyCode.find((code) => codes[code][0] === status)!];
  return status === 402 ? 'Insufficient balance' : errorClasses[suffix].title;
};

const said = (status: number, title: string, listed: readonly Code[], schema: JsonSchema) => ({
  description: `${title}: ${listed.join(', ')}`,
  headers: headersOfProblem(status),
  content: { [media]: { schema } },
});

/** Error responses to which all operations refer. */
export const sharedProblems = (schema: JsonSchema) =>
  Object.fromEntries([
    ...Object.entries(beforeRoutes).map(([status, title]) => [
      status,
      said(Number(status), title, ['INVALID_REQUEST'], schema),
    ]),
    ...Object.entries(always).map(([status, code]) => [
      status,
      said(Number(status), statusTitle(Number(status)), [code], schema),
    ]),
  ]);

export const codesOfOperation = (route: Route): readonly Code[] => [...refusalsOf(route), ...Object.values(always)];

/** The error responses of one operation by status, each with its possible codes. */
export function problemsOf(route: Route, schema: JsonSchema) {
  const shared = [...Object.keys(always), ...Object.keys(beforeRoutes)].map((status) => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  const listed = refusalsOf(route);
  const own = [...new Set(listed.map((code) => codes[code][0] as number))].map((status) => {
    const here = listed.filter((code) => codes[code][0] === status);
    return [status, said(status, statusTitle(status), here, schema)];
  });
  return Object.fromEntries([...shared, ...own]);
}

/**
 * The codes with which an operation can refuse, in addition to those of every operation: derived from the shape of its
 * route, plus those that the route adds. In the order of the table of codes.
 */
export function refusalsOf(route: Route): Code[] {
  const found = new Set<Code>(route.refuses);
  const { body, query, path } = route;
  const fields = body?.fields ?? {};
  // The body of a DELETE is read, too, and refused if it has members.
  const hasBody = route.method !== 'GET';
  if (needsScope(route)) found.add('FORBIDDEN');
  if (hasBody) found.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  if (hasBody || query || path.includes(':')) found.add('INVALID_REQUEST');
  // A nonce that is not the next one, or an Idempotency-Key of another request.
  if (fields.nonce || route.replay) found.add('UNPROCESSABLE').add('CONFLICT');
  // Another home, which is no peer.
  if (fields.home) found.add('UNPROCESSABLE');
  if (fields.passphrase && (fields.did || path.includes(':did'))) found.add('TRANSFER_NOT_ALLOWED');
  if (namesResource(path) && !route.refuses?.some((code) => codes[code][0] === 404)) found.add('NOT_FOUND');
  for (const scalar of [body, query]) if (scalar) for (const code of codesIn(scalar)) found.add(code);
  if (/:(did|address)\b/.test(path) && !found.has('REPUTATION_INVALID')) found.add('DID_INVALID');
  return everyCode.filter((code) => found.has(code));
}

/** Routes that are open to everyone take keys of any scope, too. */
const needsScope = ({ scope, open = false }: Route): boolean => scope === 'admin' || (scope === 'write' && !open);

/** Whether the path has an id that may be unknown. Every DID has an account, known or not. */
const namesResource = (path: string): boolean =>
  parametersOf(path).some((name) => name !== 'did' && name !== 'address');

/** The codes of fields whose validation failure has its own code. */
function codesIn({ code, fields = {}, element }: Scalar<unknown>): Code[] {
  const own = typeof code === 'function' ? [code('did:'), code('')] : code ? [code] : [];
  return [...own, ...Object.values(fields).flatMap(codesIn), ...(element ? codesIn(element) : [])];
}
