/** Where a kind's requests go, out of its definition; `{name}` in what others are shown stands where routes say `:name`. */
import type { AnyResource } from '../../../src/machines/kernel/resource.js';
import type { Body } from './scenario.js';

const filled = (path: string, value: (name: string) => unknown): string =>
  `/api/v1${path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(value(name))))}`;

const own = ({ route }: AnyResource, action: string): string => `${route.path}/:${route.param}/actions/${action}`;

/** Where one is made. */
export const createAddress = ({ create, route }: AnyResource, input: Body): string =>
  filled(create.path ?? route.path, (name) => input[name]);

/** Where an action of this resource is asked for. @param input gives what the path names beside the resource */
export const actionAddress = (definition: AnyResource, action: string, id: string, input: Body): string =>
  filled(definition.actions[action]!.path ?? own(definition, action), (name) =>
    name === definition.route.param ? id : input[name],
  );

/** Where it is read. */
export const readAddress = ({ route }: AnyResource, id: string): string => filled(`${route.path}/:id`, () => id);

/** The names in an action's own path; none where it lies below the resource. */
export const placesIn = ({ actions }: AnyResource, action: string): string[] =>
  [...(actions[action]!.path ?? '').matchAll(/:(\w+)/g)].map(([, name]) => name!);

/** The body carries the id where the path does not. */
export const isNamedInBody = (definition: AnyResource, action: string): boolean =>
  definition.actions[action]!.path !== undefined && !placesIn(definition, action).includes(definition.route.param);

/** The path as a template. */
export const template = (definition: AnyResource, action: string): string =>
  `/api/v1${(definition.actions[action]!.path ?? own(definition, action)).replace(/:(\w+)/g, '{$1}')}`;
