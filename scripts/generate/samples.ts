/**
 * docs/generated/samples.json: for each operation, the calls of the clients and the command line that send its recorded example.
 * `test/client/samples.test.ts` compiles and sends the calls; `test/cli/api/samples.test.ts` parses the commands;
 * `clients/python/tests/samples.py` sends those in Python.
 */
import { bodyFields, queryFields } from '../../src/cli/api/fields.js';
import { commandWords } from '../../src/cli/api/names.js';
import type { ApiOperation } from '../../src/cli/api/operations.js';
import { flagsOf, quoted } from '../../src/cli/api/sample-line.js';
import { AssertionError, assert } from '../../src/core/refusal.js';
import type { OpenApiDocument } from '../../src/http/openapi/openapi.js';
import { parameterValues, recordedOf } from '../../src/http/openapi/recorded.js';
import { title } from '../../src/http/routes/derived-paths.js';
import { signingMembers } from '../../src/http/server/body-members.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { operationsOf } from './operations.js';
import { operationCalls } from './sample-calls.js';

export interface Sample {
  readonly typescript: string;
  readonly python: string;
  readonly command: string;
}

type Values = { readonly [name: string]: unknown };

/** Members of the client for each kind. */
const clients: { readonly [kind: string]: string } = {
  escrow: 'escrows',
  'info-listing': 'markets.info',
  'task-listing': 'markets.tasks',
  'capability-listing': 'markets.capabilities',
  lease: 'leases',
  'info-order': 'infoOrders',
  contract: 'contracts',
  dispute: 'disputes',
  bid: 'bids',
  'task-order': 'taskOrders',
};

/** Samples by operation. Operations without a command, such as pages, have none. */
export function samplesText(document: OpenApiDocument): string {
  const tags = new Map(
    Object.values(document.paths as unknown as { readonly [path: string]: { readonly [method: string]: Tagged } })
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId, tags: [tag] }) => [operationId, tag]),
  );
  const found = operationsOf(document).flatMap((operation) => {
    const words = commandWords(operation);
    return words === undefined ? [] : [[operation.operationId, sampleOf(operation, words, tags)] as const];
  });
  return `${JSON.stringify(Object.fromEntries(found), undefined, 2)}\n`;
}

interface Tagged {
  readonly operationId: string;
  readonly tags: readonly [string];
}

function sampleOf(operation: ApiOperation, words: string, tags: ReadonlyMap<string, string>): Sample {
  const recorded = recordedOf(operation.operationId);
  const places = parameterValues(operation.path.replace(/\{(\w+)\}/g, ':$1'), recorded.path);
  const query = Object.fromEntries(new URLSearchParams(recorded.path?.split('?')[1]));
  return {
    typescript: typescriptOf(operation, { places, query, body: recorded.body ?? {} }),
    python: pythonOf(operation, { places, query, body: recorded.body ?? {} }, tags.get(operation.operationId)!),
    command: commandOf(operation, words, { places, query, body: operation.example ?? {} }),
  };
}

interface Given {
  readonly places: { readonly [name: string]: string };
  readonly query: Values;
  readonly body: Values;
}

const isSignedBy = ({ body }: ApiOperation, given: Given): boolean =>
  body?.properties?.nonce !== undefined && given.body.passphrase !== undefined;

function typescriptOf(operation: ApiOperation, given: Given): string {
  const { operationId } = operation;
  const isSigned = isSignedBy(operation, given);
  const { did, passphrase } = given.body;
  const options = [
    `url: 'http://127.0.0.1:9528'`,
    ...(isSigned ? [`signer: ${literal({ did, passphrase })}`] : []),
    ...(operation.scope === 'admin' ? [`key: '<key>'`] : []),
  ];
  const call = operationCalls[operationId] ?? kindCall(operationId, given, operation);
  const text = call.replace(/\{(places|query|body)(?:\.(\w+))?\}/g, (_, from: keyof Given, name?: string) => {
    const values = from === 'body' ? inputOf(given, operation, isSigned) : given[from];
    const value = name === undefined ? values : (values[name] ?? given[from][name]);
    assert(value !== undefined, `the sample of ${operationId} has no ${from}.${name}`);
    return literal(value);
  });
  const statement = text.startsWith('for ') ? text : `const reply = await client.${text};`;
  return `import { Client } from '@svc-node/client';

const client = new Client({ ${options.join(', ')} });
${statement}
`;
}

/** The members of the body that a caller writes. */
function inputOf({ body }: Given, { body: schema }: ApiOperation, isSigned: boolean): Values {
  const needsPrev = schema?.required?.includes('resourcePrev') === true;
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) =>
        !(isSigned && signingMembers.includes(name)) && (name !== 'resourcePrev' || (needsPrev && value !== null)),
    ),
  );
}

/** The call of an operation that a definition gives: `escrows.fund('esc-…', { amount: 5 })`. */
function kindCall(operationId: string, given: Given, operation: ApiOperation): string {
  for (const definition of machinesOf(catalogue)) {
    const name = title(definition.kind);
    if (operationId === `list${name}s`) return `${clients[definition.kind]}.list()`;
    if (operationId === `get${name}`) return `${clients[definition.kind]}.get({places.${definition.route.param}})`;
    if (!operationId.endsWith(name)) continue;
    const action = operationId.slice(0, -name.length);
    if (action === 'create' || action in definition.actions) return kindWrite(definition, action, { given, operation });
  }
  throw new AssertionError(`${operationId} has no call: add it to scripts/generate/sample-calls.ts`);
}

function kindWrite(
  { kind, route }: AnyResource,
  action: string,
  { given, operation }: { readonly given: Given; readonly operation: ApiOperation },
): string {
  const client = clients[kind];
  assert(client, `scripts/generate/samples.ts has a client of ${kind}`);
  const { [route.param]: id = given.body[route.param], ...others } = given.places;
  const { [route.param]: _, ...input } = { ...others, ...inputOf(given, operation, true) };
  if (action === 'create') return `${client}.create(${literal(input)})`;
  // The path of an information order's action has its listing, which only its view knows.
  if (kind === 'info-order') {
    const { listingId: __, ...own } = input;
    const order = `await client.${client}.get(${literal(id ?? '')})`;
    return `${client}.${action}(${Object.keys(own).length === 0 ? order : `${order}, ${literal(own)}`})`;
  }
  const target = literal(id ?? '');
  return `${client}.${action}(${Object.keys(input).length === 0 ? target : `${target}, ${literal(input)}`})`;
}

/** JavaScript of a JSON value. */
function literal(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  const short = JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ');
  return (short.length < 70 ? short : text).replace(/"([A-Za-z_$][\w$]*)":/g, '$1:').replace(/"([^"'\\\n]*)"/g, "'$1'");
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Names of members that Python reserves, or has a function for. */
const pythonName = (name: string): string =>
  ['from', 'type', 'id', 'format'].includes(name) ? `${name}_` : snake(name);

function pythonOf(operation: ApiOperation, given: Given, tag: string): string {
  const { operationId, parameters, scope } = operation;
  const isSigned = isSignedBy(operation, given);
  const { did, passphrase } = given.body;
  const name = snake(operationId);
  const places = Object.values(given.places).map(pythonLiteral);
  const input = Object.entries(inputOf(given, operation, isSigned));
  const members = (entries: readonly (readonly [string, unknown])[]) =>
    entries.map(([member, value]) => `${pythonName(member)}=${pythonLiteral(value)}`);
  const asked = Object.entries(given.query).map(([member, value]) => {
    const { type } = parameters.find((each) => each.name === member)?.schema ?? {};
    return [member, type === 'integer' || type === 'boolean' ? JSON.parse(String(value)) : value] as const;
  });
  const call = isSigned
    ? pythonCall('signer.write', [name, ...places, ...members(input)])
    : pythonCall('node.call', [
        name,
        ...places,
        ...members(asked),
        ...(input.length > 0 ? [`body=${pythonLiteral(Object.fromEntries(input))}`] : []),
      ]);
  const key = scope === 'admin' ? ', key="<key>"' : '';
  const lines = [
    'from svc_node_client import Node',
    `from svc_node_client.api.${tag.toLowerCase().replace(/\W+/g, '_')} import ${name}`,
    '',
    `node = Node("http://127.0.0.1:9528"${key})`,
    ...(isSigned ? [`signer = node.signer(${pythonLiteral(did)}, ${pythonLiteral(passphrase)})`] : []),
    `reply = ${call}`,
    '',
  ];
  return operationId === 'streamEvents' ? pythonStream : lines.join('\n');
}

/** The operation as such would wait for the end of the stream. */
const pythonStream = `from svc_node_client import Node

node = Node("http://127.0.0.1:9528")
for entry in node.follow(after=0):
    print(entry["event"]["type"])
`;

function pythonCall(method: string, parts: readonly string[]): string {
  const line = `${method}(${parts.join(', ')})`;
  return line.length < 90 ? line : `${method}(\n${parts.map((part) => `    ${part},\n`).join('')})`;
}

/** Python of a JSON value. */
function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (value === null) return 'None';
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`);
  return `{${members.join(', ')}}`;
}

function commandOf(operation: ApiOperation, words: string, { places, query, body }: Given): string {
  const [group = ''] = words.split(' ');
  const isRead = operation.method === 'GET';
  const fields = isRead ? queryFields(operation) : bodyFields(operation, group);
  const { nonce: _, resourcePrev: __, ...written } = body;
  const flags = flagsOf(fields, isRead ? query : written);
  const values = Object.values(places).map((place) => quoted(place));
  return ['svc-node', words, ...values, ...flags].join(' ');
}
