/**
 * What a walk through a kind needs to know and its definition does not say: who takes part, what must be there first,
 * and which bodies tell its guards apart. Data: the same scenario is walked over HTTP and over the pure machines.
 */
import type { JsonObject } from '../../../src/core/canonical.js';

// biome-ignore lint/suspicious/noExplicitAny: JSON of the kind that a scenario is written for
export type View = any;
export interface Body {
  readonly [member: string]: unknown;
}

/** What is known when a request is put together. */
export interface Known {
  /** The node's clock, epoch ms. */
  readonly now: number;
  /** Of those who take part, by name. */
  readonly dids: { readonly [name: string]: string };
  /** Of what errands have made, by the name that they keep it under. */
  readonly ids: { readonly [name: string]: string };
}

/** A request on something else, that there must have been: it always succeeds. */
export interface SetupRequest {
  readonly by: string;
  readonly kind: string;
  /** `create`, or one of the kind's actions. */
  readonly action: string;
  /** Name of the kept id that the action is about. */
  readonly on?: string;
  /** What is different from the definition's example. */
  readonly body?: (known: Known) => Body;
  /** The id of what its reply shows is kept under this name. */
  readonly keep?: string;
}

/** One way to ask for an action. */
export interface Attempt {
  readonly name: string;
  /** The action's own input for a resource that stands like this; over the definition's example. */
  readonly body: (view: View) => Body;
}

/** One resource to walk: how it is made, and what is tried on it. */
export interface Setting {
  /** Name of who creates it. */
  readonly creator: string;
  /** What must be there first, made once: kept ids are members of the create input. */
  readonly before?: readonly SetupRequest[];
  /** What is different from the definition's example of create. */
  readonly create?: (known: Known) => Body;
  /** Where only another kind's request makes one: what the last of these replies with. */
  readonly make?: readonly SetupRequest[];
  /** By action; one that is absent is asked with the definition's example. */
  readonly attempts: { readonly [action: string]: readonly Attempt[] };
}

export interface Scenario {
  /** Who takes part. A `stranger` joins by itself. */
  readonly cast: readonly string[];
  /** Who pays for one resource, and how many Tokens that takes; absent: it costs nothing. */
  readonly payer?: { readonly name: string; readonly tokens: number };
  readonly settings: { readonly [name: string]: Setting };
  /** Every try is made now and, on a resource of its own, after so long. */
  readonly laterMs: number;
  /** What beside the state makes a situation of its own. */
  readonly situation: (context: JsonObject) => string;
  /** States, roles and guards that only a request on something else brings about: the stories tell of them. */
  readonly elsewhere?: readonly string[];
  /** What the node itself adds to an input, by action, as the pure machines are given it. */
  readonly added?: { readonly [action: string]: Body };
}

/** Joins every cast. */
export const stranger = 'stranger';

export const castOf = ({ cast }: Scenario): readonly string[] => [...cast, stranger];
