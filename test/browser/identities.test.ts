/** Identities in the console: the document, the reputation, and every event verified by the browser. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { until } from '../support/until.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';
import { hostile, sharedTown } from './support/town.js';

inBrowser('the console’s identities', { open: sharedTown }, (stage) => {
  const events = () => stage.page.locator('[aria-label="Events, oldest first"] tbody tr');

  it('are found by DID, with their document and their reputation', async () => {
    await stage.window.visit('#/identities');
    await stage.page.getByLabel('Open an identity by its DID').fill(stage.scene.ada.did);
    await stage.page.getByRole('button', { name: 'Open' }).click();
    await stage.page.getByRole('heading', { name: 'Ada’s Weather Desk' }).waitFor();
    await stage.page.getByRole('region', { name: 'Reputation' }).getByText('Transaction', { exact: true }).waitFor();
    await stage.page.getByRole('region', { name: 'DID document' }).getByText('Public key').waitFor();
    stage.window.expectQuiet();
  });

  it('show what a person has traded, with whom, what others say of it, its listings and its balance', async () => {
    const { ada, ben } = stage.scene;
    await stage.window.visit(`#/identities/${ada.did}`);
    const panel = (name: string) => stage.page.getByRole('region', { name, exact: true });
    const sold = panel('Trades').getByText('sold to');
    await sold.nth(1).waitFor();
    const { orders } = expectStatus(await stage.scene.node.client.get(`/api/v1/orders?did=${ada.did}`));
    expect(await sold.count()).to.equal(orders.length);
    const row = panel('Counterparties')
      .locator('tbody tr')
      .filter({ has: stage.page.locator(`[title="${ben.did}"]`) });
    const { escrows } = expectStatus(await stage.scene.node.client.get(`/api/v1/escrows?did=${ben.did}&limit=100`));
    const paid = escrows.filter(({ depositor, purpose }: Body) => depositor === ada.did && !purpose);
    expect(paid.length).to.be.at.least(2);
    const sum = paid.reduce((all: number, { amount }: Body) => all + amount, 0);
    expect((await row.innerText()).replace(/\s+/g, ' ')).to.include(`${2 + paid.length} ${sum} Tokens 50 Tokens`);
    await panel('Trades').getByText('escrow for').first().waitFor();
    await panel('Reviews').getByText('5 of 5').waitFor();
    await panel('Listings').getByRole('link', { name: 'Rain by the hour, 1998 to 2025' }).waitFor();
    await panel('Balance').locator('svg path.line').first().waitFor();
    const { balance, availableBalance } = await ada.wallet();
    const said = (await panel('Balance').innerText()).replace(/[\s,]+/g, '');
    expect(said).to.include(`${balance}Tokens${availableBalance}Tokensofthemavailable`);
    stage.window.expectQuiet();
  });

  it('show every event in its order, and that hash, signature and link of each hold', async () => {
    await stage.window.visit(`#/identities/${stage.scene.ada.did}`);
    const { nonce } = await stage.scene.ada.wallet();
    await stage.page.getByText(`all ${nonce} checked here hold`).waitFor();
    const nonces = await events().locator('td:first-child').allInnerTexts();
    expect(nonces.map(Number)).to.deep.equal(Array.from({ length: nonce }, (_, index) => index + 1));
    expect(await events().locator('.check.good').count()).to.equal(3 * nonce);
    stage.window.expectQuiet();
  });

  it('say which event does not hold: one that was changed, and one that does not follow', async () => {
    await stage.page.route('**/api/v1/events?issuer=*', async (route) => {
      const page = await (await route.fetch()).json();
      page.events[2].event.ts += 1;
      page.events.splice(4, 1);
      await route.fulfill({ json: page });
    });
    await stage.window.visit(`#/identities/${stage.scene.ada.did}`);
    await stage.page.getByText('not all of them hold').waitFor();
    await stage.page.locator('tr.unsound').nth(1).waitFor();
    const broken = await stage.page.locator('tr.unsound td:first-child').allInnerTexts();
    expect(broken).to.deep.equal(['3', '6']);
    const marks = await stage.page.locator('tr.unsound .check.bad .unseen').allTextContents();
    expect(marks).to.deep.equal(['Hash of event 3: failed', 'Signature of event 3: failed', 'Link of event 6: failed']);
    stage.window.expectQuiet();
  });

  it('show what people say of themselves as text', async () => {
    await stage.window.visit(`#/identities/${stage.scene.cleo.did}`);
    await stage.page.getByRole('heading', { name: hostile.markup }).waitFor();
    const link = stage.page.getByRole('link', { name: 'https://cleo.example/' });
    expect(await link.getAttribute('rel')).to.include('noopener');
    expect(await stage.page.locator('main img, main script').count()).to.equal(0);
    expect(await stage.page.evaluate(() => (globalThis as { caught?: number }).caught)).to.equal(undefined);
    stage.window.expectQuiet();
  });

  it('and lists and completions say that a name looks like that of another DID', async () => {
    const { ada, ben } = stage.scene;
    const displayName = 'Аda’s weather  desk';
    await stage.page.route('**/api/v1/names*', async (route) => {
      const { names } = await (await route.fetch()).json();
      await route.fulfill({
        json: { names: names.map((each: Body) => (each.did === ben.did ? { ...each, displayName } : each)) },
      });
    });
    await stage.page.route('**/api/v1/lookup*', async (route) => {
      const { matches } = await (await route.fetch()).json();
      await route.fulfill({
        json: { matches: [...matches, { what: 'identity', id: ben.did, displayName }], hasMore: false },
      });
    });
    await stage.window.visit('#/identities');
    await stage.page.getByLabel('Search everything').pressSequentially('weath');
    const offers = stage.page.locator('datalist option', { hasText: 'looks like another name' });
    await until('both are offered', () => offers.count(), { is: (count) => count === 2 });
    await stage.window.visit(`#/identities/${ada.did}`);
    await stage.page
      .locator('.identity-head .warn')
      .getByRole('link')
      .and(stage.page.locator(`[title="${ben.did}"]`))
      .waitFor();
    await stage.page.getByLabel('Your name for this DID').fill('Weather desk of Ada');
    await stage.page.getByRole('button', { name: 'Save', exact: true }).click();
    const book = stage.page.getByRole('region', { name: 'Address book' });
    await book.getByText('Saved.').waitFor();
    expect(await book.locator('.warn').count()).to.equal(0);
    await stage.page.getByLabel('Your name for this DID').fill('ADA’S WEATHER DESK');
    await stage.page.getByRole('button', { name: 'Rename' }).click();
    await book
      .locator('.warn')
      .getByRole('link')
      .and(stage.page.locator(`[title="${ben.did}"]`))
      .waitFor();
    await stage.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await stage.window.visit('#/lists/escrows');
    await stage.page
      .locator(`td a[title="${ben.did}"]`)
      .first()
      .getByRole('img', { name: 'looks like another name' })
      .waitFor();
    stage.window.expectQuiet();
  });

  it('mark a credential that has expired', async () => {
    await stage.page.route('**/api/v1/identities/did*', async (route) => {
      const identity = await (await route.fetch()).json();
      const credential = { type: [], issuer: identity.did, credentialSubject: { capability: 'forecasts' } };
      await route.fulfill({ json: { ...identity, capabilities: [credential, credential], expired: [false, true] } });
    });
    await stage.window.visit(`#/identities/${stage.scene.ada.did}`);
    await stage.page.getByText('Credential 2 has expired.').waitFor();
    expect(await stage.page.getByText(/Credential \d has expired/).count()).to.equal(1);
    stage.window.expectQuiet();
  });

  it('say what is no DID', async () => {
    stage.window.expected.add(400);
    await stage.window.visit('#/identities/did:svc:nobody');
    await stage.page.getByText('DID_INVALID').waitFor();
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    await stage.window.visit('#/identities');
    await stage.page.locator('[aria-label="Identities in the ledger"]').waitFor();
    await expectGood(stage.window, `identities-${look}`);
    await stage.window.visit(`#/identities/${stage.scene.cleo.did}`);
    await stage.page.getByText(/all \d+ checked here hold/).waitFor();
    await expectGood(stage.window, `identities-one-${look}`);
  });
});
