/** How resources of a kind are listed: by the roles of DIDs, and by status. */
import type { AnyStateMachine } from 'xstate';
import { substateOf } from './state-path.js';
import { pathsFrom } from './stepper.js';

export interface Listed<Role extends string = string> {
  readonly name: string;
  readonly roles: readonly Role[];
  /** Roles that always have the same DID as another one: a list by all roles skips them. */
  readonly synonyms?: readonly Role[];
  readonly statuses: readonly string[];
  /** Nested states that a list can be filtered by, if views show them as `substate`. */
  readonly substates?: readonly string[];
  /** The states of each status that is not itself the name of a state. */
  readonly states?: { readonly [status: string]: readonly string[] };
  /**
   * If only some resources are public: the label of the public ones. It also prefixes labels of roles:
   * `<open>/<role>:<did>`.
   */
  readonly open?: string;
  /** Lists below another kind's resources; their labels are prefixed with `<parameter>:<id>`. */
  readonly below?: readonly ListBelow[];
}

/** `GET <path>`: the resources that belong to the one in the path. */
export interface ListBelow {
  /** The kind of the resource in the path. */
  readonly of: string;
  readonly path: string;
  /** The route's name, in OpenAPI its operationId. */
  readonly name: string;
  readonly summary: string;
}

type StateFilters = { readonly [filter in 'status' | 'state' | 'substate']?: string | undefined };

/** The states that a list's filter selects; undefined: all. */
export function selectedStates(
  { list, machine }: { readonly list: Listed; readonly machine: AnyStateMachine },
  { status, state, substate }: StateFilters,
): readonly string[] | undefined {
  if (status === undefined && state === undefined && substate === undefined) return undefined;
  const ofStatus = status === undefined ? Object.keys(machine.states) : (list.states?.[status] ?? [status]);
  const tops = ofStatus.filter((each) => state === undefined || each === state);
  const paths = tops.flatMap((top) => pathsFrom(machine, top));
  return substate === undefined ? paths : paths.filter((path) => substateOf(path) === substate);
}
