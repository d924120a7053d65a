/** The thread that watches the main thread. */
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { holdProcess, realEnvironment } from '../../core/environment.js';
import { type Pulse, pulseMs, showPulse } from '../../core/threads.js';
import { Silence } from './silence.js';

export interface WatchdogData {
  readonly watched: Pulse;
  readonly silentMs: number;
}

/** A process that has not exited after this time is killed. */
const leaveMs = 2_000;
const faultCode = 70;

const { watched, silentMs } = workerData as WatchdogData;
const silence = new Silence(silentMs);

function look(): void {
  if (silence.look(watched)) end();
  else realEnvironment.after(pulseMs, look);
}

/**
 * The inspector interrupts JavaScript, even an endless loop or a regular expression, but not a call into native code.
 */
function end(): void {
  const msg = `the event loop has been blocked for ${silentMs / 1000} s: the process exits`;
  writeSync(2, `${JSON.stringify({ level: 60, time: realEnvironment.now(), pid: process.pid, msg })}\n`);
  realEnvironment.after(leaveMs, () => process.kill(process.pid, 'SIGKILL'));
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.exit(${faultCode})` });
}

// The environment's timers alone do not keep the thread alive.
holdProcess();
showPulse();
look();
