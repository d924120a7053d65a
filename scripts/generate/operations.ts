/**
 * docs/generated/operations.json: of openapi.json what the command line needs, which it reads at each start. The schemas
 * of members keep what makes a flag of them; what is inside of a nested member is the node's to judge.
 */
import type { ApiOperation, InputSchema, OperationParameter } from '../../src/cli/api/operations.js';
import type { OpenApiDocument } from '../../src/http/openapi/openapi.js';

interface Media {
  readonly schema?: InputSchema;
  readonly example?: { readonly [name: string]: unknown };
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly 'x-scope': ApiOperation['scope'];
  readonly parameters: readonly (Omit<OperationParameter, 'in'> & { readonly in: 'path' | 'query' | 'header' })[];
  readonly requestBody?: { readonly content: { readonly [type: string]: Media } };
  readonly responses: { readonly [status: string]: { readonly content?: { readonly [type: string]: Media } } };
}

const json = 'application/json';

type Schemas = { readonly [title: string]: InputSchema };

export const operationsOf = ({ paths, components }: OpenApiDocument): ApiOperation[] => {
  const whole = resolved(paths, components.schemas as Schemas) as unknown as {
    readonly [path: string]: { readonly [method: string]: Described };
  };
  return Object.entries(whole).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      operationOf(path, method.toUpperCase() as ApiOperation['method'], described),
    ),
  );
};

/** The part with components in place of references to schemas; replies are not looked into. */
function resolved<T>(part: T, schemas: Schemas): T {
  if (Array.isArray(part)) return part.map((each) => resolved(each, schemas)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...others } = part as { readonly $ref?: string };
  const title = $ref?.slice('#/components/schemas/'.length);
  const whole = title === undefined ? part : { ...schemas[title], ...others };
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]) => [name, name === 'responses' ? inner : resolved(inner, schemas)]),
  ) as T;
}

/** One operation a line, so that a change shows as a change of its line. */
export const operationsText = (document: OpenApiDocument): string =>
  `[\n${operationsOf(document)
    .map((operation) => JSON.stringify(operation))
    .join(',\n')}\n]\n`;

function operationOf(path: string, method: ApiOperation['method'], described: Described): ApiOperation {
  const { operationId, summary, parameters, requestBody, responses } = described;
  const body = requestBody?.content[json];
  const [, { content = {} } = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return {
    ...{ operationId, method, path, summary, scope: described['x-scope'] },
    parameters: parameters.flatMap((each) => {
      const { name, in: place, required, description, schema } = each;
      if (place === 'header') return [];
      return [{ name, in: place, required, ...(description && { description }), schema: ofMember(schema) }];
    }),
    ...(body?.schema && { body: ofBody(body.schema) }),
    ...(body?.example && { example: body.example }),
    answers: Object.keys(content).every((type) => type === json) ? 'json' : 'text',
  };
}

const ofBody = ({ properties = {}, required }: InputSchema): InputSchema => ({
  properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, ofMember(member)])),
  ...(required && { required }),
});

function ofMember(schema: InputSchema): InputSchema {
  const { type, description, enum: values, pattern, writeOnly, properties, items, anyOf, oneOf } = schema;
  return {
    ...(type && { type }),
    ...(description && { description }),
    ...(values && { enum: values }),
    // Only to tell DIDs from other texts.
    ...(pattern?.includes('did:svc') && { pattern }),
    ...(writeOnly && { writeOnly }),
    ...(properties && { properties: {} }),
    ...(items && { items: ofMember(items) }),
    ...(anyOf && { anyOf: anyOf.map(ofMember) }),
    ...(oneOf && { oneOf: oneOf.map(ofMember) }),
  };
}
