/**
 * The operations of the API, read from the packaged OpenAPI document, which is generated from the routes.
 */
import { readFileSync } from 'node:fs';
import { packageFile } from '../../core/version.js';

export interface InputSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly writeOnly?: boolean;
  readonly properties?: { readonly [name: string]: InputSchema };
  readonly required?: readonly string[];
  readonly items?: InputSchema;
  readonly anyOf?: readonly InputSchema[];
  readonly oneOf?: readonly InputSchema[];
}

export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: InputSchema;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path template with `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly OperationParameter[];
  readonly body: InputSchema | undefined;
  readonly example: { readonly [name: string]: unknown } | undefined;
  /** Media type of the reply: text may be JSON, if a parameter selects it. */
  readonly answers: 'json' | 'text';
}

interface Media {
  readonly schema?: InputSchema;
  readonly example?: { readonly [name: string]: unknown };
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly OperationParameter[];
  readonly requestBody?: { readonly content: { readonly [type: string]: Media } };
  readonly responses: { readonly [status: string]: { readonly content?: { readonly [type: string]: Media } } };
}

const json = 'application/json';
const document = packageFile('docs/generated/openapi.json');

export function readOperations(): readonly ApiOperation[] {
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as {
    readonly paths: { readonly [path: string]: { readonly [method: string]: Described } };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
  );
}

function operationOf(path: string, method: string, described: Described): ApiOperation {
  const { operationId, summary, parameters, requestBody, responses } = described;
  const body = requestBody?.content[json];
  const [, { content = {} } = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return {
    operationId,
    method: method.toUpperCase() as ApiOperation['method'],
    path,
    summary,
    parameters,
    body: body?.schema,
    example: body?.example,
    answers: Object.keys(content).every((type) => type === json) ? 'json' : 'text',
  };
}

/** Whether a path's parameter may be left out, and is then the caller's DID: a last one, of what is only read. */
export function isOwnDid({ method, path, parameters }: ApiOperation, index: number): boolean {
  const places = parameters.filter((each) => each.in === 'path');
  const name = places[index]?.name ?? '';
  const isAccount =
    /^(wallets|reputations?|identities)\//.test(path.replace('/api/v1/', '')) && !path.includes('api-keys');
  return method === 'GET' && isAccount && places.length === 1 && ['did', 'address'].includes(name);
}
