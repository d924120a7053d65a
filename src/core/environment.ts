/**
 * Clock, timers and randomness. They are injected everywhere, and `test/architecture` checks that no file uses them
 * directly.
 */
import { randomBytes, randomFillSync } from 'node:crypto';
import { uptime } from 'node:os';
import { MessageChannel } from 'node:worker_threads';

export interface Timer {
  cancel(): void;
}

export interface Environment {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Monotonic clock, milliseconds with fractions. */
  monotonic(): number;
  /** Boot-time clock, milliseconds since the machine started; unlike `monotonic`, it counts sleep. Costs a system call. */
  uptime(): number;
  /** Cryptographically strong random bytes. */
  random(bytes: number): Uint8Array;
  /** Calls back once after `delayMs`; with 0, in the next turn of the event loop. Never keeps the process alive. */
  after(delayMs: number, call: () => void): Timer;
}

/** The longest delay of setTimeout (31 bits). A longer one fires early, and its owner checks the time again. */
const longestDelayMs = 2 ** 31 - 1;

/**
 * Random values of at most this size come from a pool, because each call of the generator has a fixed cost. Key seeds
 * are larger, so they never do.
 */
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

/** Uses setImmediate: a timer of 0 ms that is set repeatedly would starve reads and writes. */
function inNextTurn(call: () => void): Timer {
  const handle = setImmediate(call);
  return { cancel: () => clearImmediate(handle) };
}

export const realEnvironment: Environment = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1_000,
  random: (bytes) => (bytes <= smallBytes ? smallRandom(bytes) : randomBytes(bytes)),
  after(delayMs, call) {
    if (delayMs <= 0) return inNextTurn(call);
    const handle = setTimeout(call, Math.min(Math.max(0, delayMs), longestDelayMs));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** A promise that resolves after `delayMs` of the environment's time. */
export const pause = (world: Environment, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    world.after(delayMs, resolve);
  });

/** Resolves after `delayMs`, or as soon as the signal aborts. */
export function pauseUnless(signal: AbortSignal, world: Environment, delayMs: number): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = world.after(delayMs, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

/**
 * Keeps the process alive while something is awaited that has no open file or socket, because the environment's timers
 * don't.
 */
export function holdProcess(): () => void {
  const { port1 } = new MessageChannel();
  port1.ref();
  return () => port1.close();
}

/** A pause that keeps the process alive. */
export async function pauseAwake(delayMs: number): Promise<void> {
  const letGo = holdProcess();
  await pause(realEnvironment, delayMs);
  letGo();
}
