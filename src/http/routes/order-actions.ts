/**
 * `POST /orders/{orderId}/actions/dispute|resolve`: of whatever market (docs/reference/markets.md#orders). The kinds
 * have these actions in common; which one it is, the id says.
 */

import type { JsonSchema } from '../../core/schema/scalar.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import type { ApiContext } from '../context/api-context.js';
import type { Call, Route } from '../server/route.js';
import { derivedAction } from './derived.js';

/** One schema for all kinds of order. */
export const anyOf = (schemas: readonly JsonSchema[]): JsonSchema =>
  schemas.length === 1 ? schemas[0]! : { anyOf: schemas };

/** Of the first kind, what comes in; by the id's own kind, the handling. */
export function orderActions(kinds: readonly AnyResource[], api: ApiContext): Route[] {
  return ['dispute', 'resolve'].flatMap((action) => {
    const routes = kinds
      .filter(({ actions }) => actions[action]?.ownRoute)
      .map((kind) => ({ prefix: kind.route.idPrefix, route: derivedAction(kind, action, api) }));
    const first = routes[0]?.route;
    if (!first) return [];
    const handle = (call: Call) =>
      (routes.find(({ prefix }) => call.params.orderId?.startsWith(prefix))?.route ?? first).handle(call);
    const schemas = routes.map(({ route }) => route.success.schema!);
    const success = { ...first.success, schema: anyOf(schemas) };
    return [{ ...first, success, name: `${action}Order`, tag: 'Orders', handle }];
  });
}
