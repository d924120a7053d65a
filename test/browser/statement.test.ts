/** Accounting in the console: a statement whose balances follow from its changes, and a filtered journal. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';
import { sharedTown } from './support/town.js';

inBrowser('the console’s accounting', { open: sharedTown }, (stage) => {
  const rows = (caption: string) => stage.page.locator(`[aria-label="${caption}"] tbody tr`);
  const numberOf = (text: string) => Number(text.replace('−', '-').replace(/[^\d-]/g, ''));
  const statement = () => rows('Statement, newest first');
  const facts = async (name: string) =>
    numberOf(await stage.page.locator('.facts > div', { hasText: name }).locator('dd').first().innerText());

  it('has a running balance that follows from signed changes, down to nothing', async () => {
    const { ada, node } = stage.scene;
    await stage.window.visit(`#/ledger/account/${ada.did}`);
    await statement().first().waitFor();
    const { balance } = expectStatus(await node.client.get(`/api/v1/wallets/${ada.did}`));
    const lines = await statement().evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].slice(4).map((cell) => cell.textContent ?? '')),
    );
    let left = balance;
    for (const [available, reserved, escrowed, change, after] of lines.map((line) => line.map(numberOf))) {
      expect(after).to.equal(left);
      expect(available! + reserved! + escrowed!).to.equal(change);
      left -= change!;
    }
    expect(left).to.equal(0);
    expect(await facts('Opening balance')).to.equal(0);
    expect(await facts('Closing balance')).to.equal(balance);
    stage.window.expectQuiet();
  });

  it('waits for a page that has all entries of the balance, and says if none comes', async () => {
    const { ada, node } = stage.scene;
    const { balance } = expectStatus(await node.client.get(`/api/v1/wallets/${ada.did}`));
    let late = 2;
    await stage.page.route('**/api/v1/events?resource=account*', async (route) => {
      const page = await (await route.fetch()).json();
      const [newest, ...events] = page.events;
      await route.fulfill({ json: late-- > 0 ? { ...page, events, head: newest.seq - 1 } : page });
    });
    await stage.window.visit(`#/ledger/account/${ada.did}`);
    await statement().first().waitFor();
    expect(await facts('Opening balance')).to.equal(0);
    expect(await facts('Closing balance')).to.equal(balance);
    late = Number.POSITIVE_INFINITY;
    await stage.page.reload();
    await stage.page.getByRole('alert').getByText('The account has changed each time that it was read.').waitFor();
    expect(await statement().count()).to.equal(0);
    late = 0;
    await stage.page.getByRole('button', { name: 'Try again' }).click();
    await statement().first().waitFor();
    stage.window.expectQuiet();
  });

  it('shows all its columns on a phone, as do other tables with many', async () => {
    const { ada, task } = stage.scene;
    await stage.page.setViewportSize({ width: 390, height: 844 });
    const pages = [`#/ledger/account/${ada.did}`, `#/identities/${ada.did}`, `#/markets/tasks/${task.listingId}`];
    for (const page of pages) {
      await stage.window.visit(page);
      await stage.page.locator('.table.many tbody tr').first().waitFor();
      const wider = await stage.page
        .locator('.table.many')
        .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel));
      expect(wider, page).to.deep.equal([]);
    }
    stage.window.expectQuiet();
  });

  it('opens and closes a period', async () => {
    const { ada, node } = stage.scene;
    const { balance } = expectStatus(await node.client.get(`/api/v1/wallets/${ada.did}`));
    await stage.window.visit(`#/ledger/account/${ada.did}?until=2001-01-01`);
    await stage.page.getByText('No entry moved Tokens of this account in the period.').waitFor();
    expect(await facts('Closing balance')).to.equal(0);
    await stage.window.visit(`#/ledger/account/${ada.did}?since=2100-01-01`);
    await stage.page.getByText('No entry moved Tokens of this account in the period.').waitFor();
    expect([await facts('Opening balance'), await facts('Closing balance')]).to.deep.equal([balance, balance]);
    stage.window.expectQuiet();
  });

  it('filters the journal by event, signer and amount, newest first', async () => {
    await stage.window.visit('#/ledger/journal');
    await rows('Entries').first().waitFor();
    await stage.page.getByLabel('Event', { exact: true }).fill('transfer.sent');
    await stage.page.getByLabel('Signer').fill(stage.scene.ben.did);
    await stage.page.getByLabel('Amount from').fill('10');
    await stage.page.getByRole('button', { name: 'Apply' }).click();
    await stage.page.getByText('1 entry', { exact: true }).waitFor();
    const text = (await rows('Entries').first().innerText()).replace(/\s+/g, ' ');
    expect(text).to.match(/transfer\.sent .* 13 /);
    await stage.page.locator('tbody .check.good').first().waitFor();
    stage.window.expectQuiet();
  });

  it('shows times in UTC, and in local time where that is chosen', async () => {
    await stage.window.visit('#/ledger/journal');
    await rows('Entries').first().waitFor();
    expect(await rows('Entries').first().locator('time').innerText()).to.match(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d.*\sUTC$/,
    );
    await stage.page.getByRole('button', { name: 'Times in UTC: show local time' }).click();
    expect(await rows('Entries').first().locator('time').innerText()).to.match(/\s[+−]\d\d:\d\d$/);
    await stage.page.reload();
    await stage.page.getByRole('button', { name: 'Times are local: show UTC' }).waitFor();
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    await stage.window.visit(`#/ledger/account/${stage.scene.ada.did}`);
    await statement().first().waitFor();
    await expectGood(stage.window, `statement-${look}`);
    await stage.window.visit('#/ledger/journal?type=transfer.sent');
    await rows('Entries').first().waitFor();
    await expectGood(stage.window, `journal-filtered-${look}`);
  });
});
