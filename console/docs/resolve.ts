/**
 * Resolves references of the OpenAPI document for Swagger UI. Its own resolver walks the whole document for each operation that
 * is opened, which takes seconds because the document has a megabyte. This one is enough: all references are to components of
 * the same document, and none are circular.
 */
type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** The part of `document` at `path`, with each reference replaced by what it refers to. Has the signature of swagger-client’s function. */
export async function resolveSubtree(document: Json, path: readonly string[]): Promise<{ spec: Json; errors: [] }> {
  return { spec: resolved(document, at(document, path)), errors: [] };
}

function resolved(document: Json, part: Json): Json {
  if (Array.isArray(part)) return part.map((each) => resolved(document, each));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...others } = part as { readonly [member: string]: Json };
  const members = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, resolved(document, value)]));
  if (typeof $ref !== 'string') return members;
  const target = resolved(document, at(document, $ref.slice('#/'.length).split('/')));
  // Swagger UI takes a schema's name from `$$ref`.
  return { ...(target as object), ...members, $$ref: $ref };
}

function at(document: Json, path: readonly string[]): Json {
  return path.reduce<Json>(
    (part, name) => (part as { readonly [member: string]: Json } | undefined)?.[name] as Json,
    document,
  );
}
