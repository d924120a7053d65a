/**
 * The steps of one resource as the journal has them: each version, the transitions of its chart that led there, and who
 * asked. An entry names the states gone through; which transitions those were follows from the law that it names.
 */
import { underLaw } from '../../machines/kernel/lineage.js';
import type { AnyDefinition, AnyResource } from '../../machines/kernel/resource.js';
import type { NumberedEntry, Version } from '../../store/entry.js';
import { chartViewOf, type TransitionView } from './chart-view.js';

export interface Walked {
  /** What happened to this resource; null where the chart leaves several open. */
  readonly action: string | null;
  /** Ids, in order; what an id cannot be told of is null. */
  readonly transitions: readonly (string | null)[];
  /** Why the signer might: `workflow` where the request was about another resource. */
  readonly role: string | null;
}

/** What a step is worked out from. */
export interface Trodden {
  readonly definition: AnyResource;
  readonly entry: NumberedEntry;
  readonly version: Version;
  /** State before it; null for the creation. */
  readonly from: string | null;
  /** Roles of the signer. */
  readonly held: readonly string[];
}

export const versionOf = ({ core }: NumberedEntry, kind: string, id: string): Version | undefined =>
  core.versions.find((each) => each.kind === kind && each.id === id);

export function walked({ definition, entry, version, from, held }: Trodden): Walked {
  const law = underLaw(definition, version.machine) ?? definition;
  const all = chartViewOf(law).transitions.filter(({ id }) => !id.includes('/'));
  const asked = askedOf(law, entry, version);
  let state = from;
  const found = version.path.map((to, index) => {
    const between = all.filter((each) => each.from === state && each.to === to);
    state = to;
    return told(between, entry, index === 0 || from !== null ? asked : undefined);
  });
  const last = found.at(-1);
  const action = asked ?? last?.event ?? null;
  return {
    action,
    transitions: found.map((each) => each?.id ?? null),
    role: asked === undefined ? 'workflow' : roleOf(found[0], held),
  };
}

/** The action that the request was about; undefined where it was about another resource, whose workflow wrote this one. */
function askedOf(law: AnyDefinition, { payload, core }: NumberedEntry, { kind, id }: Version): string | undefined {
  if (payload) return payload.kind === kind && payload.id === id ? payload.action : undefined;
  // Redacted: the type of the event is what is left of it.
  if (law.form === 'machine' && law.create.event === core.event.type) return 'create';
  return Object.entries(law.actions).find(([, { event }]) => event === core.event.type)?.[0];
}

/** Which of the transitions between two states it was. */
function told(between: readonly TransitionView[], { core }: NumberedEntry, asked?: string): TransitionView | undefined {
  const direct = between.filter(({ event }) => event === asked);
  if (direct.length > 0) return direct[0];
  const inWorkflow = between.filter(({ roles }) => roles.includes('workflow'));
  const likely = inWorkflow.length > 0 ? inWorkflow : between;
  if (likely.length <= 1) return likely[0];
  // Moves of Tokens have the names of the actions that make them.
  const moved = likely.filter(({ event }) => core.moves.some(({ op }) => op === event));
  return moved.length === 1 ? moved[0] : undefined;
}

/** The nearest role that lets the signer: of a party, then of the node, then anybody's. */
function roleOf(transition: TransitionView | undefined, held: readonly string[]): string | null {
  if (!transition) return null;
  const named = transition.id === 'create' ? [...held, ...transition.roles] : transition.roles;
  const possible = named.filter((role) => held.includes(role));
  return possible.find((role) => !common.includes(role)) ?? common.find((role) => possible.includes(role)) ?? null;
}

/** Roles that every kind knows, the nearest first. */
const common: readonly string[] = ['clock', 'operator', 'anyone'];
