/**
 * Measures the console in a real browser, on nodes with many resources: its payload; its first views, from the
 * navigation until the view's content is painted, each time with an empty cache; and filtering and sorting of lists.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { assert } from '../../src/core/refusal.js';
import { builtConsole } from '../../src/http/routes/console-files.js';
import { startNode } from './support/contest.js';
import { escrows } from './support/escrows.js';
import { listings } from './support/listings.js';
import { options } from './support/options.js';
import { escrowId, type Person } from './support/people.js';
import { atMost, type Figure, median, millis, say, table } from './support/report.js';

const executable = process.env.SVC_TEST_CHROMIUM ?? '/usr/bin/chromium';
const targetMs = 1_500;
const filterTargetMs = 500;
const payloadBytes = 120_000;

interface View {
  readonly what: string;
  /** The part of the URL after the hash. */
  readonly at: string;
  /** Texts that must all be visible. */
  readonly shows: readonly string[];
}

const row = (caption: string) => `[aria-label="${caption}"] tbody tr`;
const escrowRows = row('List of escrows');

const overEscrows: readonly View[] = [
  { what: 'overview: the verdict, its latest events', at: '', shows: ['.health', '.feed li'] },
  { what: 'lists: escrows', at: '#/lists/escrows', shows: [escrowRows] },
  { what: 'find: an id, and its page', at: `#/find?text=${escrowId(0)}`, shows: ['.drawing .state.lit', '.proven'] },
  {
    what: 'resources: the definition, and who changed lately',
    at: '#/charts/escrow',
    shows: ['.drawing .state', '.lately li'],
  },
  {
    what: 'resources: one escrow, its story, checked',
    at: `#/charts/escrow/${escrowId(0)}`,
    shows: ['.drawing .state.lit', '.checks.sound', '.proven', row('Steps, oldest first')],
  },
  { what: 'ledger: supply and accounts', at: '#/ledger', shows: ['.equation', row('Accounts, the largest first')] },
  { what: 'ledger: a page of the journal', at: '#/ledger/journal', shows: [row('Entries')] },
  { what: 'identities', at: '#/identities', shows: [row('Identities in the ledger')] },
  { what: 'audit', at: '#/audit', shows: ['form.start'] },
];
const overDepositor = ({ did }: Person): readonly View[] => [
  {
    what: 'ledger: the account that has them all',
    at: `#/ledger/account/${did}`,
    shows: [row('Statement, newest first')],
  },
  { what: 'identities: the one that has signed them', at: `#/identities/${did}`, shows: [row('Events, oldest first')] },
];
const overListings: readonly View[] = [
  { what: 'overview', at: '', shows: ['.health', '.feed li'] },
  {
    what: 'markets: the newest, and what the whole result is made of',
    at: '#/markets',
    shows: ['.listing-title', '.facets li'],
  },
  { what: 'find: words', at: '#/find?text=rainfall', shows: ['.matches li'] },
];

/** Filters of the list of escrows, in the form in which the console puts them into the address. */
const filters = ({ did }: Person): readonly (readonly [what: string, query: string])[] => [
  ['by state', 'status=created'],
  ['by party and state', `did=${did}&status=created`],
  ['by party and amount', `did=${did}&min=1`],
  ['largest amount first', 'sort=amount_desc'],
  [
    'by party, state, date and amount, smallest first',
    `did=${did}&status=created&since=2020-01-01&min=1&sort=amount_asc`,
  ],
];

export async function console(): Promise<void> {
  const browser = await launched();
  if (!browser) return;
  try {
    const { depositor, dir } = await escrows();
    const views = [...overEscrows, ...overDepositor(depositor)];
    const shown = await onNode(dir, async (url) => {
      const first = await viewsOf(browser, url, views);
      return { first, filtered: await filtersOf(browser, url, filters(depositor)) };
    });
    table(`First views of the console, ${options.resources} escrows`, [payload(), ...shown.first]);
    table('… their list, narrowed and sorted', shown.filtered);
    const found = await onNode((await listings()).dir, (url) => viewsOf(browser, url, overListings));
    table(`First views, ${options.resources} listings`, found);
  } finally {
    await browser.close();
  }
}

async function launched(): Promise<Browser | undefined> {
  if (existsSync(executable)) {
    return chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-gpu'] });
  }
  say(`\nthe console's first views are not measured: no ${executable}`);
  return undefined;
}

/**
 * The size of everything that the console loads, compressed as for most browsers. The API page and the proof checker
 * are separate pages and not included.
 */
function payload(): Figure {
  const files = (readdirSync(builtConsole, { recursive: true }) as string[]).filter((file) => file.endsWith('.br'));
  const own = files.filter((file) => !/(^|[\\/])(docs|verify-proof)[.-]/.test(file));
  const bytes = own.reduce((sum, file) => sum + statSync(join(builtConsole, file)).size, 0);
  return atMost('payload, all of it, brotli', bytes, payloadBytes, (value) => `${(value / 1_000).toFixed(0)} kB`);
}

async function onNode<T>(dir: string, measure: (url: string) => Promise<T>): Promise<T> {
  const { child, url } = await startNode(dir);
  try {
    return await measure(url);
  } finally {
    await child.stop();
  }
}

/** Measures all views in each round. The first one finds a node that has just started. */
async function viewsOf(browser: Browser, url: string, views: readonly View[]): Promise<Figure[]> {
  const measured = views.map((): number[] => []);
  const first = await shownAfter(browser, url, views[0]!);
  for (let round = 0; round < options.rounds; round++) {
    for (const [index, view] of views.entries()) measured[index]!.push(await shownAfter(browser, url, view));
  }
  return [
    atMost('overview of a node that has just started', first, targetMs, millis),
    ...views.flatMap(({ what }, index) => figuresOf(what, measured[index]!, targetMs)),
  ];
}

const figuresOf = (what: string, values: readonly number[], most: number): Figure[] => [
  atMost(what, median(values), most, millis),
  { what: '  the slowest', measured: millis(Math.max(...values)) },
];

/** Measures filtering the full list and going back, in one page, as a user does. */
async function filtersOf(browser: Browser, url: string, all: ReturnType<typeof filters>): Promise<Figure[]> {
  return inPage(browser, 'lists', async (page) => {
    await page.goto(`${url}/console#/lists/escrows`);
    await page.locator(escrowRows).first().waitFor();
    const measured = all.map((): number[] => []);
    for (let round = 0; round < options.rounds; round++) {
      for (const [index, [, query]] of all.entries()) {
        measured[index]!.push(await listedAfter(page, `#/lists/escrows?${query}`));
        await listedAfter(page, '#/lists/escrows');
      }
    }
    return all.flatMap(([what], index) => figuresOf(what, measured[index]!, filterTargetMs));
  });
}

/** Milliseconds from the change of the address to the first frame with the new list; until it has come, the list is busy. */
const listedAfter = (page: Page, hash: string): Promise<number> =>
  page.evaluate(
    (to) =>
      new Promise<number>((done) => {
        const from = performance.now();
        const watch = new MutationObserver(() => {
          if (document.querySelector('main [aria-busy="true"]')) return;
          watch.disconnect();
          requestAnimationFrame(() => done(performance.now() - from));
        });
        watch.observe(document.querySelector('main')!, { subtree: true, attributeFilter: ['aria-busy'] });
        location.hash = to;
      }),
    hash,
  );

async function inPage<T>(browser: Browser, what: string, measure: (page: Page) => Promise<T>): Promise<T> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    page.on('response', (reply) => {
      if (reply.status() >= 400) say(`${what}: ${reply.status()} ${reply.url()}`);
    });
    return await measure(page);
  } finally {
    await context.close();
  }
}

/** Milliseconds from the start of the navigation to the first frame in which the whole view is visible. */
const shownAfter = (browser: Browser, url: string, { at, shows, what }: View): Promise<number> =>
  inPage(browser, what, async (page) => {
    await page.addInitScript((selectors: readonly string[]) => {
      const shown = globalThis as { shownAfterMs?: number };
      const note = () => {
        shown.shownAfterMs = performance.now();
      };
      const look = () => {
        const isThere = selectors.every((selector) => document.querySelector(selector) !== null);
        requestAnimationFrame(isThere ? note : look);
      };
      look();
    }, shows);
    await page.goto(`${url}/console${at}`);
    const shown = await page.waitForFunction(() => (globalThis as { shownAfterMs?: number }).shownAfterMs);
    const ms = await shown.jsonValue();
    assert(ms !== undefined, 'it was waited for');
    return ms;
  });
