/** The error responses of operations in the API description (docs/reference/errors.md). */
import { type Code, codes } from '../../core/refusal.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import { errorClasses } from '../server/error-codes.js';
import type { Route } from '../server/route.js';
import { headersOfProblem } from './headers.js';
import { refusalsOf } from './refusals.js';

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

/** All codes of an operation. */
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
