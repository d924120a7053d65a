/** The console's pages of trade across homes: a purchase with entries in two journals. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { onOrder, publishes } from '../node/support/market.js';
import { otherHome } from '../node/support/remote-requests.js';
import { acquaint, discard, Home } from '../peers/nodes/network.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

interface Traders {
  readonly node: Home['node'];
  /** The buyer's home, and the seller's. */
  readonly here: Home;
  readonly there: Home;
  readonly order: Body;
  /** DID. */
  readonly buyer: string;
}

async function open(): Promise<Traders> {
  const [here, there] = [await Home.start({ variables: { SVC_SETTLEMENT_WAIT_MS: '3000' } }), await Home.start()];
  await acquaint([here, there]);
  const [buyer, seller] = [await here.node.rich(), await there.node.rich()];
  await there.node.fund(here, 100);
  const { listingId } = await publishes(seller, { title: 'rain of the north', pricing: { price: 12 } });
  await here.sees(there);
  await there.sees(here);
  const purchase = `/api/v1/markets/info/${listingId}/actions/purchase`;
  const order = expectStatus(await buyer.write(purchase), 201);
  expectStatus(await onOrder(seller, order, 'deliver', { accessUrl: 'https://example.org/rain.csv' }));
  await here.sees(there);
  expectStatus(await onOrder(buyer, order, 'confirm', {}));
  await there.sees(here);
  // A request that no one answers, because the home is no peer.
  const subject = { kind: 'escrow', resource: 'esc-1', action: 'expire', input: {} };
  await here.node.operate('remote-request', 'rem-open', 'create', { ...subject, home: otherHome, money: 0 });
  return { node: here.node, here, there, order, buyer: buyer.did };
}

const close = ({ here, there }: Traders): Promise<void> => discard([here, there]);

inBrowser('the console’s trade across homes', { open, close }, (stage) => {
  const region = (name: string) => stage.page.getByRole('region', { name, exact: true });
  const rows = async (): Promise<string[]> => {
    await region('Across homes').getByText(/hold$/).first().waitFor();
    // In one look, because the page may read the journals again between two.
    const checked = await stage.page.waitForFunction(() => {
      const texts = [...document.querySelectorAll<HTMLElement>('.across tbody tr')].map((row) => row.innerText);
      return texts.length > 0 && !texts.some((text) => text.includes('checking')) && texts;
    });
    return ((await checked.jsonValue()) as string[]).map((text) => text.replace(/\s+/g, ' '));
  };
  const tagOf = ({ did }: Home): string => did.slice('did:svc:z6Mk'.length).slice(0, 8);

  it('shows the order of another home as one timeline with the entries of both', async () => {
    const { order, there } = stage.scene;
    await stage.window.visit(`#/charts/info-order/${encodeURIComponent(`${order.orderId}~${there.did}`)}`);
    const seen = await rows();
    const home = `~${tagOf(there)}`;
    expect(seen).to.have.length(7);
    expect(seen[0]).to.match(/^this node sent create .*✓ hold$/);
    expect(seen[1]).to.match(new RegExp(`^${home} answered accepted .*✓ hold$`));
    expect(seen[2]).to.match(/^this node closed accepted .*✓ hold$/);
    expect(seen[3]).to.match(new RegExp(`^${home} deliver .*✓ hold$`));
    expect(seen[4]).to.match(/^this node sent confirm /);
    expect(await region('Across homes').getByRole('status').first().innerText()).to.equal(
      'signatures and hashes of all 7 entries of 2 homes hold',
    );
    stage.window.expectQuiet();
  });

  it('shows at which home an identity lives, and which homes contradict each other', async () => {
    const { buyer, here, there } = stage.scene;
    await stage.window.visit(`#/identities/${buyer}`);
    await region('DID document').getByText(here.did.slice(0, 16)).waitFor();
    await stage.page.route('**/api/v1/identities/did*', async (route) => {
      const { residence: _, ...identity } = await (await route.fetch()).json();
      const claims = [here, there].map(({ did: home }, index) => ({ home, epoch: 2, event: `${index}`.repeat(64) }));
      await route.fulfill({ json: { ...identity, claims } });
    });
    await stage.page.reload();
    await region('Homes contradict each other').getByText('2 claims').waitFor();
    expect(await region('Homes contradict each other').locator('dd').count()).to.equal(2);
    await stage.page.unroute('**/api/v1/identities/did*');
    stage.window.expectQuiet();
  });

  it('says which entry of either journal does not hold', async () => {
    const { order } = stage.scene;
    await stage.page.route('**/api/v1/events?resource=remote-request*', async (route) => {
      const [first, ...others] = (await (await route.fetch()).json()).events;
      const changed = { ...first, event: { ...first.event, nonce: first.event.nonce + 1 } };
      await route.fulfill({ json: { events: [changed, ...others], hasMore: false } });
    });
    await stage.window.visit(`#/charts/remote-request/${order.remoteRequestId}`);
    const seen = await rows();
    expect(seen.map((row) => row.split(' ').at(-1))).to.deep.equal(['failed', 'hold', 'hold']);
  });

  it('shows the same timeline at the other home', async () => {
    const { order, there, here } = stage.scene;
    await stage.open('light', there.node.url);
    await stage.window.visit(`#/charts/info-order/${order.orderId}`);
    const seen = await rows();
    expect(seen[0]).to.match(new RegExp(`^~${tagOf(here)} sent `));
    expect(seen[1]).to.match(/^this node answered accepted .*✓ hold$/);
    stage.window.expectQuiet();
  });

  it('links a remote request to its answer and to what it has made', async () => {
    const { order } = stage.scene;
    await stage.window.visit(`#/charts/remote-request/${order.remoteRequestId}`);
    expect(await rows()).to.have.length(3);
    const story = stage.page.locator('.story');
    expect((await story.innerText()).replaceAll('\u00a0', ' ')).to.match(
      /12 Tokens from the signer .* home that is asked/,
    );
    await story.getByRole('link', { name: /^ord-/ }).click();
    await region('Across homes').getByRole('link').last().waitFor();
    await stage.window.visit(`#/charts/remote-request/${order.remoteRequestId}`);
    const { answer } = await stage.scene.here.get(`/remote-requests/${order.remoteRequestId}`);
    await story.locator(`a[href$="${answer}"]`).click();
    await stage.page.locator('.entry-head h2', { hasText: 'remote.answered' }).waitFor();
    stage.window.expectQuiet();
  });

  it('lists remote requests, the open ones first', async () => {
    const { order } = stage.scene;
    await stage.window.visit('#/lists/remote-requests');
    const waiting = region('Open remote requests').first();
    await waiting.getByText('expire escrow').waitFor();
    expect(await waiting.locator('tbody tr').count()).to.equal(1);
    const all = region('Remote requests').locator('tbody tr');
    expect(await all.filter({ hasText: 'create info-order' }).count()).to.equal(1);
    await stage.window.visit(`#/lists/remote-requests?did=${encodeURIComponent(order.buyer)}&role=signer`);
    await all.first().waitFor();
    expect(await all.count()).to.equal(2);
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    const { order, there } = stage.scene;
    await stage.window.visit(`#/charts/info-order/${encodeURIComponent(`${order.orderId}~${there.did}`)}`);
    await rows();
    await expectGood(stage.window, `across-${look}`);
    await stage.window.visit('#/lists/remote-requests');
    await region('Open remote requests').first().waitFor();
    await expectGood(stage.window, `remote-requests-${look}`);
  });
});
