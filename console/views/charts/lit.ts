/** What is highlighted together: a transition with its two states; a state with all transitions into and out of it. */
import type { MachineChart } from '../../api/types.ts';

export interface Lit {
  readonly transitions: ReadonlySet<string>;
  readonly states: ReadonlySet<string>;
}

export const noneLit: Lit = { transitions: new Set(), states: new Set() };

interface Pointed {
  readonly transition?: string | undefined;
  readonly state?: string | undefined;
}

export function litBy({ transitions }: MachineChart, { transition, state }: Pointed): Lit {
  const found = transitions.filter(({ id, from, to }) =>
    transition === undefined ? state !== undefined && (from === state || to === state) : id === transition,
  );
  if (found.length === 0) return noneLit;
  return {
    transitions: new Set(found.map(({ id }) => id)),
    states: new Set(found.flatMap(({ from, to }) => (from === null ? [to] : [from, to]))),
  };
}
