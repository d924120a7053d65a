/**
 * docs/generated/samples.json: for each operation, the call of the client and the command line that send its recorded example.
 * `test/client/samples.test.ts` compiles and sends the calls; `test/cli/api/samples.test.ts` parses the commands.
 */
import { bodyFields, queryFields } from '../../src/cli/api/fields.js';
import { commandWords } from '../../src/cli/api/names.js';
import type { ApiOperation } from '../../src/cli/api/operations.js';
import { flagsOf, quoted } from '../../src/cli/api/sample-line.js';
import { AssertionError, assert } from '../../src/core/refusal.js';
import { parameterValues, recordedOf } from '../../src/http/openapi/recorded.js';
import { title } from '../../src/http/routes/derived-paths.js';
import { signingMembers } from '../../src/http/server/body-members.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { operationCalls } from './sample-calls.js';

export interface Sample {
  readonly typescript: string;
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
export function samplesOf(operations: readonly ApiOperation[]): { readonly [operationId: string]: Sample } {
  const found = operations.flatMap((operation) => {
    const words = commandWords(operation);
    return words === undefined ? [] : [[operation.operationId, sampleOf(operation, words)] as const];
  });
  return Object.fromEntries(found);
}

export const samplesText = (operations: readonly ApiOperation[]): string =>
  `${JSON.stringify(samplesOf(operations), undefined, 2)}\n`;

function sampleOf(operation: ApiOperation, words: string): Sample {
  const recorded = recordedOf(operation.operationId);
  const places = parameterValues(operation.path.replace(/\{(\w+)\}/g, ':$1'), recorded.path);
  const query = Object.fromEntries(new URLSearchParams(recorded.path?.split('?')[1]));
  return {
    typescript: typescriptOf(operation, { places, query, body: recorded.body ?? {} }),
    command: commandOf(operation, words, { places, query, body: operation.example ?? {} }),
  };
}

interface Given {
  readonly places: { readonly [name: string]: string };
  readonly query: Values;
  readonly body: Values;
}

function typescriptOf(operation: ApiOperation, given: Given): string {
  const { operationId, body } = operation;
  const isSigned = body?.properties?.nonce !== undefined && given.body.passphrase !== undefined;
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

function commandOf(operation: ApiOperation, words: string, { places, query, body }: Given): string {
  const [group = ''] = words.split(' ');
  const isRead = operation.method === 'GET';
  const fields = isRead ? queryFields(operation) : bodyFields(operation, group);
  const { nonce: _, resourcePrev: __, ...written } = body;
  const flags = flagsOf(fields, isRead ? query : written);
  const values = Object.values(places).map((place) => quoted(place));
  return ['svc-node', words, ...values, ...flags].join(' ');
}
