/** The audit in the console: started with an admin key, watched, and read; a tampered journal is shown as such. */
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { closeBrowser, expectGood, inBrowser, type Look, Window } from './support/browser.js';
import { openTown, type Town } from './support/town.js';

inBrowser('the console’s audit', () => {
  let town: Town;
  let window: Window;
  before(async () => {
    town = await openTown();
  });
  after(async () => {
    await closeBrowser();
    await town?.node.discard();
  });
  beforeEach(async () => {
    window = await Window.open(town.node.url);
  });
  afterEach(() => window.close());

  const verdict = () => window.page.locator('.verdict');
  async function start(key: string): Promise<void> {
    await window.page.getByLabel('Admin key').fill(key);
    await window.page.getByRole('button', { name: 'Start the audit' }).click();
  }

  it('needs a key, and says so where that is of no use', async () => {
    window.expected.add(401).add(403);
    await window.visit('#/audit');
    await window.page.getByText('No audit has been run').waitFor();
    await start((await town.node.key({ scope: 'read' })).key);
    await window.page.getByText('FORBIDDEN').waitFor();
    await start('svck_11111111111111111111111111111111');
    await window.page.getByText('UNAUTHORIZED').waitFor();
    expect(await window.page.locator('dialog[open]').count(), 'no read key is asked for').to.equal(0);
    window.expectQuiet();
  });

  it('is started, watched, and found sound; the result is there for the next one who looks', async () => {
    await window.visit('#/audit');
    await start((await town.node.key({ scope: 'admin' })).key);
    await verdict().waitFor();
    expect(await verdict().getAttribute('data-status')).to.equal('sound');
    const { seq } = await town.node.store.head();
    await window.page.getByText(`everything follows from its ${seq} entries`).waitFor();
    expect(await window.page.locator('.check-list .good').count()).to.equal(11);
    await window.close();
    window = await Window.open(town.node.url);
    await window.visit('#/audit');
    await window.page.getByText('The journal is sound').waitFor();
    window.expectQuiet();
  });

  it('shows how far it has come', async () => {
    const running = { status: 'running', startedAt: Date.now(), finishedAt: null, checked: 400, total: 1_000 };
    const nothing = { journal: null, flaw: null, note: null, chain: null };
    await window.page.route('**/api/v1/audit', (route) =>
      route.fulfill({ json: { running: { ...running, ...nothing }, last: null } }),
    );
    await window.visit('#/audit');
    await window.page.getByText('400 of 1,000 entries checked').waitFor();
    expect(await window.page.getByRole('progressbar').getAttribute('value')).to.equal('400');
    expect(await window.axe()).to.deep.equal([]);
    window.expectQuiet();
  });

  it('of a tampered journal names the first bad entry, the check and what is wrong', async () => {
    const tampered = await openTown();
    const [entry] = await tampered.node.store.entries({ after: 8, limit: 1 });
    await tampered.node.stop();
    const database = new Database(join(tampered.node.dir, 'journal.db'));
    database.prepare('UPDATE journal SET chain_hash = entry_hash WHERE seq = 9').run();
    database.close();
    await tampered.node.restart();
    await window.close();
    for (const look of ['light', 'dark', 'narrow'] satisfies Look[]) {
      window = await Window.open(tampered.node.url, look);
      await window.visit('#/audit');
      await start((await tampered.node.key({ scope: 'admin' })).key);
      await window.page.getByText('The journal is not sound').waitFor();
      const flaw = window.page.getByRole('region', { name: 'The first bad entry' });
      expect((await flaw.innerText()).replace(/\s+/g, ' ')).to.match(/Entry 9 .*failed Chain .*chainHash does not fit/);
      expect(await flaw.locator('code').getAttribute('title')).to.equal(entry!.core.event.hash);
      await window.page.getByText('8 entries before the first bad one are sound.').waitFor();
      await expectGood(window, `audit-tampered-${look}`);
      if (look !== 'narrow') await window.close();
    }
    await tampered.node.discard();
  });

  for (const look of ['light', 'dark', 'narrow'] satisfies Look[]) {
    it(`is without violations, and fits: ${look}`, async () => {
      await window.close();
      window = await Window.open(town.node.url, look);
      await window.visit('#/audit');
      await start((await town.node.key({ scope: 'admin' })).key);
      await window.page.getByText('The journal is sound').waitFor();
      await expectGood(window, `audit-${look}`);
    });
  }
});
