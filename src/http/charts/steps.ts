/**
 * The steps of one resource in the journal: each version, the chart's transitions that led to it, and the signer. An
 * entry names the states passed and, if the request was about another resource, the events that this one received.
 */

import type { AnyDefinition, AnyResource } from '../../machines/kernel/definition.js';
import { isIn } from '../../machines/kernel/state-path.js';
import { atVersion } from '../../machines/kernel/versioning.js';
import type { NumberedEntry, Version } from '../../store/entry.js';
import { chartViewOf, type TransitionView } from './chart-view.js';

export interface Walked {
  /**
   * The first event that this resource received; null if its payload was redacted and the event's type is no action's.
   */
  readonly action: string | null;
  /** Ids in order; null if the transition cannot be identified. */
  readonly transitions: readonly (string | null)[];
  /** The role that permitted the signer; `workflow` if the request was about another resource. */
  readonly role: string | null;
}

/** What a step is computed from. */
export interface StepSource {
  readonly definition: AnyResource;
  readonly entry: NumberedEntry;
  readonly version: Version;
  /** State before the step; null for the creation. */
  readonly from: string | null;
  /** Roles of the signer. */
  readonly held: readonly string[];
}

export const versionOf = ({ core }: NumberedEntry, kind: string, id: string): Version | undefined =>
  core.versions.find((each) => each.kind === kind && each.id === id);

export function walked({ definition, entry, version, from, held }: StepSource): Walked {
  const decidedBy = atVersion(definition, version.machine) ?? definition;
  const all = chartViewOf(decidedBy).transitions.filter(({ id }) => !id.includes('/'));
  const events = version.via ?? [askedOf(decidedBy, entry)];
  let state = from;
  const found = version.path.map((to, index) => {
    const at = state;
    const between = all.filter((each) => leads(each, at, to));
    state = to;
    return between.find(({ event }) => event === events[index]) ?? (index < events.length ? undefined : between[0]);
  });
  return {
    action: events[0] ?? null,
    transitions: found.map((each) => each?.id ?? null),
    role: version.via ? 'workflow' : roleOf(found[0], held),
  };
}

/**
 * Whether a transition of this state, or of a state around it, leads from here to there; without a target the state
 * stays the same.
 */
const leads = ({ from, to }: TransitionView, here: string | null, there: string): boolean =>
  from === null || here === null
    ? from === here && to === there
    : isIn(here, from) && (from === to ? here === there : to === there);

/** The action of the request that the entry records. */
function askedOf(decidedBy: AnyDefinition, { payload, core }: NumberedEntry): string | undefined {
  if (payload) return payload.action;
  // The payload is redacted: only the event's type is left.
  if (decidedBy.form === 'machine' && decidedBy.create.event === core.event.type) return 'create';
  const actions = Object.entries(decidedBy.actions as AnyResource['actions']);
  return actions.find(([, { event, eventInPlace }]) => [event, eventInPlace].includes(core.event.type))?.[0];
}

/** The role that permits the signer's action: a party's first, then the node's, then anyone's. */
function roleOf(transition: TransitionView | undefined, held: readonly string[]): string | null {
  if (!transition) return null;
  const named = transition.id === 'create' ? [...held, ...transition.roles] : transition.roles;
  const possible = named.filter((role) => held.includes(role));
  return possible.find((role) => !common.includes(role)) ?? common.find((role) => possible.includes(role)) ?? null;
}

/** Roles of every kind, the most specific first. */
const common: readonly string[] = ['clock', 'operator', 'anyone'];
