/** A node behind a long journal of transfers: disk, start, memory, rate, reads of old entries, audits, and searches. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../packages/client/src/client.js';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { runAudit } from './audit.js';
import { read } from './lists.js';
import { end, startAt } from './start.js';
import { residentBytes } from './support/child.js';
import { rateOf, startLoad } from './support/contest.js';
import { categories, listings, words } from './support/listings.js';
import { options } from './support/options.js';
import { Founder } from './support/people.js';
import { count, mebibytes, micros, millis, percentile, perSecond, table } from './support/report.js';
import type { Measured } from './support/tally.js';
import { fillWithTransfers } from './support/transfers.js';

const reads = 300;
/** Published behind the transfers. What a search costs by their number, `markets` measures. */
const listed = 10_000;
/** By what it finds; all have a page of 20. */
const searches = {
  'the newest': '',
  '1 %, two filters, facets': `keyword=${words.some}&category=${categories.slice(0, 5)}&maxPrice=900&includeFacets=true`,
  all: `keyword=${words.all}`,
};

export async function sizes(): Promise<void> {
  const dir = await fillWithTransfers(options.resources);
  const founder = await Founder.open(dir);
  const people = await founder.people(64, 1_000_000);
  const { seq: entries } = await founder.node.store.head();
  await founder.close();
  const [all, segments] = [bytesIn(dir), bytesIn(join(dir, 'segments'))];

  const node = await startAt(dir);
  await pause(world, 1_000);
  const atStart = residentBytes(node.pid);
  const client = new Client({ url: node.url });
  const took: { [what: string]: number[] } = {};
  const timed = async <T>(what: string, read: Promise<T>): Promise<T> => {
    const from = world.monotonic();
    const found = await read;
    took[what] = [...(took[what] ?? []), world.monotonic() - from];
    return found;
  };
  for (let index = 0; index < reads; index++) {
    const after = Math.floor((entries * (index + 0.5)) / reads);
    const { events } = await timed('by number', client.events.list({ after, limit: 1 }));
    const { hash, issuer } = events[0]!.event;
    await timed('by hash', client.events.get(hash));
    await timed('a page of a wallet', client.wallets.transactions(issuer, { limit: 50 }));
  }
  const load = startLoad();
  const measured = await load.ask<Measured>({
    ...{ ask: 'load', site: { url: node.url, pid: node.pid, people }, plan: { do: 'transfers' } },
    seconds: options.seconds * options.rounds,
  });
  const afterLoad = residentBytes(node.pid);
  await load.stop();
  await end(node, 'SIGTERM');

  const half = (values: readonly number[]) => millis(percentile(values, 0.5));
  table(`A journal of ${entries} entries`, [
    { what: 'disk', measured: mebibytes(all) },
    {
      what: 'bytes for each entry; in segments',
      measured: [all, segments].map((each) => count(each / entries)).join('; '),
    },
    { what: 'from process start to the first answer', measured: millis(node.firstAnswerMs) },
    { what: 'memory a second later; after transfers', measured: [atStart, afterLoad].map(mebibytes).join('; ') },
    { what: 'transfers of 64 clients', measured: perSecond(rateOf(measured)) },
    { what: 'CPU of one', measured: micros(measured.serverMicros) },
    { what: 'half within; 99 of 100', measured: [measured.latencyP50, measured.latencyP99].map(millis).join('; ') },
    ...Object.entries(took).map(([what, values]) => ({ what: `read ${what}: half within`, measured: half(values) })),
  ]);

  const [full, again] = [await runAudit(dir, ['--full']), await runAudit(dir, [])];
  table(`Auditing ${full.entries} entries`, [
    {
      what: 'audit of all: time; rate',
      measured: `${Math.round(full.ms / 1_000)} s; ${perSecond((full.entries / full.ms) * 1_000)}`,
    },
    {
      what: 'CPU for each entry; memory',
      measured: `${micros(full.cpuMicros / full.entries)}; ${mebibytes(full.peakBytes)}`,
    },
    { what: 'audit of what it had verified', measured: `${Math.round(again.ms / 1_000)} s` },
  ]);

  await listings(dir, listed);
  const market = await startAt(dir);
  const found = new Map<string, number[]>();
  for (let index = 0; index < reads; index++)
    for (const [what, query] of Object.entries(searches)) {
      const from = world.monotonic();
      await read(`${market.url}/api/v1/markets/search?${query}`);
      found.set(what, [...(found.get(what) ?? []), world.monotonic() - from]);
    }
  await end(market, 'SIGTERM');
  table(
    `Searches of ${listed} listings behind ${entries} entries`,
    [...found].map(([what, values]) => ({ what: `${what}: half within`, measured: half(values) })),
  );
}

function bytesIn(dir: string): number {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0);
}
