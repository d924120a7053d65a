/**
 * One word for one thing in every reply (docs/reference/shapes.md): derived from the OpenAPI document with its recorded
 * replies, and from the tables of the page.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly pattern?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: {
    readonly [status: string]: {
      readonly content?: { readonly [type: string]: { readonly schema: Schema; readonly example?: unknown } };
    };
  };
}

const document = JSON.parse(readFileSync('docs/generated/openapi.json', 'utf8')) as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly schemas: { readonly [name: string]: Schema } };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.entries(methods));
const repliesOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.values(content));
const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!;

/** The rows of a table of the page, without its head. */
function tableOf(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = readFileSync('docs/reference/shapes.md', 'utf8').split(`\n## ${heading}\n`);
  const rows = section.split('\n## ')[0]!.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).map((row) => row.split('|').slice(1, -1));
}
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
const firstColumn = (heading: string): string[] => tableOf(heading).flatMap(([cell]) => namesIn(cell));

interface Member {
  readonly of: string;
  readonly name: string;
  readonly schema: Schema;
}

/** Every member of every object in these replies; a component is visited once. */
function membersOf(chosen: readonly Operation[]): readonly Member[] {
  const seen = new Set<string>();
  const found: Member[] = [];
  const visit = (schema: Schema | boolean | undefined, of: string): void => {
    if (typeof schema !== 'object') return;
    if (schema.$ref !== undefined) {
      const component = schema.$ref.split('/').at(-1)!;
      if (!seen.has(component)) visit(document.components.schemas[component], component);
      seen.add(component);
      return;
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      found.push({ of, name, schema: inner });
      visit(inner, of);
    }
    for (const inner of [schema.items, schema.additionalProperties]) visit(inner, of);
    for (const inner of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(inner, of);
  };
  for (const operation of chosen) {
    for (const { schema } of repliesOf(operation)) visit(schema, operation.operationId);
  }
  return found;
}

/** The JSON types of a schema, without null; none if anything goes. */
function typesOf(given: Schema): string[] {
  const schema = resolved(given);
  const inner = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (inner.length > 0) return inner.flatMap(typesOf);
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  return types.map((type) => (type === 'integer' ? 'number' : type));
}

const all = membersOf(operations.map(([, operation]) => operation));
/** Replies about resources; those about the node, the journal and charts follow their formats. */
const ofResources = membersOf(
  operations
    .map(([, operation]) => operation)
    .filter(({ tags }) =>
      tags.some((tag) => /^(Escrows|Market|Orders|Contracts|Disputes|Reputation|Wallets)/.test(tag)),
    ),
);
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();
const pairOf = (...names: readonly string[]): string => [...names].sort().join(' and ');

describe('Shapes of replies', () => {
  it('have no second word for one thing but those of the table, and the table has no other', () => {
    const stated = all.flatMap(({ name, schema }) => {
      const [, other] = /[Tt]he same as `(\w+)`/.exec(schema.description ?? '') ?? [];
      return other === undefined ? [] : [pairOf(name, other)];
    });
    const tabled = tableOf('Second words').flatMap(([seconds, first]) =>
      namesIn(seconds).flatMap((second) => namesIn(first).map((other) => pairOf(second, other))),
    );
    expect(unique(stated)).to.deep.equal(unique(tabled));
  });

  it('show no two members that have one value in every recorded reply, but those of the tables', () => {
    const equal = new Set<string>();
    const different = new Set<string>();
    const isWord = (value: unknown): value is string => typeof value === 'string' && value.length >= 8;
    const compare = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const words = Object.entries(value).filter(([, each]) => isWord(each)) as [string, string][];
      for (const [at, [name, word]] of words.entries()) {
        for (const [other, same] of words.slice(at + 1)) {
          const isSame = word.replace(/^0x/, '') === same.replace(/^0x/, '');
          (isSame ? equal : different).add(pairOf(name, other));
        }
      }
      for (const each of Object.values(value)) compare(each);
    };
    for (const [, operation] of operations) for (const { example } of repliesOf(operation)) compare(example);
    const second = tableOf('Second words').flatMap(([seconds, first]) =>
      namesIn(seconds).flatMap((each) => namesIn(first).map((other) => pairOf(each, other))),
    );
    const coincident = tableOf('What only coincides').map(([cell]) => pairOf(...namesIn(cell)));
    const found = [...equal].filter((pair) => !different.has(pair));
    expect(found.length).to.be.above(5);
    expect(found.filter((pair) => !second.includes(pair) && !coincident.includes(pair))).to.deep.equal([]);
  });

  it('name times by what they are', () => {
    const other = firstColumn('Names of times');
    const times = all.filter(
      ({ schema }) => /epoch milliseconds/i.test(schema.description ?? '') && typesOf(schema).includes('number'),
    );
    expect(times.length).to.be.above(50);
    const odd = times.filter(({ name }) => !/(At|By|From|Until|Since)$/.test(name)).map(({ name }) => name);
    expect(unique(odd)).to.deep.equal(unique(other));
  });

  it('have one type under one name, in all kinds of resources', () => {
    const types = new Map<string, Set<string>>();
    for (const { name, schema } of ofResources) {
      for (const type of typesOf(schema)) types.set(name, (types.get(name) ?? new Set()).add(type));
    }
    const several = [...types].filter(([, found]) => found.size > 1).map(([name]) => name);
    expect(unique(several)).to.deep.equal(unique(firstColumn('One name, several shapes')));
  });

  it('have pages wherever they list something', () => {
    const lists = operations.flatMap(([method, operation]) => {
      const schema = method === 'get' ? repliesOf(operation)[0]?.schema : undefined;
      const members = Object.entries((schema && resolved(schema).properties) ?? {});
      const isList = members.length < 7 && members.some(([, member]) => typesOf(member).includes('array'));
      return isList && !members.some(([name]) => name === 'id') ? [{ operation, members }] : [];
    });
    expect(lists.length).to.be.above(15);
    const without = lists.filter(({ members }) => !members.some(([name]) => name === 'pagination'));
    const names = without.map(({ operation }) => operation.operationId);
    expect(unique(names)).to.deep.equal(unique(firstColumn('Answers that are no pages')));
  });

  it('have one form for hashes, and one for transactions', () => {
    for (const { of, name, schema } of all) {
      if (!/Hash$/.test(name) || !typesOf(schema).includes('string')) continue;
      const form = name === 'txHash' ? '^0x[0-9a-f]{64}$' : '^[0-9a-f]{64}$';
      expect(resolved(schema).pattern, `${of}.${name}`).to.equal(form);
    }
  });
});
