/**
 * The paths of a kind's derived routes. The last parameter is the id of the resource; others are ids of the resources
 * to which it belongs.
 */

import { type Code, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type * as is from '../../core/schema/scalar.js';
import { searchedOf } from '../../machines/catalogue.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { unknownResource } from '../../machines/kernel/denial.js';
import { isVisible } from '../../machines/kernel/visibility.js';
import type { ApiContext } from '../context/api-context.js';
import type { Call } from '../server/route.js';

/** `info-order` becomes `InfoOrder`. */
export const title = (text: string): string =>
  text.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

const under = (path: string): string => `/api/v1${path}`;

export const basePath = ({ route }: AnyResource): string => under(route.path);
export const createPath = ({ create, route }: AnyResource): string => under(create.path ?? route.path);
export const actionPath = ({ actions, route }: AnyResource, name: string): string =>
  under(actions[name]!.path ?? `${route.path}/:${route.param}/actions/${name}`);

export const without = (fields: is.Fields, names: readonly string[]): is.Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

export const searchedKinds = (api: ApiContext) => searchedOf(api.catalogue);

/** The kinds whose ids may be in the path of a creation. */
export const parentKinds = ({ create }: AnyResource, api: ApiContext): readonly AnyResource[] =>
  create.of === 'searched'
    ? searchedKinds(api)
    : (create.of ?? []).map((kind) => api.catalogue.definitions[kind] as AnyResource);

/** Codes of a path with the ids of further resources. */
export const refusalsOfPlaces = (places: readonly string[], api: ApiContext): readonly Code[] =>
  places.length > 0 ? searchedKinds(api).map(({ refusals }) => refusals.unknown) : [];

/** The refusal of a creation whose path names a resource that does not exist. */
export async function unknownPlace(definition: AnyResource, call: Call, api: ApiContext): Promise<Refusal | undefined> {
  const [id = ''] = Object.values(call.params);
  const kinds = parentKinds(definition, api);
  for (const { kind } of kinds) if (await api.committed.resource(kind, id)) return undefined;
  return kinds[0] && unknownResource(kinds[0], id);
}

/**
 * Hides a private resource: a caller who has not proven to be its owner gets the same refusal as for an unknown id,
 * whatever else is wrong with the request.
 */
async function discreetly(
  refusal: Refusal,
  { id, kinds }: { readonly id: string; readonly kinds: readonly AnyResource[] },
  call: Call,
  api: ApiContext,
): Promise<Refusal> {
  if (refusal.status >= 500) return refusal;
  const signer = api.writes.signerOf(call);
  for (const definition of kinds) {
    const found = await api.committed.resource(definition.kind, id);
    if (!found || isVisible(definition, found, undefined)) continue;
    const isReader = !isRefusal(signer) && isVisible(definition, found, signer) && api.writes.hasProven(call, signer);
    if (!isReader) return unknownResource(kinds[0]!, id);
  }
  return refusal;
}

/** If the resource in a creation's path is unknown, the caller learns nothing else. */
export const creationRefused = (refusal: Refusal, definition: AnyResource, call: Call, api: ApiContext) =>
  discreetly(refusal, { id: Object.values(call.params)[0] ?? '', kinds: parentKinds(definition, api) }, call, api);

/** For actions: errors found before the key is requested are reported for unknown resources too. */
export const actionRefused = (refusal: Refusal, definition: AnyResource, id: string, call: Call, api: ApiContext) =>
  api.writes.hasAskedForKey(call) ? discreetly(refusal, { id, kinds: [definition] }, call, api) : refusal;

/** The refusal of a path below a listing that does not exist, or is another caller's private one. */
export async function unknownListing(id: string, { caller }: Call, api: ApiContext): Promise<Refusal | undefined> {
  const kinds = searchedKinds(api);
  for (const definition of kinds) {
    const found = await api.committed.resource(definition.kind, id);
    if (found && isVisible(definition, found, caller.reader)) return undefined;
  }
  return kinds[0] && refuse(kinds[0].refusals.unknown, `no listing ${id} on this network`);
}

/**
 * The refusal of an action on a resource that does not belong to the listing in the path.
 * @param places path parameters that are neither the resource's id nor a member of the input
 */
export async function misplaced(
  { kind, refusals }: AnyResource,
  { id, places }: { readonly id: string; readonly places: readonly string[] },
  call: Call,
  api: ApiContext,
): Promise<Refusal | undefined> {
  const context = (await api.committed.resource(kind, id))?.context;
  // A resource that does not exist is refused by the actors, because its creation may be in progress.
  const elsewhere = context && places.find((name) => context[name] !== call.params[name]);
  if (elsewhere === undefined) return undefined;
  const unknown = await unknownListing(call.params[elsewhere]!, call, api);
  return unknown ?? refuse(refusals.unknown, `no ${kind} ${id} there`);
}

/** All roles of the kind, for lists that select by any role. */
export const everyRole = ({ list: { roles, synonyms = [] } }: AnyResource): readonly string[] =>
  roles.filter((role) => !synonyms.includes(role));
