/** docs/generated/aliases.md: the other names that requests may use for members and parameters. */
import type { Scalar } from '../../src/core/schema/scalar.js';
import type { Route } from '../../src/http/server/route.js';
import { code, codes, headOf, table } from './markdown.js';

export interface Alias {
  /** The name, or the member that may be given as a text. */
  readonly given: string;
  readonly means: string;
  /** Paths of both, as callers write them. */
  readonly row: readonly [given: string, means: string];
}

function* within(scalar: Scalar<unknown>, at: string): Generator<Alias> {
  const { fields = {}, aliases = {}, element } = scalar;
  for (const [given, means] of Object.entries(aliases)) {
    const [name, target] = means === '*' ? [`${given}.*`, `${at}*`] : [given, `${at}${means}`];
    yield { given, means, row: [code(`${at}${name}`), code(target)] };
  }
  for (const [name, field] of Object.entries(fields)) {
    const { textAs } = field;
    if (textAs)
      yield { given: name, means: textAs, row: [`a text as ${code(at + name)}`, code(`${at}${name}.${textAs}`)] };
    yield* within(field, `${at}${name}.`);
  }
  if (element) yield* within(element, `${at.slice(0, -1)}[].`);
}

/** Aliases of the members of a route's body, and of its query parameters. */
export const aliasesOf = ({ body, query }: Route): { readonly body: Alias[]; readonly query: Alias[] } => ({
  body: body ? [...within(body, '')] : [],
  query: Object.entries(query?.aliases ?? {}).map(([given, means]) => ({
    given,
    means,
    row: [code(given), code(means)],
  })),
});

export function aliasesPage(routes: readonly Route[]): string {
  const tableOf = (part: 'body' | 'query'): string => {
    const rows = new Map<string, { readonly row: Alias['row']; readonly names: string[] }>();
    for (const route of routes) {
      for (const { row } of aliasesOf(route)[part]) {
        const { names } = rows.get(row.join()) ?? { names: [] };
        rows.set(row.join(), { row, names: [...names, route.name] });
      }
    }
    return table(
      ['Accepted', 'Means', 'Operations'],
      [...rows.values()].map(({ row, names }) => [...row, codes(names)]),
    );
  };
  return `${headOf('Other names')}
Requests may use these names instead. An alias and its name with different values is INVALID_REQUEST. Replies, and the
events that the node stores, have the name only.

## Members of bodies

\`[]\` after a name: one value stands for a list of it, or the elements of a list are meant. \`*\`: each member inside.

${tableOf('body')}

## Query parameters

Lists also take each role as a parameter, and \`sortBy\` with \`sortOrder\`: see [lists](../reference/requests.md#lists).

${tableOf('query')}
`;
}
