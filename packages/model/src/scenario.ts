/**
 * What a walk through a kind needs and its definition does not contain: the participants, the resources that must
 * exist first, and bodies that distinguish its guards. It is data: the same scenario is walked over HTTP and over the
 * pure machines.
 */
import type { JsonObject } from '../../../src/core/canonical.js';

// biome-ignore lint/suspicious/noExplicitAny: JSON of the kind that a scenario is written for
export type View = any;
export interface Body {
  readonly [member: string]: unknown;
}

/** What is known when a request is built. */
export interface Known {
  /** The node's clock, epoch ms. */
  readonly now: number;
  /** DIDs of the participants, by name. */
  readonly dids: { readonly [name: string]: string };
  /** Ids of resources that set-up requests have created, by the name under which they keep it. */
  readonly ids: { readonly [name: string]: string };
}

/** A request on another resource that must precede; it always succeeds. */
export interface SetupRequest {
  readonly by: string;
  readonly kind: string;
  /** `create`, or one of the kind's actions. */
  readonly action: string;
  /** Name of the kept id of the resource that the action is about. */
  readonly on?: string;
  /** Members that differ from the definition's example. */
  readonly body?: (known: Known) => Body;
  /** The name under which the id of the resource in the reply is kept. */
  readonly keep?: string;
}

/** One body for an action. */
export interface Attempt {
  readonly name: string;
  /** The action's own input for a resource with this view; merged over the definition's example. */
  readonly body: (view: View) => Body;
}

/** One resource to walk: how it is created, and which requests are tried on it. */
export interface Setting {
  /** Name of the creator. */
  readonly creator: string;
  /** Requests that must precede, made once: kept ids become members of the create input. */
  readonly before?: readonly SetupRequest[];
  /** Members that differ from the definition's example of create. */
  readonly create?: (known: Known) => Body;
  /** For kinds that only another kind's request creates: the resource is in the reply of the last of these. */
  readonly make?: readonly SetupRequest[];
  /** Bodies by action; an absent action is tried with the definition's example. */
  readonly attempts: { readonly [action: string]: readonly Attempt[] };
}

export interface Scenario {
  /** Names of the participants. A `stranger` is added to them. */
  readonly cast: readonly string[];
  /** The payer of one resource, and the Tokens that it costs; absent: it costs nothing. */
  readonly payer?: { readonly name: string; readonly tokens: number };
  readonly settings: { readonly [name: string]: Setting };
  /** Every request is tried now and, on a new resource, after this delay. */
  readonly laterMs: number;
  /** Distinguishes situations within a state. */
  readonly situation: (context: JsonObject) => string;
  /** States, roles and guards that only a request on another resource reaches: tests in test/stories cover them. */
  readonly elsewhere?: readonly string[];
  /** Members that the node itself adds to an input, by action, as the pure machines get them. */
  readonly added?: { readonly [action: string]: Body };
}

/** Name of the participant that is in every cast. */
export const stranger = 'stranger';

export const castOf = ({ cast }: Scenario): readonly string[] => [...cast, stranger];
