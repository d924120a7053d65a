/** The same writes on the embedded store, on MongoDB with one node process, and with three on one database. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from '../../src/core/codecs/address.js';
import { givenUrl, JavaServer, missing } from '../../test/mongo/support/server.js';
import { contest, cpuOf, startNode } from './support/contest.js';
import { founded, scratch } from './support/people.js';
import { atMost, say, table, times } from './support/report.js';

const processes = 3;

export async function mongo(): Promise<void> {
  if (missing !== undefined) return say(`mongo is left out: ${missing}`);
  const server = givenUrl === undefined ? new JavaServer(4) : undefined;
  await server?.start();
  try {
    await compare(givenUrl ?? server!.url);
  } finally {
    await server?.dispose();
  }
}

async function compare(url: string): Promise<void> {
  const [, start, after = ''] = /^(mongodb(?:\+srv)?:\/\/[^/]+)(?:\/[^?]*)?(\?.*)?$/.exec(url) ?? [];
  const database = (name: string) => `${start}/svc-bench-${process.pid}-${name}${after}`;
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

/** Node processes on one store, each with the keys of all people. */
async function cluster(store: string, size: number) {
  const { dir, people } = await founded(64, store);
  const dirs = [dir, ...(await Promise.all(Array.from({ length: size - 1 }, scratch)))];
  for (const other of dirs.slice(1)) {
    await mkdir(join(other, 'keystore'), { mode: 0o700 });
    const files = people.map(({ did }) => join('keystore', `${addressOf(did)}.json`));
    for (const file of files) await copyFile(join(dir, file), join(other, file));
  }
  const [first, ...doors] = await Promise.all(dirs.map((each) => startNode(each, { SVC_STORE: store })));
  const nodes = [first!, ...doors].map(({ child }) => child);
  return { site: { ...placeOf(first!), doors: doors.map(placeOf), people }, plan: { do: 'transfers' }, nodes } as const;
}

const placeOf = ({ url, pid }: { readonly url: string; readonly pid: number }) => ({ url, pid });
