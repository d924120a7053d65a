/** Parameters of paths, and routes with a second path (docs/reference/contracts-and-disputes.md#disputes). */
import * as is from '../../core/schema/scalar.js';
import type { Route } from './route.js';

const parameter = /:(\w+)/g;

export const parametersOf = (path: string): string[] => [...path.matchAll(parameter)].map(([, name]) => name!);

/** `/escrows/{escrowId}`, as OpenAPI writes `/escrows/:escrowId`. */
export const templateOf = (path: string): string => path.replace(parameter, '{$1}');

/** The parameters of the first path that a request to the second one names in its body. */
export function movedToBody({ path, alsoAt = path }: Route): readonly string[] {
  const kept = parametersOf(alsoAt);
  return parametersOf(path).filter((name) => !kept.includes(name));
}

export function atEveryPath(route: Route): readonly Route[] {
  const { alsoAt, body, prepares } = route;
  if (alsoAt === undefined) return [route];
  const moved = movedToBody(route);
  const ids = Object.fromEntries(moved.map((name) => [name, is.chosenId()]));
  const whole = (taken: is.Scalar<unknown> | undefined) =>
    is.aliased(is.object({ ...taken?.fields, ...ids } as is.Fields), taken?.aliases ?? {});
  const bodies = { body: whole(body), ...(prepares && { prepares: whole(prepares) }) };
  return [route, { ...route, path: alsoAt, fromBody: moved, ...bodies }];
}
