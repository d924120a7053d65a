/** The kinds that the node has. */
import type { MachineSummary } from './types.ts';
import { type Reading, useRead } from './use-read.ts';

export interface Machines {
  readonly machines: readonly MachineSummary[];
}

export const machinesPath = '/api/v1/machines?limit=100';

export const useMachines = (): Reading<Machines> => useRead<Machines>(machinesPath);
