/**
 * The same writes on the embedded store, on MongoDB with one node process, and with three on one database; and what each
 * of them asks of the server.
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from '../../src/core/codecs/address.js';
import { givenUrl, JavaServer, missing } from '../../test/mongo/support/server.js';
import { cpuMicros } from './support/child.js';
import { contest, cpuOf, type Node, startLoad, startNode } from './support/contest.js';
import type { Site } from './support/load-process.js';
import { type CommandCount, MongoWire } from './support/mongo-wire.js';
import type { Counters } from './support/node-process.js';
import { options } from './support/options.js';
import { founded, scratch } from './support/people.js';
import { atMost, type Figure, micros, percent, perSecond, say, table, times } from './support/report.js';
import type { Measured } from './support/tally.js';

const processes = 3;
/** Commands that fewer writes than this have asked for are not shown. */
const leastShown = 0.005;

export async function mongo(): Promise<void> {
  if (missing !== undefined) return say(`mongo is left out: ${missing}`);
  const server = givenUrl === undefined ? new JavaServer(4) : undefined;
  await server?.start();
  try {
    await compare(givenUrl ?? server!.url);
    for (const size of [1, processes]) await countCommands(givenUrl ?? server!.url, size);
  } finally {
    await server?.dispose();
  }
}

function databaseAt(url: string, name: string): string {
  const [, start, after = ''] = /^(mongodb(?:\+srv)?:\/\/[^/]+)(?:\/[^?]*)?(\?.*)?$/.exec(url) ?? [];
  return `${start}/svc-bench-${process.pid}-${name}${after}`;
}

async function compare(url: string): Promise<void> {
  const database = (name: string) => databaseAt(url, name);
  const nodes = {
    embedded: await cluster('embedded', 1),
    one: await cluster(database('one'), 1),
    three: await cluster(database('three'), processes),
  };
  const { embedded, one, three } = await contest(nodes);
  await Promise.all(Object.values(nodes).flatMap((each) => each.nodes.map((node) => node.stop())));
  table('Signed transfers, 64 connections, 64 DIDs', [
    ...embedded.figures('embedded'),
    ...one.figures('MongoDB, one process'),
    atMost('MongoDB, one process: CPU, of the embedded', one.ratio(embedded, cpuOf), 1.5, times),
    ...three.figures('MongoDB, three processes, each DID at its own'),
    atMost('three: CPU, of one process', three.ratio(one, cpuOf), 1.3, times),
  ]);
}

/**
 * Counts commands, and the CPU time of each process, while the processes write, each behind a proxy. With several, also
 * while a single one writes, which does not number the entries: the others then show what each write costs them.
 */
async function countCommands(url: string, size: number): Promise<void> {
  const store = databaseAt(url, `counted-${size}`);
  const wires = await Promise.all(Array.from({ length: size }, () => MongoWire.before(store)));
  const doors = wires.map((wire) => wire.url);
  const { site, plan, nodes } = await cluster(store, size, doors);
  const { people } = site;
  const load = startLoad();
  const entriesOf = async () =>
    (await Promise.all(nodes.map((node) => node.ask<Counters>({ ask: 'counters' })))).map(({ entries }) => entries);
  const isLeader = ({ counts }: MongoWire) => counts.has('insert order');
  async function measure(what: string, at: Site): Promise<void> {
    await load.ask({ ask: 'load', site: at, plan, seconds: options.warmUpSeconds });
    const [before, cpu] = [await entriesOf(), nodes.map(({ pid }) => cpuMicros(pid))];
    for (const wire of wires) wire.counts.clear();
    const { operations, seconds } = await load.ask<Measured>({ ask: 'load', site: at, plan, seconds: options.seconds });
    const [after, cpuAfter] = [await entriesOf(), nodes.map(({ pid }) => cpuMicros(pid))];
    const all = after.reduce((sum, entries, index) => sum + entries - before[index]!, 0);
    table(`${what}, ${perSecond(operations / seconds)}: for each write`, [
      ...wires.flatMap((wire, index) => {
        const who = `${isLeader(wire) ? 'numbers' : 'follows'}, has ${percent((after[index]! - before[index]!) / all)}`;
        const used = micros((cpuAfter[index]! - cpu[index]!) / all);
        return [{ what: `${who}: CPU`, measured: used }, ...commandFigures(who, wire.counts, all)];
      }),
    ]);
  }
  await measure(`${size} on one database`, site);
  if (size > 1) {
    const places = [site, ...site.doors];
    await measure(`${size} on one database, one writes`, {
      ...placeOf(places[wires.findIndex((wire) => !isLeader(wire))]!),
      people,
    });
  }
  await Promise.all([...nodes.map((node) => node.stop()), load.stop()]);
  for (const wire of wires) wire.close();
}

function commandFigures(who: string, counts: ReadonlyMap<string, CommandCount>, writes: number): Figure[] {
  const sums = { count: 0, sent: 0, received: 0, waitedMs: 0 };
  for (const each of counts.values())
    for (const name of Object.keys(sums) as (keyof CommandCount)[]) sums[name] += each[name];
  const shown = [...counts]
    .filter(([, { count }]) => count >= leastShown * writes)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [...shown, ['all', sums] as const].map(([name, { count, sent, received, waitedMs }]) => ({
    what: `${who}: ${name}`,
    measured:
      `${(count / writes).toFixed(3)} commands, ${(sent / writes).toFixed(0)} + ${(received / writes).toFixed(0)} bytes, ` +
      `${micros((waitedMs * 1_000) / Math.max(1, count))} each`,
  }));
}

/**
 * Node processes on one store, each with the keys of all people.
 * @param doors the URL by which each process reaches the store
 */
async function cluster(store: string, size: number, doors: readonly string[] = []) {
  const { dir, people } = await founded(64, store);
  const dirs = [dir, ...(await Promise.all(Array.from({ length: size - 1 }, scratch)))];
  for (const other of dirs.slice(1)) {
    await mkdir(join(other, 'keystore'), { mode: 0o700 });
    const files = people.map(({ did }) => join('keystore', `${addressOf(did)}.json`));
    for (const file of files) await copyFile(join(dir, file), join(other, file));
  }
  const [first, ...others] = await Promise.all(
    dirs.map((each, index) => startNode(each, { SVC_STORE: doors[index] ?? store })),
  );
  const nodes = [first!, ...others].map(({ child }) => child);
  return {
    site: { ...placeOf(first!), doors: others.map(placeOf), people },
    plan: { do: 'transfers' },
    nodes,
  } as const;
}

const placeOf = ({ url, pid }: Pick<Node, 'url' | 'pid'>) => ({ url, pid });
