import process from 'node:process';
import { realEnvironment } from '../core/environment.js';

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
const names = Object.keys(signals) as (keyof typeof signals)[];

/** Two signals within this time count as one: after Ctrl-C both the terminal and `npm start` send one. */
const sameGestureMs = 300;

/** Resolves with the first SIGHUP, SIGINT or SIGTERM; a second one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const hear = (signal: keyof typeof signals) => {
      const now = realEnvironment.monotonic();
      first ??= now;
      if (now - first > sameGestureMs) process.exit(128 + signals[signal]);
      resolve(signal);
    };
    for (const signal of names) process.on(signal, hear);
  });
}
