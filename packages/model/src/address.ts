/**
 * Addresses of a kind's requests, derived from its definition. Templates shown to users write `{name}` where routes
 * write `:name`.
 */
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import type { Body } from './scenario.js';

const filled = (path: string, value: (name: string) => unknown): string =>
  `/api/v1${path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(value(name))))}`;

const own = ({ route }: AnyResource, action: string): string => `${route.path}/:${route.param}/actions/${action}`;

/** The path to which a creation is sent. */
export const createAddress = ({ create, route }: AnyResource, input: Body): string =>
  filled(create.path ?? route.path, (name) => input[name]);

/** The path of an action on this resource. @param input holds the values of the path's other parameters */
export const actionAddress = (definition: AnyResource, action: string, id: string, input: Body): string =>
  filled(definition.actions[action]!.path ?? own(definition, action), (name) =>
    name === definition.route.param ? id : input[name],
  );

/** The path from which the resource is read. */
export const readAddress = ({ route }: AnyResource, id: string): string => filled(`${route.path}/:id`, () => id);

/** The parameters in an action's own path; empty if its path lies below the resource's. */
export const placesIn = ({ actions }: AnyResource, action: string): string[] =>
  [...(actions[action]!.path ?? '').matchAll(/:(\w+)/g)].map(([, name]) => name!);

/** Whether the body carries the resource's id because the path does not. */
export const isNamedInBody = (definition: AnyResource, action: string): boolean =>
  definition.actions[action]!.path !== undefined && !placesIn(definition, action).includes(definition.route.param);
