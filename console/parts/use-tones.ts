/** The tone of each state of a kind, from its definition: it gives the colour of the state's badge. */
import type { MachineSummary } from '../api/types.ts';
import { useMachines } from '../api/use-machines.ts';

type Tone = MachineSummary['tones'][string];

export type ToneOf = (kind: string, state: string) => Tone | undefined;

export function useTones(): ToneOf {
  const machines = useMachines();
  return (kind, state) => machines.data?.machines.find((each) => each.kind === kind)?.tones[state];
}
