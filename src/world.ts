/**
 * The outside world that is not a store, chain or network: clock, timers, randomness.
 * Injected everywhere; `test/architecture` greps that nobody reaches around it.
 */
import { randomBytes, randomFillSync } from 'node:crypto';
import { MessageChannel } from 'node:worker_threads';

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

/** Salts, letters of ids and jitter come out of a pool, as asking for a little costs as much as for a lot; seeds don't. */
const smallBytes = 16;
const pool = new Uint8Array(4096);
let poolUsed = pool.length;

function smallRandom(bytes: number): Uint8Array {
  if (poolUsed + bytes > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const taken = pool.slice(poolUsed, poolUsed + bytes);
  pool.fill(0, poolUsed, poolUsed + bytes);
  poolUsed += bytes;
  return taken;
}

export const realWorld: World = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: (bytes) => (bytes <= smallBytes ? smallRandom(bytes) : randomBytes(bytes)),
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

/** Keeps the process alive, which the timers here do not, while something is awaited that no open file or port stands for. */
export function holdProcess(): () => void {
  const { port1 } = new MessageChannel();
  port1.ref();
  return () => port1.close();
}
