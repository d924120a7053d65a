/** A node that a peer floods: its memory, its API, the offender's connection, and the feed of another peer meanwhile. */
import { peerIdOf } from '../../src/core/codecs/peer-id.js';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { signerOf } from '../../src/keys/signing.js';
import { freePort } from '../../test/support/free-port.js';
import { Child, residentBytes } from './child.js';
import {
  addressOf,
  foundAll,
  get,
  measure,
  quantile,
  type RunningHome,
  start,
  startAmong,
  stopAll,
  unlockAll,
} from './peers-homes.js';
import type { Attack, Attacked, OffenderQuestion } from './peers-offender.js';
import { atMost, count, type Figure, mebibytes, millis, table } from './report.js';

const attacks: { readonly [Kind in Attack]: string } = {
  line: 'a line of 64 MB',
  signatures: 'entries with a forged checkpoint, as fast as they are read',
  dials: '1,000 connections a second that prove nothing',
  checkpoints: '10,000 forged checkpoints a second',
};
const seconds = 20;
const readsPerSecond = 100;
/** Writes a second of the honest peer. */
const honestRate = 5;

/** Reads the node's API. @returns the times of the answers in ms, sorted, and the most memory meanwhile */
async function read(node: RunningHome, forSeconds: number): Promise<{ ms: readonly number[]; bytes: number }> {
  const ms: number[] = [];
  let bytes = 0;
  const open = new Set<Promise<void>>();
  const begun = world.monotonic();
  for (let number = 0; world.monotonic() < begun + forSeconds * 1_000; number++) {
    await pause(world, Math.max(0, begun + (number * 1_000) / readsPerSecond - world.monotonic()));
    if (open.size >= readsPerSecond) await Promise.race(open);
    const since = world.monotonic();
    const done: Promise<void> = get(node, '/node')
      .then(() => void ms.push(world.monotonic() - since))
      .finally(() => open.delete(done));
    open.add(done);
    if (number % 10 === 0) bytes = Math.max(bytes, residentBytes(node.child.pid));
  }
  await Promise.all(open);
  return { ms: ms.sort((one, other) => one - other), bytes };
}

export async function peersFlood(): Promise<void> {
  const homes = await foundAll(2);
  const [node, honest] = homes as [RunningHome, RunningHome];
  const seed = Buffer.from(world.random(32));
  const { did } = signerOf(seed);
  const port = await freePort();
  const offender = new Child<OffenderQuestion>('peers-offender');
  await offender.ask({ ask: 'listen', port, seed: seed.toString('hex') });
  await Promise.all([
    start(node, [addressOf(honest, honest.port), addressOf({ did: did as never }, port)]),
    startAmong(honest, homes),
  ]);
  await unlockAll([honest]);
  await pause(world, 3_000);
  const target = `/ip4/127.0.0.1/tcp/${node.port}/p2p/${peerIdOf(node.did)}`;
  const figures: Figure[] = [];
  for (const [attack, what] of Object.entries(attacks) as [Attack, string][]) {
    const [before] = await Promise.all([read(node, seconds), measureAt(honest, node)]);
    const [during, lag, attacked] = await Promise.all([
      read(node, seconds),
      measureAt(honest, node),
      offender.ask<Attacked>({ ask: 'attack', attack, target, seconds }),
    ]);
    figures.push(
      { what, measured: `${count(attacked.sent)} sent` },
      atMost('… memory', during.bytes - before.bytes, 64 * 2 ** 20, mebibytes),
      atMost('… API p99', quantile(during.ms, 0.99), 2 * quantile(before.ms, 0.99), millis),
      atMost('… the other feed behind: longest', lag.at(-1)!, 1_000, millis),
      ...(attack === 'dials'
        ? []
        : [atMost('… offender closed', attacked.closedMs ?? Number.POSITIVE_INFINITY, 5_000, millis)]),
    );
  }
  await offender.stop();
  await stopAll(homes);
  table('A node that a peer floods', figures);
}

const measureAt = async (honest: RunningHome, node: RunningHome): Promise<readonly number[]> =>
  (await measure([honest, node], seconds, honestRate, [honest])).ms;
