/** The operator's pages: the verdict, and keys and webhooks with an admin key. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { until } from '../support/until.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';
import { sharedTown } from './support/town.js';

inBrowser('the console’s verdict on the node', { open: sharedTown }, (stage) => {
  const health = () => stage.page.getByRole('region', { name: 'Health' });
  const open = async (given?: string) => {
    const key = given ?? (await stage.scene.node.key({ scope: 'admin' })).key;
    await stage.page.getByRole('textbox', { name: 'Admin key' }).fill(key);
    await stage.page.getByRole('button', { name: 'Show', exact: true }).click();
  };

  it('is one line, with disk and the last audit', async () => {
    await stage.window.visit();
    await health().getByRole('heading', { name: 'The node is well' }).waitFor();
    await health()
      .getByText(/\d\s[GM]iB free/)
      .waitFor();
    expect(await health().innerText()).to.match(/Last audit\s+(none yet|sound, )/);
    stage.window.expectQuiet();
  });

  it('says that all is well only after it has read all', async () => {
    const letGo = await stage.hold('**/api/v1/audit');
    const ready = stage.page.waitForResponse('**/readyz');
    await stage.window.visit();
    await ready;
    await health()
      .getByText(/\d\s[GM]iB free/)
      .waitFor();
    expect(await health().getByRole('heading').innerText()).to.equal('Looking …');
    letGo();
    await health().getByRole('heading', { name: 'The node is well' }).waitFor();
    stage.window.expectQuiet();
  });

  it('says what is not well', async () => {
    await stage.page.route('**/readyz', (route) =>
      route.fulfill({ json: { status: 'degraded', reasons: ['the disk is nearly full'] } }),
    );
    await stage.window.visit();
    await health().getByRole('heading', { name: 'Not all is well' }).waitFor();
    await health().getByText('The disk is nearly full.').waitFor();
    stage.window.expectQuiet();
  });

  it('says why the node is not ready, and what the last audit found', async () => {
    stage.window.expected.add(503);
    await stage.page.route('**/readyz', (route) =>
      route.fulfill({ status: 503, json: { code: 'SERVICE_UNAVAILABLE', detail: 'the database does not answer' } }),
    );
    const nothing = { journal: null, note: null, chain: null };
    const flaw = { seq: 7, eventHash: null, check: 'hash', what: 'entryHash is not the hash of the entry' };
    const last = { status: 'flawed', startedAt: 1, finishedAt: 2, checked: 6, total: 9, flaw, ...nothing };
    await stage.page.route('**/api/v1/audit', (route) => route.fulfill({ json: { running: null, last } }));
    await stage.window.visit();
    await health().getByRole('heading', { name: 'Not all is well' }).waitFor();
    await health().getByText('The database does not answer.').waitFor();
    await health().getByText('The last audit found a problem: entryHash is not the hash of the entry.').waitFor();
    expect(await health().getAttribute('data-tone')).to.equal('bad');
    stage.window.expectQuiet();
  });

  it('counts webhooks that fail, once there is an admin key', async () => {
    const hook = {
      id: 'hook-1',
      label: 'Ledger mirror',
      url: 'https://mirror.example/',
      status: 'active',
      reason: null,
    };
    const rest = { deliveredUpTo: 3, waiting: 2, failingSince: Date.now() - 60_000, deliveredAt: null, createdAt: 1 };
    const page = { webhooks: [{ ...hook, ...rest }], total: 1 };
    await stage.page.route('**/api/v1/webhooks*', (route) => route.fulfill({ json: page }));
    await stage.window.visit('#/operator/webhooks');
    await open();
    await stage.page.getByText('failing', { exact: true }).waitFor();
    await stage.page.getByRole('link', { name: 'Overview' }).click();
    await health().getByText('Deliveries to the webhook Ledger mirror fail.').waitFor();
    await health().getByText('1 of 1 fail').waitFor();
    stage.window.expectQuiet();
  });

  it('links to keys and webhooks, and says when the key is wrong', async () => {
    stage.window.expected.add(401);
    await stage.window.visit('#/operator');
    await stage.page.getByRole('textbox', { name: 'Admin key' }).fill('svck_11111111111111111111111111111111');
    await stage.page.getByRole('button', { name: 'Show', exact: true }).click();
    await stage.page.getByText('UNAUTHORIZED').waitFor();
    expect(await stage.page.getByRole('button', { name: 'Enter a read key' }).count()).to.equal(1); // the navigation's
    await stage.page.getByRole('button', { name: 'Enter another admin key' }).click();
    await open();
    const keys = stage.page.locator('[aria-label="List of API keys"] tbody tr');
    await keys.first().waitFor();
    const { total } = expectStatus(await stage.scene.node.client.get('/api/v1/node')) && { total: await keys.count() };
    expect(total).to.be.above(0);
    await stage.page.getByRole('link', { name: 'Webhooks' }).click();
    await stage.page.getByText('No webhooks.').waitFor();
    stage.window.expectQuiet();
  });

  /** Everything that the page could keep a text in. */
  const kept = () =>
    stage.page.evaluate(
      () =>
        document.documentElement.outerHTML +
        location.href +
        JSON.stringify([localStorage, sessionStorage, history.state]),
    );

  it('makes a key, shows it once, and revokes it, with the keyboard alone', async () => {
    const { page, scene } = stage;
    const { keyboard } = page;
    await stage.window.visit('#/operator');
    await open();
    await page.getByLabel('Label').focus();
    await keyboard.type('Made by keyboard');
    await keyboard.press('Tab');
    await keyboard.press('w');
    await keyboard.press('Tab');
    await keyboard.press('3');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    const shown = page.getByRole('region', { name: 'New API key' });
    const key = await shown.locator('code').innerText();
    await shown.getByRole('button', { name: 'Copy the API key' }).waitFor();
    expect(key).to.match(/^svck_/);
    const read = () => scene.node.client.keyed(key).get('/api/v1/machines');
    expectStatus(await read());
    await page.getByRole('button', { name: 'I have kept it' }).focus();
    await keyboard.press('Enter');
    await shown.waitFor({ state: 'detached' });
    expect(await kept()).not.to.include(key);
    expect(await page.getByLabel('Expires after').inputValue(), 'the form is as before').to.equal('90');
    const row = page.getByRole('row').filter({ hasText: 'Made by keyboard' });
    expect(await row.innerText()).to.match(/write\s+active/);

    await row.getByRole('button', { name: 'Revoke Made by keyboard' }).focus();
    await keyboard.press('Enter');
    await row.getByText('Its callers are refused from now on.').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await row.getByText('Its callers are refused from now on.').waitFor({ state: 'detached' });
    expectStatus(await read());
    await keyboard.press('Enter');
    await row.getByText('Its callers are refused from now on.').waitFor();
    await keyboard.press('Enter');
    await row.getByText('revoked').waitFor();
    expectStatus(await read(), 401);
    const admin = await scene.node.keyed({ scope: 'admin' });
    for (const path of ['/api/v1/admin/log', '/api/v1/admin/requests', '/api/v1/admin/api-keys'])
      expect(JSON.stringify(expectStatus(await admin.get(path))), path).not.to.include(key);
    stage.window.expectQuiet();
  });

  it('refuses to make a key for a key without the scope', async () => {
    stage.window.expected.add(403);
    await stage.window.visit('#/operator');
    const { key } = await stage.scene.node.key({ scope: 'write' });
    await open(key);
    await stage.page.getByLabel('Label').fill('Not made');
    await stage.page.getByRole('button', { name: 'Create key' }).click();
    await stage.page.getByRole('region', { name: 'Create a key' }).getByText('FORBIDDEN').waitFor();
    expect(await stage.page.getByRole('region', { name: 'New API key' }).count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('marks keys that expire soon, and names them in the verdict', async () => {
    const admin = await stage.scene.node.keyed({ scope: 'admin' });
    const ends = { scope: 'read', label: 'Ends soon', expiresAt: Date.now() + 10 * 24 * 3_600_000 };
    const { id } = expectStatus(await admin.post('/api/v1/admin/api-keys', ends), 201);
    await stage.window.visit('#/operator');
    await open();
    await stage.page.getByRole('row').filter({ hasText: 'Ends soon' }).getByText('expires soon').waitFor();
    await stage.page.getByRole('link', { name: 'Overview' }).click();
    await health()
      .getByText(/^The API key Ends soon expires /)
      .waitFor();
    expectStatus(await admin.post(`/api/v1/admin/api-keys/${id}/revoke`));
    stage.window.expectQuiet();
  });

  it('lists the newest requests, and those that were refused', async () => {
    await stage.scene.node.client.get('/api/v1/escrows/esc-unknown');
    await stage.window.visit('#/operator/requests');
    await open();
    const rows = stage.page.locator('[aria-label="List of requests"] tbody tr');
    await rows.getByText('/api/v1/escrows/:escrowId').first().waitFor();
    await stage.page.getByLabel('Status').selectOption('400 and up');
    await stage.page.getByLabel('Route').fill('/api/v1/escrows/:escrowId');
    await stage.page.getByLabel('Route').press('Enter');
    await stage.page.waitForURL('**minStatus=400**');
    await stage.page.getByText('Filters: 2 in use').waitFor();
    await until('only refused ones are shown', () => rows.allInnerTexts(), {
      is: (texts) => texts.length > 0 && texts.every((text) => text.includes(':escrowId') && text.includes('404')),
    });
    await stage.page.getByLabel('Route').fill('');
    const caller = rows.getByRole('link').first();
    expect(await caller.innerText()).to.equal('127.0.0.1');
    await stage.page.getByLabel('Error code').fill('ESCROW_NOT_FOUND');
    await stage.page.getByLabel('Error code').press('Enter');
    await stage.page.waitForURL('**code=ESCROW_NOT_FOUND**');
    await until('only those with the code are shown', () => rows.allInnerTexts(), {
      is: (texts) => texts.length > 0 && texts.every((text) => text.includes('ESCROW_NOT_FOUND')),
    });
    stage.window.expectQuiet();
  });

  it('names the callers of requests by the labels of their keys, and shows those of one', async () => {
    const { key, id } = await stage.scene.node.key({ scope: 'read', label: 'Accounting' });
    expectStatus(await stage.scene.node.client.keyed(key).get('/api/v1/machines'));
    await stage.window.visit('#/operator/requests?route=/api/v1/machines');
    await open();
    await stage.page.getByRole('link', { name: 'Accounting', exact: true }).click();
    await stage.page.waitForURL((url) => url.hash.includes(`caller=${id}`) && url.hash.includes('route='));
    const rows = stage.page.locator('[aria-label="List of requests"] tbody tr');
    await until('only those of the key are shown', () => rows.allInnerTexts(), {
      is: (texts) => texts.length === 1 && texts[0]!.includes('Accounting'),
    });
    await stage.window.visit('#/operator/requests?code=PAYLOAD_TOO_LARGE');
    await stage.page.getByText('No such request among the newest.').waitFor();
    stage.window.expectQuiet();
  });

  it('says where each value of the configuration comes from, and no secret', async () => {
    await stage.window.visit('#/operator/configuration');
    await open();
    const rows = stage.page.locator('[aria-label="List of variables"] tbody tr');
    const port = rows.filter({ has: stage.page.getByText('SVC_PORT', { exact: true }) });
    expect(await port.innerText()).to.match(/SVC_PORT\s+0\s+flag/);
    const store = rows.filter({ has: stage.page.getByText('SVC_STORE_FILE', { exact: true }) });
    expect(await store.innerText()).to.match(/none\s+default/);
    const from = await rows.locator('td:last-child').allInnerTexts();
    expect(from.indexOf('default'), 'what is set comes first').to.equal(
      from.filter((each) => each !== 'default').length,
    );
    await stage.page.getByRole('link', { name: 'What each variable means' }).waitFor();
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    await stage.window.visit('#/operator');
    await open();
    await stage.page.locator('[aria-label="List of API keys"] tbody tr').first().waitFor();
    await expectGood(stage.window, `operator-${look}`);
    await stage.page.getByRole('link', { name: 'Requests' }).click();
    await stage.page.locator('[aria-label="List of requests"] tbody tr').first().waitFor();
    await expectGood(stage.window, `operator-requests-${look}`);
    await stage.page.getByRole('link', { name: 'Configuration' }).click();
    await stage.page.locator('[aria-label="List of variables"] tbody tr').first().waitFor();
    await expectGood(stage.window, `operator-configuration-${look}`);
  });
});
