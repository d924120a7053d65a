/**
 * The console in a real browser: Debian's Chromium, headless, by playwright-core. Whatever it logs as an error, every
 * answer that failed and every request that left the node is kept, and `expectQuiet` holds that there was none.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { expect } from 'chai';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { isLong } from '../../support/long.js';

const executable = process.env.SVC_TEST_CHROMIUM ?? '/usr/bin/chromium';

/** Why no browser can be tried here. */
export const missing: string | undefined = existsSync(executable) ? undefined : `no ${executable}`;

/** Git-ignored; what CI keeps. */
const screenshots = join('dist', 'screenshots');

/** Each way in which a view is looked at. */
export const looks = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 320, height: 640 } },
} as const satisfies { readonly [name: string]: BrowserContextOptions };

export type Look = keyof typeof looks;

let running: Promise<Browser> | undefined;

/** One browser for all suites of a run. */
after(async () => {
  await (await running)?.close();
});

function browser(): Promise<Browser> {
  running ??= chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-gpu'] });
  return running;
}

export class Window {
  readonly trouble: string[] = [];
  /** Statuses that a test brings about on purpose. */
  readonly expected = new Set<number>();

  private constructor(
    readonly page: Page,
    readonly url: string,
    readonly look: Look,
  ) {}

  /** A fresh profile: nothing is kept from one to the next. */
  static async open(url: string, look: Look = 'light'): Promise<Window> {
    const context = await (await browser()).newContext({ ...looks[look], reducedMotion: 'reduce' });
    const window = new Window(await context.newPage(), url, look);
    window.#listen();
    return window;
  }

  #listen(): void {
    const { page, trouble, expected } = this;
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      const isExpected = [...expected].some((status) => message.text().includes(`status of ${status}`));
      if (!isExpected) trouble.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${this.url}/`)) trouble.push(`off the node: ${request.url()}`);
    });
    page.on('response', (reply) => {
      if (reply.status() >= 400 && !expected.has(reply.status())) trouble.push(`${reply.status()} ${reply.url()}`);
    });
  }

  /** @param hash of the view: `#/charts/escrow` */
  async visit(hash = ''): Promise<void> {
    await this.page.goto(`${this.url}/console${hash}`);
    await this.page.locator('main h1').waitFor();
  }

  async shot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  }

  /** Of a part of the page, by its selector. */
  async shotOf(part: string, name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page
      .locator(part)
      .first()
      .screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** What axe-core finds wrong, one line each; nothing where all is well. @param except rules that a library breaks */
  async axe(except: readonly string[] = []): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const found = await this.page.evaluate(
      async (rules) => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({ rules });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
      },
      Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    );
    return found;
  }

  /** The page is no wider than its window; tables and drawings scroll by themselves. */
  async expectFits(): Promise<void> {
    const { scroll, client } = await this.page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll, 'width of the page').to.be.at.most(client);
  }

  async expectFitsNarrow(): Promise<void> {
    const before = this.page.viewportSize()!;
    await this.page.setViewportSize(looks.narrow.viewport);
    await this.painted();
    await this.expectFits();
    await this.page.setViewportSize(before);
    await this.painted();
  }

  /** Two frames: what watches its size has measured it and drawn again. */
  async painted(): Promise<void> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  /** Tables that the page does not offer as CSV and JSON. */
  tablesNotExported(): Promise<string[]> {
    return this.page.evaluate(() => {
      const offered = [...document.querySelectorAll('.export button')].map((each) => each.getAttribute('aria-label'));
      const lacks = (name: string) =>
        ['CSV', 'JSON'].some((format) => !offered.includes(`Download ${name} as ${format}`));
      return [...document.querySelectorAll<HTMLElement>('main table')]
        .map(
          (table) => table.closest<HTMLElement>('[data-exported]')?.dataset.exported ?? `no name: ${table.innerText}`,
        )
        .filter(lacks);
    });
  }

  expectQuiet(): void {
    expect(this.trouble).to.deep.equal([]);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/**
 * Runs a look at a view: quiet, without violations, no wider than the window, a screenshot kept. In the short form the
 * narrow window is this one made narrow: the view is neither loaded nor searched for violations once more.
 */
export async function expectGood(window: Window, name: string): Promise<void> {
  await window.shot(name);
  expect(await window.axe(), name).to.deep.equal([]);
  expect(await window.tablesNotExported(), `${name}: tables without CSV and JSON`).to.deep.equal([]);
  await window.expectFits();
  if (!isLong) await window.expectFitsNarrow();
  window.expectQuiet();
}
