/** `svc-node start` on a large data directory: how soon it answers, and how much memory it takes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runningNode } from '../../src/cli/running-node.js';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { cpuMicros, residentBytes } from './support/child.js';
import { startLoad } from './support/contest.js';
import { type Escrows, escrows } from './support/escrows.js';
import { options } from './support/options.js';
import { environmentOf } from './support/people.js';
import { atMost, mebibytes, median, millis, table } from './support/report.js';

interface Start {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly firstAnswerMs: number;
  readonly cpuMs: number;
}

export async function start(): Promise<void> {
  const filled = await escrows();
  const clean: Start[] = [];
  const resident: number[] = [];
  const killed: Start[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const started = await startAt(filled.dir);
    clean.push(started);
    // Waits so that garbage of the start is collected, but not what the node allocates soon afterwards.
    await pause(world, 1_000);
    resident.push(residentBytes(started.pid));
    await killUnderLoad(started, filled);
    killed.push(await startAt(filled.dir));
    await end(killed.at(-1)!, 'SIGTERM');
  }
  const of = (starts: readonly Start[], what: 'firstAnswerMs' | 'cpuMs') => median(starts.map((each) => each[what]));
  table(`Starting with ${options.resources} resources`, [
    atMost('from process start to the first answer', of(clean, 'firstAnswerMs'), 1_000, millis),
    { what: 'the same, CPU', measured: millis(of(clean, 'cpuMs')) },
    atMost('memory a second later', median(resident), 150 * 2 ** 20, mebibytes),
    atMost('after kill -9 under load: to the first answer', of(killed, 'firstAnswerMs'), 2_000, millis),
    { what: 'the same, CPU', measured: millis(of(killed, 'cpuMs')) },
  ]);
}

const program = fileURLToPath(new URL('../../../bin/svc-node.mjs', import.meta.url));

export async function startAt(dir: string): Promise<Start> {
  const from = world.monotonic();
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
  const firstAnswerMs = world.monotonic() - from;
  return { process: child, pid: child.pid!, url, firstAnswerMs, cpuMs: cpuMicros(child.pid!) / 1_000 };
}

async function urlOf(child: ChildProcess, dir: string): Promise<string> {
  for (;;) {
    assert(child.exitCode === null, `the node ended: ${child.exitCode}`);
    const running = runningNode(dir);
    if (running?.pid === child.pid) return running!.url;
    await pause(world, 2);
  }
}

async function killUnderLoad(started: Start, { people }: Escrows): Promise<void> {
  const load = startLoad({ quiet: true });
  const { url, pid } = started;
  // The load process fails when the node ends, which is expected.
  const loading = load
    .ask({ ask: 'load', site: { url, pid, people }, plan: { do: 'transfers' }, seconds: 60 })
    .catch(() => {});
  await pause(world, options.seconds * 1_000);
  await end(started, 'SIGKILL');
  await loading;
}

export async function end({ process: child }: Start, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
