/** A separate process that is measured from outside: the CPU time of all its threads, its memory, its answers. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { assert } from '../../../src/core/refusal.js';

/** Linux counts CPU in hundredths of a second, whatever the kernel was built with. */
const microsATick = 10_000;

/** User and system time of a process with all its threads, µs. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name in brackets may hold blanks; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * microsATick;
}

function memory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kibibytes) * 1024;
}

/** Memory of a process that is in RAM, bytes: now, and the most since `forgetPeak`. */
export const residentBytes = (pid: number): number => memory(pid, 'VmRSS');
export const peakResidentBytes = (pid: number): number => memory(pid, 'VmHWM');
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

export interface ChildOptions {
  readonly env?: { readonly [name: string]: string };
  readonly execArgv?: readonly string[];
  /** Discards its error output. */
  readonly quiet?: boolean;
}

interface Waiting {
  resolve(reply: unknown): void;
  reject(error: Error): void;
}

/** Answers come in the order of the questions. */
export class Child<Question extends { readonly ask: string }> {
  readonly #process: ChildProcess;
  readonly #waiting: Waiting[] = [];
  readonly #gone: Promise<void>;

  /** @param script script in this folder, without extension; it serves questions with `answerParent` */
  constructor(script: string, { env = {}, execArgv = [], quiet = false }: ChildOptions = {}) {
    this.#process = fork(new URL(`./${script}.js`, import.meta.url), [], {
      env: { ...process.env, ...env },
      execArgv: [...execArgv],
      stdio: ['ignore', 'inherit', quiet ? 'ignore' : 'inherit', 'ipc'],
    });
    this.#process.on('message', (reply) => this.#waiting.shift()?.resolve(reply));
    this.#gone = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => {
        for (const { reject } of this.#waiting.splice(0)) reject(new Error(`${script} ended: ${code ?? signal}`));
        resolve();
      });
    });
    running.add(this.#process);
    void this.#gone.then(() => running.delete(this.#process));
  }

  get pid(): number {
    assert(this.#process.pid, 'the process was started');
    return this.#process.pid;
  }

  ask<T>(question: Question): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve: resolve as (reply: unknown) => void, reject });
      this.#process.send(question);
    });
  }

  /** Waits until the process has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#process.kill(signal);
    await this.#gone;
  }
}

const running = new Set<ChildProcess>();
// Kills the children of a benchmark that is interrupted.
process.once('exit', () => {
  for (const each of running) each.kill('SIGKILL');
});

/** Answers the parent's questions in the child process. */
export function answerParent<Question>(answer: (question: Question) => unknown): void {
  let last: Promise<unknown> = Promise.resolve();
  process.on('message', (question: Question) => {
    last = last.then(async () => process.send!(await answer(question)));
  });
}
