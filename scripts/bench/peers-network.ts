/**
 * Three nodes of three operators on this machine: the time until a write that was answered at home is followed at both
 * peers, and what two idle peers cost.
 */
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { cpuMicros, residentBytes } from './child.js';
import {
  foundAll,
  level,
  measure,
  quantile,
  type RunningHome,
  start,
  startAll,
  stopAll,
  unlockAll,
} from './peers-homes.js';
import { atMost, count, mebibytes, micros, millis, perSecond, table } from './report.js';

const writesPerSecond = 100;
const seconds = 60;
/** The time that V8 takes to compile what a new process executes. */
const warmUpSeconds = 10;
const floodSeconds = 10;
/** After this time without traffic a process has settled. */
const quietMs = 5_000;
const idleMs = 5_000;

async function idle({ child }: RunningHome): Promise<{ bytes: number; cpu: number }> {
  await pause(world, quietMs);
  const before = cpuMicros(child.pid);
  await pause(world, idleMs);
  return { bytes: residentBytes(child.pid), cpu: (cpuMicros(child.pid) - before) / (idleMs / 1_000) };
}

export async function peersNetwork(): Promise<void> {
  const homes = await foundAll(3);
  const [first] = homes as [RunningHome];
  await start(first, []);
  const alone = await idle(first);
  await first.child.stop();
  await startAll(homes);
  await level(homes);
  const accompanied = await idle(first);
  await unlockAll(homes);
  await measure(homes, warmUpSeconds, writesPerSecond);
  const paced = await measure(homes, seconds, writesPerSecond);
  await level(homes);
  const flat = await measure(homes, floodSeconds);
  await level(homes);
  await stopAll(homes);
  table('Three nodes that follow each other', [
    {
      what: `writes at each node for ${seconds} s, of ${writesPerSecond}/s: answered`,
      measured: perSecond(paced.writes / homes.length / seconds),
    },
    { what: 'of these looked up at both peers', measured: count(paced.ms.length) },
    atMost('2xx at home to followed at both peers: p50', quantile(paced.ms, 0.5), 50, millis),
    atMost('the same: p99', quantile(paced.ms, 0.99), 500, millis),
    atMost('the same: longest', paced.ms.at(-1)!, 5_000, millis),
    { what: 'as fast as they are answered: writes a second in all', measured: perSecond(flat.writes / floodSeconds) },
    atMost('the same: longest', flat.ms.at(-1)!, 5_000, millis),
    atMost('two idle peers: memory', accompanied.bytes - alone.bytes, 15 * 2 ** 20, mebibytes),
    { what: 'two idle peers: CPU a second', measured: micros(accompanied.cpu - alone.cpu) },
  ]);
}
