/** A resource's page: the first screen shows who paid whom how much, when, under which rule, and whether it is proven. */
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { acts, leases, publishes } from '../node/support/lessor.js';
import { buys, onOrder, publishes as publishesInfo } from '../node/support/market.js';
import { accepts, bids, publishesTask, rejectedThrice } from '../node/support/requester.js';
import { Deal, stages } from '../stories/contract/stage.js';
import { until } from '../support/until.js';
import { expectGood, looks } from './support/browser.js';
import { closePair, openPair } from './support/pair.js';
import { inBrowser, inEachLook } from './support/stage.js';

const hour = 3_600_000;
const markup = '<img src=x onerror="globalThis.caught=1">';

inBrowser('a resource’s story', { open: () => openPair(10_000), close: closePair }, (stage) => {
  const panel = (name: string | RegExp) => stage.page.getByRole('region', { name });
  const story = () => stage.page.locator('.story');
  const isRead = async () => {
    await stage.page.locator('.story[aria-busy="false"]').waitFor();
    await story().getByText('✓ proven here').waitFor();
  };
  const isReading = async () => {
    await stage.page.locator('.story[aria-busy="true"]').getByText('reading its terms and entries …').waitFor();
    await row(1).waitFor();
  };
  const row = (step: number) =>
    panel('All steps')
      .locator('tbody tr')
      .nth(step - 1);

  const escrow = (more: Body = {}): Promise<Body> =>
    stage.scene.ada.does('/api/v1/escrows', {
      ...{ beneficiary: stage.scene.ben.did, amount: 30, autoFund: true },
      releaseRules: [{ type: 'time', after: Date.now() + hour }, { type: 'manual' }],
      ...more,
    });

  /** Released 27 Tokens in two parts, and refunded 3. */
  async function spent(): Promise<Body> {
    const made = await escrow();
    const { ada, ben, node } = stage.scene;
    expectStatus(await ada.act(made, 'release', { amount: 12 }));
    const { resourcePrev } = expectStatus(await node.client.get(`/api/v1/escrows/${made.escrowId}`));
    expectStatus(await ben.act(made, 'refund', { amount: 3, reason: markup, resourcePrev }));
    expectStatus(await ada.act(made, 'release', { amount: 15 }));
    return made;
  }

  it('shows a finished escrow on the first screen', async () => {
    const { escrowId } = await spent();
    const { page, scene } = stage;
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await isRead();
    const shown = (await story().innerText()).replaceAll('\u00a0', ' ');
    expect(shown).to.match(/^released in part final: it can no longer change/);
    expect(shown).to.match(/30 Tokens agreed, from the depositor .*: 27 paid, 3 back/);
    expect(shown).to.include('30 Tokens = released 27 + refunded 3 + remaining 0');
    // No role is named that no one has.
    expect(shown).to.match(/rule-1: from \d{4}-.* on\s+rule-2: the depositor may release it/);
    expect(shown).to.match(/by the depositor or the beneficiary|by the beneficiary;/);
    expect(shown).to.include('signatures, hashes and order of all 4 entries hold');
    const dids = await story()
      .locator('.headline a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('title')));
    expect(dids).to.deep.equal([scene.ada.did, scene.ben.did]);
    const { y, height } = (await story().boundingBox())!;
    expect(y + height, 'bottom of the story').to.be.below(page.viewportSize()!.height);
    expect(await page.title()).to.equal(`Escrow …${escrowId.slice(-4)} – svc-node`);
    stage.window.expectQuiet();
  });

  it('says in its heading what was bought, leased or agreed, and leads from an escrow to its order', async () => {
    const { ada, ben, node } = stage.scene;
    const order = await buys(ada, await publishesInfo(ben, { title: 'Weather of Lyon', pricing: { fixedPrice: 3 } }));
    expectStatus(await onOrder(ben, order, 'deliver'));
    const { disputeId } = await ada.does(`/api/v1/orders/${order.orderId}/actions/dispute`, { reason: 'quality' });
    const lease = await leases(ada, await publishes(ben, { title: 'A model' }), { type: 'pay_per_use', budget: 10 });
    const pages: [string, string, string][] = [
      ['info-order', order.orderId, 'Weather of Lyon'],
      ['escrow', order.escrowId, 'Weather of Lyon'],
      ['dispute', disputeId, 'Weather of Lyon'],
      ['lease', lease.leaseId, 'A model'],
    ];
    const heading = stage.page.getByRole('heading', { level: 1 });
    for (const [kind, id, title] of pages) {
      await stage.window.visit(`#/charts/${kind}/${id}`);
      const kindSaid = `${kind.charAt(0).toUpperCase()}${kind.slice(1).replace('-', ' ')}`;
      // The page before it may have the same title.
      await until('it is the heading of this page', () => heading.innerText(), {
        is: (text) => text === `${kindSaid} …${id.slice(-4)} “${title}”`,
      });
      await until('it is the title of the window', () => stage.page.title(), {
        is: (text) => text === `“${title}” – ${kindSaid} …${id.slice(-4)} – svc-node`,
      });
    }
    await stage.window.visit(`#/charts/escrow/${order.escrowId}`);
    await story().getByText('moves with its order only').getByRole('link').click();
    await heading.getByText(`Info order …${order.orderId.slice(-4)}`).waitFor();
    await isRead();
    await stage.window.visit(`#/markets/info/${order.listingId}`);
    await heading.getByText('“Weather of Lyon”', { exact: true }).waitFor();
    // A page about something else says nothing of it.
    await stage.window.visit('#/');
    await heading.getByText('Overview').waitFor();
    expect(await stage.page.title()).to.equal('Overview – svc-node');
    const list = expectStatus(await node.client.get('/api/v1/disputes'));
    expect(list.disputes[0]).to.include({ disputeId, title: 'Weather of Lyon' });
    await stage.window.visit('#/lists/disputes');
    await stage.page.locator(`.parties a[title="info-order/${order.orderId}"]`).getByText('Weather of Lyon').waitFor();
    await stage.window.visit('#/lists/escrows');
    await stage.page.locator(`.parties a[title="order/${order.orderId}"]`).getByText('Weather of Lyon').waitFor();
    stage.window.expectQuiet();
  });

  it('says in each step what moved, what remained, which rule was met, why, and how long after', async () => {
    const { escrowId } = await spent();
    const { node, ada } = stage.scene;
    const { key } = await node.key({ did: ada.did });
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await stage.page.getByRole('button', { name: 'Enter a read key' }).click();
    await stage.page.getByLabel('API key').fill(key);
    await stage.page.getByRole('button', { name: 'Use this key' }).click();
    await row(3).getByText(markup).waitFor();
    const cells = async (step: number) => (await row(step).locator('td').allInnerTexts()).map((text) => text.trim());
    const [released, refunded, last] = [await cells(2), await cells(3), await cells(4)];
    expect((await cells(1)).slice(1, 5)).to.deep.equal(['create', 'new → funded', '30 locked', '30']);
    expect(released.slice(1, 6)).to.deep.equal(['release', 'funded', '12 paid', '18', 'rule-2: manual']);
    expect(refunded.slice(3, 7)).to.deep.equal(['3 back', '15', 'by the beneficiary', markup]);
    expect(last.slice(3, 5)).to.deep.equal(['15 paid', '0']);
    expect(last[10]).to.match(/^\+\d/);
    expect(await stage.page.evaluate('globalThis.caught')).to.equal(undefined);
    stage.window.expectQuiet();
  });

  it('says that it is not complete while its entries are read, and claims nothing that they may contradict', async () => {
    const { escrowId } = await spent();
    const letGo = await stage.hold('**/api/v1/events?resource=escrow*');
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await story().getByText('from the depositor').waitFor();
    await isReading();
    expect(await row(3).innerText()).to.not.include('by the');
    expect(await panel('All steps').getByRole('button', { name: 'Export' }).count()).to.equal(0);
    letGo();
    await isRead();
    expect(await row(3).innerText()).to.include('3 back');
    stage.window.expectQuiet();
  });

  it('says that it is not complete while its terms are read', async () => {
    const { escrowId } = await spent();
    const letGo = await stage.hold(`**/api/v1/escrows/${escrowId}`);
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await story().getByText('✓ proven here').waitFor();
    await isReading();
    letGo();
    await isRead();
    expect((await story().innerText()).replaceAll('\u00a0', ' ')).to.include('30 Tokens agreed, from the depositor');
    stage.window.expectQuiet();
  });

  for (const what of ['events?resource=escrow', 'escrows/'])
    it(`says why a part of it could not be read, and reads it again: ${what}`, async () => {
      const { escrowId } = await spent();
      stage.window.expected.add(503);
      const json = { code: 'SERVICE_UNAVAILABLE', detail: 'the database does not answer' };
      await stage.page.route(`**/api/v1/${what}*`, (route) => route.fulfill({ status: 503, json }), { times: 1 });
      await stage.window.visit(`#/charts/escrow/${escrowId}`);
      await story().getByRole('alert').getByText('the database does not answer').waitFor();
      expect(await story().getAttribute('aria-busy')).to.equal('true');
      await story().getByRole('button', { name: 'Try again' }).click();
      await isRead();
      expect(await story().getByRole('alert').count()).to.equal(0);
      stage.window.expectQuiet();
    });

  it('follows the slider: the bar and the state are those of the step', async () => {
    const { escrowId } = await spent();
    await stage.window.visit(`#/charts/escrow/${escrowId}?step=2`);
    await story().getByText('then; now').waitFor();
    await story().getByText('released 12').waitFor();
    const then = panel('State after step 2');
    expect((await then.innerText()).replaceAll('\u00a0', ' ')).to.match(/Locked\s+18 Tokens\s+Released\s+12 Tokens/);
    await stage.page.getByRole('slider', { name: 'Step' }).press('End');
    await panel('Current state').getByText('State hash: passed').waitFor();
    stage.window.expectQuiet();
  });

  it('folds what is refused, and groups it by role', async () => {
    const { escrowId } = await escrow();
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    const available = panel('Available actions');
    const release = available.getByRole('row').filter({ has: stage.page.getByRole('rowheader', { name: 'release' }) });
    await release.first().waitFor();
    expect(await release.first().innerText()).to.include('depositor');
    const folded = available.getByRole('region', { name: 'Actions that are not available, by role' });
    expect(await folded.isVisible()).to.equal(false);
    await available.getByText(/^Not available: \d+, by role$/).click();
    expect(await folded.innerText()).to.include('this escrow has no arbiter');
    stage.window.expectQuiet();
  });

  it('has milestones and signatures as tables, and says what an entry about one did', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    await deal.steps('one', 'submit', 'reject');
    await deal.steps('two', 'submit');
    await stage.window.visit(`#/charts/contract/${deal.id}`);
    await story()
      .getByText(/^two waits for review until \d{4}-\d\d-.*, then it is paid$/)
      .waitFor();
    await story().getByText('0 of 2 approved, 1 rejected', { exact: true }).waitFor();
    const lanes = stage.page.locator('.lanes tbody tr');
    expect(await lanes.allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' ').trim()))).to.satisfy(
      ([one, two]: string[]) =>
        /^one 30 Tokens rejected pending submitted \d+ rejected \d+$/.test(one!) &&
        /^two 50 Tokens submitted pending submitted \d+$/.test(two!),
    );
    await stage.window.shot('contract-lanes');
    await lanes
      .first()
      .getByRole('button', { name: /^submitted/ })
      .click();
    await lanes.first().locator('.states').getByText('submitted', { exact: true }).waitFor();
    await lanes.nth(1).locator('.states').getByText('pending', { exact: true }).waitFor();
    await stage.window.visit(`#/charts/contract/${deal.id}`);
    const state = panel('Current state');
    await state.getByText('All fields').click();
    await state
      .getByRole('region', { name: /: milestones$/ })
      .first()
      .waitFor();
    const text = await state.innerText();
    expect(text, 'epoch milliseconds').not.to.match(/\b1[\d,]{12,}\b/);
    expect(await state.locator('pre').count(), 'JSON').to.equal(0);
    expect(text).to.include('Only the parties can see the whole state of this contract');
    expect(await state.getByRole('region', { name: 'Public view: signatures' }).first().innerText()).to.include(
      'client',
    );
    const { steps } = expectStatus(await node.client.get(`/api/v1/machines/contract/${deal.id}/history`));
    const { seq } = steps.find(({ action }: { action: string }) => action === 'reject');
    await stage.window.visit(`#/ledger/entry/${seq}`);
    const happened = stage.page.locator('.happened');
    await happened.getByText('reject', { exact: true }).waitFor();
    expect(await happened.innerText()).to.match(/reject by the client .+, milestone one from submitted to rejected/);
    stage.window.expectQuiet();
  });

  it('says what is left to do when all milestones are approved, and names the contract of its escrow once', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    for (const { id } of stages) await deal.steps(id, 'submit', 'approve');
    await stage.window.visit(`#/charts/contract/${deal.id}`);
    await story().getByText('2 of 2 approved; the client may now complete the contract').waitFor();
    await stage.window.visit(`#/charts/escrow/${(await deal.view()).escrowId}`);
    await isRead();
    expect(await story().locator(`a[title="contract/${deal.id}"]`).count()).to.equal(1);
    stage.window.expectQuiet();
  });

  it('says when an escrow that is not funded lapses, and when one that is expires', async () => {
    const { ada, ben, node } = stage.scene;
    const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }], amount: 5 };
    const expiresAt = node.world.now() + 86_400_000;
    for (const [more, says] of [
      [{}, 'if it is not funded within 30 days, it lapses'],
      [{ expiresAt }, /^if it is not funded, it lapses on \d{4}-/],
      [{ expiresAt, autoFund: true }, /^what is left goes back to the depositor on \d{4}-/],
      [{ autoFund: true }, 'none'],
    ] as const) {
      const { escrowId } = await ada.does('/api/v1/escrows', { ...rules, ...more });
      await stage.window.visit(`#/charts/escrow/${escrowId}`);
      const expiry = story().locator('.facts div', { has: stage.page.getByText('Expiry', { exact: true }) });
      await expiry.getByText(says).waitFor();
    }
    stage.window.expectQuiet();
  });

  it('has the titles of milestones for a party, who proves it by a key', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    const { key } = await node.key({ scope: 'read', did: ada.did });
    await stage.window.visit(`#/charts/contract/${deal.id}`);
    const lanes = stage.page.locator('.lanes tbody tr');
    await lanes.first().waitFor();
    expect(await lanes.locator('bdi').count()).to.equal(0);
    await stage.page.getByRole('button', { name: 'Enter a read key' }).first().click();
    await stage.page.getByLabel('API key').fill(key);
    await stage.page.getByRole('button', { name: 'Use this key' }).click();
    await lanes.nth(1).locator('bdi').waitFor();
    expect(await lanes.locator('bdi').allInnerTexts()).to.deep.equal(['One ', 'Two ']);
    await stage.page.reload();
    stage.window.expectQuiet();
  });

  it('has the price of a lease, and the listings of a lease and of a bid', async () => {
    const { ada, ben } = stage.scene;
    const lease = await leases(ada, await publishes(ben), { budget: 10 });
    const { leaseId, listingId } = lease;
    await stage.window.visit(`#/charts/lease/${leaseId}`);
    await story()
      .getByText(/2\sTokens for each call/)
      .waitFor();
    await story().locator(`a[href$="${listingId}"]`).waitFor();
    await acts(ada, lease, 'invoke', { units: 2, success: true, latency: 235 });
    await story().getByText('4 Tokens', { exact: true }).waitFor();
    await story()
      .getByText(/^1; 2 units; half within 2\d\d ms$/)
      .waitFor();
    await panel('All steps').locator('.at-action').getByText('2 units, 4\u00a0Tokens', { exact: true }).waitFor();
    await acts(ada, lease, 'invoke', { units: 4, success: false });
    const last = panel('All steps')
      .locator('.at-action')
      .getByText('4 units, failed but charged, 6\u00a0Tokens, all that was left', { exact: true });
    await last.waitFor();
    await story()
      .getByText('10 Tokens; 6 units at 2 are 12, but the calls may charge no more than the 10 in escrow', {
        exact: true,
      })
      .waitFor();
    await story()
      .getByText(/^2, 1 failed but charged; 6 units; /)
      .waitFor();
    const timed = await leases(
      ada,
      await publishes(ben, { pricing: { subscriptionPrice: { price: 5, period: 'day' } } }),
      {
        ...{ type: 'subscription', periods: 6 },
      },
    );
    await stage.window.visit(`#/charts/lease/${timed.leaseId}`);
    await story().getByText('5 Tokens; a day is paid whole once it has begun', { exact: true }).waitFor();
    const task = await publishesTask(ada);
    const { bidId } = await bids(ben, task);
    await stage.window.visit(`#/charts/bid/${bidId}`);
    await story().locator(`a[href$="${task.listingId}"]`).waitFor();
    stage.window.expectQuiet();
  });

  it('links a contract to its dispute after the ruling, and a task to the order of its award', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    await deal.steps('one', 'submit');
    await deal.does('client', 'dispute', { reason: 'quality' });
    const { disputeId } = await deal.view();
    expectStatus(await arbiter.write(`/api/v1/disputes/${disputeId}/actions/resolve`, { resolution: 'refund' }));
    expect((await deal.view()).disputeId).to.equal(null);
    await stage.window.visit(`#/charts/contract/${deal.id}`);
    await story().locator(`a[title="dispute/${disputeId}"]`).getByText('disputed (quality)').waitFor();
    const { milestones } = await deal.view();
    expect(milestones[0]).to.include({ status: 'submitted', reviewBy: null });
    const task = await publishesTask(ada);
    const { orderId } = await accepts(ada, await bids(ben, task));
    await stage.window.visit(`#/charts/task-listing/${task.listingId}`);
    await story().locator(`a[title="task-order/${orderId}"]`).waitFor();
    stage.window.expectQuiet();
  });

  it('says how a dispute ended: who gave what to whom, and that the rest of the work ended with the ruling', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    await deal.steps('one', 'submit', 'approve');
    await deal.steps('two', 'submit');
    await deal.does('client', 'dispute', { reason: 'quality' });
    const { disputeId, escrowId } = await deal.view();
    const split = { resolution: 'split', providerPayment: 50, clientRefund: 20 };
    expectStatus(await arbiter.write(`/api/v1/disputes/${disputeId}/actions/resolve`, split));
    const { resolvedBy } = expectStatus(await node.client.get(`/api/v1/disputes/${disputeId}`));
    expect(resolvedBy).to.equal(arbiter.did);
    const said = async (selector: string) =>
      (await stage.page.locator(selector).innerText()).replaceAll('\u00a0', ' ').replace(/\s+/g, ' ').trim();
    await stage.window.visit(`#/charts/contract/${deal.id}`);
    await isRead();
    await stage.page.locator('.disputed').getByText('settled by').waitFor();
    expect(await said('.disputed')).to.match(
      /^disputed \(quality\), settled by \S+: 50 Tokens to \S+, 20 back to \S+$/,
    );
    const settledBy = stage.page.locator('.disputed a[title^="did:"]');
    expect(await settledBy.evaluateAll((links) => links.map((link) => link.getAttribute('title')))).to.deep.equal([
      ...[arbiter.did, ben.did, ada.did],
    ]);
    await story().getByText('1 of 2 approved, 1 ended with the ruling', { exact: true }).waitFor();
    expect(await said('.lanes tbody tr:nth-child(2)')).to.match(
      /50 Tokens ended with the ruling pending .*ruling \d+$/,
    );
    expect(await said('.headline')).to.match(/^100 Tokens agreed, from the client .*: 80 paid, 20 back$/);
    expect(await story().locator(`a[title="dispute/${disputeId}"]`).count(), 'links to the dispute').to.equal(1);
    // Before the ruling, the second milestone waited.
    await stage.window.visit(`#/charts/contract/${deal.id}?step=7`);
    await story().getByText('1 of 2 approved', { exact: true }).waitFor();
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await isRead();
    const last = panel('All steps').locator('tbody tr').last();
    await last
      .locator('.at-role')
      .getByText(/^arbiter of the (contract|dispute)$/)
      .waitFor();
    expect(await last.locator('.at-state').innerText()).to.equal('funded → refunded in part');
    expect(await last.locator('.at-amount').innerText()).to.equal('50 paid, 20 back');
    expect(await story().locator('.now .badge').allInnerTexts()).to.deep.equal(['refunded in part']);
    expect(await stage.page.locator('.step-mark.now .step-name').innerText()).to.equal('release 50 paid, 20 back');
    expect(await stage.page.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuetext')).to.match(
      /release, funded to refunded in part$/,
    );
    expect((await story().innerText()).match(/Arbiter/g), 'an arbiter where the contract has one').to.equal(null);
    expect(await story().locator(`a[title="contract/${deal.id}"]`).count(), 'links to the contract').to.equal(1);
    await stage.window.visit(`#/charts/dispute/${disputeId}`);
    await isRead();
    expect(await story().locator(`a[title="${arbiter.did}"]`).count(), 'links to the arbiter').to.equal(1);
    for (const [list, row] of [
      ['disputes', /70 Tokens\s+50 paid, 20 back/],
      ['contracts', /100 Tokens\s+80 paid, 20 back/],
      ['escrows', /refunded in part[\s\S]*100 Tokens\s+80 paid, 20 back/],
    ] as const) {
      await stage.window.visit(`#/lists/${list}`);
      const id = { disputes: disputeId, contracts: deal.id, escrows: escrowId }[list];
      const line = stage.page.locator('.list-cards tbody tr').filter({ has: stage.page.locator(`a[title$="/${id}"]`) });
      await line.first().waitFor();
      expect((await line.first().innerText()).replaceAll('\u00a0', ' '), list).to.match(row);
    }
    await stage.window.visit(`#/identities/${ben.did}`);
    await panel('Trades').getByText('80 paid, 20 back').waitFor();
    stage.window.expectQuiet();
  });

  it('says in the headline of every kind with an escrow where the Tokens are', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    const info = await buys(ada, await publishesInfo(ben, { pricing: { fixedPrice: 40 } }));
    const task = await accepts(ada, await bids(ben, await publishesTask(ada)));
    const lease = await leases(ada, await publishes(ben), { type: 'pay_per_use', budget: 10 });
    const disputed = await buys(ada, await publishesInfo(ben, { pricing: { fixedPrice: 4 } }));
    expectStatus(await onOrder(ben, disputed, 'deliver'));
    const { disputeId } = await ada.does(`/api/v1/orders/${disputed.orderId}/actions/dispute`, { reason: 'quality' });
    const pages: { readonly [kind: string]: readonly [id: string, says: RegExp] } = {
      'info-order': [info.orderId, /: 40 in escrow until \d{4}-/],
      'task-order': [task.orderId, /: \d+ in escrow until \d{4}-/],
      contract: [deal.id, /: 100 in escrow$/],
      dispute: [disputeId, /: 4 in escrow$/],
      escrow: [(await escrow({ autoFund: false })).escrowId, /: 30 reserved$/],
      lease: [lease.leaseId, /: 10 in escrow until \d{4}-/],
    };
    const withEscrow = machinesOf(catalogue)
      .filter(({ viewSchema }) => 'escrowId' in ((viewSchema as { properties?: object }).properties ?? {}))
      .map(({ kind }) => kind)
      // A bid ends when it is accepted; then its order moves the Tokens.
      .filter((kind) => kind !== 'bid');
    expect(Object.keys(pages).sort()).to.deep.equal(withEscrow.sort());
    for (const [kind, [id, says]] of Object.entries(pages)) {
      await stage.window.visit(`#/charts/${kind}/${id}`);
      await stage.page
        .getByRole('heading', { level: 1 })
        .getByText(`…${id.slice(-4)}`)
        .waitFor();
      await isRead();
      expect((await story().locator('.headline').innerText()).trim(), kind).to.match(says);
    }
    stage.window.expectQuiet();
  });

  it('has its steps in words before the drawing, and what can be done now before the steps', async () => {
    const { escrowId } = await escrow({ autoFund: false });
    const top = async (name: string | RegExp) => (await panel(name).boundingBox())!.y;
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await isRead();
    await panel('Available actions').getByText('cancel', { exact: true }).waitFor();
    expect(await top('Available actions')).to.be.below(await top('All steps'));
    expect(await top('All steps')).to.be.below(await top('State chart: Escrow'));
    const { escrowId: over } = await spent();
    await stage.window.visit(`#/charts/escrow/${over}`);
    await isRead();
    await panel('Available actions').getByText('No action is available now.').waitFor();
    expect(await stage.page.getByText('No action is available now.').count()).to.equal(1);
    expect(await top('All steps')).to.be.below(await top('State chart: Escrow'));
    expect(await top('All steps'), 'on the first screen').to.be.below(stage.page.viewportSize()!.height);
    expect(await top('State chart: Escrow')).to.be.below(await top('Available actions'));
    stage.window.expectQuiet();
  });

  it('has no table that scrolls sideways at 1440, 1024, 768 and 390 pixels', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    await deal.steps('one', 'submit', 'reject');
    const { escrowId } = await spent();
    const order = await rejectedThrice(ada, ben, await accepts(ada, await bids(ben, await publishesTask(ada))));
    const { key } = await node.key({ did: ada.did });
    const resources = [`escrow/${escrowId}`, `contract/${deal.id}`, `task-order/${order.orderId}`];
    const pages = [...resources.map((each) => `#/charts/${each}`), '#/ledger/journal', `#/identities/${ada.did}`, '#/'];
    for (const hash of pages) {
      await stage.open();
      await stage.window.visit(hash);
      if (hash.includes('charts')) {
        await stage.page.getByRole('button', { name: 'Enter a read key' }).click();
        await stage.page.getByLabel('API key').fill(key);
        await stage.page.getByRole('button', { name: 'Use this key' }).click();
        if (hash.includes('escrow')) await row(3).getByText(markup).waitFor();
        else {
          await panel('Current state').getByText('All fields').click();
          const [name, first] = hash.includes('contract') ? ['milestones', 'Id'] : ['submissions', 'Status'];
          const parts = panel('Current state')
            .getByRole('region', { name: `Current state: ${name}` })
            .first();
          await parts.waitFor();
          expect(await parts.locator('th').first().textContent()).to.equal(first);
        }
      }
      const rows = stage.page.locator(':is(.step-rows, .entry-rows) tbody tr');
      const said = stage.page.getByRole('region', { name: 'Latest events' }).first().locator('li');
      await (hash === '#/' ? said : rows).nth(3).waitFor();
      if (hash.includes('charts')) {
        await stage.page.evaluate(() => {
          for (const each of document.querySelectorAll('details')) each.open = true;
        });
        await panel('Current state').locator('details dt').first().waitFor();
      }
      await stage.window.expectFitsAt(1_440, 1_024, 768, 390);
    }
    stage.window.expectQuiet();
  });

  it('prints on few pages with nothing cut off, step numbers, and DIDs in full', async () => {
    const { escrowId } = await spent();
    const { page, scene } = stage;
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await isRead();
    await panel('Current state').getByText('State hash: passed').waitFor();
    const printed = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(printed.match(/\/Type\s*\/Page\b/g)?.length, 'pages').to.be.at.most(4);
    await page.emulateMedia({ media: 'print' });
    // The width of A4 without margins. The drawing keeps the layout that the screen had.
    await page.locator('.drawing svg').evaluate((svg) => {
      document.querySelector<HTMLElement>('main')!.style.width = '700px';
      if (svg.getBoundingClientRect().right > 740) throw new Error('the drawing is cut off');
    });
    expect(await row(1).getByRole('button').isVisible(), 'step number').to.equal(true);
    const did = story().locator('.headline a').first();
    expect(await did.evaluate((link) => getComputedStyle(link, '::after').content)).to.include(scene.ada.did);
    expect(await page.getByText('The state machine as a table').isVisible()).to.equal(false);
    const wide = await page
      .locator('table')
      .evaluateAll((tables) =>
        tables
          .filter((each) => each.scrollWidth > 740)
          .map((each) => `${each.scrollWidth} ${each.outerHTML.slice(0, 300)}`),
      );
    expect(wide, 'tables that are cut off').to.deep.equal([]);
    const { did: nodeDid, network } = expectStatus(await scene.node.client.get('/api/v1/node'));
    expect(await page.locator('.printed').innerText()).to.include(`${network}, node ${nodeDid}: http`);
    await page.setViewportSize({ width: 700, height: 900 });
    await stage.window.painted();
    const lines = await panel('All steps')
      .locator('.at-left')
      .evaluateAll((cells) =>
        cells.map((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          return text.getClientRects().length;
        }),
      );
    expect(lines, 'lines of each number').to.deep.equal([1, 1, 1, 1]);
    stage.window.expectQuiet();
  });

  it('names the party that signed, whatever its role was for that', async () => {
    const { ada, ben } = stage.scene;
    const { orderId } = await accepts(ada, await bids(ben, await publishesTask(ada)));
    const { escrowId } = expectStatus(await ada.client.get(`/api/v1/orders/${orderId}`));
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await isRead();
    expect(new Set(await panel('All steps').locator('.at-role').allInnerTexts())).to.deep.equal(new Set(['depositor']));
    stage.window.expectQuiet();
  });

  it('prints no word in two', async () => {
    const { page, scene } = stage;
    const { orderId } = await accepts(scene.ada, await bids(scene.ben, await publishesTask(scene.ada)));
    const arbiter = await scene.node.person();
    const cast = { client: scene.ada, provider: scene.ben, arbiter, stranger: arbiter };
    const deal = await Deal.active(scene.node, cast);
    await deal.steps('one', 'submit', 'approve');
    const pages = [`#/charts/task-order/${orderId}`, `#/charts/contract/${deal.id}`];
    for (const hash of [...pages, `#/identities/${scene.ada.did}`, `#/ledger/account/${scene.ada.did}`]) {
      await stage.window.visit(hash);
      await page.locator('main table tbody tr:visible').first().waitFor();
      await page.emulateMedia({ media: 'print' });
      // The rules for narrow windows hold on paper, too.
      await page.setViewportSize({ width: 740, height: 900 });
      if (hash.includes('contract')) await page.locator('.outline button').getByText('activate').first().waitFor();
      const broken = await page.locator('main').evaluate((main) => {
        main.style.width = '700px';
        const found: string[] = [];
        const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
          if (!text.parentElement?.closest('td, th')?.checkVisibility()) continue;
          for (const { 0: word, index } of text.nodeValue!.matchAll(/\p{L}{2,16}/gu)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
            if (new Set(tops).size > 1) found.push(text.nodeValue!);
          }
        }
        const wide = [...main.querySelectorAll('table')].filter((table) => table.scrollWidth > 740);
        return [...found.filter((each) => !/^did:|[0-9]/.test(each)), ...wide.map(({ caption }) => caption!.innerText)];
      });
      await page.emulateMedia({ media: null });
      await page.setViewportSize(looks.light.viewport);
      expect(broken, hash).to.deep.equal([]);
    }
    stage.window.expectQuiet();
  });

  it('gives a draft the amount that it plans, and a draft without one none', async () => {
    const { ada, ben } = stage.scene;
    const draft = { provider: ben.did, terms: { scope: 'a bridge' } };
    const planned = await ada.does('/api/v1/contracts', { ...draft, payment: { totalAmount: 45 } });
    const open = await ada.does('/api/v1/contracts', draft);
    await stage.window.visit(`#/charts/contract/${planned.contractId}`);
    await story()
      .getByText(/45\sTokens/)
      .waitFor();
    await stage.window.visit(`#/charts/contract/${open.contractId}`);
    await story().getByText('no amount yet').waitFor();
    await story().getByText('no party yet').waitFor();
    await stage.window.visit('#/lists/contracts');
    const line = (id: string) =>
      stage.page.locator('tbody tr').filter({ has: stage.page.locator(`a[title$="${id}"]`) });
    await line(open.contractId).waitFor();
    expect(await line(planned.contractId).innerText()).to.match(/45\sTokens/);
    expect(await line(open.contractId).innerText()).not.to.include('Tokens');
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'is good to read', async (look) => {
    const { escrowId } = await spent();
    await stage.window.visit(`#/charts/escrow/${escrowId}`);
    await isRead();
    await panel('Current state').getByText('State hash: passed').waitFor();
    await expectGood(stage.window, `story-${look}`);
  });
});
