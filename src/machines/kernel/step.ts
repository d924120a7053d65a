/**
 * What a step takes and gives: the request, what is known before it, the sub-commands of a workflow, and the outcome.
 * `decide.ts` computes the outcome.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Refusal } from '../../core/refusal.js';
import type { AccountState, Booked } from './ledger.js';
import type { Move } from './posting.js';
import type { AnyDefinition, Resource } from './resource.js';

/** What was asked, as the event's payload says it. */
export interface Request {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
  /** Ids chosen beforehand for further resources of a workflow. */
  readonly ids?: { readonly [part: string]: string } | undefined;
}

/** Who asks, when, where. */
export interface StepContext {
  readonly signer: string;
  readonly time: number;
  readonly network: string;
  /** The signer is the system key of the entry's home: it holds `clock` and `operator`. */
  readonly system: boolean;
}

/** State before the request; answers from memory, what is missing is undefined. */
export interface Before {
  resource(kind: string, id: string): Resource | undefined;
  /** Of a DID, or of the house: see `feeAccount`, `supplyAccount`. */
  account(did: string): AccountState;
}

/** One resource's part in a request. `create` makes it. */
export interface SubCommand extends Request {
  /** Acts as the owner's workflow: roles and ownership were the workflow's to check. */
  readonly asWorkflow?: true;
  /** Asks whether it could be, and leaves the resource as it is: the decision rests on it. */
  readonly check?: true;
}

/**
 * A use case over several resources: what each of them is asked. Pure. `read` gives undefined for what does not exist
 * and for what is not loaded yet; the actor loads whatever was read and asks again, so answer a refusal then.
 */
export interface Workflow {
  /** Grows when its sub-commands change; an entry's `law` names it. */
  readonly revision: number;
  /** As it was released before, for replay. */
  readonly past?: readonly Workflow[];
  subCommands(request: Request, read: Before['resource'], circumstance: StepContext): readonly SubCommand[] | Refusal;
}

export interface Catalogue {
  readonly definitions: { readonly [kind: string]: AnyDefinition };
  /** By `<kind>.<action>`; an action without one is its own single part. */
  readonly workflows: { readonly [action: string]: Workflow };
}

export interface Written {
  readonly kind: string;
  readonly id: string;
  readonly before: Resource | undefined;
  readonly state: string;
  readonly context: JsonObject;
  readonly path: readonly string[];
  /** The event behind each state of `path`; undefined of the resource that the request is about, and without a machine. */
  readonly via?: readonly string[] | undefined;
  readonly machine: string;
  /** SHA-256 of the RFC 8785 form of `{ context, state }`. */
  readonly stateHash: string;
  /** The RFC 8785 form of the context, as a store keeps it. */
  readonly contextText: string;
}

export interface Outcome extends Booked {
  readonly eventType: string;
  /** Version of the definition that decided; of the workflow, too, where one did: `<version>+<revision>`. */
  readonly law: string;
  /** What it rests on and does not write, in order of kind and id; version 0 did not exist. */
  readonly reads: readonly { readonly kind: string; readonly id: string; readonly version: number }[];
  readonly written: readonly Written[];
  readonly moves: readonly Move[];
}
