/** Replies about definitions: charts, histories, and permitted actions. */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import { postingSchema, receiptSchema } from './events.js';
import { originFields } from './origin.js';

const positive: JsonSchema = { type: 'integer', minimum: 1 };
const version = a.described(a.text, 'Definition version: what entries and resources name as `machine`.');
const number = { type: 'number' } as const;
const point = a.object({ x: number, y: number });
const texts = a.list(a.text);
const kind = a.described(a.text, 'The sort of resource: `escrow`.');

const tone = a.oneOf('good', 'neutral', 'trouble');

const links = a.object(
  {
    self: a.text,
    formats: a.described({ type: 'object', additionalProperties: a.text }, 'By format.'),
  },
  { resources: a.described(a.text, 'Where its resources are listed; each is read below it by its id.') },
);

export const machinesSchema = a.object({
  machines: a.list(
    a.named(
      'MachineSummary',
      a.object({
        kind,
        title: a.text,
        version,
        isMachine: a.described(a.flag, 'False: it has a history but no life cycle.'),
        states: texts,
        tones: a.described(
          { type: 'object', additionalProperties: tone },
          'By state path, what the state means: a good end, another end, or trouble. Absent: under way.',
        ),
        actions: texts,
        links,
      }),
    ),
  ),
  total: a.count,
});

const state = a.object(
  {
    name: a.text,
    path: a.described(
      a.text,
      'Its own in the chart: `created.open` is nested in `created`, `milestone/pending` is inside the machine `milestone`.',
    ),
    type: a.described(
      a.oneOf('atomic', 'final', 'compound', 'machine'),
      '`compound`: states are nested in it; `machine`: the frame of one inside the context.',
    ),
    initial: a.flag,
  },
  {
    parent: a.text,
    description: a.text,
    tone: a.described(tone, 'What it means: a good end, another end, or trouble. Absent: under way.'),
    entry: texts,
    exit: texts,
  },
);

const guard = a.object(
  { name: a.text, refusal: a.described(a.text, 'The error code that it refuses with.') },
  { meaning: a.text },
);

const transition = a.object(
  {
    id: a.described(a.text, '`<from>.<action>.<to>`, or `create`.'),
    from: a.described(a.nullable(a.text), 'Null for a creation.'),
    to: a.text,
    event: a.described(a.text, 'The action.'),
    guards: a.described(a.list(guard), 'All must hold.'),
    effects: texts,
    moves: a.described(
      a.list(a.object({ amount: a.text, from: a.text, to: a.text })),
      'Tokens that it moves: by its effects, or by the workflow of the request.',
    ),
    changes: a.described(
      a.list(a.object({ member: a.text, to: a.described(a.text, 'What it becomes, in words.') })),
      'Members of the context that it changes; a creation makes all of them.',
    ),
    roles: texts,
  },
  { description: a.text },
);

const size = { width: number, height: number };
const textAt = a.object({ text: a.text, x: number, y: number });
const label = a.object(
  {
    transition: a.described(a.text, 'Id of the transition.'),
    ...{ x: number, y: number, ...size },
    action: a.described(textAt, 'Baseline; `x` is the middle of the text, in a state its beginning.'),
    roles: a.described(a.list(textAt), 'Who may, at most two lines.'),
    badge: a.described(point, 'Where the numbers of steps go: their middle, in a state their right end.'),
  },
  { chip: a.described(a.object({ text: a.text, x: number, y: number, ...size }), 'The number of its guards.') },
);

const layout = a.named(
  'MachineLayout',
  a.object({
    ...size,
    nodes: a.list(
      a.object({
        state: a.text,
        ...{ x: number, y: number, ...size },
        title: a.described(point, 'Baseline of the name: its middle; its beginning where something stands below it.'),
        inside: a.described(a.list(label), 'Transitions that stay in the state.'),
      }),
    ),
    edges: a.list(
      a.object({
        transitions: a.described(texts, 'Ids of those that share the line.'),
        from: a.described(a.nullable(a.text), 'Null: it begins at a dot.'),
        to: a.text,
        points: a.list(point),
        label: a.described(a.text, 'Names of the actions, a line each.'),
        labelAt: a.described(point, 'Middle of the labels.'),
        labelSize: a.object(size),
        labels: a.described(a.list(label), 'They stand on the line, one for each transition.'),
      }),
    ),
  }),
);

export const chartSchema = a.named(
  'MachineChart',
  a.object({
    kind,
    title: a.text,
    version,
    revision: positive,
    isMachine: a.flag,
    initial: a.nullable(a.text),
    states: a.list(state),
    transitions: a.list(transition),
    layout: a.described(
      { anyOf: [layout, { type: 'null' }] },
      'From left to right, in pixels; null where the definition has no drawing.',
    ),
    layoutDown: a.described({ anyOf: [layout, { type: 'null' }] }, 'The same from top to bottom, for narrow places.'),
  }),
);

export const xstateSchema = a.named(
  'XstateMachine',
  a.object(
    {
      id: kind,
      description: a.text,
      initial: a.text,
      states: a.described(a.freeObject, 'By name, as `createMachine` of XState takes them.'),
      meta: a.object({ kind, version }, { nested: a.described(a.freeObject, 'Machines inside the context, by name.') }),
    },
    { entry: a.list(a.object({ type: a.text })) },
  ),
);

const nestedStep = a.object({ machine: a.text, id: a.text, transition: a.text, from: a.text, to: a.text });

const step = a.named(
  'MachineStep',
  a.object({
    step: a.described(positive, 'From 1, without gaps.'),
    version: positive,
    machine: a.described(a.text, 'The definition version that accepted it.'),
    action: a.described(a.nullable(a.text), 'Null where the chart leaves several open.'),
    transition: a.described(a.nullable(a.text), 'Id in the chart of that version: the last of `transitions`.'),
    transitions: a.described(a.list(a.nullable(a.text)), 'All that the entry went through.'),
    nested: a.described({ anyOf: [nestedStep, { type: 'null' }] }, 'What moved inside the context.'),
    role: a.described(a.nullable(a.text), '`workflow`: the request was about another resource.'),
    from: a.nullable(a.text),
    to: a.text,
    path: a.described(texts, 'States gone through.'),
    at: a.time,
    signer: a.did,
    nonce: positive,
    eventType: a.text,
    eventHash: a.hash,
    entryHash: a.hash,
    seq: a.described(positive, 'Number of the entry in the journal.'),
    postings: a.described(a.list(postingSchema), 'Of the whole entry; they sum to zero.'),
    txHash: a.described(a.nullable(a.text), 'Of the transaction on chain; null without one.'),
    receipt: a.described({ anyOf: [receiptSchema, { type: 'null' }] }, 'Proof of settlement; null without one.'),
  }),
);

export const historySchema = a.object(
  {
    kind,
    id: a.text,
    state: a.text,
    version: a.described(positive, 'The newest.'),
    machine: a.described(a.text, 'Its definition version.'),
    steps: a.list(step),
    total: a.described(a.count, 'Steps of the whole history.'),
    next: a.described(a.nullable(a.count), 'The `after` of the next page; null at the end.'),
    hasMore: a.flag,
  },
  originFields,
);

export const stateSchema = a.named(
  'MachineState',
  a.object(
    {
      kind,
      id: a.text,
      version: a.described(positive, 'The newest.'),
      machine: a.described(a.text, 'Its definition version.'),
      state: a.text,
      context: a.described({ type: 'object', additionalProperties: true }, 'As the definition of its kind keeps it.'),
      eventHash: a.described(a.hash, 'Of the event that made this version: its entry has the `stateHash`.'),
    },
    originFields,
  ),
);

const verdict = a.object(
  { role: a.text, permitted: a.flag },
  {
    open: a.described(texts, 'Error codes that the input may still meet.'),
    code: a.described(a.text, 'The error code that it is refused with now.'),
    guard: a.text,
    reason: a.text,
  },
);

export const permittedSchema = a.object(
  {
    kind,
    id: a.text,
    state: a.text,
    version: positive,
    machine: a.text,
    time: a.time,
    actions: a.list(
      a.object({
        action: a.text,
        event: a.text,
        summary: a.text,
        internal: a.described(a.flag, 'No one asks for it over HTTP.'),
        roles: a.list(verdict),
      }),
    ),
  },
  originFields,
);
