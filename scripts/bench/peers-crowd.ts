/** Many nodes that all follow each other, with two writes a second each. */
import { realEnvironment as world } from '../../src/core/environment.js';
import { cpuMicros, residentBytes } from './child.js';
import { options } from './options.js';
import { foundAll, level, measure, quantile, startAll, stopAll, unlockAll } from './peers-homes.js';
import { atMost, count, mebibytes, micros, millis, table } from './report.js';

const { nodes } = options;
const writesPerSecond = 2;
/** About one look at all peers in five seconds. */
const looks = { every: 199, firstMs: 25 };
/** Memory may grow by this share between the first third of the time and the end. */
const flatShare = 1.1;

export async function peersCrowd(): Promise<void> {
  const homes = await foundAll(nodes);
  await startAll(homes);
  await level(homes);
  await unlockAll(homes);
  const bytes = () => homes.reduce((sum, { child }) => sum + residentBytes(child.pid), 0) / nodes;
  const cpu = () => homes.reduce((sum, { child }) => sum + cpuMicros(child.pid), 0);
  const seconds = options.minutes * 60;
  const first = await measure(homes, seconds / 3, writesPerSecond, homes, looks);
  const before = bytes();
  const cpuBefore = cpu();
  const begun = world.monotonic();
  const rest = await measure(homes, (seconds * 2) / 3, writesPerSecond, homes, looks);
  const after = bytes();
  const used = cpu() - cpuBefore;
  const tookSeconds = (world.monotonic() - begun) / 1_000;
  const levelMs = await level(homes);
  await stopAll(homes);
  const ms = [...first.ms, ...rest.ms].sort((one, other) => one - other);
  table(`${nodes} nodes × ${writesPerSecond} writes/s, ${options.minutes} minutes`, [
    { what: 'writes answered', measured: count(first.writes + rest.writes) },
    { what: 'of these looked up at all peers', measured: count(ms.length) },
    { what: 'followed at all peers: p50', measured: millis(quantile(ms, 0.5)) },
    atMost('the same: longest', ms.at(-1)!, 5_000, millis),
    { what: 'after the last write: all feeds level', measured: millis(levelMs) },
    { what: 'CPU of all nodes, a write and node', measured: micros(used / rest.writes / nodes) },
    { what: 'CPU of a node a second', measured: micros(used / tookSeconds / nodes) },
    { what: 'memory of a node after a third of the time', measured: mebibytes(before) },
    atMost('… at the end', after, before * flatShare, mebibytes),
  ]);
}
