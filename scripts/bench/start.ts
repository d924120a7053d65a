/** `svc-node start` on a large data directory: how soon it answers, and how much memory it takes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runningNode } from '../../src/cli/running-node.js';
import { realEnvironment } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { Child, cpuMicros, residentBytes } from './child.js';
import { type Large, large } from './large.js';
import type { LoadQuestion } from './load-process.js';
import { options } from './options.js';
import { environmentOf } from './people.js';
import { atMost, type Figure, mebibytes, median, millis, table } from './report.js';

interface Start {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly firstAnswerMs: number;
  readonly cpuMs: number;
}

export async function start(): Promise<void> {
  const filled = await large();
  const clean: Start[] = [];
  const resident: number[] = [];
  const killed: Start[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const started = await startAt(filled.dir);
    clean.push(started);
    // Waits so that garbage of the start is collected, but not what the node allocates soon afterwards.
    await pause(1_000);
    resident.push(residentBytes(started.pid));
    await killUnderLoad(started, filled);
    killed.push(await startAt(filled.dir));
    await end(killed.at(-1)!, 'SIGTERM');
  }
  table(`Starting with ${options.resources} resources`, figuresOf(clean, resident, killed));
}

const program = fileURLToPath(new URL('../../../bin/svc-node.mjs', import.meta.url));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function startAt(dir: string): Promise<Start> {
  const from = realEnvironment.monotonic();
  const child = spawn(process.execPath, [program, 'start'], {
    env: { ...process.env, ...environmentOf(dir) },
    stdio: 'ignore',
  });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  child.once('exit', () => process.off('exit', killed));
  const url = await urlOf(child, dir);
  const response = await fetch(`${url}/api/v1/node`);
  assert(response.status === 200, `the node answered ${response.status}`);
  await response.text();
  const firstAnswerMs = realEnvironment.monotonic() - from;
  return { process: child, pid: child.pid!, url, firstAnswerMs, cpuMs: cpuMicros(child.pid!) / 1_000 };
}

async function urlOf(child: ChildProcess, dir: string): Promise<string> {
  for (;;) {
    assert(child.exitCode === null, `the node ended: ${child.exitCode}`);
    const running = runningNode(dir);
    if (running?.pid === child.pid) return running!.url;
    await pause(2);
  }
}

async function killUnderLoad(started: Start, { people }: Large): Promise<void> {
  const load = new Child<LoadQuestion>('load-process', { quiet: true });
  const { url, pid } = started;
  // The load process fails when the node ends, which is expected.
  const loading = load
    .ask({ ask: 'load', site: { url, pid, people }, plan: { do: 'transfers' }, seconds: 60 })
    .catch(() => {});
  await pause(options.seconds * 1_000);
  await end(started, 'SIGKILL');
  await loading;
}

async function end({ process: child }: Start, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

const firstAnswer = ({ firstAnswerMs }: Start): number => firstAnswerMs;
const cpu = ({ cpuMs }: Start): number => cpuMs;

const figuresOf = (clean: readonly Start[], resident: readonly number[], killed: readonly Start[]): Figure[] => [
  atMost('from process start to the first answer', median(clean.map(firstAnswer)), 1_000, millis),
  { what: 'the same, CPU', measured: millis(median(clean.map(cpu))) },
  atMost('memory a second later', median(resident), 150 * 2 ** 20, mebibytes),
  atMost('after kill -9 under load: to the first answer', median(killed.map(firstAnswer)), 2_000, millis),
  { what: 'the same, CPU', measured: millis(median(killed.map(cpu))) },
];
