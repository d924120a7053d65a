/**
 * The codes with which an operation can refuse, in addition to those of every operation: derived from the shape of its
 * route, plus those that the route adds.
 */
import { type Code, codes } from '../../core/refusal.js';
import type { Scalar } from '../../core/schema/scalar.js';
import { parametersOf } from '../server/paths.js';
import type { Route } from '../server/route.js';

const order = Object.keys(codes) as Code[];

/** In the order of the table of codes. */
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
  if (fields.passphrase && (fields.did || path.includes(':did'))) found.add('TRANSFER_NOT_ALLOWED');
  if (namesResource(path) && !route.refuses?.some((code) => codes[code][0] === 404)) found.add('NOT_FOUND');
  for (const scalar of [body, query]) if (scalar) for (const code of codesIn(scalar)) found.add(code);
  if (/:(did|address)\b/.test(path) && !found.has('REPUTATION_INVALID')) found.add('DID_INVALID');
  return order.filter((code) => found.has(code));
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
