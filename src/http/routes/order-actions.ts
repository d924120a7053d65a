/**
 * `POST /orders/{orderId}/actions/dispute|resolve` for orders of any market (docs/reference/markets.md#orders). All
 * kinds of orders have these actions; the id determines the kind.
 */

import type { JsonSchema } from '../../core/schema/scalar.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import type { ApiContext } from '../context/api-context.js';
import type { Call, Route } from '../server/route.js';
import { derivedAction } from './derived.js';

/** One schema for all kinds of orders. */
export const anyOf = (schemas: readonly JsonSchema[]): JsonSchema =>
  schemas.length === 1 ? schemas[0]! : { anyOf: schemas };

/** The route takes its input schema from the first kind; the order's own kind handles the request. */
export function orderActions(kinds: readonly AnyResource[], api: ApiContext): Route[] {
  return ['dispute', 'resolve'].flatMap((action) => {
    const routes = kinds
      .filter(({ actions }) => actions[action])
      .map((kind) => ({ prefix: kind.route.idPrefix, route: derivedAction(kind, action, api) }));
    const first = routes[0]?.route;
    if (!first) return [];
    const routeOf = (call: Call) =>
      routes.find(({ prefix }) => call.params.orderId?.startsWith(prefix))?.route ?? first;
    const handle: Route['handle'] = (call) => routeOf(call).handle(call);
    const schemas = routes.map(({ route }) => route.success.schema!);
    const success = { ...first.success, schema: anyOf(schemas) };
    return [{ ...first, success, name: `${action}Order`, tag: 'Orders', handle }];
  });
}
