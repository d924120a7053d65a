/** Nodes of several operators on this machine, each in a separate process, that follow each other. */
import { randomUUID } from 'node:crypto';
import type { Did } from '../../src/core/codecs/did.js';
import { peerIdOf } from '../../src/core/codecs/peer-id.js';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { freePort } from '../../test/support/free-port.js';
import { Child } from './child.js';
import type { NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, Founder, type Person, scratch } from './people.js';

export const people = 8;
/** One in this many writes is looked up at the peers, and how often at first, ms. */
const lookUps: LookUps = { every: 20, firstMs: 4 };
/** How often, and after what delay, a write is repeated whose nonce arrived before an earlier one. */
const attempts = 100;
const aheadMs = 20;
/** The most writes without an answer at each home: with more, the next waits, and the rate falls. */
const mostOpen = 64;
/** How often a request is sent again whose connection the node closed as unused at the same moment. */
const reconnections = 3;
/** A feed that takes longer is a failure of the run. */
const patienceMs = 120_000;

export interface RunningHome {
  readonly dir: string;
  readonly did: Did;
  readonly port: number;
  readonly persons: readonly Person[];
  /** Newest nonce of each person. */
  readonly nonces: number[];
  child: Child<NodeQuestion>;
  url: string;
}

export async function found(residents = people): Promise<RunningHome> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const persons = await founder.people(residents, 1_000_000_000);
  const { did } = founder.node;
  await founder.close();
  const nonces = persons.map(() => 0);
  return { dir, did: did as Did, port: await freePort(), persons, nonces, child: undefined as never, url: '' };
}

export async function foundAll(count: number, residents?: number): Promise<RunningHome[]> {
  const homes: RunningHome[] = [];
  while (homes.length < count) homes.push(await found(residents));
  return homes;
}

export const addressOf = ({ did }: Pick<RunningHome, 'did'>, port: number): string =>
  `/ip4/127.0.0.1/tcp/${port}/p2p/${peerIdOf(did)}`;

/** @param peers addresses; none: the node has no peers */
export async function start(home: RunningHome, peers: readonly string[]): Promise<void> {
  const own = {
    SVC_LISTEN: `/ip4/127.0.0.1/tcp/${home.port}`,
    SVC_PEERS: peers.join(','),
    SVC_PEERS_ALONE: '1',
  };
  home.child = new Child<NodeQuestion>('node-process', {
    env: { ...environmentOf(home.dir), SVC_LOG_LEVEL: 'error', ...(peers.length > 0 ? own : {}) },
    execArgv: options.nodeFlags,
  });
  home.url = (await home.child.ask<Started>({ ask: 'started' })).url;
}

/**
 * Starts one of the homes, with the others as its peers.
 * @param portTo the port at which it reaches another home; default: that home's own
 */
export const startAmong = (
  home: RunningHome,
  homes: readonly RunningHome[],
  portTo = ({ port }: RunningHome) => port,
): Promise<void> =>
  start(
    home,
    homes.filter((each) => each !== home).map((each) => addressOf(each, portTo(each))),
  );

export const startAll = (homes: readonly RunningHome[]): Promise<unknown> =>
  Promise.all(homes.map((home) => startAmong(home, homes)));

export const stopAll = (homes: readonly RunningHome[]): Promise<unknown> =>
  Promise.all(homes.map(({ child }) => child.stop()));

/** Reads, and writes with an Idempotency-Key, may be sent again. */
async function ask(home: RunningHome, path: string, init?: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(`${home.url}/api/v1${path}`, init);
    } catch (error) {
      if (attempt > reconnections) throw error;
    }
  }
}

export async function get(
  home: RunningHome,
  path: string,
): Promise<{ status: number; body: { readonly [name: string]: never } }> {
  const reply = await ask(home, path);
  return { status: reply.status, body: (await reply.json()) as never };
}

/** Number of the home's newest entry. */
export const heightOf = async (home: RunningHome): Promise<number> =>
  ((await get(home, '/node')).body as unknown as { height: number }).height;

export interface SeenPeer {
  readonly did: string;
  readonly status: string;
  readonly head: number;
  readonly followed: number;
}

export const peersOf = async (home: RunningHome): Promise<readonly SeenPeer[]> =>
  ((await get(home, '/node/peers')).body as unknown as { peers: readonly SeenPeer[] }).peers;

/** One transfer. */
export async function write(home: RunningHome, number: number): Promise<void> {
  const { did, passphrase } = home.persons[number % people]!;
  home.nonces[number % people]! += 1;
  const nonce = home.nonces[number % people];
  const to = home.persons[(number + 1) % people]!.did;
  const body = JSON.stringify({ did, passphrase, nonce, to, amount: 1 });
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  for (let attempt = 1; ; attempt++) {
    const reply = await ask(home, '/transfers', { method: 'POST', headers, body });
    const answer = (await reply.json()) as { detail?: string };
    if (reply.status === 200) return;
    // A busy machine delivers later nonces first, and the home waits only briefly for the earlier one.
    const isAhead = reply.status === 409 && /ahead/.test(answer.detail ?? '');
    if (!isAhead || attempt === attempts) throw new RangeError(JSON.stringify(answer));
    await pause(world, aheadMs);
  }
}

/** Unlocks each key with a first write, because that takes longer than a nonce may wait. */
export async function unlockAll(homes: readonly RunningHome[]): Promise<void> {
  for (const home of homes) for (let number = 0; number < people; number++) await write(home, number);
}

export async function until(what: string, isSo: () => Promise<boolean>, everyMs = 50): Promise<number> {
  const since = world.monotonic();
  while (!(await isSo())) {
    const waited = world.monotonic() - since;
    if (waited > patienceMs) throw new RangeError(`not within ${patienceMs} ms: ${what}`);
    // Asks less often the longer it takes. Otherwise the questions about late feeds take the time that the feeds need.
    await pause(world, Math.max(everyMs, waited / 10));
  }
  return world.monotonic() - since;
}

/** Time until all others have followed the home as far as its journal goes now, ms. */
async function seenAfter(home: RunningHome, homes: readonly RunningHome[], firstMs: number): Promise<number> {
  const since = world.monotonic();
  const height = await heightOf(home);
  const others = homes.filter((each) => each !== home);
  const isSeen = async (other: RunningHome) =>
    (await peersOf(other)).some(({ did, followed }) => did === home.did && followed >= height);
  await Promise.all(others.map((other) => until('an entry is followed', () => isSeen(other), firstMs)));
  return world.monotonic() - since;
}

export interface LookUps {
  readonly every: number;
  readonly firstMs: number;
}

export interface Measured {
  readonly writes: number;
  /** Sorted. */
  readonly ms: readonly number[];
}

/**
 * Writes to all homes at once. No more writes are open than each home may have without an answer, so a slow machine
 * lowers the rate, which the number of writes shows.
 * @param rate writes a second at each home; undefined: as fast as they are answered
 * @param writing the homes that write, if not all do
 * @param looks with many homes each look asks all of them, so that more would take the time that the feeds need
 */
export async function measure(
  homes: readonly RunningHome[],
  forSeconds: number,
  rate?: number,
  writing = homes,
  looks = lookUps,
): Promise<Measured> {
  const ms: number[] = [];
  const looking: Promise<unknown>[] = [];
  let writes = 0;
  const end = world.monotonic() + forSeconds * 1_000;
  const most = rate === undefined ? people : mostOpen;
  const once = async (home: RunningHome, number: number) => {
    await write(home, number);
    writes++;
    if (number % looks.every === 0) {
      looking.push(seenAfter(home, homes, looks.firstMs).then((each) => ms.push(each)));
    }
  };
  await Promise.all(
    writing.map(async (home) => {
      const open = new Set<Promise<void>>();
      const begun = world.monotonic();
      for (let number = 0; world.monotonic() < end; number++) {
        const at = rate === undefined ? 0 : begun + (number * 1_000) / rate;
        await pause(world, Math.max(0, at - world.monotonic()));
        if (open.size >= most) await Promise.race(open);
        const done: Promise<void> = once(home, number).finally(() => open.delete(done));
        open.add(done);
      }
      await Promise.all(open);
    }),
  );
  await Promise.all(looking);
  return { writes, ms: ms.sort((one, other) => one - other) };
}

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

/** Waits until each home has followed each other one to its end. @returns ms */
export const level = (homes: readonly RunningHome[]): Promise<number> =>
  until('all feeds are followed to their ends', async () => {
    const heads = new Map<string, number>();
    for (const home of homes) heads.set(home.did, await heightOf(home));
    for (const home of homes) {
      const seen = await peersOf(home);
      const isLevel = ({ did, status, followed }: SeenPeer) => status === 'current' && followed === heads.get(did);
      if (seen.length !== homes.length - 1 || !seen.every(isLevel)) return false;
    }
    return true;
  });
