/** How long a thread's pulse has stood still. */
import { type Pulse, pulseMs } from '../../core/threads.js';

/** Looks in a row that found a pulse as it was. Counted, not timed: a process that was stopped for a while has missed none. */
export class Silence {
  readonly #beats = new WeakMap<Pulse, { last: number; missed: number }>();

  constructor(readonly silentMs: number) {}

  /** @returns whether it has been silent for too long */
  look(pulse: Pulse): boolean {
    const now = Atomics.load(pulse, 0);
    const { last, missed } = this.#beats.get(pulse) ?? { last: 0, missed: 0 };
    const still = now !== 0 && now === last;
    this.#beats.set(pulse, { last: now, missed: still ? missed + 1 : 0 });
    return still && (missed + 1) * pulseMs >= this.silentMs;
  }
}
