/**
 * TypeScript types of all requests and replies of the API, generated from the OpenAPI document. Client and console
 * import their types from the generated file, so they can't differ from the node.
 */
import type { OpenApiDocument } from '../../src/http/openapi/openapi.js';
import { signingMembers } from '../../src/http/server/body-members.js';

type Schema = { readonly [keyword: string]: unknown };
type Members = { readonly [name: string]: Schema };
interface Operation extends Schema {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: {
    readonly [status: string]: { readonly content?: { readonly [media: string]: { schema: Schema } } };
  };
}

const longestLine = 110;

export function wireTypes({ paths, components }: OpenApiDocument): string {
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods) as Operation[])
    .sort((one, other) => (one.operationId < other.operationId ? -1 : 1));
  const bodies = new Set(operations.map(bodyOf));
  const schemas = Object.entries(components.schemas as Members).map(
    ([name, schema]) => [name, bodies.has(name) ? withoutSigning(schema) : schema] as const,
  );
  const table = (name: string, about: string, typeIn: (operation: Operation) => string | undefined) => {
    /** The first operation with each multi-line type. */
    const known = new Map<string, string>();
    const rows = operations.flatMap((operation) => {
      const type = typeIn(operation);
      if (type === undefined) return [];
      const earlier = known.get(type);
      if (type.includes('\n') && earlier === undefined) known.set(type, operation.operationId);
      return `  readonly ${operation.operationId}: ${earlier === undefined ? type : `${name}['${earlier}']`};\n`;
    });
    return `/** ${about} */\nexport interface ${name} {\n${rows.join('')}}\n`;
  };
  return [
    '/** Generated from docs/generated/openapi.json by `npm run generate`: types of what the API takes and answers. */\n',
    ...schemas.map(([name, schema]) => declared(name, schema)),
    declared('Paging', { ...objectOfParameters(pagingIn(operations)), description: 'Parameters of every list.' }),
    table('Requests', 'Bodies by operation, without the members that name and prove the signer.', bodyOf),
    table('Queries', 'Query parameters by operation. Lists go as one text with commas.', queryOf),
    table('Replies', 'JSON of successful replies by operation.', replyOf),
  ].join('\n');
}

function declared(name: string, schema: Schema): string {
  const type = typeOf(schema, '');
  const isObject = type.startsWith('{\n') && schema.properties !== undefined;
  return `${commentOf(schema, '')}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
}

const bodyOf = ({ requestBody }: Operation): string | undefined =>
  requestBody && typeOf(requestBody.content['application/json'].schema, '');

function withoutSigning(schema: Schema): Schema {
  const properties = (schema.properties ?? {}) as Members;
  const isSigned = 'nonce' in properties && 'passphrase' in properties;
  const kept = Object.entries(properties).filter(([name]) => !isSigned || !signingMembers.includes(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** Query parameters of every list. */
const paging = ['limit', 'offset', 'page', 'pageSize', 'per_page', 'after'];

const pagingIn = (operations: readonly Operation[]): Operation['parameters'] =>
  operations
    .map(({ parameters }) => parameters.filter(({ name }) => paging.includes(name)))
    .find(({ length }) => length === paging.length) ?? [];

function queryOf({ parameters }: Operation): string | undefined {
  const asked = parameters.filter((each) => each.in === 'query');
  if (asked.length === 0) return undefined;
  const isList = pagingIn([{ parameters: asked } as unknown as Operation]).length > 0;
  const own = isList ? asked.filter(({ name }) => !paging.includes(name)) : asked;
  const type = own.length > 0 ? typeOf(objectOfParameters(own), '  ') : undefined;
  return [...(isList ? ['Paging'] : []), ...(type === undefined ? [] : [type])].join(' & ');
}

const objectOfParameters = (parameters: Operation['parameters']): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, description, schema }) => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
  ),
  required: parameters.filter((each) => each.required).map(({ name }) => name),
});

function replyOf({ responses }: Operation): string | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = success?.content?.['application/json']?.schema;
  return schema && typeOf(schema, '  ');
}

/** @param indent indentation of the line on which the type begins */
function typeOf(schema: Schema, indent: string): string {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return unionOf(schema.enum.map(literal));
  for (const [keyword, join] of joins) {
    const parts = schema[keyword] as readonly Schema[] | undefined;
    if (parts) return join(parts.map((part) => typeOf(part, indent)));
  }
  return unionOf([schema.type ?? 'unknown'].flat().map((type) => ofType(String(type), schema, indent)));
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const inParentheses = (type: string): string =>
  /^readonly |^[^{]* [|&] /.test(type) || type.includes('} |') ? `(${type})` : type;

const joins: readonly (readonly [string, (types: readonly string[]) => string])[] = [
  ['anyOf', unionOf],
  ['oneOf', unionOf],
  ['allOf', (types) => types.map(inParentheses).join(' & ')],
];

function ofType(type: string, schema: Schema, indent: string): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return arrayOf(schema, indent);
  if (type === 'object') return objectOf(schema, indent);
  return type;
}

function arrayOf({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems)
    return `readonly [${(prefixItems as readonly Schema[]).map((each) => typeOf(each, indent)).join(', ')}]`;
  return `readonly ${inParentheses(typeOf((items ?? {}) as Schema, indent))}[]`;
}

function objectOf(schema: Schema, indent: string): string {
  const properties = Object.entries((schema.properties ?? {}) as Members);
  const required = (schema.required ?? []) as readonly string[];
  const inside = `${indent}  `;
  const isOpen =
    schema.additionalProperties === true || (properties.length === 0 && !('additionalProperties' in schema));
  const others = typeof schema.additionalProperties === 'object' ? (schema.additionalProperties as Schema) : undefined;
  const members = properties.map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    return {
      about: commentOf(member, inside),
      is: `readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(member, inside)}`,
    };
  });
  if (isOpen || (others && properties.length > 0))
    members.push({ about: '', is: 'readonly [member: string]: unknown' });
  else if (others) members.push({ about: '', is: `readonly [name: string]: ${typeOf(others, inside)}` });
  if (members.length === 0) return '{ readonly [member: string]: never }';
  const line = `{ ${members.map(({ is }) => is).join('; ')} }`;
  if (members.every(({ about }) => about === '') && !line.includes('\n') && line.length + indent.length < longestLine)
    return line;
  return `{\n${members.map(({ about, is }) => `${about}${inside}${is};\n`).join('')}${indent}}`;
}

const commentOf = ({ description }: Schema, indent: string): string =>
  typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : '';
