/**
 * The codes with which an operation can refuse, in addition to those of every operation: derived from the shape of its
 * route, plus those that the route adds.
 */
import { type Code, codes } from '../../core/refusal.js';
import type { Scalar } from '../../core/schema/scalar.js';
import { isApi } from '../server/pipeline.js';
import type { Route } from '../server/route.js';
import { takesBody } from './headers.js';

const order = Object.keys(codes) as Code[];

/** In the order of the table of codes. */
export function refusalsOf(route: Route): Code[] {
  const found = new Set<Code>(route.refuses);
  const { body, query, path, scope } = route;
  if (scope !== 'read') found.add('FORBIDDEN');
  if (takesBody(route)) for (const code of ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) found.add(code);
  if (takesBody(route) || query || path.includes(':')) found.add('INVALID_REQUEST');
  if (takesBody(route) && scope !== 'read' && isApi(path)) found.add('UNPROCESSABLE').add('CONFLICT');
  if (isSigned(route)) found.add('TRANSFER_NOT_ALLOWED');
  if (path.includes(':') && !route.refuses?.some((code) => codes[code][0] === 404)) found.add('NOT_FOUND');
  for (const scalar of [body, query]) if (scalar) for (const code of codesIn(scalar)) found.add(code);
  if (/:(did|address)\b/.test(path)) found.add('DID_INVALID');
  return order.filter((code) => found.has(code));
}

/** Whether a passphrase may fail to unlock the signer's key. */
const isSigned = ({ body }: Route): boolean => body?.fields?.passphrase !== undefined;

/** The codes of fields whose validation failure has its own code. */
function codesIn({ code, fields = {}, element }: Scalar<unknown>): Code[] {
  const own = typeof code === 'function' ? [code('did:'), code('')] : code ? [code] : [];
  return [...own, ...Object.values(fields).flatMap(codesIn), ...(element ? codesIn(element) : [])];
}
