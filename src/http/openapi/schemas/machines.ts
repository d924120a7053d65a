/** Replies about definitions: charts, histories, and permitted actions. */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import { leafSchema, postingSchema, receiptSchema } from '../../render/entry-schemas.js';
import { txHash } from '../../render/write-view.js';
import { pageSchema } from './replies.js';

const positive: JsonSchema = { type: 'integer', minimum: 1 };
const version = a.described(a.text, 'Definition version: what entries and resources name as `machine`.');
const pixels = (says: string): JsonSchema => ({ type: 'number', description: says });
const place = { x: pixels('Pixels from the left.'), y: pixels('Pixels from the top.') };
const point = a.object(place);
const texts = a.list(a.text);
const kind = a.described(a.text, 'The sort of resource: `escrow`.');

const tone = a.oneOf('good', 'neutral', 'trouble');

const links = a.object(
  {
    self: a.described(a.text, 'Path of the chart.'),
    formats: a.described({ type: 'object', additionalProperties: a.text }, 'By format.'),
  },
  { resources: a.described(a.text, 'Where its resources are listed; each is read below it by its id.') },
);

export const machinesSchema = pageSchema(
  'machines',
  a.named(
    'MachineSummary',
    a.object({
      kind,
      title: a.described(a.text, 'Name of the kind, for people.'),
      version,
      isMachine: a.described(a.flag, 'False: it has a history but no life cycle.'),
      states: a.described(texts, 'Paths of its states.'),
      tones: a.described(
        { type: 'object', additionalProperties: tone },
        'By state path, what the state means: a good end, another end, or trouble. Absent: under way.',
      ),
      actions: a.described(texts, 'Names of its actions.'),
      links: a.described(links, 'Where to read its charts and its resources.'),
    }),
  ),
);

const state = a.object(
  {
    name: a.described(a.text, 'Its own name: the last part of `path`.'),
    path: a.described(
      a.text,
      'Its own in the chart: `created.open` is nested in `created`, `milestone/pending` is inside the machine `milestone`.',
    ),
    type: a.described(
      a.oneOf('atomic', 'final', 'compound', 'machine'),
      '`compound`: states are nested in it; `machine`: the frame of one inside the context.',
    ),
    initial: a.described(a.flag, 'A new resource, or the state around it, begins here.'),
  },
  {
    parent: a.described(a.text, 'Path of the state that it is nested in.'),
    description: a.described(a.text, 'What it means, in a sentence.'),
    tone: a.described(tone, 'What it means: a good end, another end, or trouble. Absent: under way.'),
    entry: a.described(texts, 'Names of the effects on entering it.'),
    exit: a.described(texts, 'Names of the effects on leaving it.'),
  },
);

const guard = a.object({
  name: a.described(a.text, 'Name of the guard.'),
  refusal: a.described(a.text, 'The error code that it refuses with.'),
  meaning: a.described(a.text, 'Why it refuses, in words.'),
});

const transition = a.object(
  {
    id: a.described(a.text, '`<from>.<action>.<to>`, or `create`.'),
    from: a.nullable(a.text, 'Null for a creation.'),
    to: a.described(a.text, 'Path of the target state.'),
    event: a.described(a.text, 'The action.'),
    guards: a.described(a.list(guard), 'All must hold.'),
    effects: a.described(texts, 'Names of its effects.'),
    moves: a.described(
      a.list(
        a.object({
          amount: a.described(a.text, 'How many Tokens, in words: `amount`, `what remains`.'),
          from: a.described(a.text, 'The account debited, in words: `depositor, escrowed`.'),
          to: a.described(a.text, 'The account credited, in words.'),
        }),
      ),
      'Tokens that it moves: by its effects, or by the workflow of the request.',
    ),
    changes: a.described(
      a.list(
        a.object({
          member: a.described(a.text, 'Name of the member.'),
          to: a.described(a.text, 'What it becomes, in words.'),
        }),
      ),
      'Members of the context that it changes; a creation makes all of them.',
    ),
    roles: a.described(texts, 'The roles that may request it.'),
  },
  { description: a.described(a.text, 'What it does, in a sentence.') },
);

const size = { width: pixels('Width in pixels.'), height: pixels('Height in pixels.') };
const shownText = a.described(a.text, 'The text itself.');
const textAt = a.object({ text: shownText, ...place });
const label = a.object(
  {
    transition: a.described(a.text, 'Id of the transition.'),
    ...place,
    ...size,
    action: a.described(textAt, 'Baseline; `x` is the middle of the text, in a state its beginning.'),
    roles: a.described(a.list(textAt), 'Who may, at most two lines.'),
    badge: a.described(point, 'Where the numbers of steps go: their middle, in a state their right end.'),
  },
  { chip: a.described(a.object({ text: shownText, ...place, ...size }), 'The number of its guards.') },
);

const layout = a.named(
  'MachineLayout',
  a.object({
    ...size,
    nodes: a.described(
      a.list(
        a.object({
          state: a.described(a.text, 'Path of the state.'),
          ...place,
          ...size,
          title: a.described(point, 'Baseline of the name: its middle; its beginning where something stands below it.'),
          inside: a.described(a.list(label), 'Transitions that stay in the state.'),
        }),
      ),
      'The boxes, one for each state.',
    ),
    edges: a.described(
      a.list(
        a.object({
          transitions: a.described(texts, 'Ids of those that share the line.'),
          from: a.nullable(a.text, 'Null: it begins at a dot.'),
          to: a.described(a.text, 'Path of the state where it ends.'),
          points: a.described(a.list(point), 'Corners of the line, from its beginning to its end.'),
          label: a.described(a.text, 'Names of the actions, a line each.'),
          labelAt: a.described(point, 'Middle of the labels.'),
          labelSize: a.described(a.object(size), 'Size of all labels together.'),
          labels: a.described(a.list(label), 'They stand on the line, one for each transition.'),
        }),
      ),
      'The lines between them.',
    ),
  }),
);

export const chartSchema = a.named(
  'MachineChart',
  a.object({
    kind,
    title: a.described(a.text, 'Name of the kind, for people.'),
    version,
    revision: a.described(positive, 'Counts the versions of the definition, from 1.'),
    isMachine: a.described(a.flag, 'False: it has a history but no life cycle.'),
    initial: a.nullable(a.text, 'Path of the state that a new resource begins in; null without a life cycle.'),
    states: a.described(a.list(state), 'All states, nested ones included.'),
    transitions: a.described(a.list(transition), 'All transitions.'),
    layout: a.described(
      { anyOf: [layout, { type: 'null' }] },
      'Layout from left to right, in pixels; null if the definition has no layout.',
    ),
    layoutDown: a.described({ anyOf: [layout, { type: 'null' }] }, 'The same from top to bottom, for narrow windows.'),
  }),
);

export const xstateSchema = a.named(
  'XstateMachine',
  a.object(
    {
      id: kind,
      description: a.described(a.text, 'Name of the kind, for people.'),
      initial: a.described(a.text, 'Name of the first state.'),
      states: a.described(a.freeObject, 'By name, as `createMachine` of XState takes them.'),
      meta: a.described(
        a.object({ kind, version }, { nested: a.described(a.freeObject, 'Machines inside the context, by name.') }),
        'Data that XState does not need.',
      ),
    },
    {
      entry: a.described(
        a.list(a.object({ type: a.described(a.text, 'Name of the effect.') })),
        'Effects of a creation.',
      ),
    },
  ),
);

const nestedStep = a.object({
  machine: a.described(a.text, 'Name of the machine: `milestone`.'),
  id: a.described(a.text, 'Id of what moved: of the milestone.'),
  transition: a.described(a.text, 'Id of the transition in the chart.'),
  from: a.described(a.text, 'Path of its state before.'),
  to: a.described(a.text, 'Path of its state after.'),
});

const step = a.named(
  'MachineStep',
  a.object({
    step: a.described(positive, 'From 1, without gaps.'),
    version: a.described(positive, 'Version of the resource after it.'),
    machine: a.described(a.text, 'The definition version that accepted it.'),
    action: a.nullable(a.text, 'Null if several are possible by the chart.'),
    transition: a.nullable(a.text, 'Id in the chart of that version: the last of `transitions`.'),
    transitions: a.described(a.list(a.nullable(a.text)), 'All that the entry went through.'),
    nested: a.described({ anyOf: [nestedStep, { type: 'null' }] }, 'What moved inside the context.'),
    role: a.nullable(a.text, '`workflow`: the request was about another resource.'),
    from: a.nullable(a.text, 'Path of the state before; null for the creation.'),
    to: a.described(a.text, 'Path of the state after.'),
    path: a.described(texts, 'States gone through.'),
    recordedAt: a.described(a.time, "The node's clock when it was accepted; epoch milliseconds."),
    signer: a.described(a.did, 'DID that signed.'),
    nonce: a.described(positive, 'The signer’s count of its events.'),
    eventType: a.described(a.text, 'Type of the event: `escrow.released`.'),
    eventHash: a.described(a.hash, 'Hash of the event.'),
    entryHash: a.described(a.hash, 'Hash of the entry that has it.'),
    seq: a.described(positive, 'Number of the entry in the journal.'),
    postings: a.described(a.list(postingSchema), 'Of the whole entry; they sum to zero.'),
    txHash: a.nullable(txHash, 'Of the transaction on chain; null without one.'),
    receipt: a.described({ anyOf: [receiptSchema, { type: 'null' }] }, 'Proof of settlement; null without one.'),
  }),
);

export const historySchema = a.object({
  kind,
  id: a.described(a.text, 'Id of the resource.'),
  state: a.described(a.text, 'Path of its current state.'),
  version: a.described(positive, 'The newest.'),
  machine: a.described(a.text, 'Its definition version.'),
  steps: a.described(a.list(step), 'The steps of this page, oldest first.'),
  total: a.described(a.count, 'Number of steps in the whole history.'),
  next: a.nullable(a.count, 'The `after` of the next page; null at the end.'),
  hasMore: a.described(a.flag, 'Whether there are later steps.'),
  stateReadable: a.described(a.flag, 'Whether you may read its whole state: `/state` answers, else it is FORBIDDEN.'),
});

export const stateSchema = a.named(
  'MachineState',
  a.object(
    {
      kind,
      id: a.described(a.text, 'Id of the resource.'),
      version: a.described(positive, 'The newest.'),
      machine: a.described(a.text, 'Its definition version.'),
      state: a.described(a.text, 'Path of its state.'),
      context: a.described({ type: 'object', additionalProperties: true }, 'As the definition of its kind keeps it.'),
      eventHash: a.described(a.hash, 'Of the event that made this version: its entry has the `stateHash`.'),
    },
    {
      leaves: a.described(
        { type: 'object', additionalProperties: leafSchema },
        'The erasable texts in `context`, by JSON pointer: what `stateHash` covers in their place.',
      ),
      confidential: a.described(texts, 'Members of `context` that `stateHash` covers by a salted hash.'),
      salt: a.described(a.hash, 'Its salt.'),
    },
  ),
);

const verdict = a.object(
  {
    role: a.described(a.text, 'The role: `depositor`.'),
    permitted: a.described(a.flag, 'Whether the state and the time allow it now.'),
  },
  {
    open: a.described(texts, 'Error codes that may still result from the input.'),
    code: a.described(a.text, 'The error code with which the node would refuse it now.'),
    guard: a.described(a.text, 'Name of the guard that refuses it.'),
    reason: a.described(a.text, 'Why it is refused, in words.'),
  },
);

export const permittedSchema = a.object({
  kind,
  id: a.described(a.text, 'Id of the resource.'),
  state: a.described(a.text, 'Path of its state.'),
  version: a.described(positive, 'The newest.'),
  machine: a.described(a.text, 'Its definition version.'),
  time: a.described(a.time, 'The time that the answer applies to; epoch milliseconds.'),
  actions: a.described(
    a.list(
      a.object({
        action: a.described(a.text, 'Name of the action.'),
        event: a.described(a.text, 'Type of the event that it records: `escrow.released`.'),
        summary: a.described(a.text, 'What it does.'),
        internal: a.described(a.flag, 'Not available over HTTP.'),
        roles: a.described(a.list(verdict), 'For each role, whether it may take the action.'),
      }),
    ),
    'All actions of its kind.',
  ),
});
