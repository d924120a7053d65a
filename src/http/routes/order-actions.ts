/**
 * `POST /orders/{orderId}/actions/dispute|resolve`: of whatever market (decisions.md, Markets). The kinds have these
 * actions in common; which one it is, the id says.
 */
import type { AnyResource } from '../../machines/kernel/resource.js';
import type { JsonSchema } from '../../machines/kernel/scalar.js';
import type { Desk } from '../desk.js';
import type { Call, Route } from '../route.js';
import { type Deriving, derivedAction, type NewId } from './derived.js';

/** One schema for all kinds of order. */
export const anyOf = (schemas: readonly JsonSchema[]): JsonSchema =>
  schemas.length === 1 ? schemas[0]! : { anyOf: schemas };

export interface Acting {
  readonly newId: NewId;
  /** The network's arbiter, where there is one: whose the dispute of an order is. */
  readonly arbiterDid: string | undefined;
}

/** Of the first kind, what comes in; by the id's own kind, the handling. */
export function orderActions(kinds: readonly AnyResource[], desk: Desk, { newId, arbiterDid }: Acting): Route[] {
  const deriving: Deriving = {
    desk,
    newId,
    preparations: {
      dispute: (_, { input }) => ({
        input: arbiterDid === undefined ? input : { ...input, networkArbiter: arbiterDid },
      }),
    },
  };
  return ['dispute', 'resolve'].flatMap((action) => {
    const routes = kinds
      .filter(({ actions }) => actions[action]?.ownRoute)
      .map((kind) => ({ prefix: kind.route.idPrefix, route: derivedAction(kind, action, deriving) }));
    const first = routes[0]?.route;
    if (!first) return [];
    const handle = (call: Call) =>
      (routes.find(({ prefix }) => call.params.orderId?.startsWith(prefix))?.route ?? first).handle(call);
    const schemas = routes.map(({ route }) => route.success.schema!);
    const success = { ...first.success, schema: anyOf(schemas) };
    return [{ ...first, success, name: `${action}Order`, tag: 'Orders', handle }];
  });
}
