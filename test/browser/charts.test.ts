/** State charts in the console: what a person sees of one resource's law, way and proof. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { closeBrowser, expectGood, inBrowser, type Look, Window } from './support/browser.js';

const markup = '<img src=x onerror="globalThis.caught=1">';

inBrowser('the console’s charts', function () {
  this.timeout(40_000);
  let node: TestNode;
  let ada: Person;
  let ben: Person;
  let window: Window;

  before(async () => {
    node = await TestNode.start();
    [ada, ben] = [await node.rich(10_000), await node.person()];
  });
  after(async () => {
    await closeBrowser();
    await node.discard();
  });
  beforeEach(async () => {
    window = await Window.open(node.url);
  });
  afterEach(() => window.close());

  const made = (more: Body = {}): Promise<Body> =>
    ada.does('/api/v1/escrows', { beneficiary: ben.did, amount: 50, releaseRules: [{ type: 'manual' }], ...more });
  /** Created and funded, released in parts: the last two steps are one loop. */
  async function released(parts = 3): Promise<Body> {
    const escrow = await made({ autoFund: true });
    for (let i = 0; i < parts; i++) expectStatus(await ada.act(escrow, 'release', { amount: 10, reason: markup }));
    return escrow;
  }
  const reaches = (text: string) => window.page.locator('.replay output').filter({ hasText: text }).waitFor();
  const lit = async () => {
    const states = window.page.locator('.drawing .state.lit text');
    await states.first().waitFor();
    return states.allTextContents();
  };
  const numbers = async () => {
    const steps = window.page.locator('.drawing .numbers text');
    await steps.first().waitFor();
    return steps.allTextContents();
  };

  it('draw every kind’s law, and say the same as a table', async () => {
    await window.visit('#/charts');
    const kinds = window.page.locator('.kinds a');
    await kinds.first().waitFor();
    for (const kind of await kinds.allInnerTexts()) {
      await window.page.getByRole('link', { name: kind, exact: true }).click();
      await window.page.getByRole('region', { name: `State chart: ${kind}` }).waitFor();
      expect(await window.page.locator('.drawing .state').count(), kind).to.be.above(1);
      const transitions = await window.page.locator('.drawing .label-action').count();
      expect(await window.page.locator('tbody tr').count(), kind).to.equal(transitions);
    }
    window.expectQuiet();
  });

  it('follow an escrow that is driven over HTTP', async () => {
    const escrow = await made();
    await window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await reaches('step 1 of 1');
    await window.page.getByText('live', { exact: true }).waitFor();
    expect(await lit()).to.deep.equal(['created']);
    const { resourcePrev } = expectStatus(await node.client.get(`/api/v1/escrows/${escrow.escrowId}`));
    expectStatus(await ada.act(escrow, 'fund', { amount: 50, resourcePrev }));
    await reaches('step 2 of 2');
    expect(await lit()).to.deep.equal(['funded']);
    for (const [step, amount] of [
      [3, 20],
      [4, 30],
    ]) {
      expectStatus(await ada.act(escrow, 'release', { amount }));
      await reaches(`step ${step} of ${step}`);
    }
    expect(await lit()).to.deep.equal(['released']);
    window.expectQuiet();
  });

  it('replay with the slider: loops are distinct steps, and the state of then is lit', async () => {
    const escrow = await released();
    await window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await reaches('step 4 of 4');
    expect(await numbers()).to.include('2 3 4');
    const slider = window.page.getByRole('slider', { name: 'Step' });
    await slider.focus();
    await slider.press('Home');
    await reaches('step 1 of 4');
    await slider.press('ArrowRight');
    await slider.press('ArrowRight');
    await reaches('step 3 of 4');
    expect(await slider.getAttribute('aria-valuetext')).to.equal('Step 3 of 4: release, funded to funded');
    expect(await lit()).to.deep.equal(['funded']);
    expect(window.page.url()).to.match(/\?step=3$/);
    await window.page.getByRole('heading', { name: 'Step 3 of 4: release' }).waitFor();
    await window.page.getByRole('button', { name: 'Next step' }).click();
    await reaches('step 4 of 4');
    await window.page.getByRole('button', { name: 'Previous step' }).click();
    await reaches('step 3 of 4');
    window.expectQuiet();
  });

  it('open a step by its number in the drawing, with the keyboard or the mouse', async () => {
    const escrow = await released();
    await window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await reaches('step 4 of 4');
    const first = window.page.getByRole('button', { name: /: step 1\. Open step 1$/ }).first();
    await first.focus();
    await first.press('Enter');
    await reaches('step 1 of 4');
    const releases = window.page.getByRole('button', { name: /: step .*4\. Open step/ }).first();
    await releases.click();
    await reaches('step 2 of 4');
    window.expectQuiet();
  });

  it('replay by themselves, from the first step to the last', async () => {
    const escrow = await released(1);
    await window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await reaches('step 2 of 2');
    await window.page.getByRole('button', { name: 'Replay' }).click();
    await reaches('step 1 of 2');
    await reaches('step 2 of 2');
    await window.page.getByRole('button', { name: 'Replay' }).waitFor();
    window.expectQuiet();
  });

  for (const by of ['WebCrypto', '@noble/ed25519']) {
    it(`check each step’s signature and hashes in the browser, by ${by}`, async () => {
      const escrow = await released();
      if (by !== 'WebCrypto') {
        await window.page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
      }
      await window.visit(`#/charts/escrow/${escrow.escrowId}?step=2`);
      await window.page.getByText('Checked in this browser: it holds').waitFor();
      expect(await window.page.locator('.checks li .good').count()).to.equal(7);
      expect(await window.page.locator('.checks').innerText()).to.include(`Signature by ${by}`);
      window.expectQuiet();
    });

    it(`show where one does not hold, by ${by}`, async () => {
      const escrow = await released();
      if (by !== 'WebCrypto') {
        await window.page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
      }
      await window.page.route('**/api/v1/events/*', async (route) => {
        if (route.request().url().includes('/stream')) return route.continue();
        const entry = (await (await route.fetch()).json()) as Body;
        entry.event.nonce += 1;
        await route.fulfill({ json: entry });
      });
      await window.visit(`#/charts/escrow/${escrow.escrowId}?step=2`);
      await window.page.getByText('It does not hold').waitFor();
      const broken = await window.page.locator('.checks li:has(.bad)').allInnerTexts();
      expect(
        broken.map((each) => /(Signature|Signer|Event hash|Payload|Entry hash|Chain)/.exec(each)?.[1]),
      ).to.deep.equal(['Signature', 'Event hash', 'Entry hash']);
    });
  }

  it('tell what is permitted now, to whom, and the code of every refusal', async () => {
    const escrow = await released();
    await window.visit(`#/charts/escrow/${escrow.escrowId}`);
    const panel = window.page.getByRole('region', { name: 'Permitted now' });
    const row = async (action: string, who: string) => {
      const named = window.page.getByRole('rowheader', { name: action, exact: true });
      const text = await panel.locator('tbody tr', { has: named }).filter({ hasText: who }).innerText();
      return text.replace(/\s+/g, ' ');
    };
    await panel.getByRole('row').nth(1).waitFor();
    expect(await row('release', 'depositor')).to.match(/permitted.*ESCROW_RULE_NOT_MET/);
    expect(await row('fund', 'depositor')).to.match(/refused.*ESCROW_INVALID_STATE/);
    window.expectQuiet();
  });

  it('show text of others as text', async () => {
    const escrow = await released();
    await window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await window.page.getByText('What was asked', { exact: true }).click();
    await window.page.locator('pre', { hasText: '<img src=x' }).waitFor();
    expect(await window.page.evaluate(() => (globalThis as { caught?: number }).caught)).to.equal(undefined);
    expect(await window.page.locator('main img').count()).to.equal(0);
    window.expectQuiet();
  });

  it('say which resource there is not', async () => {
    window.expected.add(404);
    await window.visit('#/charts/escrow/esc-none');
    await window.page.getByText('ESCROW_NOT_FOUND').waitFor();
    await window.page.getByRole('button', { name: 'Try again' }).waitFor();
    window.expectQuiet();
  });

  for (const look of ['light', 'dark', 'narrow'] satisfies Look[]) {
    it(`are without violations, and fit: ${look}`, async () => {
      const escrow = await released();
      await window.close();
      window = await Window.open(node.url, look);
      await window.visit('#/charts/contract');
      await window.page.locator('.drawing svg').waitFor();
      await expectGood(window, `charts-contract-${look}`);
      await window.page.goto(`${node.url}/console#/charts/escrow/${escrow.escrowId}?step=3`);
      await window.page.getByText('Checked in this browser').waitFor();
      await window.page.getByRole('region', { name: 'Permitted now' }).getByRole('row').nth(1).waitFor();
      await expectGood(window, `charts-escrow-${look}`);
    });
  }
});
