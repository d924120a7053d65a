/** Paths of states, whose names are joined by dots: `created.lapsed`. */
import type { StateValue } from 'xstate';
import { assert } from '../../core/refusal.js';

/** A state's path, its names joined by dots (`created.lapsed`), as the value that XState uses (`{ created: 'lapsed' }`). */
export function stateValue(path: string): StateValue {
  const dot = path.indexOf('.');
  return dot < 0 ? path : { [path.slice(0, dot)]: stateValue(path.slice(dot + 1)) };
}

/** The reverse of `stateValue`. */
export function statePath(value: StateValue): string {
  if (typeof value === 'string') return value;
  const [only, ...others] = Object.entries(value);
  assert(only && others.length === 0, 'a machine is in one state at a time: parallel states have no path');
  return `${only[0]}.${statePath(only[1]!)}`;
}

/** The outermost state of a path: `created` of `created.lapsed`. */
export const topState = (path: string): string => path.split('.', 1)[0]!;

/** The path below the outermost state: `lapsed` of `created.lapsed`; undefined if there is none. */
export const substateOf = (path: string): string | undefined => {
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : path.slice(dot + 1);
};

/** Whether a state is the given one, or nested in it. */
export const isIn = (path: string, state: string): boolean => path === state || path.startsWith(`${state}.`);
