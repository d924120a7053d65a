/** The operator's page of webhooks: made, disabled, redelivered and removed with the keyboard alone. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { until } from '../support/until.js';
import { isGenuine, Receiver } from '../webhooks/support/receiver.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

async function open() {
  const node = await TestNode.start({ variables: { SVC_WEBHOOK_NETWORKS: '127.0.0.0/8' } });
  return { node, payer: await node.rich(100), receiver: await Receiver.open() };
}

const close = async ({ node, receiver }: Awaited<ReturnType<typeof open>>) => {
  await node.discard();
  await receiver.close();
};

inBrowser('the console’s webhooks', { open, close }, (stage) => {
  const hooks = () => stage.page.getByRole('row').filter({ hasText: 'Ledger mirror' });
  const press = async (name: string) => {
    await stage.page.getByRole('button', { name, exact: true }).focus();
    await stage.page.keyboard.press('Enter');
  };
  const enterKey = async (scope: 'write' | 'admin') => {
    const { key } = await stage.scene.node.key({ scope });
    await stage.page.getByRole('textbox', { name: 'Admin key' }).fill(key);
    await press('Show');
  };
  const fill = async () => {
    const { keyboard } = stage.page;
    await stage.page.getByLabel('URL').focus();
    await keyboard.type(stage.scene.receiver.url);
    await keyboard.press('Tab');
    await keyboard.type('Ledger mirror');
    await keyboard.press('Tab');
    await keyboard.type('transfer.sent');
    await keyboard.press('Enter');
  };
  const shownSecret = async (): Promise<string> => {
    const shown = stage.page.getByRole('region', { name: 'New secret' });
    const secret = await shown.locator('code').innerText();
    await press('I have kept it');
    await shown.waitFor({ state: 'detached' });
    return secret;
  };

  it('are refused to a key without the scope', async () => {
    stage.window.expected.add(403);
    await stage.window.visit('#/operator/webhooks');
    await enterKey('write');
    await fill();
    await stage.page.getByRole('region', { name: 'Create a webhook' }).getByText('FORBIDDEN').waitFor();
    const admin = await stage.scene.node.keyed({ scope: 'admin' });
    expect(expectStatus(await admin.get('/api/v1/webhooks')).total).to.equal(0);
    stage.window.expectQuiet();
  });

  it('are made, tested, redelivered, switched and removed', async () => {
    const { page, scene } = stage;
    const { receiver, payer, node } = scene;
    await stage.window.visit('#/operator/webhooks');
    await enterKey('admin');
    await page.getByText('No webhooks.').waitFor();
    await fill();
    const secret = await shownSecret();
    expect(await page.content()).not.to.include(secret);

    await payer.pays(node.did, 2);
    await until('it is delivered', () => receiver.received.length === 1);
    expect(isGenuine(receiver.received[0]!, secret)).to.equal(true);

    await page.getByRole('link', { name: 'Ledger mirror' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^transfer\.sent, /).waitFor();
    const deliveries = page.getByRole('region', { name: 'Deliveries to Ledger mirror' });
    await deliveries.getByText('active', { exact: true }).waitFor();
    await deliveries.getByText(receiver.url, { exact: true }).waitFor();
    await deliveries.locator('ul').getByText('transfer.sent', { exact: true }).waitFor();
    await press('Send a test to this webhook');
    await page.getByText('webhook.test').waitFor();
    const { seq } = receiver.received[0]!.body;
    await press(`Redeliver entry ${seq}`);
    await until('it is delivered again', () => receiver.received.filter(({ body }) => body.seq === seq).length === 2);
    await until('each delivery is listed', () => page.locator('[aria-label="List of deliveries"] tbody tr').count(), {
      is: (rows) => rows === 3,
    });

    await page.getByRole('link', { name: 'All webhooks' }).click();
    await press('Disable Ledger mirror');
    await hooks().getByText('disabled', { exact: true }).waitFor();
    expect(await hooks().innerText()).to.match(/disabled by an operator/);
    await press('Enable Ledger mirror');
    await hooks().getByText('active', { exact: true }).waitFor();
    await press('New secret for Ledger mirror');
    await press('New secret for Ledger mirror');
    expect(await shownSecret()).not.to.equal(secret);

    await press('Remove Ledger mirror');
    await hooks().getByText('Its deliveries end').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No webhooks.').waitFor();
    const admin = await node.keyed({ scope: 'admin' });
    for (const path of ['/api/v1/admin/log', '/api/v1/admin/requests'])
      expect(JSON.stringify(expectStatus(await admin.get(path))), path).not.to.include(secret);
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    const admin = await stage.scene.node.keyed({ scope: 'admin' });
    const { url } = stage.scene.receiver;
    const { id } = expectStatus(await admin.post('/api/v1/webhooks', { url, label: 'Ledger mirror' }), 201);
    expectStatus(await admin.post(`/api/v1/webhooks/${id}/actions/redeliver`, { seq: 1 }));
    await stage.window.visit('#/operator/webhooks');
    await enterKey('admin');
    await press('Remove Ledger mirror');
    await hooks().getByText('Its deliveries end').waitFor();
    await expectGood(stage.window, `webhooks-${look}`);
    await stage.page.getByRole('link', { name: 'Ledger mirror' }).click();
    await stage.page.getByRole('button', { name: 'Redeliver entry 1', exact: true }).waitFor();
    await expectGood(stage.window, `deliveries-${look}`);
    expectStatus(await admin.delete(`/api/v1/webhooks/${id}`), 204);
  });
});
