/**
 * Query parameters that look like a filter or a sort of a list that lacks it (docs/reference/requests.md#lists). Ignored,
 * they would give the caller everything.
 */
import type { JsonSchema } from '../../core/schema/scalar.js';
import * as is from '../../core/schema/scalar.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { parametersOf } from '../server/paths.js';
import type { Route } from '../server/route.js';

/** Other names of parameters that some lists take. */
const tried = ['party', 'state'];
/** Position on the page: no filters. */
const paging = ['limit', 'offset', 'page', 'pageSize', 'per_page', 'after', 'include'];

/** Roles in resources of any kind, and the names of their ids. */
export const partiesAndIds = (definitions: readonly AnyResource[]): readonly string[] =>
  definitions.flatMap(({ list, route }) => [...list.roles, route.param]);

/** A list of resources or entries, also as a stream. */
const isList = ({ method, name, query }: Route): boolean =>
  method === 'GET' && (/^(list|stream)/.test(name) || 'limit' in (query?.fields ?? {}));

/** Parameters of any list that select, not those that say what is shown. */
export const filtersIn = (routes: readonly Route[]): readonly string[] =>
  routes
    .filter(isList)
    .flatMap(({ query }) => Object.entries(query?.fields ?? {}))
    .flatMap(([name, { schema }]) => (schema.type === 'boolean' ? [] : [name]));

/** A list refuses the members of its items that it takes no parameter for. @param others further names to refuse */
export function refusingNearFilters(route: Route, others: readonly string[]): Route {
  if (!isList(route)) return route;
  const { query = is.object({}), success } = route;
  const { fields = {}, aliases = {} }: is.Scalar<unknown> = query;
  const taken = Object.keys(fields).filter((name) => !paging.includes(name));
  const known = [...Object.keys(fields), ...Object.keys(aliases), ...paging, ...parametersOf(route.path)];
  const names = [...new Set([...tried, ...others, ...membersOfItems(success.schema ?? {})])].filter(
    (name) => !known.includes(name),
  );
  const filters = taken.length === 0 ? 'it has none' : `it has ${taken.join(', ')}`;
  const reasonOf = (name: string): string =>
    name.startsWith('sort') ? 'this list has one order only' : `is no filter of this list: ${filters}`;
  return { ...route, query: is.refusing(query, Object.fromEntries(names.map((name) => [name, reasonOf(name)]))) };
}

/** Alternatives and combinations of schemas. */
const partsOf = ({ allOf, anyOf, oneOf }: JsonSchema): readonly JsonSchema[] =>
  [allOf, anyOf, oneOf].flatMap((parts) => (parts as readonly JsonSchema[] | undefined) ?? []);

const propertiesOf = (schema: JsonSchema): readonly (readonly [string, JsonSchema])[] => [
  ...Object.entries((schema.properties as { readonly [name: string]: JsonSchema } | undefined) ?? {}),
  ...partsOf(schema).flatMap(propertiesOf),
];

/** The names of the members of the elements of every list in a reply. */
const membersOfItems = (reply: JsonSchema): readonly string[] =>
  propertiesOf(reply).flatMap(([, { items }]) =>
    items ? propertiesOf(items as JsonSchema).map(([name]) => name) : [],
  );
