/**
 * The client of any kind with a machine: create, get, list, and a method for each action. Its types are those of the
 * API operations whose names end in the kind's name. A new kind is one small file in `kinds/`.
 */
import { type Http, pathOf, type Query, type ReadOptions } from './http.js';
import { type Paged, paged } from './pages.js';
import { transition, type Versioned, type WaitOptions, type Wanted, waitFor } from './transition.js';
import type { Pagination, Queries, Replies, Requests } from './wire.js';
import type { WriteOptions } from './write-options.js';
import type { Writes } from './writes.js';

/** What the client knows about a kind at run time. A test compares it with the node's definition. */
export interface KindShape {
  readonly kind: string;
  readonly path: string;
  /** Path of `create` if it differs from `path`; `:<name>` stands for a member of the input. */
  readonly createPath?: string;
  /** Resources of this kind are only created by actions on other resources. */
  readonly madeElsewhere?: true;
  /** Name of the id member in paths, views and `create`. */
  readonly idField: string;
  /** Name of the member of the list's reply that holds the views. */
  readonly list: string;
  /**
   * Path of each action; null for the default, below the resource. `:<name>` stands for the id, or for a member of the
   * input or of the view that is the target.
   */
  readonly actions: { readonly [action: string]: string | null };
}

/** What the client knows about a kind at compile time. */
export interface KindTypes {
  readonly view: object;
  /** Input and reply of `create`. */
  readonly create: object;
  readonly created: object;
  /** Input and reply of each action. */
  readonly inputs: { readonly [action: string]: object };
  readonly replies: { readonly [action: string]: object };
  /** Query and reply of the list. */
  readonly query: object;
  readonly page: { readonly pagination: Pagination };
}

export type Kind<Types extends KindTypes = KindTypes, Shape extends KindShape = KindShape> = Shape & {
  /** Never present at run time: carries the types. */
  readonly types?: Types;
};

/** The operations in a table whose names end in a kind's name: `fundEscrow` is `fund` of `Escrow`. */
type OperationsOf<Table, Name extends string> = {
  readonly [Operation in keyof Table as Operation extends `${infer Action}${Name}` ? Action : never]: Table[Operation];
};
type ObjectsOf<Table> = { readonly [Name in keyof Table]: Table[Name] & object };
type MemberOf<Table, Name> = Name extends keyof Table ? Table[Name] & object : never;

/**
 * The types of a kind: `TypesOf<'Escrow', Escrow, 'listEscrows'>`.
 * @template Name end of the names of the kind's operations
 * @template List name of the operation that lists the kind
 */
export interface TypesOf<Name extends string, View extends object, List extends keyof Queries & keyof Replies>
  extends KindTypes {
  readonly view: View;
  readonly create: MemberOf<OperationsOf<Requests, Name>, 'create'>;
  readonly created: MemberOf<OperationsOf<Replies, Name>, 'create'>;
  readonly inputs: ObjectsOf<OperationsOf<Requests, Name>>;
  readonly replies: ObjectsOf<OperationsOf<Replies, Name>>;
  readonly query: Queries[List];
  readonly page: Replies[List] extends { readonly pagination: Pagination } ? Replies[List] : never;
}

/** An id, or a view. A view also states its version: the write is refused if there is a newer one. */
export type Target =
  | string
  | (Versioned & {
      /** Id of the resource. */
      readonly id: string;
      /** DID of the node whose journal the resource is in. */
      readonly home?: string;
    });

/** Like `Omit`, but also for types with an index signature. */
type Without<T, Names> = { readonly [Name in keyof T as Name extends Names ? never : Name]: T[Name] };
/** Any action accepts `resourcePrev`; if the target is a view, its version is used by default. */
type Stated<Input> = Without<Input, 'resourcePrev'> & {
  /** Hash of the resource's last event: the write is refused where there is a newer one. */
  readonly resourcePrev?: string | null;
};
type Arguments<Input> =
  Record<never, never> extends Stated<Input>
    ? [input?: Stated<Input>, options?: WriteOptions]
    : [input: Stated<Input>, options?: WriteOptions];

export type ActionsOf<T extends KindTypes, S extends KindShape> = {
  readonly [A in keyof S['actions'] & keyof T['inputs']]: (
    target: Target,
    ...rest: Arguments<T['inputs'][A]>
  ) => Promise<MemberOf<T['replies'], A>>;
};

export interface Reading<T extends KindTypes, S extends KindShape> {
  create(input: T['create'], options?: WriteOptions): Promise<T['created']>;
  get(id: string, options?: ReadOptions): Promise<T['view']>;
  /** One page when awaited; all items when iterated with `for await`. */
  list(query?: T['query'], options?: ReadOptions): Paged<T['page'], ItemOf<T['page'], S['list']>>;
  /**
   * Reads the resource repeatedly until it is in a state, or fulfils a predicate.
   * @throws NotReachedError after `timeoutMs`
   */
  waitFor(target: Target, wanted: Wanted<T['view']>, options?: WaitOptions): Promise<T['view']>;
  /**
   * Reads the resource and writes what `step` decides, and repeats both if another client was faster or an answer was
   * lost. `step` returns undefined if nothing is left to do. Resolves with the view that it decided on and its result.
   */
  transition<R>(
    target: Target,
    step: (view: T['view']) => Promise<R> | undefined,
    options?: ReadOptions,
  ): Promise<{ readonly view: T['view']; readonly done: R | undefined }>;
}
/** An element of a page's list. */
export type ItemOf<Page, List> = MemberOf<Page, List> extends readonly (infer Item)[] ? Item : object;

/** The methods of a kind. */
export type Methods<T extends KindTypes, S extends KindShape> = (S extends { readonly madeElsewhere: true }
  ? Omit<Reading<T, S>, 'create'>
  : Reading<T, S>) &
  ActionsOf<T, S>;

export type ResourceClient<K> = K extends Kind<infer T, infer S> ? Methods<T, S> : never;

export function resourceClient<T extends KindTypes, S extends KindShape>(
  writes: Writes,
  kind: Kind<T, S>,
): Methods<T, S> {
  const http: Http = writes.http;
  const { path } = kind;
  const read = (target: Target, options?: ReadOptions) =>
    http.get<T['view'] & Versioned>(`${path}${pathOf`/${idOf(target)}`}`, undefined, options);
  const act =
    (action: string) =>
    (target: Target, input: object = {}, options?: WriteOptions) => {
      const [id, stated] =
        typeof target === 'string' ? [target, {}] : [idOf(target), { resourcePrev: target.resourcePrev }];
      const body: { readonly [name: string]: unknown } = { ...stated, ...input };
      const where = kind.actions[action];
      if (typeof where !== 'string') {
        return writes.signed(`${path}${pathOf`/${id}/actions/${action}`}`, body, options);
      }
      const named = { ...(typeof target === 'string' ? {} : target), ...body, [kind.idField]: id };
      const isInPath = where.includes(`:${kind.idField}`);
      return writes.signed(filled(where, named), isInPath ? body : { ...body, [kind.idField]: id }, options);
    };
  const reading: Reading<T, S> = {
    create: (input, options) => writes.signed(filled(kind.createPath ?? path, input), input, options),
    get: read,
    list: (query, options) =>
      paged((asked) => http.get(path, asked, options), { ...(query as Query) }, kind.list as never),
    waitFor: (target, wanted, options) =>
      waitFor(
        http.options.environment,
        { what: `${kind.kind} ${idOf(target)}`, read: (reading) => read(target, reading) },
        wanted,
        options,
      ),
    transition: (target, step, options) => transition(http.options.environment, () => read(target, options), step),
  };
  const actions = Object.fromEntries(Object.keys(kind.actions).map((action) => [action, act(action)]));
  return { ...reading, ...actions } as unknown as Methods<T, S>;
}

/**
 * Adds the home to the id of another home's resource (`id~home`), because this node may have a resource with the same
 * id.
 */
function idOf(target: Target): string {
  if (typeof target === 'string') return target;
  return target.home === undefined ? target.id : `${target.id}~${target.home}`;
}

/** Fills the `:<name>`s of a path. */
const filled = (path: string, values: object): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String((values as Query)[name])));
