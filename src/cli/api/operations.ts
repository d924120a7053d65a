/**
 * What a node can be asked, from the OpenAPI document that the package carries: it is made from the routes, so that a
 * command is there for each of them.
 */
import { readFileSync } from 'node:fs';
import { packageFile } from '../../version.js';

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly writeOnly?: boolean;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly example: { readonly [name: string]: unknown } | undefined;
  /** What it answers with: text may be JSON, where a parameter says which. */
  readonly answers: 'json' | 'text';
}

interface Media {
  readonly schema?: Schema;
  readonly example?: { readonly [name: string]: unknown };
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly [type: string]: Media } };
  readonly responses: { readonly [status: string]: { readonly content?: { readonly [type: string]: Media } } };
}

const json = 'application/json';
const document = packageFile('docs/generated/openapi.json');

export function readOperations(): readonly Operation[] {
  const { paths } = JSON.parse(readFileSync(document, 'utf8')) as {
    readonly paths: { readonly [path: string]: { readonly [method: string]: Described } };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
  );
}

function operationOf(path: string, method: string, described: Described): Operation {
  const { operationId, summary, parameters, requestBody, responses } = described;
  const body = requestBody?.content[json];
  const [, { content = {} } = {}] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return {
    operationId,
    method: method.toUpperCase() as Operation['method'],
    path,
    summary,
    parameters,
    body: body?.schema,
    example: body?.example,
    answers: Object.keys(content).every((type) => type === json) ? 'json' : 'text',
  };
}
