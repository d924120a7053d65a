/** docs/generated/events.md: what happens, for readers of the stream and of webhooks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../../src/core/refusal.js';
import { type JsonSchema, withoutForms } from '../../../src/core/schema/scalar.js';
import { isErasable } from '../../../src/core/schema/shape.js';
import { wordsOfMoves } from '../../../src/http/charts/table.js';
import { spelled } from '../../../src/machines/kernel/denial.js';
import { code, codes, headOf, table } from '../markdown.js';
import { type EventType, eventTypes } from './event-types.js';

export const eventExamplesFile = join('scripts', 'generate', 'events', 'examples.json');

type Json = { readonly [member: string]: unknown };
type EventExamples = { readonly [name: string]: Json };

/** The name of an example. It includes the kind, because several kinds may have events of one type. */
export const exampleName = ({ type, kind }: Pick<EventType, 'type' | 'kind'>): string => `${type} of ${kind}`;

export const readEventExamples = (): EventExamples => JSON.parse(readFileSync(eventExamplesFile, 'utf8'));

/** An operation, by its name: `POST /api/v1/transfers`. */
export type OperationPlaces = ReadonlyMap<string, string>;

export function eventPage(places: OperationPlaces, examples: EventExamples): string {
  const types = groupedBy(eventTypes(), ({ type }) => type);
  const rows = [...types].map(([type, all]) => [
    `[\`${type}\`](#${type.replaceAll('.', '')})`,
    codes(all.map(({ kind }) => kind)),
    [...new Set(all.map(({ summary }) => summary))].join(' '),
  ]);
  return `${headOf('Event types')}
Every entry of the journal has one event, and its \`type\` says what happened. [The stream](../reference/events-and-entries.md#event-stream)
(\`GET /api/v1/events/stream?type=escrow.*\`), [the journal](../reference/events-and-entries.md#reading-events) and
[webhooks](../webhooks.md#choose-the-events) select by it. There are ${types.size} types. A request that writes several resources is one
entry with one event, that of the request: \`versions\` names the resources. Webhooks also post
\`webhook.test\`, which is not an entry.

A new release may add types, and members to a payload: ignore what you don't know.

## The entry around an event

The stream, webhooks (as \`entry\`) and \`GET /api/v1/events/{hash}\` show each event in the same form, \`Entry\` of
[openapi.json](openapi.json). \`payload\` has \`kind\`, \`id\` and \`action\` of the request, and its \`input\`, which the sections below
describe: the texts that can be erased have their proofs in \`leaves\`, by their place. It is absent if the reader may not see the
resource; members for the parties are absent for others. Times are epoch milliseconds, amounts whole Tokens. Secrets are in no payload.

${jsonBlock(exampleOf(examples, { type: 'escrow.released', kind: 'escrow' }))}

## All types

${table(['Type', 'Kind', 'The request'], rows)}
${[...types].map(([type, all]) => section(type, all, { places, examples })).join('')}`;
}

function groupedBy<T>(all: readonly T[], nameOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  return groups;
}

interface Facts {
  readonly places: OperationPlaces;
  readonly examples: EventExamples;
}

function section(type: string, all: readonly EventType[], { places, examples }: Facts): string {
  const forms = groupedBy(all, ({ kind: _, operation: __, ...form }) => JSON.stringify(form));
  const parts = [...forms.values()].map((same) => {
    const [first] = same;
    const name = forms.size > 1 ? `**${same.map(({ kind }) => kind).join(', ')}**: ` : '';
    return `
${name}${first!.summary}

${factsOf(same, places)}

${payloadTable(first!)}
${jsonBlock(inShort(exampleOf(examples, first!)))}
`;
  });
  return `\n## \`${type}\`\n${parts.join('')}`;
}

const either = new Intl.ListFormat('en', { type: 'disjunction' });
const both = new Intl.ListFormat('en');

function factsOf(same: readonly EventType[], places: OperationPlaces): string {
  const [first] = same;
  const { who, steps, moves, readers, inPlace } = first!;
  const asked = same.flatMap(({ operation }) => (operation === undefined ? [] : [`\`${placeOf(operation, places)}\``]));
  const callers = who.filter((role) => role !== 'workflow').map(spelled);
  return [
    `- Kind: ${codes(same.map(({ kind }) => kind))}; action ${code(first!.action)}`,
    `- By: ${callers.includes('anyone') ? 'any signer' : `the ${either.format(callers)}`}${asked.length > 0 ? `, with ${both.format([...new Set(asked)])}` : ''}`,
    ...(inPlace ? ['- A proposal: the resource stays as it is until another party asks for the same.'] : []),
    ...(steps.length > 0 ? [`- States: ${[...new Set(steps.map(stepText))].join(', ')}`] : []),
    ...(moves.length > 0 ? [`- Moves Tokens: ${wordsOfMoves(moves)}`] : []),
    ...(readers === 'all' ? [] : [`- Payload: ${audiences[readers]}`]),
  ].join('\n');
}

const audiences = {
  parties: 'only the parties see it',
  'those who may see the resource': 'who may see the resource sees it',
} as const;

const stepText = ([from, to]: EventType['steps'][number]): string =>
  from === to ? `stays ${code(to)}` : `${from === null ? 'new' : code(from)} → ${code(to)}`;

function placeOf(operation: string, places: OperationPlaces): string {
  const place = places.get(operation);
  assert(place, `the event catalogue names an operation ${operation}, and there is none`);
  return place;
}

function exampleOf(examples: EventExamples, of: Pick<EventType, 'type' | 'kind'>): Json {
  const example = examples[exampleName(of)];
  assert(example, `${eventExamplesFile} has no ${exampleName(of)}: npm run record-examples`);
  return example;
}

/** The members that differ from type to type. */
function inShort(entry: Json): Json {
  const { type, issuer } = entry.event as Json;
  const versions = (entry.versions as readonly Json[]).map(({ kind, id, version, path }) => ({
    kind,
    id,
    version,
    path,
  }));
  const { seq, time, moves, payload } = entry;
  return { seq, time, event: { type, issuer, '…': '…' }, versions, moves, payload };
}

const jsonBlock = (value: Json): string => `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;

interface ObjectSchema extends JsonSchema {
  readonly properties?: { readonly [name: string]: ObjectSchema };
  readonly required?: readonly string[];
  readonly items?: ObjectSchema;
  readonly anyOf?: readonly ObjectSchema[];
  readonly oneOf?: readonly ObjectSchema[];
}

function payloadTable({ input, confidential }: EventType): string {
  const rows = rowsOf(input as ObjectSchema, { confidential });
  return rows.length === 0
    ? 'Its `input` has no members.\n'
    : `${table(['Member of `input`', 'Type', '', 'Meaning'], rows)}\n`;
}

const rowsOf = (
  { properties = {}, required = [] }: ObjectSchema,
  { way = '', confidential = [] }: { readonly way?: string; readonly confidential?: readonly string[] },
): string[][] =>
  Object.entries(properties).flatMap(([name, member]) => {
    const path = `${way}${name}`;
    const presence = [
      required.includes(name) ? 'always' : 'may be absent',
      ...(isErasable(member) ? ['can be erased'] : []),
      ...(confidential.includes(name) ? ['for the parties'] : []),
    ].join(', ');
    const inner = member.items ? rowsOf(member.items, { way: `${path}[].` }) : rowsOf(member, { way: `${path}.` });
    return [[code(path), typeText(member), presence, withoutForms(String(member.description ?? ''))], ...inner];
  });

function typeText(schema: ObjectSchema): string {
  const { type, items, anyOf, oneOf } = schema;
  const values = schema.enum as readonly unknown[] | undefined;
  if (values) return values.map((value) => code(String(value))).join(', ');
  const variants = anyOf ?? oneOf;
  if (variants) return [...new Set(variants.map(typeText))].join(' or ');
  if (items) return `list of ${typeText(items)}`;
  return type === undefined ? 'any' : [type].flat().join(' or ');
}
