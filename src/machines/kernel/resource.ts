/** The types of a step: the stored resource, the request with its sub-commands, and the event that a machine takes. */
import type { JsonObject } from '../../core/canonical.js';
import type { Refusal } from '../../core/refusal.js';

/** A stored resource after its newest version. */
export interface Resource<Context = JsonObject> {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  /** The machine's state value; `current` for kinds without a machine (reducers). */
  readonly state: string;
  /** Plain JSON. */
  readonly context: Context;
  /** Hash of the resource's last event: what callers send as `resourcePrev`. */
  readonly lastHash: string;
  /** Version of the definition that wrote it. */
  readonly machine: string;
  /** Entry times of the first and the newest version, epoch ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The input of an action that takes none. */
export type NoInput = Record<never, never>;

/** A request as the machine's event. Plain data: time and ids are members, so that a step is reproducible. */
export interface MachineEvent<Type extends string = string, Input = JsonObject> {
  readonly type: Type;
  readonly signer: string;
  /** Roles that the signer holds on the resource. */
  readonly roles: readonly string[];
  /** The entry's own time, epoch ms. */
  readonly time: number;
  readonly input: Input;
  readonly network: string;
  /** Home in the signed event; empty in a hypothetical one. */
  readonly home: string;
  readonly id: string;
  /** Hash of the resource's last event; null while it is created. */
  readonly lastHash: string | null;
}

/** What is asked for, as the event's payload contains it. */
export interface Request {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  /** Normalised; contains no secrets. */
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

/** The state before the request; undefined for a resource that does not exist, or is not loaded yet. */
export type ReadResource = (kind: string, id: string) => Resource | undefined;

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
  subCommands(request: Request, read: ReadResource, circumstance: StepContext): readonly SubCommand[] | Refusal;
}
