/** The thread that looks after the main thread. */
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

/** A process that can't leave by itself within so long is killed. */
const leaveMs = 2_000;
const faultCode = 70;

const { watched, silentMs } = workerData as WatchdogData;
const silence = new Silence(silentMs);

function look(): void {
  if (silence.look(watched)) end();
  else realEnvironment.after(pulseMs, look);
}

/** The inspector interrupts JavaScript, also a loop or a regular expression; a call into native code it can't. */
function end(): void {
  const msg = `the event loop has not turned for ${silentMs / 1000} s: the process ends`;
  writeSync(2, `${JSON.stringify({ level: 60, time: realEnvironment.now(), pid: process.pid, msg })}\n`);
  realEnvironment.after(leaveMs, () => process.kill(process.pid, 'SIGKILL'));
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.exit(${faultCode})` });
}

// Its timers don't keep it.
holdProcess();
showPulse();
look();
