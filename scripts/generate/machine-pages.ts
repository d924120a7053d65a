/** docs/generated/machines: each kind's definition, for auditors. */

import type { Scalar } from '../../src/core/schema/scalar.js';
import { undrawnChartOf } from '../../src/http/charts/chart-view.js';
import { mermaidOf } from '../../src/http/charts/mermaid.js';
import { wordsOfChanges, wordsOfMoves } from '../../src/http/charts/table.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { type Chart, type ChartTransition, changesOf, chartOf } from '../../src/machines/kernel/chart.js';
import type { AnyDefinition, AnyResource } from '../../src/machines/kernel/definition.js';
import { definitionVersion } from '../../src/machines/kernel/versioning.js';
import { code, codes, headOf, table } from './markdown.js';

export function machinePages(): { readonly [file: string]: string } {
  const definitions = Object.values(catalogue.definitions);
  const pages = definitions.map((definition) => [
    `machines/${definition.kind}.md`,
    definition.form === 'machine' ? machinePage(definition) : plainPage(definition),
  ]);
  return Object.fromEntries([['machines/README.md', indexOf(definitions)], ...pages]);
}

const indexOf = (definitions: readonly AnyDefinition[]): string => `${headOf('State charts')}
The kinds of resources, each with its definition. Kinds without a chart have no states.

${table(
  ['Kind', 'Definition version', 'Chart'],
  definitions.map((definition) => [
    `[${definition.kind}](${definition.kind}.md)`,
    code(definitionVersion(definition)),
    definition.form === 'machine' ? `[drawn](${definition.kind}.svg)` : '–',
  ]),
)}
`;

const versionLine = (definition: AnyDefinition): string =>
  `Definition version \`${definitionVersion(definition)}\`: every version of a resource names the one that accepted it.`;

function machinePage(definition: AnyResource): string {
  const chart = chartOf(definition);
  const { kind, refusals, route } = definition;
  return `${headOf(kind)}
${versionLine(definition)}
[Drawn](${kind}.svg) with roles and guards; [Mermaid](${kind}.mmd), [table](${kind}.csv), and [JSON for XState](${kind}.xstate.json).

${diagramOf(definition)}

## Transitions

A transition needs all guards of its row. If several rows have the same state and action, the first row whose guards all hold is taken; if there is none, the first guard that fails in the last of these rows gives the refusal. An action that a state does not list is refused
with ${code(refusals.state)}, an unknown id with ${code(refusals.unknown)}, an outdated \`resourcePrev\` with
${code(refusals.stale)}, a caller without the role with \`FORBIDDEN\`.${ownedBy(definition)}${ownCodes(definition)}

${table(
  ['From', 'Action', 'To', 'Who', 'Guards → refusal', 'Effects', 'Moves', 'Changes'],
  [creation(definition, chart), ...chart.transitions.map(transitionRow)].map((row, index) => {
    const { from, moves, changes } = undrawnChartOf(definition).transitions[index]!;
    return [...row, wordsOfMoves(moves) || '–', from === null ? 'all' : wordsOfChanges(changes) || '–'];
  }),
)}

${nestedIn(definition, chart)}## Actions

All below \`/api/v1${route.path}\`, with the common fields of a signed write (\`did\`, \`passphrase\`, \`nonce\`;
optional \`prev\`, \`ts\`, \`resourcePrev\`).

${table(
  ['Action', 'Event', 'Input', 'resourcePrev', 'Answers'],
  [
    ['create', code(definition.create.event), inputOf(definition.create.input), 'optional', 'the view'],
    ...Object.entries(definition.actions).map(([name, action]) => [
      action.internal ? `${name} (internal)` : name,
      eventsOf(action),
      inputOf(action.input),
      action.internal ? '–' : (action.resourcePrev ?? 'optional'),
      action.internal ? '–' : answerOf(action.reply),
    ]),
  ],
)}

## Guards

${table(
  ['Guard', 'Refusal', 'Refused when', 'Decided by'],
  Object.entries(definition.guards).map(([name, { code: refusal, says, over }]) => [
    code(name),
    code(refusal),
    typeof says === 'string' ? says : says[0],
    over,
  ]),
)}
`;
}

const eventsOf = ({ event, eventInPlace }: AnyResource['actions'][string]): string =>
  eventInPlace ? `${code(event)}; ${code(eventInPlace)} where it stays as it is` : code(event);

const ownedBy = ({ owned }: AnyResource): string =>
  owned ? ` A direct action on one that a workflow owns is refused with ${code(owned.code)}: ${owned.says}.` : '';

const diagramOf = (definition: AnyResource): string => `\`\`\`mermaid
${mermaidOf(undrawnChartOf(definition))}\`\`\``;

/** Describes machines inside the context, whose steps are transitions of the machine around them. */
const nestedIn = (definition: AnyResource, { nested = {} }: Chart): string =>
  Object.entries(nested)
    .map(
      ([name, chart]) => `## Inside its context: ${name}

Each of these steps is the transition of the same name above, with its guards; all share one version and one
\`resourcePrev\`.

${table(
  ['From', 'Action', 'To', 'Who', 'Changes'],
  chart.transitions.map(({ from, event, to, who }, index) => [
    from,
    event,
    to,
    who.join(', '),
    wordsOfChanges(changesOf(definition.nested![name]!)[index]!),
  ]),
)}

`,
    )
    .join('');

/** Codes that an action has in place of the kind's. */
const ownCodes = ({ actions }: AnyResource): string =>
  Object.entries(actions)
    .flatMap(([name, { refusals: { who, state, in: inState = {} } = {} }]) => [
      ...(who ? [` ${name} without the role: ${code(who)}.`] : []),
      ...(state ? [` ${name} in a state that does not list it: ${code(state)}.`] : []),
      ...Object.entries(inState).map(([each, own]) => ` ${name} in ${each}: ${code(own.code)}.`),
    ])
    .join('');

const creation = ({ create }: AnyResource, { initial }: Chart): string[] => [
  '–',
  create.followUps ? 'create, which may continue at once' : 'create',
  initial?.state ?? '',
  'anyone',
  '–',
  codes(initial?.effects ?? []),
];

const transitionRow = ({ from, event, to, who, guards, effects }: ChartTransition): string[] => [
  from,
  event,
  to,
  who.join(', '),
  guards.map(({ name, code: refusal }) => `${code(name)} → ${code(refusal)}`).join('; ') || '–',
  codes(effects),
];

function answerOf(reply: AnyResource['actions'][string]['reply']): string {
  if (reply === undefined || reply === 'view') return 'the view';
  if (reply === 'transfer') return 'TransferResult';
  return 'among' in reply ? `${reply.named ? 'one' : 'the newest'} of its ${reply.among}` : `the ${reply.kind}`;
}

/** Members of an input; optional ones carry a question mark. */
const inputOf = (input: Scalar<unknown>): string =>
  codes(
    Object.entries(input.fields ?? {})
      .filter(([name]) => name !== 'resourcePrev')
      .map(([name, field]) => `${name}${field.optional ? '?' : ''}`),
  );

/** Kinds without a life cycle: a history (reducer), or moves of Tokens only (ledger). */
function plainPage(definition: Exclude<AnyDefinition, AnyResource>): string {
  const what =
    definition.form === 'ledger'
      ? 'It has no life cycle: its actions move Tokens between accounts, or freeze an account.'
      : 'It has no life cycle: each action creates the next version of its only state.';
  return `${headOf(definition.kind)}
${versionLine(definition)} ${what}

${table(
  ['Action', 'Event', 'Who', 'Input'],
  Object.entries(definition.actions).map(([name, action]) => [
    name,
    code(action.event),
    action.who.join(', '),
    inputOf(action.input),
  ]),
)}
`;
}
