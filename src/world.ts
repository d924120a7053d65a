/**
 * The outside world that is not a store, chain or network: clock, timers, randomness.
 * Injected everywhere; `test/architecture` greps that nobody reaches around it.
 */
import { randomBytes } from 'node:crypto';

export interface Timer {
  cancel(): void;
}

export interface World {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Monotonic clock, milliseconds with fractions. */
  monotonic(): number;
  /** Cryptographically strong random bytes. */
  random(bytes: number): Uint8Array;
  /** Calls back once after `delayMs`; never keeps the process alive. */
  after(delayMs: number, call: () => void): Timer;
}

/** setTimeout takes 31 bits; a longer delay fires early and its owner looks again. */
const longestDelayMs = 2 ** 31 - 1;

export const realWorld: World = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: (bytes) => randomBytes(bytes),
  after(delayMs, call) {
    const handle = setTimeout(call, Math.min(Math.max(0, delayMs), longestDelayMs));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** A promise that resolves after `delayMs` of the given world's time. */
export const pause = (world: World, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    world.after(delayMs, resolve);
  });
