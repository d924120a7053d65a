/** Validates the body of a request by the schemas of its route. */
import type { JsonObject } from '../../core/canonical.js';
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import { object, parse, type Scalar } from '../../core/schema/scalar.js';
import { type Settle, settling } from './body-members.js';
import { parametersOf } from './paths.js';
import type { Call, Route } from './route.js';

interface ExpectedBody {
  readonly scalar: Scalar<unknown> | undefined;
  /** Must be called before `bodyInput`: see body-members.ts. */
  readonly settle: Settle | undefined;
}

export interface ExpectedBodies {
  readonly body: ExpectedBody;
  /** Of a request to prepare the write. */
  readonly prepares: ExpectedBody | undefined;
}

/** What a DELETE takes. */
const noMembers = object({});

export function expectedBodies({ path, method, body, prepares }: Route): ExpectedBodies {
  const expected = (scalar: Scalar<unknown> | undefined): ExpectedBody => ({
    scalar,
    settle: scalar && settling(scalar, parametersOf(path)),
  });
  const taken = body ?? (method === 'DELETE' ? noMembers : undefined);
  return { body: expected(taken), prepares: prepares && expected(prepares) };
}

export const expectedIn = ({ body, prepares }: ExpectedBodies, sent: JsonObject): ExpectedBody =>
  (sent.prepare === true && prepares) || body;

/** The validated body, with the members that its path states. */
export function bodyInput(
  route: Route,
  { scalar }: ExpectedBody,
  body: JsonObject,
  params: Call['params'],
): JsonObject | Refusal {
  const whole = route.fromPath ? withPath(body, route.fromPath, params) : body;
  const input = route.body ? parse(scalar!, whole) : whole;
  return isRefusal(input) ? input : (contradictionIn(body, params, route) ?? (input as JsonObject));
}

/**
 * Refuses a body whose member contradicts the path. `did` in a body is the signer's, and members in the route's own
 * schema are not compared.
 */
function contradictionIn(body: JsonObject, params: Call['params'], { body: own }: Route): Refusal | undefined {
  for (const name in params) {
    if (name === 'did' || own?.fields?.[name] !== undefined) continue;
    const said = body[name] ?? params[name];
    if (said !== params[name]) return invalid(name, 'is not the one in the path');
  }
  return undefined;
}

/** A new object: the body of a request without one is shared. */
const withPath = (body: JsonObject, fromPath: NonNullable<Route['fromPath']>, params: Call['params']): JsonObject => ({
  ...Object.fromEntries(Object.entries(fromPath).map(([member, name]) => [member, params[name] ?? ''])),
  ...body,
});
