/** The ledger in the console: what there is, who has it, what moved it, and that nothing is missing. */
import { expect } from 'chai';
import { closeBrowser, expectGood, inBrowser, type Look, Window } from './support/browser.js';
import { openTown, type Town } from './support/town.js';

inBrowser('the console’s ledger', () => {
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

  const rows = (caption: string) => window.page.locator(`[aria-label="${caption}"] tbody tr`);
  const entryOfEscrow = () => `#/ledger/entry/${town.escrow.eventHash}`;

  it('shows the equation of the supply, and every account', async () => {
    await window.visit('#/ledger');
    const equation = window.page.locator('.equation dd');
    await equation.last().waitFor();
    const [available, reserved, escrowed, fees, supply] = (await equation.allInnerTexts()).map((text) =>
      Number(text.replace(/\D/g, '')),
    );
    expect(available! + reserved! + escrowed! + fees!)
      .to.equal(supply)
      .and.equal(9_200);
    await window.page.getByText('the sum holds').waitFor();
    const { total } = (await town.node.client.get('/api/v1/wallets')).body;
    await rows('Accounts, the largest first').first().waitFor();
    expect(await rows('Accounts, the largest first').count()).to.equal(total);
    window.expectQuiet();
  });

  it('leads from an account to what moved its Tokens, and from there to the entry', async () => {
    await window.visit('#/ledger');
    await window.page.getByLabel('Open an account by its DID or address').fill(town.ada.address);
    await window.page.getByRole('button', { name: 'Open' }).click();
    const moves = rows('What moved its Tokens, newest first');
    await moves.first().waitFor();
    expect((await moves.first().innerText()).replace(/\s+/g, ' ')).to.match(/transfer .*\+12 1/);
    await moves.first().getByRole('link').first().click();
    await window.page.getByRole('heading', { name: /Entry \d+ transfer/ }).waitFor();
    window.expectQuiet();
  });

  it('shows an entry as double entry whose sum is zero, with all that can be checked of it', async () => {
    await window.visit(entryOfEscrow());
    await window.page.getByText('they sum to 0').waitFor();
    const lines = await rows('Postings').allInnerTexts();
    expect(
      lines.map((line) =>
        line
          .replace(/\s+/g, ' ')
          .replace(/z6Mk\S+/, '_')
          .trim(),
      ),
    ).to.deep.equal(['available _ 60', 'escrowed _ 60']);
    const sums = await window.page.locator('.double-entry tfoot td').allInnerTexts();
    expect(sums).to.deep.equal(['60', '60']);
    await window.page.getByText('all of it holds').waitFor();
    expect(await window.page.locator('.check-list .good').count()).to.equal(8);
    await window.page.getByRole('link', { name: 'Next entry' }).click();
    await window.page.getByRole('heading', { name: /escrow\.released/ }).waitFor();
    window.expectQuiet();
  });

  it('says so where an entry is not what its hash says', async () => {
    await window.page.route('**/api/v1/events?*', async (route) => {
      const page = await (await route.fetch()).json();
      for (const entry of page.events) if (entry.event.hash === town.escrow.eventHash) entry.postings[0][1] -= 1;
      await route.fulfill({ json: page });
    });
    await window.visit(entryOfEscrow());
    await window.page.getByText('they sum to -1').waitFor();
    await window.page.getByText('it does not hold').waitFor();
    const broken = await window.page.locator('.check-list li:has(.bad) strong').allInnerTexts();
    expect(broken).to.deep.equal(['Entry hash', 'Postings']);
    await window.visit('#/ledger/journal');
    await window.page.locator('tr.unsound').waitFor();
    expect(await window.page.locator('tr.unsound').count()).to.equal(1);
    window.expectQuiet();
  });

  it('pages through the journal, newest first, each entry checked', async () => {
    await window.visit('#/ledger/journal?last=12');
    const lines = rows('Entries');
    await lines.nth(11).waitFor();
    await window.page.getByText('1 to 12 of').waitFor();
    await window.page.locator('tbody .check.good').nth(11).waitFor();
    await window.page.getByRole('link', { name: 'Newer' }).click();
    await lines.nth(12).waitFor();
    expect(await window.page.locator('tr.unsound').count()).to.equal(0);
    window.expectQuiet();
  });

  it('says which entry there is not', async () => {
    await window.visit('#/ledger/entry/999999');
    await window.page.getByText('There is no entry 999999.').waitFor();
    window.expectQuiet();
  });

  for (const look of ['light', 'dark', 'narrow'] satisfies Look[]) {
    it(`is without violations, and fits: ${look}`, async () => {
      await window.close();
      window = await Window.open(town.node.url, look);
      await window.visit('#/ledger');
      await rows('Accounts, the largest first').first().waitFor();
      await expectGood(window, `ledger-${look}`);
      await window.visit(entryOfEscrow());
      await window.page.getByText('all of it holds').waitFor();
      await expectGood(window, `ledger-entry-${look}`);
    });
  }
});
