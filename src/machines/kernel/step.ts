/**
 * The types of a step: the request, the state before it, the sub-commands of a workflow, and the outcome. `decide.ts`
 * computes the outcome.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Refusal } from '../../core/refusal.js';
import type { Resource } from './definition.js';
import type { AccountState, Booked } from './ledger.js';
import type { Move } from './posting.js';
import type { AnyDefinition } from './resource.js';

/** The request, as the event's payload contains it. */
export interface Request {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
  /** Ids of further resources of the workflow, chosen before the step. */
  readonly ids?: { readonly [part: string]: string } | undefined;
}

/** What a signer has agreed to, in the signed event; what is absent has no bound. */
export interface Agreed {
  /** Tokens that the act may cost the signer. */
  readonly most?: number | undefined;
  /** The latest time of the entry, epoch ms. */
  readonly until?: number | undefined;
}

/** Signer, time and network of a request. */
export interface StepContext extends Agreed {
  readonly signer: string;
  readonly time: number;
  readonly network: string;
  /** Home of the journal, as the signed event states it; empty where nothing is signed. */
  readonly home: string;
  /** True if the signer is the system key of the entry's home: it has the roles `clock` and `operator`. */
  readonly system: boolean;
}

/** State before the request, from memory; undefined for what is missing. */
export interface Before {
  resource(kind: string, id: string): Resource | undefined;
  /** The account of a DID, or a system account: see `feeAccount`, `supplyAccount`. */
  account(did: string): AccountState;
}

/** The action of a request on one resource. The action `create` creates it. */
export interface SubCommand extends Request {
  /** Acts with the role `workflow`: the workflow has checked roles and ownership. */
  readonly asWorkflow?: true;
  /**
   * Only checks whether the action would be accepted, and leaves the resource unchanged. The entry records the version
   * that was read.
   */
  readonly check?: true;
}

/**
 * An action that writes several resources: computes the sub-command of each. Pure. `read` returns undefined for what
 * does not exist and for what is not loaded yet; the actor loads everything that was read and retries, so return a
 * refusal in both cases.
 */
export interface Workflow {
  /** Increased when its sub-commands change; an entry's `law` names it. */
  readonly revision: number;
  /** Earlier revisions, for replay. */
  readonly past?: readonly Workflow[];
  subCommands(request: Request, read: Before['resource'], circumstance: StepContext): readonly SubCommand[] | Refusal;
}

export interface Catalogue {
  readonly definitions: { readonly [kind: string]: AnyDefinition };
  /** By `<kind>.<action>`; an action without a workflow has a single sub-command, itself. */
  readonly workflows: { readonly [action: string]: Workflow };
}

export interface Written {
  readonly kind: string;
  readonly id: string;
  readonly before: Resource | undefined;
  readonly state: string;
  readonly context: JsonObject;
  readonly path: readonly string[];
  /**
   * The machine events that led to the states of `path`. Undefined for the resource that the request is about, and for
   * kinds without a machine.
   */
  readonly via?: readonly string[] | undefined;
  readonly machine: string;
  /** The RFC 8785 form of the context, as a store writes it. */
  readonly contextText: string;
}

export interface Outcome extends Booked {
  readonly eventType: string;
  /** The definition version that decided, with the workflow's revision if there is one: `<version>+<revision>`. */
  readonly law: string;
  /** Resources that were read and not written, ordered by kind and id; version 0: it did not exist. */
  readonly reads: readonly { readonly kind: string; readonly id: string; readonly version: number }[];
  readonly written: readonly Written[];
  readonly moves: readonly Move[];
}
