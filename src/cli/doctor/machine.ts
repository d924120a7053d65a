/** Checks the machine: Node.js, native modules and the clock. */
import process from 'node:process';
import { realEnvironment } from '../../core/environment.js';
import { engines } from '../../core/version.js';
import type { Check } from './check.js';

/** Earliest plausible time: the date of the first release. */
const firstRelease = Date.UTC(2025, 0, 1);

/** Whether `20.19.1` is at least `>=20.19`. */
export function isNewEnough(running: string, range: string): boolean {
  const parts = (text: string) =>
    text
      .replace(/^[^\d]*/, '')
      .split('.')
      .map(Number);
  const [asked, found] = [parts(range), parts(running)];
  const differs = asked.findIndex((part, index) => part !== (found[index] ?? 0));
  return differs < 0 || (found[differs] ?? 0) > asked[differs]!;
}

const nodeVersion: Check<unknown> = {
  about: 'Node.js',
  look(_, findings) {
    const running = process.versions.node;
    if (isNewEnough(running, engines.node)) findings.ok(`${running}`);
    else findings.problem(`${running} is too old: ${engines.node} is needed`, 'install a newer Node.js');
  },
};

const nativeParts: Check<unknown> = {
  about: 'packages',
  async look(_, findings) {
    try {
      const { default: Database } = await import('libsql');
      new Database(':memory:').close();
      findings.ok('the embedded database’s library loads');
    } catch (error) {
      const { message } = error as Error;
      findings.problem(
        `the embedded database’s library does not load on ${process.platform}-${process.arch}: ${message.split('\n')[0]}`,
        'install the packages on this machine (npm ci), not on another one',
      );
    }
  },
};

const clock: Check<unknown> = {
  about: 'clock',
  look(_, findings) {
    const now = realEnvironment.now();
    const says = `it is ${new Date(now).toISOString()}`;
    if (now < firstRelease) findings.problem(says, 'set the clock, and let the system synchronise it (NTP)');
    else findings.ok(says);
  },
};

export const machineChecks: readonly Check<unknown>[] = [nodeVersion, nativeParts, clock];
