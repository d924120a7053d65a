/** Partitions, and a home that signs two journals. Each row takes long: it runs if its name is given. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Network } from '../../test/mongo/support/network.js';
import { cpuMicros } from './child.js';
import { options } from './options.js';
import {
  foundAll,
  level,
  peersOf,
  type RunningHome,
  startAmong,
  stopAll,
  unlockAll,
  until,
  write,
} from './peers-homes.js';
import { scratch } from './people.js';
import { atMost, median, millis, table } from './report.js';

const entriesPerSide = 1_000;
/** Writes at once at each home. */
const atOnce = 8;

async function writeMany(home: RunningHome, number: number): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < number) await write(home, next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Starts homes that reach each other through proxies. @returns the proxy from one to the other */
async function startApart(homes: readonly RunningHome[]): Promise<(from: RunningHome, to: RunningHome) => Network> {
  const networks = new Map<string, Network>();
  const between = (from: RunningHome, to: RunningHome) => networks.get(`${from.did} ${to.did}`)!;
  for (const from of homes)
    for (const to of homes)
      if (from !== to) networks.set(`${from.did} ${to.did}`, await Network.to(`http://127.0.0.1:${to.port}`));
  await Promise.all(homes.map((home) => startAmong(home, homes, (each) => between(home, each).port)));
  return between;
}

export async function peersPartition(): Promise<void> {
  const homes = await foundAll(5);
  const between = await startApart(homes);
  await level(homes);
  await unlockAll(homes);
  await level(homes);
  const sides = [homes.slice(0, 2), homes.slice(2)] as const;
  const across = sides[0].flatMap((one) => sides[1].flatMap((other) => [between(one, other), between(other, one)]));
  const ms: number[] = [];
  const connectedMs: number[] = [];
  const cpuMs: number[] = [];
  const cpu = () => homes.reduce((sum, { child }) => sum + cpuMicros(child.pid), 0) / 1_000;
  for (let time = 0; time < options.rounds; time++) {
    for (const network of across) network.close();
    // A write that isn't answered ends the run.
    await Promise.all(
      sides.flatMap((side) => side.map((home) => writeMany(home, Math.ceil(entriesPerSide / side.length)))),
    );
    const before = cpu();
    for (const network of across) network.open();
    connectedMs.push(await until('all feeds are connected', () => allConnected(homes)));
    ms.push(connectedMs.at(-1)! + (await level(homes)));
    cpuMs.push(cpu() - before);
  }
  await stopAll(homes);
  for (const network of across) await network.dispose();
  table(`2|3 of 5 nodes, ${entriesPerSide} entries a side, ${options.rounds} times`, [
    { what: 'all feeds level after the heal: median', measured: millis(median(ms)) },
    atMost('the same: longest', Math.max(...ms), 5_000, millis),
    { what: 'all feeds connected after the heal: longest', measured: millis(Math.max(...connectedMs)) },
    { what: 'CPU of the five nodes until all feeds are level: median', measured: millis(median(cpuMs)) },
  ]);
}

async function allConnected(homes: readonly RunningHome[]): Promise<boolean> {
  const seen = await Promise.all(homes.map(peersOf));
  return seen.flat().every(({ status }) => status !== 'unreachable');
}

/** A home signs one journal for one peer and another one for the other. */
export async function peersFork(): Promise<void> {
  const ms: number[] = [];
  for (let time = 0; time < options.rounds; time++) {
    const homes = await foundAll(3);
    const [liar, one, other] = homes as [RunningHome, RunningHome, RunningHome];
    const between = await startApart(homes);
    await level(homes);
    await unlockAll([liar]);
    await level(homes);
    const linksOf = (peer: RunningHome) => [between(liar, peer), between(peer, liar)];
    const inside = [between(one, other), between(other, one)];
    for (const network of [...linksOf(other), ...inside]) network.close();
    await liar.child.stop();
    const backup = join(await scratch(), 'backup');
    await cp(liar.dir, backup, { recursive: true });
    const again = () => startAmong(liar, homes, (each) => between(liar, each).port);
    const branch = async (peer: RunningHome) => {
      const nonces = [...liar.nonces];
      await again();
      await writeMany(liar, 20);
      const seen = async () => (await peersOf(peer)).find(({ did }) => did === liar.did)!;
      await until('the branch is followed', async () => {
        const { followed, head, status } = await seen();
        return status === 'current' && followed === head && followed >= 36;
      });
      await liar.child.stop();
      liar.nonces.splice(0, people, ...nonces);
    };
    const people = liar.nonces.length;
    await branch(one);
    await rm(liar.dir, { recursive: true });
    await cp(backup, liar.dir, { recursive: true });
    for (const network of linksOf(one)) network.close();
    for (const network of linksOf(other)) network.open();
    await branch(other);
    for (const network of inside) network.open();
    const isForked = async (peer: RunningHome) =>
      (await peersOf(peer)).some(({ did, status }) => did === liar.did && status === 'forked');
    ms.push(await until('both know', async () => (await isForked(one)) && (await isForked(other)), 10));
    await stopAll([one, other]);
    for (const network of [...inside, ...linksOf(one), ...linksOf(other)]) await network.dispose();
  }
  table(`a home that has signed two journals, ${options.rounds} times`, [
    { what: 'proof at both sides after they can talk: median', measured: millis(median(ms)) },
    atMost('the same: longest', Math.max(...ms), 2_000, millis),
  ]);
}
