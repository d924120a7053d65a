/** `--watch`: shows a reply again whenever it has changed, until the process or the reader of its output ends. */
import process from 'node:process';
import { holdProcess, pause, realEnvironment } from '../../core/environment.js';
import { UsageFault } from '../failure.js';
import { outputLost } from '../output.js';
import { stopSignal } from '../stop-signal.js';

const usualSeconds = 2;

/** @param given seconds between two requests; true for the usual number */
export function secondsOf(given: unknown): number {
  if (given === true) return usualSeconds;
  const seconds = Number(given);
  if (typeof given === 'string' && seconds >= 0.5 && seconds <= 3_600) return seconds;
  throw new UsageFault([`--watch ${String(given)} is not a number of seconds from 0.5 to 3600.`]);
}

export async function watch(seconds: number, read: () => Promise<unknown>, show: (reply: unknown) => Promise<void>) {
  const letGo = holdProcess();
  let isOver = false;
  const lost = new Promise((resolve) => outputLost.addEventListener('abort', resolve, { once: true }));
  const stopped = Promise.race([stopSignal(), lost]).then(() => {
    isOver = true;
  });
  try {
    let before: string | undefined;
    while (!isOver) {
      const reply = await read();
      const text = JSON.stringify(reply);
      if (text !== before) {
        if (process.stdout.isTTY) process.stdout.write('\u001b[2J\u001b[H');
        await show(reply);
      }
      before = text;
      await Promise.race([stopped, pause(realEnvironment, seconds * 1_000)]);
    }
  } finally {
    letGo();
  }
}
