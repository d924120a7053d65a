/** The operations that forms can send, with schema and example of their bodies, and the lists: from the API's OpenAPI document. */
import { read } from './read.ts';

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly maxLength?: number;
  readonly writeOnly?: boolean;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly body: Schema;
  readonly example: { readonly [name: string]: unknown };
}

/** A list of resources by party, role and status. */
export interface ListOperation {
  readonly url: string;
  /** Name of the member of the reply that holds the elements: `escrows`. */
  readonly name: string;
  readonly roles: readonly string[];
  readonly statuses: readonly string[];
}

interface DescribedList {
  readonly parameters?: readonly { readonly name: string; readonly schema?: Schema }[];
  readonly responses: {
    readonly 200?: { readonly content?: { readonly 'application/json'?: { readonly schema: Schema } } };
  };
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly schema: Schema; readonly example?: Operation['example'] };
    };
  };
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly get?: DescribedList; readonly post?: Described } };
  readonly components: { readonly schemas: { readonly [name: string]: Schema } };
}

let asked: Promise<Document> | undefined;

/** Reads the document once. */
function openApi(): Promise<Document> {
  asked ??= read<Document>('/openapi.json').catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

/** By operation id. */
export const operations = (): Promise<ReadonlyMap<string, Operation>> => openApi().then(operationsOf);

/** By path. */
export const lists = (): Promise<ReadonlyMap<string, ListOperation>> => openApi().then(listsOf);

function listsOf({ paths }: Document): ReadonlyMap<string, ListOperation> {
  const found = new Map<string, ListOperation>();
  for (const [url, { get }] of Object.entries(paths)) {
    const values = (name: string) => get?.parameters?.find((each) => each.name === name)?.schema?.enum;
    const [roles, statuses] = [values('role'), values('status')];
    const members = get?.responses[200]?.content?.['application/json']?.schema.properties ?? {};
    const [name] = Object.entries(members).find(([, { type }]) => type === 'array') ?? [];
    if (!roles || !statuses || name === undefined) continue;
    found.set(url, { url, name, roles: roles.filter((role) => role !== 'all'), statuses });
  }
  return found;
}

function operationsOf({ paths, components }: Document): ReadonlyMap<string, Operation> {
  const whole = (schema: Schema): Schema =>
    schema.$ref ? { ...components.schemas[schema.$ref.split('/').at(-1) ?? ''], ...schema } : schema;
  const found = new Map<string, Operation>();
  for (const [path, { post }] of Object.entries(paths)) {
    const content = post?.requestBody?.content['application/json'];
    if (!post || !content) continue;
    const body = whole(content.schema);
    const properties = Object.entries(body.properties ?? {}).map(([name, each]) => [name, whole(each)]);
    found.set(post.operationId, {
      id: post.operationId,
      summary: post.summary,
      path,
      parameters: (post.parameters ?? []).filter((each) => each.in === 'path').map(({ name }) => name),
      body: { ...body, properties: Object.fromEntries(properties) },
      example: content.example ?? {},
    });
  }
  return found;
}

const title = (kind: string): string => kind.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Finds the operation of an action. Orders of all markets share the operations of some actions. */
export const operationFor = (
  all: ReadonlyMap<string, Operation>,
  action: string,
  kind: string,
): Operation | undefined =>
  all.get(`${action}${title(kind)}`) ?? (kind.endsWith('-order') ? all.get(`${action}Order`) : undefined);
