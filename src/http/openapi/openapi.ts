/**
 * OpenAPI 3.1, derived from the routes (CONTRIBUTING.md#add-a-kind).
 */
import type { Code } from '../../core/refusal.js';
import { codes } from '../../core/refusal.js';
import { did, type JsonSchema, type Scalar } from '../../core/schema/scalar.js';
import { errorClasses } from '../server/error-classes.js';
import { isApi } from '../server/pipeline.js';
import type { Route } from '../server/route.js';
import { Components } from './components.js';
import { problemSchema } from './schemas/problem.js';

export interface OpenApiFrame {
  readonly version: string;
  readonly network: string;
}

type Schema = { readonly [key: string]: unknown };

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Schema } };
  readonly components: Schema;
}

export function openApiOf(routes: readonly Route[], { version, network }: OpenApiFrame): OpenApiDocument {
  const paths: Record<string, Record<string, Schema>> = {};
  const components = new Components();
  const problem = components.use(problemSchema);
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, network, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc-node',
      version,
      description: 'Token ledger and agent marketplace. Amounts are integer Tokens; times are epoch milliseconds.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: components.schemas,
      responses: problemResponses(problem),
    },
  };
}

function operationOf(route: Route, network: string, components: Components): Schema {
  const { success } = route;
  const keyless = route.open && (network !== 'mainnet' || !isApi(route.path));
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    security: [...(keyless ? [{}] : []), { apiKey: [] }, { bearer: [] }],
    'x-scope': route.scope,
    parameters: [...pathParameters(route), ...queryParameters(route.query), ...headerParameters(route)],
    ...requestBody(route),
    responses: {
      [success.status]: {
        description: success.description,
        ...(takesBody(route) ? { headers: { 'Preference-Applied': preferenceApplied } } : {}),
        ...(success.status === 204 ? {} : { content: contentOf(success, components) }),
      },
      ...Object.fromEntries(failuresOf(route).map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

function contentOf({ schema, media = [], mediaSchemas = {} }: Route['success'], components: Components): Schema {
  const json = schema ?? (media.length === 0 ? { type: 'object' } : undefined);
  return {
    ...(json ? { 'application/json': { schema: components.use(json) } } : {}),
    ...Object.fromEntries(
      media.map((type) => [type, { schema: components.use(mediaSchemas[type] ?? { type: 'string' }) }]),
    ),
  };
}

function pathParameters({ path, parameters }: Route): Schema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: parameters?.[name!] ?? (name === 'did' ? did.schema : { type: 'string' }),
  }));
}

function queryParameters(query: Scalar<unknown> | undefined): Schema[] {
  return Object.entries(query?.fields ?? {}).map(([name, field]) => {
    const { description, ...schema } = field.schema as { description?: string };
    return {
      name,
      in: 'query',
      required: !field.optional,
      ...(description === undefined ? {} : { description }),
      // Lists are one comma-separated parameter.
      ...((schema as JsonSchema).type === 'array' ? { style: 'form', explode: false } : {}),
      schema,
    };
  });
}

const takesBody = ({ method }: Route): boolean => method === 'POST' || method === 'PUT';

const preferenceApplied = {
  description: 'Where members of the body were ignored: `handling=lenient, ignored="<names>"`.',
  schema: { type: 'string' },
};

/** Request headers: Prefer (RFC 7240) and others. */
const headerParameters = (route: Route): Schema[] =>
  takesBody(route)
    ? [
        {
          name: 'Prefer',
          in: 'header',
          required: false,
          description:
            '`handling=lenient` ignores members of the body that the node does not know, and lists them in ' +
            '`Preference-Applied` and the reply’s `ignored`. Without it they are refused.',
          schema: { type: 'string' },
        },
      ]
    : [];

function requestBody(route: Route): Schema {
  const { body, example } = route;
  if (!takesBody(route)) return {};
  const schema = body?.schema ?? { type: 'object', additionalProperties: false };
  const required = Array.isArray(schema.required) && schema.required.length > 0;
  return {
    requestBody: {
      required,
      content: {
        'application/json': { schema, ...(example === undefined ? {} : { example: whole(example, schema) }) },
      },
    },
  };
}

/** Placeholders for the members that every signed write needs and no route's example has. */
const common: { readonly [member: string]: unknown } = {
  did: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
  passphrase: 'correct horse battery staple',
  nonce: 1,
  resourcePrev: '0'.repeat(64),
};

/**
 * Completes an example so that the node would not refuse it for missing members; adds the signer where an API key could
 * replace it.
 */
function whole(example: NonNullable<Route['example']>, { required = [], properties = {} }: JsonSchema): Schema {
  const signer = 'nonce' in (properties as object) ? ['did', 'passphrase', 'nonce'] : [];
  const needed = [...(required as readonly string[]), ...signer];
  const missing = Object.keys(common).filter((name) => needed.includes(name) && example[name] === undefined);
  return { ...Object.fromEntries(missing.map((name) => [name, common[name]])), ...example };
}

/** Statuses of refusals before a request has a route (http/server/client-error.ts): all are INVALID_REQUEST. */
const beforeRoutes: { readonly [status: number]: string } = {
  408: 'The request did not arrive in time',
  431: 'The headers are too large, target included',
};

/**
 * The failure statuses that a route of this shape can have; `code` in the problem document distinguishes them further.
 */
function failuresOf({ method, path, query, scope, failures = [] }: Route): number[] {
  const statuses = [401, 403, ...Object.keys(beforeRoutes).map(Number), 429, 500, 503, ...failures];
  const isWrite = method !== 'GET';
  if (isWrite || query || path.includes(':')) statuses.push(400);
  if (path.includes(':')) statuses.push(404);
  if (isWrite) statuses.push(409, 413, 415, 422);
  if (isWrite && scope !== 'read') statuses.push(402);
  return statuses.sort();
}

const statuses = [...new Set(Object.values(codes).map(([status]) => status))].sort();

function problemResponses(schema: Schema): Schema {
  const content = { 'application/problem+json': { schema } };
  const early = Object.entries(beforeRoutes).map(([status, title]) => [
    status,
    { description: `${title}: INVALID_REQUEST`, content },
  ]);
  const others = statuses.map((status) => {
    const here = (Object.keys(codes) as Code[]).filter((code) => codes[code][0] === status);
    const [, suffix] = codes[here[0]!];
    const title = status === 402 ? 'Insufficient balance' : errorClasses[suffix].title;
    const headers =
      status === 429 || status === 503 ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {};
    return [
      status,
      {
        description: `${title}: ${here.join(', ')}`,
        ...headers,
        content,
      },
    ];
  });
  return Object.fromEntries([...others, ...early]);
}
