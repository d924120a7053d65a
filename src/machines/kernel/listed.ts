/** How resources of a kind are listed: by who has part in them, and by what they have come to. */
import type { AnyStateMachine } from 'xstate';
import { isIn, nestedPaths, substateOf } from './definition.js';

export interface Listed<Role extends string = string> {
  readonly name: string;
  readonly roles: readonly Role[];
  /** Those of the roles that are another name of one before: a list by all roles need not look for them. */
  readonly synonyms?: readonly Role[];
  readonly statuses: readonly string[];
  /** Names of the nested states that a list can be filtered by, where views show them as `substate`. */
  readonly substates?: readonly string[];
  /** States that a status stands for, where it is not the state's own name. */
  readonly states?: { readonly [status: string]: readonly string[] };
  /**
   * Where not all are for everybody: the label of those that everybody may list. Labels of roles stand behind it, too:
   * `<open>/<role>:<did>`.
   */
  readonly open?: string;
  /** Lists below another kind's resources; their labels have `<parameter>:<id>` in front. */
  readonly below?: readonly ListBelow[];
}

/** `GET <path>`: what belongs to the resource that the path's parameter names. */
export interface ListBelow {
  /** Kind of that resource. */
  readonly of: string;
  readonly path: string;
  /** The route's name, in OpenAPI its operationId. */
  readonly name: string;
  readonly summary: string;
}

/**
 * The states that a list's filter selects; undefined: all. A state that has nested ones is among them, because a resource
 * that an earlier version wrote may still be stored in it: `isSelected` decides these once they are migrated.
 */
export function selectedStates(
  { list, machine }: { readonly list: Listed; readonly machine: AnyStateMachine },
  { status, substate }: { readonly status?: string | undefined; readonly substate?: string | undefined },
): readonly string[] | undefined {
  if (status === undefined && substate === undefined) return undefined;
  const tops = status === undefined ? Object.keys(machine.states) : (list.states?.[status] ?? [status]);
  const paths = tops.flatMap((top) => [top, ...nestedPaths(machine, top)]);
  if (substate === undefined) return paths;
  const wanted = paths.filter((path) => substateOf(path) === substate);
  return paths.filter((path) => wanted.some((each) => isIn(each, path)));
}

/** Whether a resource, migrated to the present version, is in a nested state of this name; absent: in whichever. */
export const isSelected = (state: string, substate: string | undefined): boolean =>
  substate === undefined || substateOf(state) === substate;
