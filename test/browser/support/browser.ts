/**
 * The console in a real browser: Debian's headless Chromium with playwright-core. Collects logged errors, failed responses and
 * requests to other hosts; `expectQuiet` expects none.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { expect } from 'chai';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { isLong } from '../../support/long.js';

/** The short form prefers Chromium without its own windows, in which a new page takes a fifth of the CPU time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executable =
  process.env.SVC_TEST_CHROMIUM ?? (isLong ? installed.reverse() : installed).find(existsSync) ?? '/usr/bin/chromium';

/** Why no browser can be used here; undefined if one can. */
export const missing: string | undefined = existsSync(executable) ? undefined : `no ${executable}`;

/** Not in git; CI keeps this folder. */
const screenshots = join('dist', 'screenshots');

/** The looks in which a view is tested. */
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
  /** Statuses that a test causes on purpose. */
  readonly expected = new Set<number>();

  private constructor(
    readonly page: Page,
    readonly url: string,
    readonly look: Look,
  ) {}

  /** Opens a window with a fresh profile, so that nothing is kept between windows. */
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
      // What the page itself has made is downloaded as a blob.
      const url = request.url().replace(/^blob:/, '');
      if (!url.startsWith(`${this.url}/`)) trouble.push(`off the node: ${request.url()}`);
    });
    page.on('response', (reply) => {
      if (reply.status() >= 400 && !expected.has(reply.status())) trouble.push(`${reply.status()} ${reply.url()}`);
    });
  }

  /** @param hash address of the view: `#/charts/escrow` */
  async visit(hash = ''): Promise<void> {
    await this.page.goto(`${this.url}/console${hash}`);
    await this.page.locator('main h1').waitFor();
  }

  /** A screenshot for people to look at, only in the long form. */
  async shot(name: string): Promise<void> {
    if (!isLong) return;
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
  }

  /** The same of a part of the page, given by its selector. */
  async shotOf(part: string, name: string): Promise<void> {
    if (!isLong) return;
    mkdirSync(screenshots, { recursive: true });
    await this.page
      .locator(part)
      .first()
      .screenshot({ path: join(screenshots, `${name}.png`) });
  }

  /** Violations that axe-core finds, one line each. @param except rules that a library's markup violates */
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

  /** Expects that the page is no wider than its window. Tables and drawings may scroll on their own. */
  async expectFits(): Promise<void> {
    const { scroll, client } = await this.page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll, 'width of the page').to.be.at.most(client);
  }

  /** Expects that at each width neither the page nor a table in it is wider than its room, and no abridged id is broken. */
  async expectFitsAt(...widths: readonly number[]): Promise<void> {
    const before = this.page.viewportSize()!;
    for (const width of widths) {
      await this.page.setViewportSize({ width, height: 900 });
      await this.painted();
      await this.expectFits();
      const faults = [...(await this.tablesCut()), ...(await this.idsBroken())];
      expect(faults, `${this.page.url()} at ${width}`).to.deep.equal([]);
    }
    await this.page.setViewportSize(before);
    await this.painted();
  }

  /** Waits for two frames: size observers have then measured and rendered again. */
  async painted(): Promise<void> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  /** Tables of which the last columns are out of sight. */
  tablesCut(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('main :is(.table, .wide)')]
        .filter((table) => table.checkVisibility() && table.scrollWidth > table.clientWidth)
        .map((table) => `${table.ariaLabel}: ${table.scrollWidth} > ${table.clientWidth}`),
    );
  }

  /** Abridged ids that take more than one line, although a line has room for them. */
  private idsBroken(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main :is(.did-name .mono, a.mono[title])')]
        .filter((id) => {
          const text = document.createRange();
          text.selectNodeContents(id);
          const lines = new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom)));
          const line = id.parentElement!.closest('dd, li, p, td, div')!.clientWidth;
          return id.checkVisibility() && lines.size > 1 && line > 200;
        })
        .map((id) => `${id.innerText} is broken`),
    );
  }

  /** Tables that have no download as CSV and JSON. */
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
    expect(this.trouble.join('\n')).to.equal('');
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/**
 * Checks a view: no errors, no axe violations, no wider than the window, also when this is narrowed; keeps a screenshot. In the
 * short form the view is neither loaded nor checked by axe again in the narrow look.
 */
export async function expectGood(window: Window, name: string): Promise<void> {
  await window.shot(name);
  expect(await window.axe(), name).to.deep.equal([]);
  expect(await window.tablesNotExported(), `${name}: tables without CSV and JSON`).to.deep.equal([]);
  await window.expectFitsAt(window.page.viewportSize()!.width, 768, looks.narrow.viewport.width);
  window.expectQuiet();
}
