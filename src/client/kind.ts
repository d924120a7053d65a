/**
 * The client of any kind with a machine: create, get, list, and a method for each action, typed by the definition in
 * `src/machines/<kind>/resource.ts`. A new kind is one small file in `kinds/`.
 *
 * Definitions are imported for their types only, so nothing of the node gets into a browser.
 */
import { type Http, pathOf, type ReadOptions } from './http.js';
import { type Paged, paged } from './pages.js';
import { transition, type WaitOptions, type Wanted, waitFor } from './transition.js';
import type { Pagination, Paging, TransferResult, WriteFields } from './views.js';
import type { WriteOptions, Writes } from './writes.js';

/** What the client must know of a definition at run time; a test compares it with the definition. */
export interface KindShape {
  readonly kind: string;
  readonly path: string;
  /** Where one is made, when not at `path`; `:<name>` stands for a member of the input. */
  readonly createPath?: string;
  /** Only a request about something else makes one. */
  readonly madeElsewhere?: true;
  /** Name of the member with the id, in paths, views and create. */
  readonly idField: string;
  /** Member of the list's reply that holds the views. */
  readonly list: string;
  /** Each action that has a route, with what it answers; and where it is, when not below the resource. */
  readonly actions: { readonly [action: string]: Answers | Elsewhere };
}

/** `part`: what the write was about, with the view inside. */
type Answers = 'view' | 'transfer' | 'part';
export interface Elsewhere {
  /** `:<name>` stands for the id, or for a member of the input or of the view that is the target. */
  readonly path: string;
  readonly answers: Answers;
}
type AnswersOf<A> = A extends Elsewhere ? A['answers'] : A;

/** What it must know at compile time. */
export interface KindTypes {
  readonly create: object;
  /** Inputs by action. */
  readonly inputs: { readonly [action: string]: object };
  readonly view: object;
  /** Roles that a list may select by. */
  readonly role: string;
  /** What actions answer whose shape says `part`. */
  readonly parts?: { readonly [action: string]: object };
}

export type Kind<Types extends KindTypes = KindTypes, Shape extends KindShape = KindShape> = Shape & {
  /** Never present. */
  readonly types?: Types;
};

/** A definition, as far as its types go: kernel's `Typed`, whatever its machine. */
interface AnyTyped {
  readonly types?: { readonly create: object; readonly events: { readonly type: string } };
}
type TypesIn<D extends AnyTyped> = NonNullable<D['types']>;
type Happens = { readonly type: string; readonly input: object };
type InputsOf<Event> = {
  readonly [E in Event as E extends Happens ? E['type'] : never]: E extends Happens ? E['input'] : never;
};

/** From a definition: `TypesOf<typeof escrow, Escrow>`. `purpose` is a workflow's word, not a caller's. */
export interface TypesOf<D extends AnyTyped, View extends object, Role extends string> extends KindTypes {
  readonly create: Omit<TypesIn<D>['create'], 'purpose'>;
  readonly inputs: InputsOf<TypesIn<D>['events']>;
  readonly view: View;
  readonly role: Role;
}

type Chosen<S extends KindShape> = { readonly [F in S['idField']]?: string };
export type Written<View> = View & WriteFields;
/** A TransferResult with the resource as the transfer left it, under the kind's name. */
export type Moved<S extends KindShape, View> = TransferResult & { readonly resourcePrev: string } & {
  readonly [F in S['idField']]: string;
} & { readonly [K in S['kind']]: Written<View> };
export type Listed<S extends KindShape, View> = { readonly [L in S['list']]: readonly View[] } & {
  readonly total: number;
  readonly pagination: Pagination;
};

interface Versioned {
  readonly resourcePrev: string | null;
}

/** An id; or a view, which also says which version is meant: the write is refused where there is a newer one. */
export type Target = string | (Versioned & { readonly id: string });

/** `resourcePrev` can be stated with every action; a view as the target states it by itself. */
type Stated<Input> = Omit<Input, 'resourcePrev'> & { readonly resourcePrev?: string | null };
type Arguments<Input> =
  Record<never, never> extends Input
    ? [input?: Stated<Input>, options?: WriteOptions]
    : [input: Stated<Input>, options?: WriteOptions];

export type ActionsOf<T extends KindTypes, S extends KindShape> = {
  readonly [A in keyof S['actions'] & keyof T['inputs']]: (
    target: Target,
    ...rest: Arguments<T['inputs'][A]>
  ) => Promise<Answered<T, S, A, AnswersOf<S['actions'][A]>>>;
};
type Answered<T extends KindTypes, S extends KindShape, A, How> = How extends 'transfer'
  ? Moved<S, T['view']>
  : How extends 'part'
    ? Written<PartOf<T, A>> & { readonly [F in S['idField']]: string } & {
        readonly [K in S['kind']]: Written<T['view']>;
      }
    : Written<T['view']>;
type PartOf<T extends KindTypes, A> = A extends keyof T['parts'] ? T['parts'][A] : object;

export interface ListQuery<Role extends string = string> extends Paging {
  readonly did?: string;
  readonly role?: Role | 'all';
  /** Items of a list go without unless asked. */
  readonly include?: 'permittedActions';
  readonly status?: string;
}

export interface Reading<T extends KindTypes, S extends KindShape> {
  create(input: T['create'] & Chosen<S>, options?: WriteOptions): Promise<Written<T['view']>>;
  get(id: string, options?: ReadOptions): Promise<T['view']>;
  /** One page; or, iterated with `for await`, all of them. */
  list(query?: ListQuery<T['role']>, options?: ReadOptions): Paged<Listed<S, T['view']>, T['view']>;
  /**
   * Reads until the resource is in that state, or as a predicate wants it.
   * @throws NotReachedError after `timeoutMs`
   */
  waitFor(target: Target, wanted: Wanted<T['view']>, options?: WaitOptions): Promise<T['view']>;
  /**
   * Acts on what the resource is now, and again after a re-read where somebody else was faster or an answer was lost.
   * `step` gives undefined where nothing is left to do; the view that it decided on comes back beside its result.
   */
  transition<R>(
    target: Target,
    step: (view: T['view']) => Promise<R> | undefined,
    options?: ReadOptions,
  ): Promise<{ readonly view: T['view']; readonly done: R | undefined }>;
}

/** What can be done with the resources of a kind. */
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
  const act =
    (action: string) =>
    (target: Target, input: object = {}, options?: WriteOptions) => {
      const [id, stated] =
        typeof target === 'string' ? [target, {}] : [target.id, { resourcePrev: target.resourcePrev }];
      const body: { readonly [name: string]: unknown } = { ...stated, ...input };
      const where = kind.actions[action]!;
      if (typeof where === 'string') {
        return writes.signed(`${path}${pathOf`/${id}/actions/${action}`}`, body, options);
      }
      const named = { ...(typeof target === 'string' ? {} : target), ...body, [kind.idField]: id };
      const isInPath = where.path.includes(`:${kind.idField}`);
      return writes.signed(filled(where.path, named), isInPath ? body : { ...body, [kind.idField]: id }, options);
    };
  const reading: Reading<T, S> = {
    create: (input, options) => writes.signed(filled(kind.createPath ?? path, { ...input }), input, options),
    get: (id, options) => http.get(`${path}${pathOf`/${id}`}`, undefined, options),
    list: (query, options) =>
      paged<Listed<S, T['view']>, T['view']>(
        (asked) => http.get(path, asked, options),
        { ...query },
        kind.list as never,
      ),
    waitFor: (target, wanted, options) => {
      const id = idOf(target);
      const read = (reading: ReadOptions) => http.get<T['view']>(`${path}${pathOf`/${id}`}`, undefined, reading);
      return waitFor(http.options.environment, { what: `${kind.kind} ${id}`, read }, wanted, options);
    },
    transition: (target, step, options) =>
      transition(
        http.options.environment,
        () => http.get<T['view'] & Versioned>(`${path}${pathOf`/${idOf(target)}`}`, undefined, options),
        step,
      ),
  };
  const actions = Object.fromEntries(Object.keys(kind.actions).map((action) => [action, act(action)]));
  return { ...reading, ...actions } as unknown as Methods<T, S>;
}

const idOf = (target: Target): string => (typeof target === 'string' ? target : target.id);

/** A path with its `:<name>`s filled in. */
const filled = (path: string, values: { readonly [name: string]: unknown }): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
