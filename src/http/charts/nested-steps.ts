/** Steps of machines inside the context: which milestone moved, and from where to where. */

import type { MachineChart, MachineStep } from '../../../packages/client/src/wire.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { TransitionView } from './chart-view.js';

type NestedStep = NonNullable<MachineStep['nested']>;

/** Tracks the nested machines of one resource through its entries, which must begin with the first. */
export class NestedSteps {
  /** Path of the current state, by machine and id. */
  readonly #at = new Map<string, string>();

  constructor(private readonly chart: MachineChart) {}

  /** @param action the action of the entry's request */
  take({ payload }: NumberedEntry, action: string | null): NestedStep | undefined {
    for (const frame of this.chart.states) {
      if (frame.type !== 'machine') continue;
      const id = payload?.input[`${frame.name}Id`];
      if (typeof id !== 'string') continue;
      const step = this.#step(frame.path, id, action);
      if (step) return { machine: frame.name, id, transition: step.id, from: step.from!, to: step.to };
    }
    return undefined;
  }

  #step(machine: string, id: string, action: string | null): TransitionView | undefined {
    const { states, transitions } = this.chart;
    const key = JSON.stringify([machine, id]);
    const now = this.#at.get(key) ?? states.find(({ parent, initial }) => parent === machine && initial)?.path;
    const step = transitions.find(({ from, event }) => from === now && event === action);
    if (step) this.#at.set(key, step.to);
    return step;
  }
}
