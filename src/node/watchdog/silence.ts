/** Measures how long a thread's heartbeat counter has not changed. */
import { type Pulse, pulseMs } from '../../core/threads.js';

/**
 * Consecutive checks that found the counter unchanged. Counted instead of timed, so that a process that was suspended
 * has missed none.
 */
export class Silence {
  readonly #beats = new WeakMap<Pulse, { last: number; missed: number }>();

  constructor(readonly silentMs: number) {}

  /** @returns whether the thread has been silent for too long */
  look(pulse: Pulse): boolean {
    const now = Atomics.load(pulse, 0);
    const { last, missed } = this.#beats.get(pulse) ?? { last: 0, missed: 0 };
    const still = now !== 0 && now === last;
    this.#beats.set(pulse, { last: now, missed: still ? missed + 1 : 0 });
    return still && (missed + 1) * pulseMs >= this.silentMs;
  }
}
