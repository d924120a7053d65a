/** The flips of a campaign: spread over every table, index and kind of page of a database, and tried in child processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import type { Flip, Outcome } from './flip-child.js';
import type { Fixture } from './flip-fixture.js';

export interface PlacedFlip extends Flip {
  /** Table or index, and kind of page. */
  readonly place: string;
}

export type Tried = PlacedFlip & Outcome;

const headerBytes = 100;
const pageBytes = 4_096;

/** Page numbers by the table or index and kind of page. */
function placesOf(dir: string): Map<string, number[]> {
  const connection = new SqliteConnection(databaseFile(dir), { cacheKiB: 4_096, readOnly: true });
  try {
    const rows = connection.rows<[string, number, string]>('SELECT name, pageno, pagetype FROM dbstat');
    const pages = connection.value('PRAGMA page_count') as number;
    const names = new Map(rows.map(([name, page, type]) => [page, `${name} ${type}`]));
    const places = new Map<string, number[]>();
    for (let page = 1; page <= pages; page++) {
      const place = names.get(page) ?? 'free';
      places.set(place, [...(places.get(place) ?? []), page]);
    }
    return places;
  } finally {
    connection.close();
  }
}

/** Pseudo-random numbers from a seed. */
function numbersFrom(seed: number): (below: number) => number {
  let turn = 0;
  return (below) => createHash('sha256').update(`${seed} ${turn++}`).digest().readUInt32BE() % below;
}

/** The same number of flips for each place, mostly in bytes that hold data. */
export function* flipsOf(dir: string, file: Buffer, count: number, seed: number): Generator<PlacedFlip> {
  const places = [...placesOf(dir)];
  const below = numbersFrom(seed);
  for (let index = 0; index < count; index++) {
    const turn = index % (places.length + 1);
    if (turn === places.length) {
      yield { place: 'header', offset: below(headerBytes), bit: below(8) };
      continue;
    }
    const [place, pages] = places[turn]!;
    const start = (pages[below(pages.length)]! - 1) * pageBytes;
    let offset = start + below(pageBytes);
    for (let again = 0; again < 16 && file[offset] === 0; again++) offset = start + below(pageBytes);
    yield { place, offset, bit: below(8) };
  }
}

const script = fileURLToPath(new URL('./flip-child.js', import.meta.url));
const atOnce = 2;

/** Tries each flip. If a child dies, the flip that it was trying failed. */
export async function tryAll(flips: Iterable<PlacedFlip>, fixture: Fixture): Promise<Tried[]> {
  const rest = flips[Symbol.iterator]();
  const tried: Tried[] = [];
  const work = async () => {
    let child: ChildProcess | undefined;
    for (let next = rest.next(); !next.done; next = rest.next()) {
      child ??= await started(fixture);
      const { offset, bit } = next.value;
      const outcome = await answerOf<Outcome>(child, { offset, bit });
      if (outcome === undefined) child = undefined;
      tried.push({ ...next.value, ...(outcome ?? { came: 'failure', said: 'the process ended' }) });
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return tried;
}

async function started(fixture: Fixture): Promise<ChildProcess> {
  const child = fork(script, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  await answerOf(child, { fixture });
  return child;
}

function answerOf<T>(child: ChildProcess, order: object): Promise<T | undefined> {
  return new Promise((resolve) => {
    const ended = () => resolve(undefined);
    child.once('exit', ended);
    child.once('message', (answer: T) => {
      child.off('exit', ended);
      resolve(answer);
    });
    child.send(order);
  });
}
