/** The audit in the console: started with an admin key, watched, and read. A tampered journal is reported. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { violationOfReport } from '../../src/verify/audit-report.js';
import { TestNode } from '../node/support/node.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook, nextLooks } from './support/stage.js';
import { sharedTown } from './support/town.js';

inBrowser('the console’s audit', { open: sharedTown }, (stage) => {
  const verdict = () => stage.page.locator('.verdict');
  async function start(key: string): Promise<void> {
    await stage.page.getByLabel('Admin key').fill(key);
    await stage.page.getByRole('button', { name: 'Start the audit' }).click();
  }

  it('needs a key, and says so where that is of no use', async () => {
    stage.window.expected.add(401).add(403);
    await stage.window.visit('#/audit');
    await stage.page.getByText('No audit has been run').waitFor();
    await start((await stage.scene.node.key({ scope: 'read' })).key);
    await stage.page.getByText('FORBIDDEN').waitFor();
    await start('svck_11111111111111111111111111111111');
    await stage.page.getByText('UNAUTHORIZED').waitFor();
    expect(await stage.page.locator('dialog[open]').count(), 'no read key is asked for').to.equal(0);
    stage.window.expectQuiet();
  });

  it('is started, watched, and found sound; the result is there for the next one who looks', async () => {
    await stage.window.visit('#/audit');
    await start((await stage.scene.node.key({ scope: 'admin' })).key);
    await verdict().waitFor();
    expect(await verdict().getAttribute('data-status')).to.equal('sound');
    const { seq } = await stage.scene.node.store.head();
    await stage.page.getByText(`everything follows from its ${seq} entries`).waitFor();
    expect(await stage.page.locator('.check-list .good').count()).to.equal(11);
    await stage.open();
    await stage.window.visit('#/audit');
    await stage.page.getByText('The journal is sound').waitFor();
    const taken = async (how: string) => {
      const coming = stage.page.waitForEvent('download');
      await stage.page
        .getByRole('button', { name: new RegExp(`^Download report aud-.* ${how}$`) })
        .first()
        .click();
      return readFileSync(await (await coming).path(), 'utf8');
    };
    const report = JSON.parse(await taken('as JSON'));
    expect(violationOfReport(report)).to.equal(undefined);
    const page = await taken('to print');
    expect(page).to.include('The journal is sound').and.include(report.node).and.include(report.sig);
    stage.window.expectQuiet();
  });

  it('shows how far it has come', async () => {
    const running = { status: 'running', startedAt: Date.now() - 60_000, finishedAt: null, checked: 400, total: 1_000 };
    const nothing = { journal: null, flaw: null, note: null, chain: null };
    await stage.page.route('**/api/v1/audit', (route) =>
      route.fulfill({ json: { running: { ...running, ...nothing }, last: null } }),
    );
    await stage.window.visit('#/audit');
    await stage.page.getByText('400 of 1,000 entries checked').waitFor();
    await stage.page.getByText(/^40 %, about 1\smin \d+\ss left$/).waitFor();
    expect(await stage.page.getByRole('progressbar').getAttribute('value')).to.equal('400');
    expect(await stage.page.getByText('No audit has been run').count()).to.equal(0);
    expect(await stage.window.axe()).to.deep.equal([]);
    stage.window.expectQuiet();
  });

  it('of a tampered journal names the first bad entry, the check and what is wrong', async () => {
    const node = await TestNode.start();
    try {
      const [ada, ben] = [await node.rich(100), await node.person()];
      for (let amount = 1; amount <= 9; amount++) await ada.pays(ben.did, amount);
      const [entry] = await node.store.entries({ after: 8, limit: 1 });
      const database = new Database(join(node.dir, 'journal.db'), { timeout: 5_000 });
      database.prepare('UPDATE journal SET chain_hash = entry_hash WHERE seq = 9').run();
      database.close();
      for (const [index, look] of nextLooks().entries()) {
        await stage.open(look, node.url);
        await stage.window.visit('#/audit');
        // Later windows see the result of the first audit.
        if (index === 0) await start((await node.key({ scope: 'admin' })).key);
        await stage.page.getByText('The journal is not sound').waitFor();
        const flaw = stage.page.getByRole('region', { name: 'First invalid entry' });
        expect((await flaw.innerText()).replace(/\s+/g, ' ')).to.match(
          /Entry 9 .*Failed check Chain .*chainHash does not fit/,
        );
        expect(await flaw.locator('code').getAttribute('title')).to.equal(entry!.core.event.hash);
        await stage.page.getByText('8 entries before the first invalid one are sound.').waitFor();
        expect(await flaw.getByRole('link', { name: 'A damaged database' }).getAttribute('href')).to.equal(
          '/guide/operations#a-damaged-database',
        );
        await expectGood(stage.window, `audit-tampered-${look}`);
        await stage.window.visit();
        const health = stage.page.getByRole('region', { name: 'Health' });
        await health.getByRole('heading', { name: 'Not all is well' }).waitFor();
        expect((await health.innerText()).match(/chainHash does not fit/g), 'said once').to.have.length(1);
        expect(await health.getAttribute('data-tone')).to.equal('bad');
      }
    } finally {
      await node.discard();
    }
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    await stage.window.visit('#/audit');
    await start((await stage.scene.node.key({ scope: 'admin' })).key);
    await stage.page.getByText('The journal is sound').waitFor();
    await expectGood(stage.window, `audit-${look}`);
  });
});
