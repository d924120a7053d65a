/**
 * What can be done at a node, as the node itself describes it: `x-signs` of its OpenAPI document, and its list of kinds. Nothing
 * of it is trusted: an action that the client knows keeps the client's own definition.
 */
import type { Http } from '../../client/src/http.js';
import type { SignedAction } from '../../client/src/signing/actions.js';
import { actionAt, type SignedActions } from '../../client/src/signing/key-writes.js';
import { ToolRefusal } from './data-block.js';

interface InputSchemaText {
  readonly [member: string]: unknown;
  readonly properties?: { readonly [name: string]: InputSchemaText };
  readonly required?: readonly string[];
}

type InputSchemas = { readonly [name: string]: InputSchemaText };

export interface SignedActionDefinition extends Pick<DescribedOperation, 'summary' | 'description'> {
  /** `kind.action`. */
  readonly name: string;
  /** Below /api/v1, with `:name` for its parameters. */
  readonly path: string;
  readonly signs: SignedAction;
  readonly codes: readonly string[];
  /** Of the body. */
  schema(): InputSchemaText;
  readonly example: object;
}

export interface NodeDefinitions {
  readonly actions: ReadonlyMap<string, SignedActionDefinition>;
  /** Paths below /api/v1 of the kinds that can be read and listed. */
  readonly kinds: ReadonlyMap<string, string>;
  /** For the client. */
  readonly table: SignedActions;
}

interface DescribedOperation {
  readonly summary?: string;
  readonly description?: string;
  readonly 'x-error-codes'?: readonly string[];
  readonly 'x-signs'?: readonly SignedAction[];
  readonly requestBody?: {
    readonly content?: { readonly [type: string]: { readonly schema?: InputSchemaText; readonly example?: object } };
  };
}

interface DescribedApi {
  readonly paths: { readonly [path: string]: { readonly post?: DescribedOperation } };
  readonly components?: { readonly schemas?: InputSchemas };
}

interface ListedKinds {
  readonly machines: readonly { readonly kind: string; readonly links: { readonly resources?: string } }[];
}

const base = '/api/v1';

/** Of kinds, actions, members and states: what the node calls them comes into this server's words. */
export const isName = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z][A-Za-z_.-]{0,63}$/.test(name);

export async function definitionsOf(http: Http): Promise<NodeDefinitions> {
  const [api, listed] = await Promise.all([
    http.send<DescribedApi>({ method: 'GET', path: '/openapi.json', beside: 'json' }),
    http.get<ListedKinds>('/machines', { limit: 100 }),
  ]);
  const schemas = api.components?.schemas ?? {};
  const actions = new Map<string, SignedActionDefinition>();
  const table: Record<string, readonly SignedAction[]> = {};
  for (const [template, { post }] of Object.entries(api.paths)) {
    const signs = post?.['x-signs'];
    if (!post || !Array.isArray(signs) || !template.startsWith(`${base}/`)) continue;
    const path = template.slice(base.length).replace(/\{(\w+)\}/g, ':$1');
    const named = signs.filter(({ kind, action, id }) =>
      [kind, action, id ?? 'id', ...parametersIn(path)].every(isName),
    );
    table[path] = named;
    const { 'x-error-codes': codes = [], summary, description, requestBody } = post;
    const { schema = {}, example = {} } = requestBody?.content?.['application/json'] ?? {};
    let whole: InputSchemaText | undefined;
    const resolvedOnce = () => {
      whole ??= resolved(schema, schemas);
      return whole;
    };
    const about = { path, summary, description, codes, example, schema: resolvedOnce };
    for (const signs of named) {
      const name = `${signs.kind}.${signs.action}`;
      if (!actions.has(name)) actions.set(name, { name, signs, ...about } as SignedActionDefinition);
    }
  }
  const kinds = listed.machines.flatMap(({ kind, links: { resources } }) =>
    isName(kind) && resources?.startsWith(`${base}/`) ? [[kind, resources.slice(base.length)] as const] : [],
  );
  return { actions, kinds: new Map(kinds), table };
}

/** Members that the signer's side states, and secrets: never a model's. */
const notAsked = ['did', 'passphrase', 'home', 'nonce', 'prev', 'ts', 'most', 'until', 'prepare', 'resourcePrev']
  .concat(['signature', 'salt', 'networkArbiter', 'contentKeyHex', 'buyerPublicKeyHex'])
  .concat(['credentialsEnvelope', 'sealed', 'package']);

const isAsked = (name: string): boolean => !notAsked.includes(name);

const asked = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([name]) => isAsked(name)));

const parametersIn = (path: string): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);

const isOwn = (name: string, { id }: SignedAction): boolean => id === 'signer' && ['did', 'address'].includes(name);

/** The JSON Schema of `input`: members of the path and of the body, without those that are not a model's to state. */
export function inputSchemaOf(action: SignedActionDefinition, known: NodeDefinitions): object {
  const { path, signs, schema } = action;
  const { properties: members = {}, required = [] } = schema();
  const places = parametersIn(path).filter((name) => !isOwn(name, signs));
  const placeOf = (name: string) => {
    const givers = giversOf(action, name, known);
    return { type: 'string', ...(givers.length > 0 && { description: `As ${givers.join(' or ')} gave it.` }) };
  };
  const properties = { ...Object.fromEntries(places.map((name) => [name, placeOf(name)])), ...asked(members) };
  return { type: 'object', properties, required: [...new Set([...places, ...required])].filter(isAsked) };
}

/** The actions whose result has an id that this one's input names: those that make the resource, or what its path is below. */
export function giversOf(
  { path, signs }: SignedActionDefinition,
  name: string,
  known: NodeDefinitions,
): readonly string[] {
  const all = [...known.actions.values()];
  const namesOf = (is: (each: SignedActionDefinition) => boolean) => all.filter(is).map((each) => each.name);
  if (name !== signs.id) {
    const above = path.slice(0, Math.max(0, path.indexOf(`/:${name}`)));
    return namesOf((each) => each.signs.action === 'create' && each.path === above);
  }
  const own = namesOf((each) => each.name === `${signs.kind}.create`);
  const makes = ({ signs: { makes = {} } }: SignedActionDefinition) =>
    Object.entries(makes).some(([made, prefix]) => made === signs.kind || prefix === signs.prefix);
  return own.length > 0 ? own : namesOf(makes);
}

const deepest = 8;

/** With the named schemas in the places of their references. */
function resolved<T>(part: T, schemas: InputSchemas, depth = 0): T {
  if (typeof part !== 'object' || part === null) return part;
  if (depth > deepest) return {} as T;
  if (Array.isArray(part)) return part.map((each) => resolved(each, schemas, depth + 1)) as T;
  const { $ref, ...others } = part as InputSchemaText;
  const name = typeof $ref === 'string' ? $ref.slice('#/components/schemas/'.length) : '';
  const whole = Object.hasOwn(schemas, name) ? { ...schemas[name], ...others } : others;
  return Object.fromEntries(
    Object.entries(whole).map(([key, value]) => [key, resolved(value, schemas, depth + 1)]),
  ) as T;
}

export const exampleOf = ({ example }: SignedActionDefinition): object => asked(example);

/** The write that an action with this input is. @param did the signer */
export function concreteWriteOf(
  { name, path, signs, schema }: SignedActionDefinition,
  { table }: NodeDefinitions,
  input: { readonly [member: string]: unknown },
  did: string,
) {
  const secret = Object.keys(input).find((member) => !isAsked(member));
  if (secret !== undefined) throw new ToolRefusal(`${secret} is not yours to state: leave it out.`);
  const places = parametersIn(path);
  const missing = places.filter((place) => !isOwn(place, signs) && !isId(input[place]));
  if (missing.length > 0) throw new ToolRefusal(`input needs ${missing.join(', ')}: describe_action explains ${name}.`);
  const filled = path.replace(/:(\w+)/g, (_, place: string) =>
    encodeURIComponent(isOwn(place, signs) ? did : String(input[place])),
  );
  // What the node calls this action must not be another one of the client's.
  const { action } = actionAt(filled, table);
  if (`${action.kind}.${action.action}` !== name)
    throw new ToolRefusal(`The node says that ${name} is ${action.kind}.${action.action}: nothing is signed.`);
  const { properties: members = {} } = schema();
  const rest = Object.entries(input).filter(([member]) => !places.includes(member) || Object.hasOwn(members, member));
  return { path: filled, input: Object.fromEntries(rest) };
}

/** Not `..`, which would be another path. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,199}$/.test(value);
