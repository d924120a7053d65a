/** Searches of many listings over HTTP, and publishing, against the targets of docs/benchmarks.md. */
import { Child, residentBytes } from './child.js';
import { categories, listings, words } from './listings.js';
import type { LoadQuestion, Measured } from './load-process.js';
import type { NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf } from './people.js';
import { atLeast, atMost, mebibytes, median, millis, perSecond, table, times } from './report.js';

const search = (query: string): string => `/api/v1/markets/search?${query}`;
const facets = 'includeFacets=true';
const paths = {
  some: search(`keyword=${words.some}&category=${categories.slice(0, 5)}&maxPrice=900&${facets}`),
  all: search(`keyword=${words.all}`),
  allFar: search(`keyword=${words.all}&page=500`),
  allFacets: search(`keyword=${words.all}&${facets}`),
  newest: search(''),
  newestFar: search('page=500'),
} as const;
type Name = keyof typeof paths;

/** Compared pages are requested alternately in short intervals, so that other load on the machine affects both. */
const inTurn: readonly Name[] = ['newest', 'newestFar'];
const turns = 6;
const pieceSeconds = 0.5;

export async function markets(): Promise<void> {
  const { dir, people, bytes } = await listings();
  const node = new Child<NodeQuestion>('node-process', { env: environmentOf(dir), execArgv: options.nodeFlags });
  const [load, second] = [new Child<LoadQuestion>('load-process'), new Child<LoadQuestion>('load-process')];
  const { url } = await node.ask<Started>({ ask: 'started' });
  const site = { url, pid: node.pid, people };
  const get = (path: string, lines: number, seconds = options.seconds): Promise<Measured> =>
    load.ask({ ask: 'load', site, plan: { do: 'get', path }, seconds, lines });
  const wallet = `/api/v1/wallets/${people[0]!.did}`;
  const aside = (): Promise<Measured> =>
    second.ask({ ask: 'load', site, plan: { do: 'get', path: wallet }, seconds: options.seconds, lines: 1 });
  const publish = (seconds: number): Promise<Measured> =>
    load.ask({ ask: 'load', site, plan: { do: 'publish' }, seconds, lines: 64 });

  const alone: { [name in Name]: Measured[] } = {
    some: [],
    all: [],
    allFar: [],
    allFacets: [],
    newest: [],
    newestFar: [],
  };
  const many: Measured[] = [];
  const others: Measured[] = [];
  const published: Measured[] = [];
  for (let round = -1; round < options.rounds; round++) {
    for (const [name, path] of Object.entries(paths) as [Name, string][]) {
      if (inTurn.includes(name)) continue;
      const measured = await get(path, 1);
      if (round >= 0) alone[name].push(measured);
    }
    for (let turn = 0; turn < turns; turn++) {
      for (const name of inTurn) {
        const measured = await get(paths[name], 1, pieceSeconds);
        if (round >= 0) alone[name].push(measured);
      }
    }
    const [eight, [, other]] = [await get(paths.some, 8), await Promise.all([get(paths.allFacets, 1), aside()])];
    const rate = await publish(round < 0 ? options.warmUpSeconds : options.seconds);
    if (round < 0) continue;
    many.push(eight);
    others.push(other);
    published.push(rate);
  }
  const resident = residentBytes(node.pid);
  await Promise.all([node.stop(), load.stop(), second.stop()]);

  const p50 = (measured: readonly Measured[]) => median(measured.map(({ latencyP50 }) => latencyP50));
  const p99 = (measured: readonly Measured[]) => median(measured.map(({ latencyP99 }) => latencyP99));
  const ratios = alone.newestFar.map(({ latencyP50 }, index) => latencyP50 / alone.newest[index]!.latencyP50);
  table(`Searches of ${options.resources} listings`, [
    atMost('1 % of them, two filters, facets: p50, 1 connection', p50(alone.some), 12, millis),
    atMost('the same: p99, 8 connections', p99(many), 100, millis),
    atMost('all of them, a page: p50, 1 connection', p50(alone.all), 300, millis),
    atMost('all of them with all facets: p50, 1 connection', p50(alone.allFacets), 1_200, millis),
    atMost('reads of a wallet meanwhile: p99', p99(others), 50, millis),
    atMost('without a keyword, newest first: p50', p50(alone.newest), 3, millis),
    atMost('page 500 of all of them, of page 1', p50(alone.allFar) / p50(alone.all), 1.5, times),
    atMost('page 500 of the newest, of page 1', median(ratios), 1.5, times),
    atLeast('publish, 64 connections', median(published.map((each) => each.operations / each.seconds)), 800, perSecond),
    atMost('database', bytes, 300e6, mebibytes),
    atMost('memory of the node', resident, 250e6, mebibytes),
  ]);
}
