/** Purchases at another home by buyers who keep their keys, against those of the home's own people. */
import { Client } from '../../../packages/client/src/client.js';
import { keys } from '../../../packages/client/src/signing/key.js';
import { pause, realEnvironment as world } from '../../../src/core/environment.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { cpuMicros } from './child.js';
import { startNode } from './contest.js';
import { addressOf, level, made, type PeerHome, peerVariables } from './homes.js';
import { options } from './options.js';
import { Founder, type Person, scratch } from './people.js';
import { atLeast, atMost, type Figure, median, micros, millis, perSecond, times } from './report.js';

const homesCount = 3;
/** Of each home, for each way. */
const buyersEach = 8;
const tokens = 1_000_000_000;
const idleMs = 5_000;

interface Site extends PeerHome {
  readonly listingId: string;
  readonly kept: readonly Person[];
  readonly held: readonly Person[];
}

/** Buys once. */
type Buyer = () => Promise<unknown>;

interface Measured {
  readonly rate: number;
  /** Of all nodes, and of the clients, for one purchase. */
  readonly cpu: number;
  readonly own: number;
  readonly p50: number;
  readonly p99: number;
}

export async function purchases(): Promise<readonly Figure[]> {
  const sites = await opened();
  const lines: { readonly [way: string]: readonly Buyer[] } = {
    kept: sites.flatMap(({ node, kept, listingId }) =>
      kept.map((person) => buyer(new Client({ url: node.url }).as(person), listingId)),
    ),
    elsewhere: (await Promise.all(sites.map(elsewhere))).flat(),
  };
  const ways = {
    kept: lines.kept!,
    elsewhere: lines.elsewhere!,
    keptBusy: lines.kept!,
    keptAlone: lines.kept!.slice(0, 1),
    alone: lines.elsewhere!.slice(0, 1),
  };
  const pids = sites.map(({ node }) => node.pid);
  const idle = await idleCpu(pids);
  const rounds: { readonly [Way in keyof typeof ways]: Measured[] } = {
    kept: [],
    elsewhere: [],
    keptBusy: [],
    keptAlone: [],
    alone: [],
  };
  for (let round = -1; round < options.rounds; round++) {
    for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
      const seconds = round < 0 ? options.warmUpSeconds : options.seconds;
      const more = (rounds.elsewhere.at(-1)?.own ?? 0) - (rounds.kept.at(-1)?.own ?? 0);
      const buyers = way === 'keptBusy' ? ways[way].map((buy) => asBusy(buy, more)) : ways[way];
      const measured = await measure(buyers, { pids, idle }, seconds);
      if (round >= 0) rounds[way].push(measured);
    }
  }
  await Promise.all(sites.map(({ node }) => node.child.stop()));
  const of = (way: keyof typeof ways, what: keyof Measured) => median(rounds[way].map((each) => each[what]));
  const ratio = (to: 'kept' | 'keptBusy') =>
    median(rounds.elsewhere.map(({ cpu }, round) => cpu / rounds[to][round]!.cpu));
  return [
    { what: 'purchase, signed by its home: CPU of three nodes', measured: micros(of('kept', 'cpu')) },
    {
      what: '… rate; one buyer alone: half within',
      measured: `${perSecond(of('kept', 'rate'))}; ${millis(of('keptAlone', 'p50'))}`,
    },
    { what: 'signed by its buyer, at another home: CPU of three nodes', measured: micros(of('elsewhere', 'cpu')) },
    atMost('… of one that its home signs', ratio('kept'), 1.5, times),
    {
      what: '… of one that its home signs while its client is as busy; rate of these',
      measured: `${times(ratio('keptBusy'))}; ${perSecond(of('keptBusy', 'rate'))}`,
    },
    atLeast('… rate over three nodes, the clients on the same processors', of('elsewhere', 'rate'), 300, perSecond),
    atMost('… one buyer alone: half within', of('alone', 'p50'), 40, millis),
    { what: '… slowest of a hundred', measured: millis(of('alone', 'p99')) },
  ];
}

const buyer =
  (client: Client, listingId: string): Buyer =>
  () =>
    client.infoOrders.create({ listingId }, { most: 25 });

/** Takes as much CPU of the client as a purchase that it signs itself: the fewer there are at once, the more CPU each takes of the nodes. */
const asBusy =
  (buy: Buyer, more: number): Buyer =>
  async () => {
    await buy();
    const until = ownCpu() + more;
    while (ownCpu() < until);
  };

const ownCpu = (): number => process.cpuUsage().user + process.cpuUsage().system;

async function opened(): Promise<readonly Site[]> {
  const founded: (Omit<Site, 'node' | 'listingId'> & { readonly seller: Person })[] = [];
  while (founded.length < homesCount) {
    const dir = await scratch();
    const founder = await Founder.open(dir);
    const [kept, held] = [await founder.people(buyersEach + 1, tokens), await founder.holders(buyersEach, tokens)];
    await founder.close();
    founded.push({ ...(await made(dir)), kept: kept.slice(1), held, seller: kept[0]! });
  }
  const sites = await Promise.all(
    founded.map(async (home) => {
      const others = founded.filter((each) => each !== home).map(({ did, port }) => addressOf(did, port));
      const node = await startNode(home.dir, peerVariables(home.port, others));
      const seller = new Client({ url: node.url }).as(home.seller);
      const { listingId } = (await seller.markets.info.create(infoListing.create.example as never)) as {
        listingId: string;
      };
      return { ...home, node, listingId };
    }),
  );
  await level(sites);
  return sites;
}

/** Buyers whose own node is that of the next home. */
function elsewhere({ did, held, listingId }: Site, at: number, sites: readonly Site[]): Promise<Buyer[]> {
  const { url } = sites[(at + 1) % sites.length]!.node;
  return Promise.all(
    held.map(async ({ seed = '' }) => {
      const key = await keys.fromSeed(new Uint8Array(Buffer.from(seed, 'hex')));
      return buyer(await new Client({ url }).as({ key }).at(did), listingId);
    }),
  );
}

const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0);

/** What the nodes take a millisecond without traffic: the slower the purchases, the more of that would count as theirs. */
async function idleCpu(pids: readonly number[]): Promise<number> {
  const before = cpuOf(pids);
  await pause(world, idleMs);
  return (cpuOf(pids) - before) / idleMs;
}

interface Nodes {
  readonly pids: readonly number[];
  readonly idle: number;
}

async function measure(buyers: readonly Buyer[], { pids, idle }: Nodes, seconds: number): Promise<Measured> {
  const [before, own, since] = [cpuOf(pids), ownCpu(), world.monotonic()];
  const ms: number[] = [];
  await Promise.all(
    buyers.map(async (buy) => {
      while (world.monotonic() < since + seconds * 1_000) {
        const asked = world.monotonic();
        await buy();
        ms.push(world.monotonic() - asked);
      }
    }),
  );
  const taken = world.monotonic() - since;
  const cpu = (cpuOf(pids) - before - taken * idle) / ms.length;
  const ownMicros = (ownCpu() - own) / ms.length;
  ms.sort((one, other) => one - other);
  const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))]!;
  return { rate: (ms.length * 1_000) / taken, cpu, own: ownMicros, p50: at(0.5), p99: at(0.99) };
}
