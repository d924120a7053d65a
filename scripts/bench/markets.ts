/** Searches of many listings over HTTP, and publishing, against the targets of docs/benchmarks.md. */
import { residentBytes } from './support/child.js';
import { contest, startLoad, startNode } from './support/contest.js';
import { categories, listings, words } from './support/listings.js';
import { options } from './support/options.js';
import { atLeast, atMost, mebibytes, millis, perSecond, table, times } from './support/report.js';
import type { Measured } from './support/tally.js';

const facets = 'includeFacets=true';

export async function markets(): Promise<void> {
  const { dir, people, bytes } = await listings();
  const { child, pid, url } = await startNode(dir);
  const site = { url, pid, people };
  const search = (query: string, lines = 1) =>
    ({ site, plan: { do: 'get', path: `/api/v1/markets/search?${query}` }, lines }) as const;
  const some = `keyword=${words.some}&category=${categories.slice(0, 5)}&maxPrice=900&${facets}`;
  const results = await contest({
    some: search(some),
    many: search(some, 8),
    all: search(`keyword=${words.all}`),
    allFar: search(`keyword=${words.all}&page=500`),
    allFacets: search(`keyword=${words.all}&${facets}`),
    newest: search(''),
    newestFar: search('page=500'),
    publish: { site, plan: { do: 'publish' } },
  });
  const [load, second] = [startLoad(), startLoad()];
  const [, meanwhile] = await Promise.all([
    load.ask({ ask: 'load', seconds: options.seconds, ...search(`keyword=${words.all}&${facets}`) }),
    second.ask<Measured>({
      ...{ ask: 'load', site, seconds: options.seconds, lines: 1 },
      plan: { do: 'get', path: `/api/v1/wallets/${people[0]!.did}` },
    }),
  ]);
  const resident = residentBytes(pid);
  await Promise.all([child.stop(), load.stop(), second.stop()]);
  const { all, newest } = results;
  const p50 = ({ latencyP50 }: Measured) => latencyP50;
  table(`Searches of ${options.resources} listings`, [
    atMost('1 % of them, two filters, facets: p50, 1 connection', results.some.p50, 12, millis),
    atMost('the same: p99, 8 connections', results.many.p99, 100, millis),
    atMost('all of them, a page: p50, 1 connection', all.p50, 300, millis),
    atMost('all of them with all facets: p50, 1 connection', results.allFacets.p50, 1_200, millis),
    atMost('reads of a wallet meanwhile: p99', meanwhile.latencyP99, 50, millis),
    atMost('without a keyword, newest first: p50', newest.p50, 3, millis),
    atMost('page 500 of all of them, of page 1', results.allFar.ratio(all, p50), 1.5, times),
    atMost('page 500 of the newest, of page 1', results.newestFar.ratio(newest, p50), 1.5, times),
    atLeast('publish, 64 connections', results.publish.rate, 800, perSecond),
    atMost('database', bytes, 300e6, mebibytes),
    atMost('memory of the node', resident, 250e6, mebibytes),
  ]);
}
