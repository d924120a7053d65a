/**
 * Three nodes of three operators on this machine: the time until a write that was answered at home is followed at both
 * peers, and what two idle peers cost. Then the cost of a feed: the home's share, and the follower's.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../src/core/canonical.js';
import type { Did } from '../../src/core/codecs/did.js';
import { parseMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { peerIdOf } from '../../src/core/codecs/peer-id.js';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { signerOf } from '../../src/keys/signing.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { isSignedCheckpoint } from '../../src/peers/checkpoint.js';
import { FeedBatches } from '../../src/peers/feed/feed-batch.js';
import { TlsTransport } from '../../src/peers/transport/tls-transport.js';
import type { PeerAddress } from '../../src/peers/transport/transport.js';
import { noHash } from '../../src/store/entry.js';
import { freePort } from '../../test/support/free-port.js';
import { until } from '../../test/support/until.js';
import { cpuMicros, residentBytes } from './support/child.js';
import { type Node, startNode } from './support/contest.js';
import { Dice, wording } from './support/listings.js';
import { accepted, Founder, founded, type Person, scratch } from './support/people.js';
import { atLeast, atMost, count, mebibytes, micros, millis, perSecond, table } from './support/report.js';

const residents = 8;
const writesPerSecond = 100;
const seconds = 60;
/** The time that V8 takes to compile what a new process executes. */
const warmUpSeconds = 10;
/** One in this many writes is looked up at the peers. */
const lookedUp = 20;
/** Time between two looks. */
const lookMs = 4;
/** The most writes without an answer at each home: with more, the next waits, and the rate falls. */
const mostOpen = 64;
/** After this time without traffic a process has settled; as long it is measured. */
const quietMs = 5_000;
const entries = 20_000;
/** A feed that takes longer is a failure of the run. */
const longestMs = 120_000;

export async function peers(): Promise<void> {
  await threeNodes();
  const { sent, rate, home, follower } = await feedShares();
  table('Following a home from its first entry', [
    { what: 'entries', measured: count(sent) },
    atLeast('rate', rate, 20_000, perSecond),
    atMost('the home’s share: CPU an entry and follower', home, 35, micros),
    atMost('the follower’s share: CPU an entry', follower, 35, micros),
  ]);
}

interface Home {
  readonly dir: string;
  readonly did: string;
  readonly port: number;
  readonly people: readonly Person[];
  /** Newest nonce of each person. */
  readonly nonces: number[];
}

interface RunningHome extends Home {
  readonly node: Node;
}

const peerVariables = (port: number, addresses: readonly string[]) => ({
  ...{ SVC_LOG_LEVEL: 'error', SVC_PEERS_ALONE: '1' },
  ...{ SVC_LISTEN: `/ip4/127.0.0.1/tcp/${port}`, SVC_PEERS: addresses.join(',') },
});
const addressOf = (did: string, port: number): string => `/ip4/127.0.0.1/tcp/${port}/p2p/${peerIdOf(did as Did)}`;

async function read<T>({ node }: RunningHome, path: string): Promise<T> {
  return (await (await fetch(`${node.url}/api/v1${path}`)).json()) as T;
}
const heightOf = async (home: RunningHome): Promise<number> => (await read<{ height: number }>(home, '/node')).height;

interface SeenPeer {
  readonly did: string;
  readonly status: string;
  readonly followed: number;
}
const peersOf = async (home: RunningHome): Promise<readonly SeenPeer[]> =>
  (await read<{ peers: readonly SeenPeer[] }>(home, '/node/peers')).peers;

async function threeNodes(): Promise<void> {
  const homes: Home[] = [];
  while (homes.length < 3) {
    const { dir, people } = await founded(residents);
    const founder = await Founder.open(dir);
    homes.push({ dir, did: founder.node.did, port: await freePort(), people, nonces: people.map(() => 0) });
    await founder.close();
  }
  const lonely = await startNode(homes[0]!.dir);
  const alone = await idle(lonely);
  await lonely.child.stop();
  const running = await Promise.all(
    homes.map(async (home) => {
      const others = homes.filter((each) => each !== home).map(({ did, port }) => addressOf(did, port));
      return { ...home, node: await startNode(home.dir, peerVariables(home.port, others)) };
    }),
  );
  await level(running);
  const accompanied = await idle(running[0]!.node);
  // Unlocks the keys, which takes longer than a nonce may wait.
  for (const home of running) for (let number = 0; number < residents; number++) await write(home, number);
  await measure(running, warmUpSeconds);
  const { writes, ms } = await measure(running, seconds);
  await level(running);
  await Promise.all(running.map(({ node }) => node.child.stop()));
  const quantile = (share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))]!;
  table('Three nodes that follow each other', [
    {
      what: `writes at each node for ${seconds} s, of ${writesPerSecond}/s: answered`,
      measured: perSecond(writes / homes.length / seconds),
    },
    { what: 'of these looked up at both peers', measured: count(ms.length) },
    atMost('2xx at home to followed at both peers: p50', quantile(0.5), 50, millis),
    atMost('the same: p99', quantile(0.99), 500, millis),
    atMost('the same: longest', quantile(1), 5_000, millis),
    atMost('two idle peers: memory', accompanied.bytes - alone.bytes, 15 * 2 ** 20, mebibytes),
    { what: 'two idle peers: CPU a second', measured: micros(accompanied.cpu - alone.cpu) },
  ]);
}

async function idle({ pid }: Node): Promise<{ readonly bytes: number; readonly cpu: number }> {
  await pause(world, quietMs);
  const before = cpuMicros(pid);
  await pause(world, quietMs);
  return { bytes: residentBytes(pid), cpu: (cpuMicros(pid) - before) / (quietMs / 1_000) };
}

/** Waits until each home has followed each other one to its end. */
const level = (homes: readonly RunningHome[]): Promise<unknown> =>
  until(
    'all feeds are followed to their ends',
    async () => {
      const heads = new Map<string, number>();
      for (const home of homes) heads.set(home.did, await heightOf(home));
      const seen = (await Promise.all(homes.map(peersOf))).flat();
      const isLevel = ({ did, status, followed }: SeenPeer) => status === 'current' && followed === heads.get(did);
      return seen.length === homes.length * (homes.length - 1) && seen.every(isLevel);
    },
    { longestMs },
  );

/** One transfer. */
async function write(home: RunningHome, number: number): Promise<void> {
  const person = number % residents;
  const { did, passphrase } = home.people[person]!;
  home.nonces[person]! += 1;
  const to = home.people[(person + 1) % residents]!.did;
  const body = JSON.stringify({ did, passphrase, nonce: home.nonces[person], to, amount: 1 });
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  // A busy machine delivers later nonces first, and the home waits only briefly for the earlier one.
  for (;;) {
    const reply = await fetch(`${home.node.url}/api/v1/transfers`, { method: 'POST', headers, body });
    const answer = await reply.text();
    if (reply.status === 200) return;
    assert(reply.status === 409 && answer.includes('ahead'), answer);
    await pause(world, 20);
  }
}

/** Writes to all homes at once. @returns ms from the answer until both peers have followed, sorted */
async function measure(homes: readonly RunningHome[], forSeconds: number) {
  const ms: number[] = [];
  const looking: Promise<unknown>[] = [];
  let writes = 0;
  const begun = world.monotonic();
  const once = async (home: RunningHome, number: number) => {
    await write(home, number);
    writes++;
    if (number % lookedUp === 0) looking.push(followedAfter(home, homes).then((each) => ms.push(each)));
  };
  await Promise.all(
    homes.map(async (home) => {
      const open = new Set<Promise<void>>();
      for (let number = 0; number < forSeconds * writesPerSecond; number++) {
        await pause(world, Math.max(0, begun + (number * 1_000) / writesPerSecond - world.monotonic()));
        if (world.monotonic() > begun + forSeconds * 1_000) break;
        if (open.size >= mostOpen) await Promise.race(open);
        const done: Promise<void> = once(home, number).finally(() => open.delete(done));
        open.add(done);
      }
      await Promise.all(open);
    }),
  );
  await Promise.all(looking);
  return { writes, ms: ms.sort((one, other) => one - other) };
}

async function followedAfter(home: RunningHome, homes: readonly RunningHome[]): Promise<number> {
  const since = world.monotonic();
  const height = await heightOf(home);
  const isFollowed = async (other: RunningHome) =>
    (await peersOf(other)).some(({ did, followed }) => did === home.did && followed >= height);
  const others = homes.filter((each) => each !== home);
  await Promise.all(
    others.map(async (other) => {
      while (!(await isFollowed(other))) await pause(world, lookMs);
    }),
  );
  return world.monotonic() - since;
}

/** Sends a whole journal to one follower, over TLS. @returns µs of CPU an entry, of the home and of this process */
async function feedShares() {
  const dir = await scratch();
  await fill(dir);
  const signer = signerOf(world.random(32));
  const transport = new TlsTransport({ world, signer });
  const port = await freePort();
  const variables = peerVariables(port, [addressOf(signer.did, await freePort())]);
  const { child, pid, url } = await startNode(dir, variables);
  const { peerId } = (await (await fetch(`${url}/api/v1/node`)).json()) as { peerId: string };
  const target = parseMultiaddr(`/ip4/127.0.0.1/tcp/${port}/p2p/${peerId}`) as PeerAddress;
  const follow = async (): Promise<number> => {
    const stream = await transport.dial(target).open('/feed?after=0');
    const batches = new FeedBatches({ seq: 0, chainHash: noHash });
    let [sent, head] = [0, Number.POSITIVE_INFINITY];
    while (sent < head) {
      for (const line of (await stream.take())!) {
        const batch = batches.take(line);
        if (!batch) continue;
        assert('end' in batch && isSignedCheckpoint(batch.end.checkpoint), 'the feed is valid');
        [sent, head] = [batch.last.seq, batch.end.head];
      }
    }
    stream.close();
    return sent;
  };
  // The first time, V8 compiles.
  await follow();
  const [before, own, since] = [cpuMicros(pid), process.cpuUsage(), world.monotonic()];
  const sent = await follow();
  const rate = (sent * 1_000) / (world.monotonic() - since);
  const { user, system } = process.cpuUsage(own);
  const shares = { sent, rate, home: (cpuMicros(pid) - before) / sent, follower: (user + system) / sent };
  await transport.close();
  await child.stop();
  return shares;
}

/** A journal: half of its entries are transfers, the rest unfinished escrows and listings. */
async function fill(dir: string): Promise<void> {
  const founder = await Founder.open(dir);
  const people = await founder.people(64, 1_000_000_000);
  const signers = await Promise.all(
    people.map(async ({ did, passphrase }) => accepted(await founder.keystore.unlock(did, passphrase, 'bench'))),
  );
  const { pricing: _, ...listing } = capabilityListing.create.example;
  const dice = new Dice();
  let next = 0;
  const worker = async (signer: (typeof signers)[number], number: number) => {
    const act = async (kind: string, id: string, action: string, input: JsonObject) =>
      accepted(
        await founder.node.actors.execute({ kind, id, action, input, signer: signer.did, unlock: () => signer }),
      );
    const other = signers[(number + 1) % signers.length]!.did;
    for (let round = 0; next < entries; round++, next += 6) {
      for (let i = 0; i < 3; i++) await act('account', signer.did, 'transfer', { to: other, amount: 1 + i });
      const escrow = `esc-bench-${number}-${round}`;
      const terms = { beneficiary: other, amount: 5, releaseRules: [{ type: 'manual' }], autoFund: true };
      await act('escrow', escrow, 'create', terms);
      await act('escrow', escrow, 'release', { amount: 5, reason: 'done' });
      await act(capabilityListing.kind, `lst-bench-${number}-${round}`, 'create', { ...listing, ...wording(dice) });
    }
  };
  await Promise.all(signers.map(worker));
  await founder.close();
}
