/** Partitions, old backups, and a home that signs two journals. Each row takes long: it runs if its name is given. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { options } from './options.js';
import {
  addressOf,
  found,
  foundAll,
  level,
  peersOf,
  type RunningHome,
  start,
  stopAll,
  unlockAll,
  until,
  write,
} from './peers-homes.js';
import { scratch } from './people.js';
import { atMost, count, median, millis, table } from './report.js';
import { Wire } from './wire.js';

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

/** Starts homes that reach each other over wires. @returns the wire from one to the other */
async function startWired(homes: readonly RunningHome[]): Promise<(from: RunningHome, to: RunningHome) => Wire> {
  const wires = new Map<string, Wire>();
  const between = (from: RunningHome, to: RunningHome) => wires.get(`${from.did} ${to.did}`)!;
  for (const from of homes)
    for (const to of homes) if (from !== to) wires.set(`${from.did} ${to.did}`, await Wire.open(to.port));
  const startOf = (home: RunningHome) => {
    const others = homes.filter((each) => each !== home);
    return start(
      home,
      others.map((each) => addressOf(each, between(home, each).port)),
    );
  };
  await Promise.all(homes.map(startOf));
  return between;
}

export async function peersPartition(): Promise<void> {
  const homes = await foundAll(5);
  const between = await startWired(homes);
  await level(homes);
  await unlockAll(homes);
  await level(homes);
  const sides = [homes.slice(0, 2), homes.slice(2)] as const;
  const across = sides[0].flatMap((one) => sides[1].flatMap((other) => [between(one, other), between(other, one)]));
  const ms: number[] = [];
  for (let time = 0; time < options.rounds; time++) {
    for (const wire of across) wire.cut();
    // A write that isn't answered ends the run.
    await Promise.all(
      sides.flatMap((side) => side.map((home) => writeMany(home, Math.ceil(entriesPerSide / side.length)))),
    );
    for (const wire of across) wire.mend();
    ms.push(await level(homes));
  }
  await stopAll(homes);
  for (const wire of across) wire.close();
  table(`2|3 of 5 nodes, ${entriesPerSide} entries a side, ${options.rounds} times`, [
    { what: 'all copies equal after the heal: median', measured: millis(median(ms)) },
    atMost('the same: longest', Math.max(...ms), 5_000, millis),
  ]);
}

export async function peersBackups(): Promise<void> {
  const [home, peer] = [await found(), await found()];
  const startHome = () => start(home, [addressOf(peer, peer.port)]);
  await Promise.all([startHome(), start(peer, [addressOf(home, home.port)])]);
  await unlockAll([home]);
  const backup = join(await scratch(), 'backup');
  const statusAtPeer = async () => (await peersOf(peer))[0]!.status;
  let forks = 0;
  for (let time = 0; time < options.rounds; time++) {
    await home.child.stop();
    await rm(backup, { recursive: true, force: true });
    await cp(home.dir, backup, { recursive: true });
    await startHome();
    await writeMany(home, 20);
    await until('the peer has it', async () => (await peersOf(peer))[0]!.adopted === (await peersOf(peer))[0]!.head);
    await home.child.stop('SIGKILL');
    await rm(home.dir, { recursive: true });
    await cp(backup, home.dir, { recursive: true });
    await startHome();
    await writeMany(home, 5);
    await until('the feed is followed', async () => /current|forked|stopped/.test(await statusAtPeer()));
    if ((await statusAtPeer()) !== 'current') forks++;
  }
  await level([home, peer]);
  await stopAll([home, peer]);
  table(`${options.rounds} starts with an old backup and a peer in reach`, [atMost('forks', forks, 0, count)]);
}

/** A home signs one journal for one peer and another one for the other. */
export async function peersFork(): Promise<void> {
  const ms: number[] = [];
  for (let time = 0; time < options.rounds; time++) {
    const homes = await foundAll(3);
    const [liar, one, other] = homes as [RunningHome, RunningHome, RunningHome];
    const between = await startWired(homes);
    await level(homes);
    await unlockAll([liar]);
    await level(homes);
    const cutFrom = (peer: RunningHome) => [between(liar, peer), between(peer, liar)];
    const inside = [between(one, other), between(other, one)];
    for (const wire of [...cutFrom(other), ...inside]) wire.cut();
    await liar.child.stop();
    const backup = join(await scratch(), 'backup');
    await cp(liar.dir, backup, { recursive: true });
    const again = () =>
      start(
        liar,
        [one, other].map((each) => addressOf(each, between(liar, each).port)),
      );
    const branch = async (peer: RunningHome) => {
      const nonces = [...liar.nonces];
      await again();
      await writeMany(liar, 20);
      const seen = async () => (await peersOf(peer)).find(({ did }) => did === liar.did)!;
      await until('the branch is adopted', async () => {
        const { adopted, head, status } = await seen();
        return status === 'current' && adopted === head && adopted >= 36;
      });
      await liar.child.stop();
      liar.nonces.splice(0, people, ...nonces);
    };
    const people = liar.nonces.length;
    await branch(one);
    await rm(liar.dir, { recursive: true });
    await cp(backup, liar.dir, { recursive: true });
    for (const wire of cutFrom(one)) wire.cut();
    for (const wire of cutFrom(other)) wire.mend();
    await branch(other);
    for (const wire of inside) wire.mend();
    const isForked = async (peer: RunningHome) =>
      (await peersOf(peer)).some(({ did, status }) => did === liar.did && status === 'forked');
    ms.push(await until('both know', async () => (await isForked(one)) && (await isForked(other)), 10));
    await stopAll([one, other]);
    for (const wire of [...inside, ...cutFrom(one), ...cutFrom(other)]) wire.close();
  }
  table(`a home that has signed two journals, ${options.rounds} times`, [
    { what: 'proof at both sides after they can talk: median', measured: millis(median(ms)) },
    atMost('the same: longest', Math.max(...ms), 2_000, millis),
  ]);
}
