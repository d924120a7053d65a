/**
 * Three nodes of three operators on this machine: the time until a write that was answered at home is readable at both
 * peers.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { Did } from '../../src/core/codecs/did.js';
import { peerIdOf } from '../../src/core/codecs/peer-id.js';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { tagOf } from '../../src/peers/tag.js';
import { Child, cpuMicros, residentBytes } from './child.js';
import type { NodeQuestion, Started } from './node-process.js';
import { environmentOf, Founder, type Person, scratch } from './people.js';
import { atMost, count, mebibytes, micros, millis, perSecond, table } from './report.js';

const people = 8;
const writesPerSecond = 100;
const seconds = 20;
const floodSeconds = 10;
/** One in this many writes is looked up at the peers. */
const sampled = 20;
const idleMs = 5_000;
/** How often, and after what delay, a write is repeated whose nonce arrived before an earlier one. */
const attempts = 100;
const aheadMs = 20;

interface RunningHome {
  readonly dir: string;
  readonly did: Did;
  readonly port: number;
  readonly persons: readonly Person[];
  /** Newest nonce of each person. */
  readonly nonces: number[];
  child: Child<NodeQuestion>;
  url: string;
}

const world = realEnvironment;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function found(): Promise<RunningHome> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const persons = await founder.people(people, 1_000_000_000);
  const { did } = founder.node;
  await founder.close();
  return {
    dir,
    did: did as Did,
    port: await freePort(),
    persons,
    nonces: persons.map(() => 0),
    child: undefined as never,
    url: '',
  };
}

const addressOf = ({ port, did }: RunningHome): string => `/ip4/127.0.0.1/tcp/${port}/p2p/${peerIdOf(did)}`;

async function start(home: RunningHome, peers: readonly RunningHome[]): Promise<void> {
  const own = {
    SVC_LISTEN: `/ip4/127.0.0.1/tcp/${home.port}`,
    SVC_PEERS: peers.map(addressOf).join(','),
    SVC_PEERS_ALONE: '1',
  };
  home.child = new Child<NodeQuestion>('node-process', {
    env: { ...environmentOf(home.dir), SVC_LOG_LEVEL: 'error', ...(peers.length > 0 ? own : {}) },
  });
  home.url = (await home.child.ask<Started>({ ask: 'started' })).url;
}

async function get(
  home: RunningHome,
  path: string,
): Promise<{ status: number; body: { readonly [name: string]: never } }> {
  const reply = await fetch(`${home.url}/api/v1${path}`);
  return { status: reply.status, body: (await reply.json()) as never };
}

async function write(home: RunningHome, number: number): Promise<string> {
  const { did, passphrase } = home.persons[number % people]!;
  home.nonces[number % people]! += 1;
  const nonce = home.nonces[number % people];
  const to = home.persons[(number + 1) % people]!.did;
  const body = JSON.stringify({ did, passphrase, nonce, to, amount: 1 });
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  for (let attempt = 1; ; attempt++) {
    const reply = await fetch(`${home.url}/api/v1/transfers`, { method: 'POST', headers, body });
    const answer = (await reply.json()) as { eventHash: string; detail?: string };
    if (reply.status === 200) return answer.eventHash;
    // A busy machine delivers later nonces first, and the home waits only briefly for the earlier one.
    const isAhead = reply.status === 409 && /ahead/.test(answer.detail ?? '');
    if (!isAhead || attempt === attempts) throw new RangeError(JSON.stringify(answer));
    await pause(world, aheadMs);
  }
}

/** Time from the answer until the entry is readable at all others, ms. */
async function seenAfter(hash: string, home: RunningHome, homes: readonly RunningHome[]): Promise<number> {
  const since = world.monotonic();
  const others = homes.filter((each) => each !== home);
  await Promise.all(
    others.map(async (other) => {
      const path = `/events/${hash}~${tagOf(home.did, [])}`;
      while ((await get(other, path)).status !== 200) await pause(world, 4);
    }),
  );
  return world.monotonic() - since;
}

interface Measured {
  readonly writes: number;
  readonly ms: readonly number[];
}

/** Writes to all homes at once. @param rate writes a second at each home; undefined: as fast as they are answered */
async function measure(homes: readonly RunningHome[], forSeconds: number, rate?: number): Promise<Measured> {
  const ms: number[] = [];
  const looking: Promise<unknown>[] = [];
  let writes = 0;
  const end = world.monotonic() + forSeconds * 1_000;
  const once = async (home: RunningHome, number: number) => {
    const hash = await write(home, number);
    writes++;
    if (number % sampled === 0) looking.push(seenAfter(hash, home, homes).then((each) => ms.push(each)));
  };
  await Promise.all(
    homes.map(async (home) => {
      const pending = new Set<Promise<void>>();
      const begun = world.monotonic();
      for (let number = 0; world.monotonic() < end; number++) {
        const at = rate === undefined ? 0 : begun + (number * 1_000) / rate;
        await pause(world, Math.max(0, at - world.monotonic()));
        if (rate === undefined && pending.size >= people) await Promise.race(pending);
        const done: Promise<void> = once(home, number).finally(() => pending.delete(done));
        pending.add(done);
      }
      await Promise.all(pending);
    }),
  );
  await Promise.all(looking);
  return { writes, ms: ms.sort((one, other) => one - other) };
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

async function level(homes: readonly RunningHome[]): Promise<void> {
  for (const home of homes) {
    for (;;) {
      const { peers } = (await get(home, '/node/peers')).body as unknown as {
        peers: { status: string; head: number; adopted: number }[];
      };
      if (
        peers.length === homes.length - 1 &&
        peers.every(({ status, head, adopted }) => status === 'current' && head === adopted)
      )
        break;
      await pause(world, 50);
    }
  }
}

async function idle({ child }: RunningHome): Promise<{ bytes: number; cpu: number }> {
  await pause(world, idleMs);
  const before = cpuMicros(child.pid);
  await pause(world, idleMs);
  return { bytes: residentBytes(child.pid), cpu: (cpuMicros(child.pid) - before) / (idleMs / 1_000) };
}

export async function peersNetwork(): Promise<void> {
  const homes = [await found(), await found(), await found()];
  const [first] = homes as [RunningHome, RunningHome, RunningHome];
  await start(first, []);
  const alone = await idle(first);
  await first.child.stop();
  await Promise.all(
    homes.map((home) =>
      start(
        home,
        homes.filter((each) => each !== home),
      ),
    ),
  );
  await level(homes);
  // Unlocks each key with a first write, because that takes longer than a nonce may wait.
  for (const home of homes) for (let number = 0; number < people; number++) await write(home, number);
  const accompanied = await idle(first);
  await measure(homes, 3, writesPerSecond);
  const paced = await measure(homes, seconds, writesPerSecond);
  await level(homes);
  const flat = await measure(homes, floodSeconds);
  await level(homes);
  await Promise.all(homes.map(({ child }) => child.stop()));
  table('Three nodes that follow each other', [
    {
      what: `writes at each node: ${writesPerSecond}/s for ${seconds} s, answered in all`,
      measured: count(paced.writes),
    },
    atMost('2xx at home to readable at both peers: p50', quantile(paced.ms, 0.5), 50, millis),
    atMost('the same: p99', quantile(paced.ms, 0.99), 500, millis),
    atMost('the same: longest', paced.ms.at(-1)!, 5_000, millis),
    { what: 'as fast as they are answered: writes a second in all', measured: perSecond(flat.writes / floodSeconds) },
    atMost('the same: longest', flat.ms.at(-1)!, 5_000, millis),
    atMost('two idle peers: memory', accompanied.bytes - alone.bytes, 15 * 2 ** 20, mebibytes),
    { what: 'two idle peers: CPU a second', measured: micros(accompanied.cpu - alone.cpu) },
  ]);
}
