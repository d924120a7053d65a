/** Three nodes whose residents buy from each other: the time of a purchase, deals a second, and CPU against a local deal. */
import { feedBounds } from '../../src/core/bounds.js';
import { realEnvironment as world } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { infoListing } from '../../src/machines/listing/info.js';
import { lineOfEntry } from '../../src/peers/feed/line.js';
import { LineCompression } from '../../src/peers/transport/compression.js';
import { SqliteReader } from '../../src/store/sqlite/sqlite-reader.js';
import { cpuMicros } from './child.js';
import { type Answer, Line } from './line.js';
import { options } from './options.js';
import { foundAll, heightOf, level, quantile, type RunningHome, startAll, stopAll } from './peers-homes.js';
import { atLeast, atMost, count, median, micros, millis, perSecond, table, times } from './report.js';

const clients = 64;
const seller = 0;
/** Purchases at the beginning that are not measured, because V8 still compiles. */
const warmUps = 300;
const alone = 200;
/** Of these the sizes are measured. */
const newestEntries = 2_000;

/** One buyer, who buys one thing after the other. */
interface Buyer {
  readonly home: RunningHome;
  readonly number: number;
  readonly line: Line;
}

interface Deals {
  readonly deals: number;
  readonly seconds: number;
  /** CPU of all nodes, µs a deal. */
  readonly micros: number;
  /** Sorted, ms. */
  readonly ms: readonly number[];
}

function send({ home, number, line }: Buyer, path: string, members: object): Promise<Answer> {
  const { did, passphrase } = home.persons[number]!;
  const nonce = ++home.nonces[number]!;
  const body = JSON.stringify({ did, passphrase, nonce, ...members });
  const { host } = new URL(home.url);
  const head = `POST /api/v1${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  return new Promise((resolve) => line.send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, resolve));
}

async function done(buyer: Buyer, path: string, members: object): Promise<{ readonly [name: string]: string }> {
  const { status, body } = await send(buyer, path, members);
  // 202 is not done.
  assert(status === 200 || status === 201, `the node answered ${status} ${body}`);
  return JSON.parse(body) as { readonly [name: string]: string };
}

const buyerAt = async (home: RunningHome, number: number): Promise<Buyer> => ({
  ...{ home, number },
  line: await Line.open(Number(new URL(home.url).port)),
});

/** A listing at each home, and an account of each home at each other. @returns ids of the listings */
async function prepare(homes: readonly RunningHome[]): Promise<string[]> {
  const listings: string[] = [];
  for (const home of homes) {
    const buyer = await buyerAt(home, seller);
    const { listingId } = await done(buyer, infoListing.route.path, {
      ...infoListing.create.example,
      pricing: { price: 1 },
    });
    listings.push(listingId!);
    for (const other of homes) {
      if (other !== home) await done(buyer, '/transfers', { to: other.did, amount: 100_000_000, home: 'own' });
    }
    buyer.line.close();
  }
  await level(homes);
  return listings;
}

/** Each buyer buys again and again, until this is over. */
async function buy(
  buyers: readonly Buyer[],
  homes: readonly RunningHome[],
  listingOf: (home: RunningHome) => string,
  isOver: (deals: number) => boolean,
): Promise<Deals> {
  const cpu = () => homes.reduce((sum, { child }) => sum + cpuMicros(child.pid), 0);
  const [begun, before] = [world.monotonic(), cpu()];
  const ms: number[] = [];
  const buying = buyers.map(async (buyer) => {
    const path = `${infoListing.route.path}/${listingOf(buyer.home)}/actions/purchase`;
    while (!isOver(ms.length)) {
      const from = world.monotonic();
      await done(buyer, path, {});
      ms.push(world.monotonic() - from);
    }
  });
  await Promise.all(buying);
  const seconds = (world.monotonic() - begun) / 1_000;
  await level(homes);
  const deals = ms.length;
  return { deals, seconds, micros: (cpu() - before) / deals, ms: ms.sort((one, other) => one - other) };
}

/** Bytes of an entry in a feed: as it is, and compressed in a batch of so many. */
async function bytesOf(
  { dir }: RunningHome,
  height: number,
): Promise<{ plain: number; alone: number; together: number }> {
  const reader = new SqliteReader(dir);
  const lines: string[] = [];
  for (let after = Math.max(0, height - newestEntries); ; ) {
    const page = await reader.entries({ after, limit: 200 });
    lines.push(...page.map((entry) => lineOfEntry({ entry })));
    if (page.length === 0) break;
    after = page.at(-1)!.seq;
  }
  const compression = new LineCompression();
  const compressedBy = async (batch: number) => {
    let bytes = 0;
    for (let from = 0; from < lines.length; from += batch) {
      bytes += (await compression.compressed(`${lines.slice(from, from + batch).join('\n')}\n`)).length;
    }
    return bytes / lines.length;
  };
  return {
    plain: lines.join('\n').length / lines.length,
    alone: await compressedBy(1),
    together: await compressedBy(feedBounds.batchEntries),
  };
}

export async function peersTrade(): Promise<void> {
  const homes = await foundAll(3, Math.ceil(clients / 3) + 1);
  await startAll(homes);
  await level(homes);
  const listings = await prepare(homes);
  const own = (home: RunningHome) => listings[homes.indexOf(home)]!;
  const others = (home: RunningHome) => listings[(homes.indexOf(home) + 1) % homes.length]!;
  const buyers = await Promise.all(
    Array.from({ length: clients }, (_, each) => buyerAt(homes[each % 3]!, 1 + Math.floor(each / 3))),
  );
  const one = buyers.slice(0, 1);
  const forSeconds = () => {
    const end = world.monotonic() + options.seconds * 1_000;
    return () => world.monotonic() > end;
  };
  await buy(buyers, homes, others, (deals) => deals >= warmUps);
  await buy(buyers, homes, own, (deals) => deals >= warmUps);
  const [single, local, across]: [Deals[], Deals[], Deals[]] = [[], [], []];
  for (let round = 0; round < options.rounds; round++) {
    single.push(await buy(one, homes, others, (deals) => deals >= alone));
    local.push(await buy(buyers, homes, own, forSeconds()));
    across.push(await buy(buyers, homes, others, forSeconds()));
  }
  const height = await heightOf(homes[0]!);
  for (const { line } of buyers) line.close();
  await stopAll(homes);
  const bytes = await bytesOf(homes[0]!, height);
  const middle = (all: readonly Deals[], value: (deals: Deals) => number) => median(all.map(value));
  const ratios = across.map((each, round) => each.micros / local[round]!.micros);
  table(`Purchases across three homes, ${options.rounds} rounds of ${options.seconds} s`, [
    atMost(
      'one client: p50',
      middle(single, ({ ms }) => quantile(ms, 0.5)),
      60,
      millis,
    ),
    { what: 'the same: p99', measured: millis(middle(single, ({ ms }) => quantile(ms, 0.99))) },
    { what: 'the same: CPU of all nodes a deal', measured: micros(middle(single, (each) => each.micros)) },
    atLeast(
      `${clients} clients: deals`,
      middle(across, ({ deals, seconds }) => deals / seconds),
      300,
      perSecond,
    ),
    { what: 'the same: p50', measured: millis(middle(across, ({ ms }) => quantile(ms, 0.5))) },
    { what: 'the same: CPU of all nodes a deal', measured: micros(middle(across, (each) => each.micros)) },
    { what: 'a local deal of these clients: CPU of all nodes', measured: micros(middle(local, (each) => each.micros)) },
    { what: 'the same: deals', measured: perSecond(middle(local, ({ deals, seconds }) => deals / seconds)) },
    atMost('CPU of a deal across homes, of a local deal’s', median(ratios), 3.5, times),
    { what: 'an entry in a feed: bytes', measured: count(Math.round(bytes.plain)) },
    atMost('the same, compressed alone', Math.round(bytes.alone), 2_048, count),
    { what: 'the same, compressed in a full batch', measured: count(Math.round(bytes.together)) },
  ]);
}
