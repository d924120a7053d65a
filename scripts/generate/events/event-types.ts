/**
 * The types of events that an entry of the journal can have, derived from the definitions. Sub-commands of a workflow
 * have event types as well; an entry has the type of its request alone.
 */

import { assert } from '../../../src/core/refusal.js';
import type { Fields, JsonSchema, Scalar } from '../../../src/core/schema/scalar.js';
import { described, erasedNames, outgoing, type SchemaMembers, signature } from '../../../src/core/schema/shape.js';
import { undrawnChartOf } from '../../../src/http/charts/chart-view.js';
import { title } from '../../../src/http/routes/derived-paths.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { hasSharedRoute } from '../../../src/machines/dispute/order-actions.js';
import type { AnyDefinition, AnyResource, Movement } from '../../../src/machines/kernel/definition.js';

export interface EventType {
  readonly type: string;
  readonly kind: string;
  readonly action: string;
  /** Name of the operation that asks for it; absent where only the node itself does. */
  readonly operation?: string;
  /** What the request asks for, in a sentence. */
  readonly summary: string;
  readonly who: readonly string[];
  /** Pairs of states; the first is null for a creation. Empty for kinds without a life cycle. */
  readonly steps: readonly (readonly [from: string | null, to: string])[];
  readonly moves: readonly Movement[];
  /** Schema of `payload.input`. */
  readonly input: JsonSchema;
  readonly readers: 'all' | 'parties' | 'those who may see the resource';
  /** Members of the input that only the parties see. */
  readonly confidential: readonly string[];
  /** The resource keeps its state: the request was a proposal. */
  readonly inPlace: boolean;
}

/** Summaries of actions whose definitions have none: a sentence, and the operation. */
const plain: { readonly [action: string]: readonly [summary: string, operation?: string] } = {
  'account.transfer': ['Pay Tokens to another account.', 'transfer'],
  'account.mint': ['The faucet gives new Tokens to an account. Not on mainnet.', 'claimFaucet'],
  'account.deposit': ['The node credits Tokens that wait in the vault on chain to an account.'],
  'account.withdraw': ['Take Tokens out of the ledger, to an EVM address.', 'withdraw'],
  'account.collect': ['The operator pays out collected fees.', 'withdrawFees'],
  'account.freeze': ['The operator freezes an account: it receives Tokens, and sends none.', 'freezeAccount'],
  'account.unfreeze': ['The operator ends the freeze of an account.', 'unfreezeAccount'],
  'identity.update': ['Replace the document of a DID.', 'updateIdentity'],
  'identity.register': ['Register a capability credential of a DID.', 'registerCapability'],
  'node.appoint': ['The node appoints a system key, which signs for the clock, the faucet and the operator.'],
  'node.correct-clock': ['The operator corrects the node’s clock: later entries may have earlier times.'],
  'leaf.redact': ['The operator erases a text.', 'redactLeaf'],
  'moderation.hide': ['The operator hides a listing, a profile or a text.'],
  'moderation.show': ['The operator shows it again.'],
  'reputation.review': ['Review the other party of a finished order or contract.', 'createReview'],
};

/** Every pair of type and kind, by type. */
export function eventTypes(): EventType[] {
  const found = Object.values(catalogue.definitions).flatMap((definition) =>
    definition.form === 'machine' ? ofMachine(definition) : ofPlain(definition),
  );
  return found.sort((one, other) => (one.type < other.type ? -1 : one.type > other.type ? 1 : 0));
}

const isOnlyWorkflow = (who: readonly string[]): boolean => who.every((role) => role === 'workflow');

function ofMachine(definition: AnyResource): EventType[] {
  const { kind, create, actions } = definition;
  const shared = (action: string, { fields = {} }: Scalar<unknown>) => ({
    ...{ kind, action, inPlace: false, readers: readersOf(definition) },
    confidential: Object.keys(fields).filter((name) => fields[name]!.confidential),
  });
  const steps = (action: string) =>
    undrawnChartOf(definition)
      .transitions.filter(({ id, event }) => event === action && !id.includes('/'))
      .map(({ from, to }) => [from, to] as const);
  const alike = Object.keys(actions).filter((action) => actions[action]!.event === create.event);
  const creation: EventType = {
    ...shared('create', create.input),
    ...{ type: create.event, summary: create.summary },
    ...(create.internal ? {} : { operation: `create${title(kind)}` }),
    ...{ who: create.who ?? ['anyone'], steps: ['create', ...alike].flatMap(steps), moves: create.moves ?? [] },
    input: payloadInput(create.input, schemasOf(create.adds)),
  };
  const acted = Object.entries(actions).flatMap(([action, each]): EventType[] => {
    // An action that journals what the creation does is the same type.
    if (isOnlyWorkflow(each.who) || each.event === create.event) return [];
    const { summary, who, moves = [], event, eventInPlace, internal } = each;
    const operation = internal
      ? {}
      : { operation: `${action}${hasSharedRoute(definition, action) ? 'Order' : title(kind)}` };
    const signature = definition.attests?.[action] ? attested : {};
    const input = payloadInput(each.input, { ...schemasOf(each.adds), ...signature });
    const taken = { ...shared(action, each.input), ...operation, summary, who, input };
    const isStill = ([from, to]: readonly [string | null, string]) => from === to;
    if (eventInPlace === undefined) return [{ ...taken, type: event, steps: steps(action), moves }];
    return [
      { ...taken, type: event, steps: steps(action).filter((step) => !isStill(step)), moves },
      { ...taken, type: eventInPlace, inPlace: true, steps: steps(action).filter(isStill), moves: [] },
    ];
  });
  return [...(isOnlyWorkflow(creation.who) ? [] : [creation]), ...acted];
}

const schemasOf = (fields: Fields = {}) =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));

const attested = {
  signature: described(
    signature,
    'The signer’s Ed25519 signature over the text of the agreement, which the node adds.',
  ),
};

function readersOf({ isVisibleTo, payloadReaders, openPayloads }: AnyResource): EventType['readers'] {
  if (payloadReaders && !openPayloads) return 'parties';
  return isVisibleTo ? 'those who may see the resource' : 'all';
}

function ofPlain({ kind, actions }: Exclude<AnyDefinition, AnyResource>): EventType[] {
  return Object.entries(actions).flatMap(([action, { event, who, input }]): EventType[] => {
    if (isOnlyWorkflow(who)) return [];
    const known = plain[`${kind}.${action}`];
    assert(known, `scripts/generate/events/event-types.ts says what ${kind}.${action} is`);
    const [summary, operation] = known;
    return [
      {
        ...{ type: event, kind, action, summary, who, input: payloadInput(input), ...(operation && { operation }) },
        ...{ steps: [], moves: [], readers: 'all', confidential: [], inPlace: false },
      },
    ];
  });
}

interface ObjectSchema extends JsonSchema {
  readonly properties?: SchemaMembers;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** What readers get of a request's body: without secrets, times as numbers, with what the node has added. */
function payloadInput({ schema }: Scalar<unknown>, adds: SchemaMembers = {}): ObjectSchema {
  const { properties = {}, required = [], type } = published(outgoing(schema));
  return { type, properties: { ...properties, ...adds }, required, additionalProperties: false };
}

/** Without secrets, and without the names of erased members, which stand beside a payload. */
function published(schema: ObjectSchema): ObjectSchema {
  const { items, properties, required } = schema;
  const shown = Object.entries(properties ?? {}).filter(([, each]) => each.writeOnly !== true && each !== erasedNames);
  return {
    ...schema,
    ...(items && { items: published(items) }),
    ...(properties && { properties: Object.fromEntries(shown.map(([name, each]) => [name, published(each)])) }),
    ...(required && { required: required.filter((name) => shown.some(([each]) => each === name)) }),
  };
}
