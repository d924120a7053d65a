/** Twenty nodes that all follow each other, with two writes a second each. */
import { residentBytes } from './child.js';
import { options } from './options.js';
import { foundAll, level, measure, quantile, startAll, stopAll, unlockAll } from './peers-homes.js';
import { atMost, count, mebibytes, millis, table } from './report.js';

const nodes = 20;
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
  const seconds = options.minutes * 60;
  const first = await measure(homes, seconds / 3, writesPerSecond, homes, looks);
  const before = bytes();
  const rest = await measure(homes, (seconds * 2) / 3, writesPerSecond, homes, looks);
  const after = bytes();
  const levelMs = await level(homes);
  await stopAll(homes);
  const ms = [...first.ms, ...rest.ms].sort((one, other) => one - other);
  table(`${nodes} nodes × ${writesPerSecond} writes/s, ${options.minutes} minutes`, [
    { what: 'writes answered', measured: count(first.writes + rest.writes) },
    { what: 'of these looked up at all peers', measured: count(ms.length) },
    { what: 'readable at all peers: p50', measured: millis(quantile(ms, 0.5)) },
    atMost('the same: longest', ms.at(-1)!, 5_000, millis),
    { what: 'after the last write: all copies equal', measured: millis(levelMs) },
    { what: 'memory of a node after a third of the time', measured: mebibytes(before) },
    atMost('… at the end', after, before * flatShare, mebibytes),
  ]);
}
