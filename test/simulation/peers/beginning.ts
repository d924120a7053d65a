/**
 * The disks of homes that have read each other's first entries, where most histories begin. Made once for each number of homes.
 */
import { assert } from '../../../src/core/refusal.js';
import { checkTexts } from '../../../src/peers/replica/text-checks.js';
import type { SimulatedDisk } from './disk.js';
import { Draws } from './draws.js';
import { Home } from './home.js';
import { Network } from './network.js';
import { Scheduler } from './scheduler.js';

/** How long the homes read, ms. */
const readingMs = 1_000;

const made = new Map<number, Promise<readonly SimulatedDisk[]>>();

/** Names of so many homes. */
export const homeNames = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `h${index}`);

/** Addresses and names of the hosts in the simulated network. */
export const hostOf = (name: string): string => `10.0.0.${name.slice(1)}`;
export const nameAt = (host: string): string => `h${host.split('.')[3]}`;

/** @returns the disks in the order of the names; they must be copied */
export function disksOf(count: number): Promise<readonly SimulatedDisk[]> {
  const known = made.get(count) ?? make(count);
  made.set(count, known);
  return known;
}

async function make(count: number): Promise<readonly SimulatedDisk[]> {
  const scheduler = new Scheduler();
  const draws = new Draws(`the beginning of ${count} homes`);
  const network = new Network(scheduler, draws.stream('network'), nameAt);
  const homes = homeNames(count).map((name) => {
    const home = new Home(
      {
        ...{ name, network, draws: draws.stream(name), checkTexts, planted: {}, aloneMs: readingMs },
        onOpened: () => {},
        onDeath: (_, __, why) => assert(false, `${name} does not die: ${why}`),
      },
      hostOf(name),
    );
    // A history begins at the time at which this ends.
    home.skewMs = -readingMs;
    return home;
  });
  const names = homes.map(({ name }) => name);
  await Promise.all(homes.map((home) => home.format(names.filter((name) => name !== home.name))));
  for (const home of homes) home.start(homes);
  await scheduler.run(readingMs, () => {});
  for (const { did, disk } of homes) {
    const lengths = homes.map((each) => each.disk.files.get(each.did === did ? 'own' : did)?.tables.journal.length);
    assert(
      lengths.every((length) => length === disk.tables.journal.length),
      'every home has read everything',
    );
  }
  return homes.map(({ disk }) => disk);
}
