/** The operator's page of peers: limits and mirrors, with the keyboard alone. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { absentPeer, nodeWithPeer } from '../node/support/with-peer.js';
import { until } from '../support/until.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

const name = absentPeer.slice('did:svc:z6Mk'.length).slice(0, 8);
const open = async () => ({ node: await nodeWithPeer() });

inBrowser('the console’s limits and mirrors', { open, close: ({ node }) => node.discard() }, (stage) => {
  const limitIs = async (limit: number) => {
    const peers = () => stage.scene.node.client.get('/api/v1/node/peers');
    await until(`the limit is ${limit}`, peers, { is: (reply) => expectStatus(reply).peers[0].limit === limit });
  };
  const press = async (button: string) => {
    await stage.page.getByRole('button', { name: button, exact: true }).focus();
    await stage.page.keyboard.press('Enter');
  };
  const visit = async (scope: 'write' | 'admin') => {
    await stage.window.visit('#/operator/peers');
    const { key } = await stage.scene.node.key({ scope });
    await stage.page.getByRole('textbox', { name: 'Admin key' }).fill(key);
    await press('Show');
  };
  const setLimit = async (tokens: string) => {
    const { keyboard } = stage.page;
    await stage.page.getByLabel(`Limit of ${name}, in Tokens`).focus();
    await keyboard.press('Control+A');
    await keyboard.type(tokens);
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await stage.page.getByText(`Up to ${tokens}\u00a0Tokens are lost if that home makes up Tokens.`).waitFor();
    await keyboard.press('Enter');
  };

  it('are set, after a warning', async () => {
    await visit('admin');
    await setLimit('250');
    await limitIs(250);
    await press(`Use as mirror ${name}`);
    const admin = await stage.scene.node.keyed({ scope: 'admin' });
    const acts = () => admin.get('/api/v1/admin/log');
    await until('it is a mirror', acts, { is: (reply) => expectStatus(reply).acts[0].act === 'peers.mirror' });
    await press(`End mirroring ${name}`);
    await stage.page.getByText('It is sent nothing more.').waitFor();
    await stage.page.keyboard.press('Enter');
    await until('it is none any more', acts, { is: (reply) => expectStatus(reply).acts[0].details.remove === true });
    stage.window.expectQuiet();
  });

  it('are those of now: the status in the words of the peers’ page, and only the end of a mirror', async () => {
    const { peers, ...page } = expectStatus(await stage.scene.node.client.get('/api/v1/node/peers'));
    let mirrored = 0;
    await stage.page.route('**/api/v1/node/peers?*', (route) =>
      route.fulfill({ json: { ...page, peers: [{ ...peers[0], status: 'current', mirrored }] } }),
    );
    await visit('admin');
    const row = stage.page.getByRole('row').filter({ hasText: name });
    await row.getByText('following', { exact: true }).waitFor();
    await row.getByText('has nothing yet: its operator allows it with svc-node peers keep').waitFor();
    mirrored = 7;
    await row.getByText('has entries up to 7').waitFor();
    expect(await row.getByRole('button').allInnerTexts()).to.deep.equal(['Set the limit', 'End mirroring']);
    stage.window.expectQuiet();
  });

  it('are refused to a key without the scope', async () => {
    stage.window.expected.add(403);
    const before = expectStatus(await stage.scene.node.client.get('/api/v1/node/peers')).peers[0].limit;
    await visit('write');
    await setLimit('999');
    await stage.page.getByText('FORBIDDEN').waitFor();
    await limitIs(before);
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    await visit('admin');
    await press(`End mirroring ${name}`);
    await stage.page.getByText('It is sent nothing more.').waitFor();
    await expectGood(stage.window, `operated-peers-${look}`);
  });
});
