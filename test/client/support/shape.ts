import type { KindShape } from '../../../packages/client/src/index.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';

/** The client's description of a kind, as its definition gives it. */
export function shapeOf({ kind, route, create, list, actions }: AnyResource): KindShape {
  const open = Object.entries(actions).filter(([, action]) => !action.internal);
  return {
    kind,
    path: route.path,
    ...(create.path === undefined ? {} : { createPath: create.path }),
    ...(create.internal ? { madeElsewhere: true } : {}),
    idField: create.idField,
    list: list.name,
    actions: Object.fromEntries(open.map(([name, { path = null }]) => [name, path])),
  };
}
