/**
 * The codes with which a kind's derived routes can refuse, read from its definition, and the documentation of its
 * actions.
 */
import type { Code } from '../../core/refusal.js';
import type { AnyResource, Movement } from '../../machines/kernel/definition.js';
import { spelled } from '../../machines/kernel/denial.js';
import { candidatesFor, eventsIn, guardNames, pathsFrom } from '../../machines/kernel/stepper.js';
import { wordsOfMoves } from '../charts/table.js';

/** Roles that only loopback callers and the node itself have. */
const notCallers = ['workflow', 'clock', 'operator'];

export function refusalsOfAction(definition: AnyResource, name: string): readonly Code[] {
  const { refusals, actions } = definition;
  const { mayRefuse = [], moves } = actions[name]!;
  return [
    refusals.unknown,
    refusals.stale,
    ...refusalsOfMachine(definition, name),
    ...payingCodes(moves),
    ...mayRefuse,
  ];
}

/** The codes of states, roles and guards, all of which the conformance walk meets. */
export function refusalsOfMachine(definition: AnyResource, name: string): readonly Code[] {
  const { machine, guards, refusals, owned, roles, actions } = definition;
  const { who, refusals: own, decidedBy } = actions[name]!;
  const guarding = statesOf(definition).flatMap((state) =>
    candidatesFor(machine, state, name).flatMap(({ guard }) => guardNames(guard).map((each) => guards[each]!.code)),
  );
  return [
    own?.state ?? refusals.state,
    ...Object.values(own?.in ?? {}).map(({ code }) => code),
    ...(who.includes('anyone') ? [] : [own?.who ?? 'FORBIDDEN']),
    ...(owned ? [owned.code] : []),
    ...guarding,
    ...(decidedBy ? Object.keys(roles).flatMap((role) => decidedBy.open(role)) : []),
  ] as Code[];
}

export function refusalsOfCreate({ create, refusals }: AnyResource, places: readonly AnyResource[]): readonly Code[] {
  return [
    ...places.map((place) => place.refusals.unknown),
    refusals.stale,
    'UNPROCESSABLE',
    ...payingCodes(create.moves),
    ...(create.mayRefuse ?? []),
  ];
}

const payingCodes = (moves: readonly Movement[] = []): Code[] =>
  moves.some(({ from }) => from.includes('available')) ? ['INSUFFICIENT_BALANCE', 'TRANSFER_NOT_ALLOWED'] : [];

function statesOf({ machine }: AnyResource): string[] {
  return Object.keys(machine.states).flatMap((state) => pathsFrom(machine, state));
}

const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** Documents an action: who may perform it, in which states, what it records and moves. */
export function aboutAction(definition: AnyResource, name: string): readonly string[] {
  const { who, event, moves = [] } = definition.actions[name]!;
  const callers = who.filter((role) => !notCallers.includes(role)).map(spelled);
  const outer = new Set(
    statesOf(definition)
      .filter((state) => eventsIn(definition.machine, state).includes(name))
      .map((state) => state.split('.')[0]!),
  );
  return [
    `${callers.includes('anyone') ? 'Anyone' : capitalised(either.format(callers.map((each) => `the ${each}`)))} may do this ` +
      `in the state ${either.format([...outer].map((state) => `\`${state}\``))}. Records the event \`${event}\`.`,
    ...movements(moves),
  ];
}

export const aboutCreate = ({ create }: AnyResource): readonly string[] => [
  `Records the event \`${create.event}\`.`,
  ...movements(create.moves ?? []),
];

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const movements = (moves: readonly Movement[]): string[] =>
  moves.length > 0 ? [`Moves Tokens: ${wordsOfMoves(moves)}.`] : [];
