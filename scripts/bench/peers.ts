/**
 * Three nodes of three operators on this machine: the time until a write that was answered at home is followed at both
 * peers, and what two idle peers cost. Then what it costs to read a feed, for the home and the follower, and a flood of news.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '../../src/core/canonical.js';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { askNode, noNodeRunning } from '../../src/node/control/client.js';
import type { FlatOut } from '../../test/floods/flat-out-liars.js';
import { until } from '../../test/support/until.js';
import { cpuMicros, residentBytes } from './support/child.js';
import { contest, type Node, startNode } from './support/contest.js';
import {
  addressOf,
  type FoundedHome,
  heightOf,
  level,
  longestMs,
  made,
  type PeerHome,
  peersOf,
  peerVariables,
} from './support/homes.js';
import { Dice, wording } from './support/listings.js';
import { accepted, Founder, founded, type Person, scratch } from './support/people.js';
import { atLeast, atMost, count, mebibytes, micros, millis, perSecond, table, times } from './support/report.js';
import type { Measured } from './support/tally.js';
import type { Plan } from './support/traffic.js';

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
/** What homes show whose feeds have nothing else. */
const hashes = 200_000;
const cards = 5_000;

export async function peers(): Promise<void> {
  await threeNodes();
  await flatOut();
  const { sent, rate, home, follower } = await lateJoiner();
  table('Following a home from its first entry', [
    { what: 'entries, a sixth of them cards', measured: count(sent) },
    { what: 'rate', measured: perSecond(rate) },
    atMost('the home’s share: CPU an entry and follower', home, 35, micros),
    { what: 'the follower’s share: CPU an entry', measured: micros(follower) },
  ]);
}

interface PeopledHome extends FoundedHome {
  readonly people: readonly Person[];
  /** Newest nonce of each person. */
  readonly nonces: number[];
}

interface RunningHome extends PeopledHome, PeerHome {}

async function threeNodes(): Promise<void> {
  const homes: PeopledHome[] = [];
  while (homes.length < 3) {
    const { dir, people } = await founded(residents);
    homes.push({ ...(await made(dir)), people, nonces: people.map(() => 0) });
  }
  const lonely = await Promise.all(homes.map(({ dir }) => startNode(dir)));
  const alone = await idle(lonely);
  await Promise.all(lonely.map(({ child }) => child.stop()));
  const running = await Promise.all(
    homes.map(async (home) => {
      const others = homes.filter((each) => each !== home).map(({ did, port }) => addressOf(did, port));
      return { ...home, node: await startNode(home.dir, peerVariables(home.port, others)) };
    }),
  );
  await level(running);
  const accompanied = await idle(running.map(({ node }) => node));
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

/** @returns of one of the nodes, on average */
async function idle(nodes: readonly Node[]): Promise<{ readonly bytes: number; readonly cpu: number }> {
  const mean = (of: (pid: number) => number) => nodes.reduce((sum, { pid }) => sum + of(pid), 0) / nodes.length;
  await pause(world, quietMs);
  const before = mean(cpuMicros);
  await pause(world, quietMs);
  return { bytes: mean(residentBytes), cpu: (mean(cpuMicros) - before) / (quietMs / 1_000) };
}

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

/**
 * A node that follows a home from its first entry, a second time, because V8 compiles in the first.
 * @returns its rate, and µs of CPU an entry of the home and of the follower
 */
async function lateJoiner() {
  const [home, follower] = [await made(await filled()), await made((await founded(1)).dir)];
  const [sender, reader] = await Promise.all([
    startNode(home.dir, peerVariables(home.port, [addressOf(follower.did, follower.port)])),
    startNode(follower.dir, peerVariables(follower.port, [addressOf(home.did, home.port)])),
  ]);
  const sent = await heightOf({ node: sender });
  await followed({ node: reader }, home.did, sent);
  const before = [sender, reader].map(({ pid }) => cpuMicros(pid));
  const since = world.monotonic();
  await operator(follower.dir, 'peers.forget', { did: home.did });
  await followed({ node: reader }, home.did, sent);
  const rate = (sent * 1_000) / (world.monotonic() - since);
  const [ofHome, ofFollower] = [sender, reader].map(({ pid }, index) => (cpuMicros(pid) - before[index]!) / sent);
  await Promise.all([sender.child.stop(), reader.child.stop()]);
  return { sent, rate, home: ofHome!, follower: ofFollower! };
}

/** Peers that send as fast as they are read: only hashes, only cards, and news that say nothing new. */
async function flatOut(): Promise<void> {
  const { dir, people } = await founded();
  const { port, did } = await made(dir);
  const node = await startNode(dir, peerVariables(port, []));
  const workerData: FlatOut = { target: addressOf(did, port), hashes, cards };
  const worker = new Worker(new URL('../../test/floods/flat-out-liars.js', import.meta.url), { workerData });
  const [liars] = (await once(worker, 'message')) as [{ address: string; did: string }[]];
  const [hasher, carder, news] = liars as [Liar, Liar, Liar];
  const read = async ({ address, did }: Liar, entries: number) => {
    const [cpu, since] = [cpuMicros(node.pid), world.monotonic()];
    await operator(dir, 'peers.add', { address });
    await followed({ node }, did, entries);
    const seconds = (world.monotonic() - since) / 1_000;
    return { rate: entries / seconds, cpu: (cpuMicros(node.pid) - cpu) / entries };
  };
  const [ofHashes, ofCards] = [await read(hasher, hashes), await read(carder, cards)];
  await operator(dir, 'peers.add', { address: news.address });
  const site = { url: node.url, pid: node.pid, people };
  const plans = {
    reads: { do: 'get', path: `/api/v1/wallets/${people[0]!.did}` },
    writes: { do: 'transfers' },
  } as const;
  const told = (message: string) => async () => void worker.postMessage(message);
  const loaded = (plan: Plan, message: string) => ({ site, plan, lines: 8, before: told(message) });
  const { reads, floodedReads, writes, floodedWrites } = await contest({
    reads: loaded(plans.reads, 'off'),
    floodedReads: loaded(plans.reads, 'on'),
    writes: loaded(plans.writes, 'off'),
    floodedWrites: loaded(plans.writes, 'on'),
  });
  worker.postMessage('end');
  await once(worker, 'exit');
  await node.child.stop();
  const p99 = ({ latencyP99 }: Measured) => latencyP99;
  table('Peers that send all they can', [
    atLeast(`${hashes} entries that are only a hash: rate`, ofHashes.rate, 20_000, perSecond),
    atMost('the same: CPU an entry', ofHashes.cpu, 20, micros),
    { what: `${cards} cards: rate`, measured: perSecond(ofCards.rate) },
    atMost('the same: CPU a card', ofCards.cpu, 250, micros),
    { what: 'reads of 8 connections while one peer floods: p99', measured: millis(floodedReads.p99) },
    atMost('the same, compared with no flood', floodedReads.ratio(reads, p99), 2, times),
    { what: 'transfers of 8 connections while one peer floods: p99', measured: millis(floodedWrites.p99) },
    atMost('the same, compared with no flood', floodedWrites.ratio(writes, p99), 2, times),
  ]);
}

type Liar = { readonly address: string; readonly did: string };

async function operator(dir: string, act: string, input: JsonObject): Promise<void> {
  const answer = await askNode(dir, act, input);
  assert(answer !== noNodeRunning, 'the node runs');
  accepted(answer);
}

/** Waits until the node has followed a home up to this entry. */
const followed = (home: Pick<RunningHome, 'node'>, did: string, seq: number): Promise<unknown> =>
  until(`${did} is followed`, async () => (await peersOf(home)).find((peer) => peer.did === did)?.followed, {
    is: (reached = 0) => reached >= seq,
    longestMs,
    // Each look costs the node.
    everyMs: 100,
  });

/** A directory with a journal: half of its entries are transfers, the rest escrows and listings. */
async function filled(): Promise<string> {
  const dir = await scratch();
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
  return dir;
}
