/**
 * Erased texts (docs/reference/erasure.md): a view has null in their place and names them in `erased`, an entry and a
 * state name them in `leaves`.
 */
import type { JsonObject } from '../api/types.ts';
import { type Leaves, namesIn } from '../proof/payload.ts';

export const Erased = () => <span class="faint">erased</span>;

/** Stands in the place of an erased text until it is shown. */
export const erasedText = Symbol('erased');

export const isErased = ({ erased }: { readonly erased?: unknown }, name: string): boolean =>
  Array.isArray(erased) && erased.includes(name);

/** An object of a view with its erased texts marked, without the list of them. */
export function withErased(view: JsonObject): JsonObject {
  const { erased, ...shown } = view;
  return Array.isArray(erased)
    ? markedAt(
        shown,
        erased.map((path) => String(path).split('/')),
      )
    : view;
}

/** An input or a context with its erased texts marked. */
export const withErasedLeaves = (value: JsonObject, leaves: Leaves = {}): JsonObject =>
  markedAt(
    value,
    Object.keys(leaves)
      .filter((pointer) => leaves[pointer]?.erased)
      .map(namesIn),
  );

const markedAt = (value: JsonObject, places: readonly (readonly string[])[]): JsonObject =>
  places.reduce((whole, place) => marked(whole, place) as JsonObject, value);

function marked(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return erasedText;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === name ? marked(each, rest) : each));
  return { ...value, [name]: marked((value as JsonObject)[name], rest) };
}
