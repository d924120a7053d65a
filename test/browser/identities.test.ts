/** Identities in the console: the document, the standing, and every event checked by the browser itself. */
import { expect } from 'chai';
import { closeBrowser, expectGood, inBrowser, type Look, Window } from './support/browser.js';
import { hostile, openTown, type Town } from './support/town.js';

inBrowser('the console’s identities', () => {
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

  const events = () => window.page.locator('[aria-label="Events in their order"] tbody tr');

  it('are found by DID, with their document and their reputation', async () => {
    await window.visit('#/identities');
    await window.page.getByLabel('Open an identity by its DID').fill(town.ada.did);
    await window.page.getByRole('button', { name: 'Open' }).click();
    await window.page.getByRole('heading', { name: 'Ada’s Weather Desk' }).waitFor();
    await window.page.getByRole('region', { name: 'Reputation' }).getByText('Transaction', { exact: true }).waitFor();
    await window.page.getByRole('region', { name: 'DID document' }).getByText('Public key').waitFor();
    window.expectQuiet();
  });

  it('show every event in its order, and that hash, signature and link of each hold', async () => {
    await window.visit(`#/identities/${town.ada.did}`);
    const { nonce } = await town.ada.wallet();
    await window.page.getByText(`all ${nonce} checked here hold`).waitFor();
    const nonces = await events().locator('td:first-child').allInnerTexts();
    expect(nonces.map(Number)).to.deep.equal(Array.from({ length: nonce }, (_, index) => index + 1));
    expect(await events().locator('.check.good').count()).to.equal(3 * nonce);
    window.expectQuiet();
  });

  it('say which event does not hold: one that was changed, and one that does not follow', async () => {
    await window.page.route('**/api/v1/events?*', async (route) => {
      const page = await (await route.fetch()).json();
      page.events[2].event.ts += 1;
      page.events.splice(4, 1);
      await route.fulfill({ json: page });
    });
    await window.visit(`#/identities/${town.ada.did}`);
    await window.page.getByText('not all of them hold').waitFor();
    await window.page.locator('tr.unsound').nth(1).waitFor();
    const broken = await window.page.locator('tr.unsound td:first-child').allInnerTexts();
    expect(broken).to.deep.equal(['3', '6']);
    const marks = await window.page.locator('tr.unsound .check.bad .unseen').allTextContents();
    expect(marks).to.deep.equal([
      'Hash of event 3: does not hold',
      'Signature of event 3: does not hold',
      'Link of event 6: does not hold',
    ]);
    window.expectQuiet();
  });

  it('show what people say of themselves as text', async () => {
    await window.visit(`#/identities/${town.cleo.did}`);
    await window.page.getByRole('heading', { name: hostile.markup }).waitFor();
    const link = window.page.getByRole('link', { name: 'https://cleo.example/' });
    expect(await link.getAttribute('rel')).to.include('noopener');
    expect(await window.page.locator('main img, main script').count()).to.equal(0);
    expect(await window.page.evaluate(() => (globalThis as { caught?: number }).caught)).to.equal(undefined);
    window.expectQuiet();
  });

  it('say what is no DID', async () => {
    window.expected.add(400);
    await window.visit('#/identities/did:svc:nobody');
    await window.page.getByText('DID_INVALID').waitFor();
    window.expectQuiet();
  });

  for (const look of ['light', 'dark', 'narrow'] satisfies Look[]) {
    it(`are without violations, and fit: ${look}`, async () => {
      await window.close();
      window = await Window.open(town.node.url, look);
      await window.visit('#/identities');
      await window.page.locator('[aria-label="Identities in the ledger"]').waitFor();
      await expectGood(window, `identities-${look}`);
      await window.visit(`#/identities/${town.cleo.did}`);
      await window.page.getByText(/all \d+ checked here hold/).waitFor();
      await expectGood(window, `identities-one-${look}`);
    });
  }
});
