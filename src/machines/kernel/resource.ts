/**
 * `defineResource`: one definition per kind (CONTRIBUTING.md#add-a-kind). From it are derived the routes, validation,
 * OpenAPI, the client, charts, and the conformance walk. An action without schema, a guard without code or an effect
 * without executor does not compile.
 */
import type { AnyStateMachine, ContextFrom, EventFromLogic, StateMachine } from 'xstate';
import type { JsonObject } from '../../core/canonical.js';
import type { Code, Refusal } from '../../core/refusal.js';
import type { JsonSchema, Scalar } from '../../core/schema/scalar.js';
import type { MachineEvent } from './definition.js';
import type { Listed } from './listed.js';
import type { Move } from './posting.js';
import type { Ranked, Searched } from './searched.js';
import type { Trade } from './trade.js';
import type { DefaultId, Transforms } from './transformer.js';

/** What kernel and views see of a stored resource; the store's Snapshot has this shape. */
export interface Resource<Context = JsonObject> {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly context: Context;
  readonly lastHash: string;
  readonly machine: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** From one version of a kind's definition to a later one. Pure. */
export interface Migration {
  /** Says what changes: `escrow-knows-an-arbiter`. */
  readonly name: string;
  /** Versions of the definition, as `definitionVersion` gives them. */
  readonly from: string;
  readonly to: string;
  readonly migrate: (stored: Pick<Resource, 'id' | 'state' | 'context' | 'updatedAt'>) => {
    readonly state: string;
    readonly context: JsonObject;
  };
}

/** The earlier versions of a definition; absent: it is the first. */
export interface Versioned {
  /** Older definitions of the kind, each as it was released: what `defineResource` and its like returned. */
  readonly past?: readonly { readonly kind: string; readonly form: AnyDefinition['form'] }[];
  readonly migrations?: readonly Migration[];
}

/** Roles that every kind has. `workflow` is the workflow of the resource that owns this one. */
export type CommonRole = 'anyone' | 'clock' | 'operator' | 'workflow';

/** How a view is looked at: some of what it shows depends on the time, or is for its reader's eyes. */
export interface Seen {
  /** The node's clock, epoch ms. */
  readonly time: number;
  /** DID of the caller's API key, where it is bound to one; of the signer, in the reply to its write. */
  readonly reader?: string | undefined;
  /** State of what lies beside it (see ResourceDefinition), where there is any. */
  readonly beside?: JsonObject | undefined;
  /** Lists leave `permittedActions` out unless they are asked for it. */
  readonly withoutPermitted?: boolean;
}

/** What a write answers with, the resource's view inside it under its kind's name. */
export type Detail =
  /** Another kind that the request writes: its view. */
  | { readonly kind: string }
  /** One of the view's list `among`, whose `id` is the input's `named`. */
  | { readonly among: string; readonly named: string; readonly schema: JsonSchema };

/** Tokens that a request moves, in words: which amount, out of whose balance, into whose. */
export interface Movement {
  readonly amount: string;
  readonly from: string;
  readonly to: string;
}

export interface ActionDefinition<Input, Role extends string> extends Pick<Transforms, 'transform'> {
  /** Dotted, past tense: the event's type. */
  readonly event: string;
  /** Its type where the resource stays in its state: what was asked for is a proposal. */
  readonly eventInPlace?: string;
  /** Who may ask; any of these. Roles give FORBIDDEN, guards their own code. */
  readonly who: readonly (Role | CommonRole)[];
  readonly input: Scalar<Input>;
  /** A body that works in the conformance walk, without the common write fields. */
  readonly example: JsonObject;
  readonly summary: string;
  /** `resourcePrev` is required here; otherwise it is optional (docs/reference/requests.md#expected-versions). */
  /** What the request moves, by this kind's effects or by its workflow. */
  readonly moves?: readonly Movement[];
  /** It also moves them where the resource stays in its state. */
  readonly movesInPlace?: true;
  readonly resourcePrev?: 'required';
  /** `transfer`: answers a TransferResult with the view inside. Default `view`. */
  readonly reply?: 'view' | 'transfer' | Detail;
  /** No HTTP route: only the clock or a workflow gets here. */
  readonly internal?: true;
  /** Not granted for being on the node's machine alone: the request names its signer and passphrase, or has an API key. */
  readonly notByLoopback?: true;
  /** Its route is written by hand: kinds share it. */
  readonly ownRoute?: true;
  /** Further resources that the request's workflow makes: by their part in it, the prefix of the id that the node chooses. */
  readonly makes?: { readonly [part: string]: string };
  /** Members of the body by which a caller may choose such an id. */
  readonly idFields?: { readonly [part: string]: string };
  /**
   * Where it is asked for, when not below the resource. Where the path does not name the resource, the body does; the
   * path's other parameters are members of the input, or else of the resource's context.
   */
  readonly path?: string;
  /** Codes of its own where the caller has none of the roles, and where the state does not list it: any, or this one. */
  readonly refusals?: {
    readonly who?: Code;
    readonly state?: Code;
    readonly in?: {
      /** `about`: what it waits for there. */
      readonly [state: string]: { readonly code: Code; readonly about?: (context: never) => string };
    };
  };
  /**
   * Kind whose part in the request's workflow decides it, and the codes that it may still refuse with, by role; the guards
   * here only say what follows.
   */
  readonly decidedBy?: { readonly kind: string; readonly open: (role: string) => readonly Code[] };
}

export interface GuardDefinition<Context, Event> {
  readonly code: Code;
  readonly says: string | ((context: Context, event: Event) => string);
  /** What it is about here: stands behind what is said of all of them. An event that nobody has made has no input. */
  readonly about?: (context: Context, event: Event) => string;
  /** Whether it can be answered from state and time alone, or only once the input (or signer) is known. */
  readonly over: 'state' | 'input';
}

export interface CreateDefinition<Context, Input> extends Transforms {
  readonly event: string;
  readonly input: Scalar<Input>;
  readonly example: JsonObject;
  readonly summary: string;
  /** As in ActionDefinition. */
  readonly moves?: readonly Movement[];
  /** Name of the input field by which a caller may choose the id. */
  readonly idField: string;
  /** A chosen id need not begin with the kind's prefix. */
  readonly anyId?: true;
  /** Who may make one; absent: any signer. */
  readonly who?: readonly CommonRole[];
  /** No HTTP route: only a workflow makes it. */
  readonly internal?: true;
  /** As in ActionDefinition. */
  readonly makes?: { readonly [part: string]: string };
  /** Where it is asked for, when not at `route.path`; its parameter is a member of the input, and an id of `of`. */
  readonly path?: string;
  /** Kinds that the path's parameter may name; `searched`: all that the search finds. */
  readonly of?: readonly string[] | 'searched';
  /** What must hold before there is a resource; the first that fails refuses. */
  readonly check: (happening: MachineEvent<'create', Input>) => Refusal | undefined;
  readonly context: (happening: MachineEvent<'create', Input>) => Context;
  /** Events that the same request goes on with: autoFund. */
  readonly followUps?: (input: Input) => readonly { readonly type: string; readonly input: JsonObject }[];
}

type EventsOf<M extends AnyStateMachine> = Extract<EventFromLogic<M>, { input: unknown }>;
// biome-ignore-start lint/suspicious/noExplicitAny: only the action and guard parameters matter here
type ActionsOf<M> =
  M extends StateMachine<any, any, any, any, infer A, any, any, any, any, any, any, any, any, any, any> ? A : never;
type GuardsOf<M> =
  M extends StateMachine<any, any, any, any, any, infer G, any, any, any, any, any, any, any, any, any> ? G : never;
// biome-ignore-end lint/suspicious/noExplicitAny: as above
type NameOf<T> = T extends { type: infer N extends string } ? N : never;
type GuardNameOf<M> = NameOf<GuardsOf<M>>;
type EffectNameOf<M> = NameOf<ActionsOf<M>>;

export interface ResourceDefinition<
  M extends AnyStateMachine = AnyStateMachine,
  Role extends string = string,
  CreateInput = never,
> extends Versioned {
  readonly kind: string;
  /** Grows when a guard, effect or context changes its meaning without changing its name. */
  readonly revision: number;
  readonly machine: M;
  readonly route: {
    readonly path: string;
    readonly param: string;
    readonly tag: string;
    readonly idPrefix: string;
    /** It is read and listed by routes of their own. */
    readonly ownReads?: true;
  };
  readonly refusals: {
    readonly unknown: Code;
    readonly state: Code;
    /** A `resourcePrev` that went stale. */
    readonly stale: Code;
  };
  /** DIDs that hold a role on a resource. */
  readonly roles: { readonly [R in Role]: (context: ContextFrom<M>) => readonly string[] };
  /** Roles that a party may hold for a time. `permittedActions` shows them under the party's name, and under the role's for anyone else. */
  readonly heldBy?: { readonly [role: string]: readonly string[] };
  /** The code of a direct action on a resource that a workflow owns; absent: kinds that nobody owns. */
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
   * By action, what the signer's key signs beside the event. The signature joins the input as `signature` before the
   * machine takes the event; replay verifies it.
   */
  readonly attests?: {
    readonly [action: string]: (
      context: ContextFrom<M>,
      at: { readonly network: string; readonly id: string },
    ) => string;
  };
  /** Machines whose snapshots lie inside the context; their events are this kind's actions. By name. */
  readonly nested?: { readonly [name: string]: AnyStateMachine };
  /** Effects are data: each gives the moves that follow. `before` is null at creation. */
  readonly effects: {
    readonly [N in EffectNameOf<M>]: (
      before: ContextFrom<M> | null,
      event: MachineEvent<string, never>,
      after: ContextFrom<M>,
    ) => readonly Move[];
  };
  /** The next deadline, delivered by role `clock` through the front door. */
  readonly alarm: (state: string, context: ContextFrom<M>) => { readonly at: number; readonly action: string } | null;
  /** What lists select by: `<role>:<did>`. */
  readonly labels: (context: ContextFrom<M>) => readonly string[];
  readonly list: Listed<NoInfer<Role>>;
  /**
   * Who may read a resource and its payloads; absent: everybody who may read at all. `reader` is a key's DID. Holders
   * of the roles that lists know always may: a list of such a kind is its reader's own.
   */
  readonly isVisibleTo?: (context: ContextFrom<M>, reader: string | undefined) => boolean;
  /** To such a signer it is as if it were not there: an action is refused as on what is unknown. */
  readonly isHiddenFrom?: (context: ContextFrom<M>, signer: string) => boolean;
  /** Whom payloads and the view's confidential members are shown to, of those who may read it; absent: all of them. */
  readonly payloadReaders?: (context: ContextFrom<M>) => readonly string[];
  /** Its state, and payloads without a member that their schema marks confidential, are for all who may read it. */
  readonly openPayloads?: true;
  /** What the search finds it by; absent: it is not searched. Ids are unique across all kinds that have this. */
  readonly search?: { readonly market: string; readonly of: (state: string, context: ContextFrom<M>) => Searched };
  /** Hashes of what its entries have brought beside their payload; absent: nothing. */
  readonly contents?: (context: ContextFrom<M>) => readonly string[];
  /** Kind of what lies under the same id and is shown with it, without being a part of it: a projection. */
  readonly companion?: string;
  /** Present where it stands for a deal: it is reviewed, and as an order listed and disputed with all others. */
  readonly trade?: Trade<ContextFrom<M>>;
  /** Which resource is meant where neither path nor body names it. */
  readonly defaultId?: DefaultId;
  /** The caller may leave `did`, `passphrase` and `nonce` out (docs/reference/accounts-and-nonces.md#who-signs). */
  readonly signerOptional?: true;
  /** Made afresh for each call: the edge adds members of its own. */
  readonly view: (resource: Resource<ContextFrom<M>>, seen: Seen) => JsonObject;
  readonly viewSchema: JsonSchema;
}

/** The definition as the kernel handles it, its types forgotten. */
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

/** The types that AnyResource forgets, for the typed client; there is no such member at run time. */
export interface Typed<M extends AnyStateMachine, CreateInput> {
  readonly types?: { readonly create: CreateInput; readonly events: EventsOf<M>; readonly context: ContextFrom<M> };
}

export function defineResource<const M extends AnyStateMachine, const Role extends string, CreateInput>(
  definition: ResourceDefinition<M, Role, CreateInput>,
): AnyResource & Typed<M, CreateInput> {
  return { ...definition, form: 'machine' } as unknown as AnyResource;
}

/** A plain reducer: state that has a history but no life cycle (identities, nodes). One snapshot, state `current`. */
export interface ReducerDefinition<Context = JsonObject> extends Versioned {
  readonly form: 'reducer';
  readonly kind: string;
  readonly revision: number;
  /** What lists select by; absent: nothing lists them. */
  readonly labels?: (context: Context) => readonly string[];
  /** How what lies under the same id and is searched is ranked. */
  readonly ranks?: (context: Context) => Ranked;
  /** Present where it stands for a deal: told by the beginning of its id. */
  readonly trade?: Trade<Context> & { readonly idPrefix: string };
  readonly actions: {
    readonly [action: string]: {
      readonly event: string;
      readonly who: readonly string[];
      // biome-ignore lint/suspicious/noExplicitAny: each action has its own input
      readonly input: Scalar<any>;
      // biome-ignore lint/suspicious/noExplicitAny: as above
      reduce(context: Context | null, happening: MachineEvent<string, any>): Context | Refusal;
    };
  };
  /** DIDs that hold a role; `context` is null before the first version. */
  readonly roles: { readonly [role: string]: (id: string, context: Context | null) => readonly string[] };
}

/** The ledger's own actions: they move money between accounts and leave no snapshot. */
export interface LedgerDefinition extends Versioned {
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
      moves(happening: MachineEvent<string, any>): readonly Move[] | Refusal;
    };
  };
  readonly roles: { readonly [role: string]: (id: string) => readonly string[] };
}

export type AnyDefinition = AnyResource | ReducerDefinition | LedgerDefinition;

export const defineReducer = <Context>(definition: Omit<ReducerDefinition<Context>, 'form'>): ReducerDefinition =>
  ({ ...definition, form: 'reducer' }) as unknown as ReducerDefinition;

export const defineLedger = (definition: Omit<LedgerDefinition, 'form'>): LedgerDefinition => ({
  ...definition,
  form: 'ledger',
});
