/**
 * `defineResource`: one definition per kind (CONTRIBUTING.md#add-a-kind). Routes, validation, OpenAPI, the client,
 * charts and the conformance walk are derived from it. An action without schema, a guard without code or an effect
 * without executor does not compile.
 */

import type { AnyStateMachine, ContextFrom, EventFromLogic, StateMachine } from 'xstate';
import type { JsonObject } from '../../core/canonical.js';
import { ownNames } from '../../core/own-names.js';
import type { Code, Refusal } from '../../core/refusal.js';
import type { JsonSchema, Scalar } from '../../core/schema/scalar.js';
import type { Listed } from './listed.js';
import type { EffectIn } from './machine-functions.js';
import type { Move } from './posting.js';
import type { MachineEvent, Resource, Workflow } from './resource.js';
import type { Ranked, Searched } from './searched.js';
import type { DefaultId, ExtraRead, Transforms } from './transformer.js';

/** Migrates a resource from one version of a kind's definition to a later one. Pure. */
export interface Migration {
  /** A name for the change: `escrow-knows-an-arbiter`. */
  readonly name: string;
  /** Versions of the definition, as `definitionVersion` gives them. */
  readonly from: string;
  readonly to: string;
  readonly migrate: (stored: Pick<Resource, 'id' | 'state' | 'context' | 'updatedAt'>) => {
    readonly state: string;
    readonly context: JsonObject;
  };
}

/** The earlier versions of a definition; absent for the first one. */
export interface DefinitionHistory {
  /** Earlier definitions of the kind as they were released: results of `defineResource` and the like. */
  readonly past?: readonly { readonly kind: string; readonly form: AnyDefinition['form'] }[];
  readonly migrations?: readonly Migration[];
}

/**
 * A trade between two DIDs. A kind whose definition has one can be reviewed; if it is an order of a market, it is read,
 * listed and disputed together with the orders of all markets.
 */
export interface Trade<Context = JsonObject> {
  /** The paying and the delivering party. */
  readonly parties: (context: Context) => { readonly client: string; readonly provider: string };
  /** Whether it has ended and was carried out, so that its parties may review each other. */
  readonly isFinished: (state: string, context: Context) => boolean;
  /** Present for orders of a market: the data that a dispute about it needs. */
  readonly order?: (context: Context) => OrderInQuestion;
}

export interface OrderInQuestion {
  /** Tokens in dispute. */
  readonly price: number;
  /** Null if nothing was paid. */
  readonly escrowId: string | null;
  readonly listingId: string;
  /** Whether it was delivered by its deadline. */
  readonly inTime: boolean;
  /** The kind of the listing, and the units of its stock that a cancellation gives back. */
  readonly unsold?: { readonly kind: string; readonly quantity: number };
}

/** The meaning of a state for the parties: the trade ended well, ended in another way, or needs attention. */
export type Tone = 'good' | 'neutral' | 'trouble';

/** Roles of every kind. `workflow` is the workflow of the resource that owns this one. */
export type CommonRole = 'anyone' | 'clock' | 'operator' | 'workflow';

/** What a view depends on besides the resource: the time and the reader. */
export interface Seen {
  /** The node's clock, epoch ms. */
  readonly time: number;
  /** Whether deadlines wait, because the clock was in doubt. */
  readonly deadlinesWait?: boolean;
  /** DID that the caller's API key is bound to; in the reply to a write, the signer. */
  readonly reader?: string | undefined;
  /** The state of the companion projection (see ResourceDefinition), if any. */
  readonly companion?: JsonObject | undefined;
  /** Lists omit `permittedActions` unless they are requested. */
  readonly withoutPermitted?: boolean;
}

/**
 * The view in the reply of a write about a part or another resource. The resource's own view is inside it, under its
 * kind's name.
 */
export type Detail =
  /** The view of another kind that the request writes. */
  | { readonly kind: string }
  /**
   * The element of the view's list `among` whose `id` is the input's `named`; without `named` the view itself, with the
   * first element in place of the list.
   */
  | { readonly among: string; readonly named?: string; readonly schema: JsonSchema };

/** A move of Tokens for documentation: which amount, from whose balance, to whose. */
export interface Movement {
  readonly amount: string;
  readonly from: string;
  readonly to: string;
}

export interface ActionDefinition<Input, Role extends string> extends Omit<Transforms, 'once'> {
  /** The event's type: dotted, past tense. */
  readonly event: string;
  /** The event's type if the resource keeps its state, which means that the request was a proposal. */
  readonly eventInPlace?: string;
  /** Roles that may perform it; any of these. A missing role gives FORBIDDEN, a failed guard its own code. */
  readonly who: readonly (Role | CommonRole)[];
  readonly input: Scalar<Input>;
  /** A valid body for the conformance walk, without the common write fields. */
  readonly example: JsonObject;
  readonly summary: string;
  /** The moves of the request, by this kind's effects or by its workflow, for documentation. */
  readonly moves?: readonly Movement[];
  /** Set if the request moves Tokens even if the resource keeps its state. */
  readonly movesInPlace?: true;
  /** States from which, or into which, it moves no Tokens. */
  readonly movesNothing?: { readonly from?: readonly string[]; readonly to?: readonly string[] };
  /** `resourcePrev` is required here; otherwise it is optional (docs/reference/requests.md#expected-versions). */
  readonly resourcePrev?: 'required';
  /** `transfer`: replies with a TransferResult and the view inside. Default `view`. */
  readonly reply?: 'view' | 'transfer' | Detail;
  /** No HTTP route: only the clock or a workflow performs it. */
  readonly internal?: true;
  /** Loopback access alone is not enough: the request needs signer and passphrase, or an API key. */
  readonly notByLoopback?: true;
  /** Further resources that the request's workflow creates: by part, the prefix of the id that the node chooses. */
  readonly makes?: { readonly [part: string]: string };
  /** Members of the body by which a caller may choose such an id. */
  readonly idFields?: { readonly [part: string]: string };
  /**
   * The path of its route, if it is not below the resource. If the path does not name the resource, the body does; the
   * path's other parameters are members of the input, or of the resource's context.
   */
  readonly path?: string;
  /**
   * Codes that replace the default ones: for callers without any of the roles, and for states that do not list the
   * action (all states, or one).
   */
  readonly refusals?: {
    readonly who?: Code;
    readonly state?: Code;
    readonly in?: {
      /** `about`: what the resource waits for in that state. */
      readonly [state: string]: { readonly code: Code; readonly about?: (context: never) => string };
    };
  };
  /**
   * The kind whose sub-command decides the request, and the codes with which it may refuse, by role; this kind's own
   * guards run afterwards.
   */
  readonly decidedBy?: { readonly kind: string; readonly open: (role: string) => readonly Code[] };
}

export interface GuardDefinition<Context, Event> {
  readonly code: Exclude<Code, 'INVALID_REQUEST'>;
  /** The message. Where it depends on the resource, charts show the meaning in its place. */
  readonly says: string | readonly [meaning: string, of: (context: Context, event: Event) => string];
  /** Additional text for the message, about this resource. The event of a hypothetical request has no input. */
  readonly about?: (context: Context, event: Event) => string;
  /** Whether the guard depends on state and time alone, or also on the input (or signer). */
  readonly over: 'state' | 'input';
}

export interface CreateDefinition<Context, Input> extends Transforms {
  readonly event: string;
  readonly input: Scalar<Input>;
  readonly example: JsonObject;
  readonly summary: string;
  /** See ActionDefinition. */
  readonly moves?: readonly Movement[];
  /** The input field by which a caller may choose the id. */
  readonly idField: string;
  /** A chosen id need not start with the kind's prefix. */
  readonly anyId?: true;
  /** Roles that may create one; absent: any signer. */
  readonly who?: readonly CommonRole[];
  /** No HTTP route: only a workflow creates it. */
  readonly internal?: true;
  /** See ActionDefinition. */
  readonly makes?: { readonly [part: string]: string };
  /**
   * The path of its route, if not `route.path`; the path's parameter is a member of the input, and the id of a resource
   * of `of`.
   */
  readonly path?: string;
  /** Kinds that the path's parameter may name; `searched`: all kinds that are searched. */
  readonly of?: readonly string[] | 'searched';
  /** The condition for a creation; returns the first refusal. */
  readonly check: (event: MachineEvent<'create', Input>) => Refusal | undefined;
  readonly context: (event: MachineEvent<'create', Input>) => Context;
  /** Further events in the same request, such as funding by autoFund. */
  readonly followUps?: (input: Input) => readonly { readonly type: string; readonly input: JsonObject }[];
}

type EventsOf<M extends AnyStateMachine> = Extract<EventFromLogic<M>, { input: unknown }>;
// biome-ignore-start lint/suspicious/noExplicitAny: only the action and guard parameters matter here
type MachineActionsOf<M> =
  M extends StateMachine<any, any, any, any, infer A, any, any, any, any, any, any, any, any, any, any> ? A : never;
type GuardsOf<M> =
  M extends StateMachine<any, any, any, any, any, infer G, any, any, any, any, any, any, any, any, any> ? G : never;
// biome-ignore-end lint/suspicious/noExplicitAny: as above
type NameOf<T> = T extends { type: infer N extends string } ? N : never;
type GuardNameOf<M> = NameOf<GuardsOf<M>>;
type EffectNameOf<M> = EffectIn<MachineActionsOf<M>>;

export interface ResourceDefinition<
  M extends AnyStateMachine = AnyStateMachine,
  Role extends string = string,
  CreateInput = never,
> extends DefinitionHistory {
  readonly kind: string;
  /** Increased when a guard, effect or context changes its meaning without changing its name. */
  readonly revision: number;
  readonly machine: M;
  readonly route: {
    readonly path: string;
    readonly param: string;
    readonly tag: string;
    readonly idPrefix: string;
    /** Reads and lists have hand-written routes. */
    readonly ownReads?: true;
  };
  readonly refusals: {
    readonly unknown: Code;
    readonly state: Code;
    /** The code of the refusal of an outdated `resourcePrev`. */
    readonly stale: Code;
  };
  /** DIDs that hold each role on a resource. */
  readonly roles: { readonly [R in Role]: (context: ContextFrom<M>) => readonly string[] };
  /**
   * Roles that a party holds only under some conditions. `permittedActions` shows them under the party's name, and for
   * other DIDs under the role's own name.
   */
  readonly heldBy?: { readonly [role: string]: readonly string[] };
  /** The code of a direct action on a resource that a workflow owns; absent for kinds without owner. */
  readonly owned?: { readonly when: (context: ContextFrom<M>) => boolean; readonly code: Code; readonly says: string };
  readonly create: CreateDefinition<ContextFrom<M>, CreateInput>;
  readonly actions: {
    readonly [E in EventsOf<M> as E extends { type: infer T extends string } ? T : never]: ActionDefinition<
      E extends { input: infer I } ? I : never,
      NoInfer<Role>
    >;
  };
  readonly guards: { readonly [N in GuardNameOf<M>]: GuardDefinition<ContextFrom<M>, EventsOf<M>> };
  /**
   * By action, an additional text that the signer's key signs. The signature is added to the input as `signature`
   * before the machine takes the event; replay verifies it.
   */
  readonly attests?: {
    readonly [action: string]: (
      context: ContextFrom<M>,
      at: { readonly id: string /** Version, network and home. */; readonly place: string },
    ) => string;
  };
  /**
   * How lists and charts colour a state, by state path (`milestone/approved` in a nested machine). Not part of the
   * definition version. Every final state has one; a state without one is in progress.
   */
  readonly tones?: { readonly [state: string]: Tone };
  /** Machines whose snapshots are inside the context, by name; their events are this kind's actions. */
  readonly nested?: { readonly [name: string]: AnyStateMachine };
  /** Effects are data: each returns the moves that follow. `before` is null at creation. */
  readonly effects: {
    readonly [N in EffectNameOf<M>]: (
      before: ContextFrom<M> | null,
      event: MachineEvent<string, never>,
      after: ContextFrom<M>,
    ) => readonly Move[];
  };
  /** The next deadline; when it is due, the node executes its action in role `clock`. */
  readonly alarm: (state: string, context: ContextFrom<M>) => { readonly at: number; readonly action: string } | null;
  /** Labels by which lists select: `<role>:<did>`. */
  readonly labels: (context: ContextFrom<M>) => readonly string[];
  readonly list: Listed<NoInfer<Role>>;
  /**
   * Readers of a resource and its payloads; absent: everyone with read access. `reader` is the DID of the caller's key.
   * Holders of the listed roles always may; lists of such a kind show only the reader's own resources. An action by any
   * other signer is refused as if the resource did not exist.
   */
  readonly isVisibleTo?: (context: ContextFrom<M>, reader: string | undefined) => boolean;
  /** DIDs that may read payloads and the view's confidential members; absent: all readers. */
  readonly payloadReaders?: (context: ContextFrom<M>) => readonly string[];
  /** Public members of the context of a kind with `payloadReaders`. */
  readonly openMembers?: readonly (keyof ContextFrom<M> & string)[];
  /** All readers may see the state, and the payloads except members that their schema marks confidential. */
  readonly openPayloads?: true;
  /** The searchable content; absent: not searched. Ids are unique across all searched kinds. */
  readonly search?: { readonly market: string; readonly of: (state: string, context: ContextFrom<M>) => Searched };
  /** Hashes of contents that its entries stored in addition to their payload; absent: none. */
  readonly contents?: (context: ContextFrom<M>) => readonly string[];
  /** The kind of a projection with the same id that is shown with the resource. */
  readonly companion?: string;
  /**
   * For clients that expect them: replies to actions name the `action`, and a read has the view a second time, as this
   * member.
   */
  readonly repeatedAs?: string;
  /** Present if the kind is a trade: it can be reviewed, and orders are listed and disputed together. */
  readonly trade?: Trade<ContextFrom<M>>;
  /** Finds the resource if neither path nor body names it. */
  readonly defaultId?: DefaultId;
  /** Callers may leave out `did`, `passphrase` and `nonce` (docs/reference/accounts-and-nonces.md#who-signs). */
  readonly signerOptional?: true;
  /** Returns a new object for each call, because routes add members. */
  readonly view: (resource: Resource<ContextFrom<M>>, seen: Seen) => JsonObject;
  readonly viewSchema: JsonSchema;
  /** Additional reads, for what its view does not show. */
  readonly extraReads?: readonly ExtraRead[];
}

/** The definition without its type parameters, as the kernel uses it. */
// biome-ignore lint/suspicious/noExplicitAny: variance; defineResource is where the types are held together
export type AnyResource = Omit<ResourceDefinition<any, string, any>, 'actions' | 'guards' | 'effects' | 'roles'> & {
  readonly roles: { readonly [role: string]: (context: JsonObject) => readonly string[] };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly actions: { readonly [action: string]: ActionDefinition<any, string> };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly guards: { readonly [guard: string]: GuardDefinition<any, any> };
  readonly effects: {
    readonly [effect: string]: (before: JsonObject | null, event: MachineEvent, after: JsonObject) => readonly Move[];
  };
  readonly form: 'machine';
};

/** The types that AnyResource drops, for the typed client. Not present at run time. */
export interface Typed<M extends AnyStateMachine, CreateInput> {
  readonly types?: { readonly create: CreateInput; readonly events: EventsOf<M>; readonly context: ContextFrom<M> };
}

export function defineResource<const M extends AnyStateMachine, const Role extends string, CreateInput>(
  definition: ResourceDefinition<M, Role, CreateInput>,
): AnyResource & Typed<M, CreateInput> {
  return { ...definition, actions: ownNames(definition.actions), form: 'machine' } as unknown as AnyResource;
}

/** A reducer: state with a history but no life cycle (identities, nodes). One snapshot, state `current`. */
export interface ReducerDefinition<Context = JsonObject> extends DefinitionHistory {
  readonly form: 'reducer';
  readonly kind: string;
  readonly revision: number;
  /** Labels by which lists select; absent: it is in no list. */
  readonly labels?: (context: Context) => readonly string[];
  /** The ranking figures for a searched resource with the same id. */
  readonly ranks?: (context: Context) => Ranked;
  /** Present if the kind is a trade; it is identified by the prefix of its id. */
  readonly trade?: Trade<Context> & { readonly idPrefix: string };
  readonly actions: {
    readonly [action: string]: {
      readonly event: string;
      readonly who: readonly string[];
      // biome-ignore lint/suspicious/noExplicitAny: each action has its own input
      readonly input: Scalar<any>;
      // biome-ignore lint/suspicious/noExplicitAny: as above
      reduce(context: Context | null, event: MachineEvent<string, any>): Context | Refusal;
    };
  };
  /** DIDs that hold a role; `context` is null before the first version. */
  readonly roles: { readonly [role: string]: (id: string, context: Context | null) => readonly string[] };
}

/** The ledger's own actions: they move Tokens between accounts and leave no snapshot. */
export interface LedgerDefinition extends DefinitionHistory {
  readonly form: 'ledger';
  readonly kind: string;
  readonly revision: number;
  readonly actions: {
    readonly [action: string]: {
      readonly event: string;
      readonly who: readonly string[];
      // biome-ignore lint/suspicious/noExplicitAny: each action has its own input
      readonly input: Scalar<any>;
      // biome-ignore lint/suspicious/noExplicitAny: as above
      moves(event: MachineEvent<string, any>): readonly Move[] | Refusal;
    };
  };
  readonly roles: { readonly [role: string]: (id: string) => readonly string[] };
}

export type AnyDefinition = AnyResource | ReducerDefinition | LedgerDefinition;

export interface Catalogue {
  readonly definitions: { readonly [kind: string]: AnyDefinition };
  /** By `<kind>.<action>`; an action without a workflow has a single sub-command, itself. */
  readonly workflows: { readonly [action: string]: Workflow };
}

export const defineReducer = <Context>(definition: Omit<ReducerDefinition<Context>, 'form'>): ReducerDefinition =>
  ({ ...definition, actions: ownNames(definition.actions), form: 'reducer' }) as unknown as ReducerDefinition;

export const defineLedger = (definition: Omit<LedgerDefinition, 'form'>): LedgerDefinition =>
  ({ ...definition, actions: ownNames(definition.actions), form: 'ledger' }) as LedgerDefinition;
