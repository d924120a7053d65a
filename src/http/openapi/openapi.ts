/**
 * OpenAPI 3.1, derived from the routes (CONTRIBUTING.md#add-a-kind).
 */
import type { JsonSchema } from '../../core/schema/scalar.js';
import { catalogue as ownCatalogue } from '../../machines/catalogue.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import { movedToBody, templateOf } from '../server/paths.js';
import { isApi } from '../server/pipeline.js';
import type { Route } from '../server/route.js';
import { Components } from './components.js';
import { flattenedApi } from './flat.js';
import { headerParameters, headersOfReply, ledToPage, notModified, replyHeaders, takesBody } from './headers.js';
import { withWidths } from './integers.js';
import { introduction } from './introduction.js';
import { pathParameters, queryParameters } from './parameters.js';
import { codesOfOperation, problemsOf, sharedProblems } from './problems.js';
import { parameterValues, recordedOf } from './recorded.js';
import { withNamedParts } from './request-parts.js';
import { problemSchema } from './schemas/problem.js';
import { signedRowOf } from './signed-row.js';
import { tagDescriptions } from './tags.js';

export interface OpenApiFrame {
  readonly version: string;
  readonly network: string;
  readonly catalogue?: Catalogue;
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

/** The document that the node serves. */
export function openApiOf(routes: readonly Route[], frame: OpenApiFrame): OpenApiDocument {
  return withWidths(flattenedApi(composedApiOf(routes, frame)));
}

/** The document with views as combinations of named parts, from which the client's types are generated. */
export function composedApiOf(
  routes: readonly Route[],
  { version, network, catalogue = ownCatalogue }: OpenApiFrame,
): OpenApiDocument {
  const paths: Record<string, Record<string, Schema>> = {};
  const components = new Components();
  const problem = components.use(problemSchema);
  for (const route of routes) {
    const path = templateOf(route.path);
    const operation = operationOf(route, { network, catalogue, components, problem });
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc-node',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      contact: { name: 'The operator of this node' },
    },
    servers: [{ url: '/', description: 'This node.' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name] ?? `The operations of ${name}.`,
    })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'An API key of this node.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer <key>`.' },
      },
      schemas: components.schemas,
      headers: replyHeaders,
      responses: sharedProblems(problem),
    },
  };
}

interface Describing {
  readonly network: string;
  readonly catalogue: Catalogue;
  readonly components: Components;
  readonly problem: JsonSchema;
}

function operationOf(route: Route, { network, catalogue, components, problem }: Describing): Schema {
  const { success, open, path, name, tag, summary, scope, writes } = route;
  const recorded = recordedOf(name);
  const keyless = open === true && (network !== 'mainnet' || !isApi(path));
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: explanationOf(route, { keyless, network }),
    security: [...(keyless ? [{}] : []), { apiKey: [] }, { bearer: [] }],
    'x-scope': scope,
    'x-error-codes': codesOfOperation(route),
    ...(writes && { 'x-signs': writes.map((write) => signedRowOf(path, write, catalogue)) }),
    parameters: [
      ...pathParameters(route, parameterValues(path, recorded.path)),
      ...queryParameters(route.query),
      ...headerParameters(route),
    ],
    ...requestBody(route, components, recorded.body),
    responses: {
      [success.status]: {
        description: success.description,
        headers: headersOfReply(route),
        ...(success.status === 204 ? {} : { content: contentOf(success, components, recorded.reply) }),
      },
      ...ledToPage(route),
      ...notModified(route),
      ...problemsOf(route, problem),
    },
  };
}

/** Describes who may call an operation, how it is signed, and what the definition of its kind adds. */
function explanationOf(
  route: Route,
  { keyless, network }: { readonly keyless: boolean; readonly network: string },
): string {
  const { scope, path, body, about = [] } = route;
  const fields = body?.fields ?? {};
  const isSigned = fields.nonce !== undefined && fields.passphrase !== undefined;
  const signing = fields.nonce?.optional
    ? 'This is a signed write. Without `did`, `passphrase` and `nonce`, the DID of the API key signs; on the machine of a devnet node, the node’s own DID signs.'
    : 'This is a signed write: `did` names the signer, `passphrase` unlocks its key, and `nonce` numbers the write.';
  return [
    ...about,
    ...(isSigned ? [signing] : []),
    ...secondPathOf(route),
    keyless
      ? isApi(path)
        ? 'Needs no API key on devnet and testnet.'
        : 'Needs no API key.'
      : keyNeeded(scope, network),
  ].join('\n\n');
}

/** Local callers have no admin scope anywhere, and on mainnet no scope at all (docs/reference/access.md#loopback). */
const keyNeeded = (scope: Route['scope'], network: string): string =>
  `Needs an API key of scope \`${scope}\`${scope === 'admin' || network === 'mainnet' ? '' : ', except from the machine of a devnet node'}.`;

function secondPathOf(route: Route): readonly string[] {
  const { method, alsoAt } = route;
  if (alsoAt === undefined) return [];
  const moved = movedToBody(route).map((name) => `, with \`${name}\` in the body`);
  return [`Also at \`${method} ${templateOf(alsoAt)}\`${moved.join('')}.`];
}

function contentOf(
  { schema, media = [], mediaSchemas = {} }: Route['success'],
  components: Components,
  example: Schema | undefined,
): Schema {
  const json = schema ?? (media.length === 0 ? { type: 'object' } : undefined);
  return {
    ...(json ? { 'application/json': { schema: components.use(json), ...(example && { example }) } } : {}),
    ...Object.fromEntries(
      media.map((type) => [type, { schema: components.use(mediaSchemas[type] ?? { type: 'string' }) }]),
    ),
  };
}

function requestBody(route: Route, components: Components, recorded: Schema | undefined): Schema {
  const { body } = route;
  // A body without members may be omitted, and generators create no type for it.
  if (!takesBody(route) || !body || Object.keys(body.fields ?? {}).length === 0) return {};
  const { schema } = body;
  const required = Array.isArray(schema.required) && schema.required.length > 0;
  const example =
    (recorded && withoutPathMembers(recorded, route, schema)) ?? (route.example && whole(route.example, schema));
  return {
    requestBody: {
      required,
      content: {
        'application/json': {
          schema: components.use({ ...withNamedParts(schema), title: requestTitle(route) }),
          ...(example && { example }),
        },
      },
    },
  };
}

/** Generators name types after components: without one, operations with equal bodies share the name of the first. */
const requestTitle = ({ name }: Route): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}Request`;

/** Drops members that repeat path parameters. The node accepts them in a body, but the schema does not list them. */
const withoutPathMembers = (body: Schema, { path }: Route, { properties = {} }: JsonSchema): Schema =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => name in (properties as object) || !path.includes(`:${name}`)),
  );

/** Placeholders for the members that every signed write needs and no route's example has. */
const common: { readonly [member: string]: unknown } = {
  did: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
  passphrase: 'correct horse battery staple',
  nonce: 1,
  resourcePrev: '0'.repeat(64),
};

/**
 * Completes an example with required members, so that the node would accept it; adds the signer if an API key could
 * replace it.
 */
function whole(example: NonNullable<Route['example']>, { required = [], properties = {} }: JsonSchema): Schema {
  const signer = 'nonce' in (properties as object) ? ['did', 'passphrase', 'nonce'] : [];
  const needed = [...(required as readonly string[]), ...signer];
  const missing = Object.keys(common).filter((name) => needed.includes(name) && example[name] === undefined);
  return { ...Object.fromEntries(missing.map((name) => [name, common[name]])), ...example };
}
