/**
 * Where the derived routes of a kind are. A path's own parameter names the resource; others name what it belongs to.
 */
import { machinesOf } from '../../machines/catalogue.js';
import { type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import type * as is from '../../machines/kernel/scalar.js';
import type { Desk } from '../desk.js';
import type { Call } from '../route.js';

/** `info-order` → `InfoOrder`. */
export const title = (text: string): string =>
  text.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

const under = (path: string): string => `/api/v1${path}`;

export const basePath = ({ route }: AnyResource): string => under(route.path);
export const createPath = ({ create, route }: AnyResource): string => under(create.path ?? route.path);
export const actionPath = ({ actions, route }: AnyResource, name: string): string =>
  under(actions[name]!.path ?? `${route.path}/:${route.param}/actions/${name}`);

export const parametersOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);

export const without = (fields: is.Fields, names: readonly string[]): is.Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const searchedKinds = (desk: Desk) => machinesOf(desk.options.actors.options.catalogue).filter(({ search }) => search);

/** The refusal of a creation whose path names what is not there. */
export async function unknownPlace({ create }: AnyResource, call: Call, desk: Desk): Promise<Refusal | undefined> {
  const { committed, options } = desk.options.actors;
  const [id = ''] = Object.values(call.params);
  const kinds =
    create.of === 'searched'
      ? searchedKinds(desk)
      : (create.of ?? []).map((kind) => options.catalogue.definitions[kind] as AnyResource);
  for (const { kind } of kinds) if (await committed.resource(kind, id)) return undefined;
  return kinds[0] && refuse(kinds[0].refusals.unknown, `no ${kinds[0].kind} ${id} on this network`);
}

/** The refusal of a path below a listing that is not there, or another's and private. */
async function unknownListing(id: string, { caller }: Call, desk: Desk): Promise<Refusal | undefined> {
  const kinds = searchedKinds(desk);
  for (const { kind, visibleTo } of kinds) {
    const found = await desk.options.actors.committed.resource(kind, id);
    if (found && visibleTo?.(found.context as never, caller.did) !== false) return undefined;
  }
  return kinds[0] && refuse(kinds[0].refusals.unknown, `no listing ${id} on this network`);
}

/**
 * The refusal of an action on a resource that does not belong to the listing that the path names.
 * @param places parameters of the path that name neither the resource nor a member of the input
 */
export async function misplaced(
  { kind, refusals }: AnyResource,
  { id, places }: { readonly id: string; readonly places: readonly string[] },
  call: Call,
  desk: Desk,
): Promise<Refusal | undefined> {
  const context = (await desk.options.actors.committed.resource(kind, id))?.context;
  // What is not there at all is the actors' to refuse: it may be on its way.
  const elsewhere = context && places.find((name) => context[name] !== call.params[name]);
  if (elsewhere === undefined) return undefined;
  const unknown = await unknownListing(call.params[elsewhere]!, call, desk);
  return unknown ?? refuse(refusals.unknown, `no ${kind} ${id} there`);
}

/** In whichever role somebody has part: what lists by all roles look for. */
export const everyRole = ({ list: { roles, synonyms = [] } }: AnyResource): readonly string[] =>
  roles.filter((role) => !synonyms.includes(role));
