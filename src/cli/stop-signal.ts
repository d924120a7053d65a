import process from 'node:process';
import { realWorld } from '../world.js';

const signals = { SIGINT: 2, SIGTERM: 15 } as const;

/** `npm start` passes on what the terminal had sent to the whole group: two signals for one Ctrl-C. */
const sameGestureMs = 300;

/** Resolves with the first signal that asks to stop; one that comes after it ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const hear = (signal: keyof typeof signals) => {
      const now = realWorld.monotonic();
      first ??= now;
      if (now - first > sameGestureMs) process.exit(128 + signals[signal]);
      resolve(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, hear);
  });
}
