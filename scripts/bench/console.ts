/**
 * The console's first views in a real browser (issue 9): from the navigation until what a view is about is painted, each
 * time with an empty cache, on nodes that hold many resources.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { assert } from '../../src/core/refusal.js';
import { builtConsole } from '../../src/http/routes/console-files.js';
import { Child } from './child.js';
import { large } from './large.js';
import { listings } from './listings.js';
import type { NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, escrowId } from './people.js';
import { atMost, type Figure, median, millis, say, table } from './report.js';

const executable = process.env.SVC_TEST_CHROMIUM ?? '/usr/bin/chromium';
const targetMs = 1_500;
const payloadBytes = 400_000;

interface View {
  readonly what: string;
  /** Behind the hash. */
  readonly at: string;
  /** What the view is about: all of these are there. */
  readonly shows: readonly string[];
}

const row = (caption: string) => `[aria-label="${caption}"] tbody tr`;

const overEscrows: readonly View[] = [
  { what: 'overview, its latest events', at: '', shows: ['.facts', row('Entries, newest first')] },
  {
    what: 'charts: the definition, and who changed lately',
    at: '#/charts/escrow',
    shows: ['.drawing .state', '.lately li'],
  },
  {
    what: 'charts: one escrow, checked, and what is permitted',
    at: `#/charts/escrow/${escrowId(0)}`,
    shows: ['.drawing .state.lit', '.checks.sound', row('Actions, by who asks')],
  },
  { what: 'ledger: supply and accounts', at: '#/ledger', shows: ['.equation', row('Accounts, the largest first')] },
  { what: 'ledger: a page of the journal', at: '#/ledger/journal', shows: [row('Entries')] },
  { what: 'identities', at: '#/identities', shows: [row('Identities in the ledger')] },
  { what: 'audit', at: '#/audit', shows: ['form.start'] },
];
const overListings: readonly View[] = [
  { what: 'overview', at: '', shows: ['.facts', row('Entries, newest first')] },
  { what: 'markets: the newest of all', at: '#/markets', shows: ['.listing-title'] },
  { what: 'markets: … and what the whole result is made of', at: '#/markets', shows: ['.listing-title', '.facets li'] },
  {
    what: 'charts: the definition of a listing, and who changed lately',
    at: '#/charts/info-listing',
    shows: ['.lately li'],
  },
];

export async function console(): Promise<void> {
  const browser = await launched();
  if (!browser) return;
  try {
    const { depositor, dir } = await large();
    const account: View = {
      what: 'ledger: the account that has them all',
      at: `#/ledger/account/${depositor.did}`,
      shows: [row('What moved its Tokens, newest first')],
    };
    const escrows = await viewsOf(browser, dir, [...overEscrows, account]);
    table(`First views of the console, ${options.resources} escrows`, [payload(), ...escrows]);
    table(`… and ${options.resources} listings`, await viewsOf(browser, (await listings()).dir, overListings));
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

/** As most browsers are sent it. */
function payload(): Figure {
  const files = (readdirSync(builtConsole, { recursive: true }) as string[]).filter((file) => file.endsWith('.br'));
  const bytes = files.reduce((sum, file) => sum + statSync(join(builtConsole, file)).size, 0);
  return atMost('payload, all of it, brotli', bytes, payloadBytes, (value) => `${(value / 1_000).toFixed(0)} kB`);
}

/** All views in turn, so many rounds; the first of all finds a node that has just started. */
async function viewsOf(browser: Browser, dir: string, views: readonly View[]): Promise<Figure[]> {
  const node = new Child<NodeQuestion>('node-process', { env: environmentOf(dir), execArgv: options.nodeFlags });
  try {
    const { url } = await node.ask<Started>({ ask: 'started' });
    const measured = views.map((): number[] => []);
    const first = await shownAfter(browser, url, views[0]!);
    for (let round = 0; round < options.rounds; round++) {
      for (const [index, view] of views.entries()) measured[index]!.push(await shownAfter(browser, url, view));
    }
    return [
      atMost('overview of a node that has just started', first, targetMs, millis),
      ...views.flatMap(({ what }, index) => [
        atMost(what, median(measured[index]!), targetMs, millis),
        { what: '  the slowest', measured: millis(Math.max(...measured[index]!)) },
      ]),
    ];
  } finally {
    await node.stop();
  }
}

/** Ms from the start of the navigation to the first frame after the view's last part is there. */
async function shownAfter(browser: Browser, url: string, { at, shows, what }: View): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    page.on('response', (reply) => {
      if (reply.status() >= 400) say(`${what}: ${reply.status()} ${reply.url()}`);
    });
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
  } finally {
    await context.close();
  }
}
