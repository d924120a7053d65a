/** State charts in the console: the definition of a resource, its steps and its proof. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { chartOf } from '../../src/machines/kernel/chart.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { Deal } from '../stories/contract/stage.js';
import { expectGood } from './support/browser.js';
import { closePair, openPair } from './support/pair.js';
import { inBrowser, inEachLook } from './support/stage.js';

const markup = '<img src=x onerror="globalThis.caught=1">';

inBrowser('the console’s charts', { open: () => openPair(10_000), close: closePair }, (stage) => {
  const made = (more: Body = {}): Promise<Body> =>
    stage.scene.ada.does('/api/v1/escrows', {
      beneficiary: stage.scene.ben.did,
      amount: 50,
      releaseRules: [{ type: 'manual' }],
      ...more,
    });
  /** An escrow that was created, funded, and released in parts. The last two steps take the same transition. */
  async function released(parts = 3): Promise<Body> {
    const escrow = await made({ autoFund: true });
    for (let i = 0; i < parts; i++) expectStatus(await stage.scene.ada.act(escrow, 'release', { amount: 10 }));
    return escrow;
  }
  const reaches = (text: string) => stage.page.locator('.replay output').filter({ hasText: text }).waitFor();
  const lit = async () => {
    const states = stage.page.locator('.drawing .state.lit .title');
    await states.first().waitFor();
    return states.allTextContents();
  };
  const numbers = async () => {
    const steps = stage.page.locator('.drawing .numbers text');
    await steps.first().waitFor();
    return steps.allTextContents();
  };

  it('draw the definition of every kind, and show the same as a table', async () => {
    await stage.window.visit('#/charts');
    const kinds = stage.page.locator('.kinds a');
    await kinds.first().waitFor();
    for (const kind of await kinds.allInnerTexts()) {
      await stage.page.getByRole('link', { name: kind, exact: true }).click();
      await stage.page.getByRole('region', { name: `State chart: ${kind}` }).waitFor();
      expect(await stage.page.locator('.drawing .state').count(), kind).to.be.above(1);
      const transitions = await stage.page.locator('.drawing .label-action').count();
      expect(await stage.page.locator('tbody tr').count(), kind).to.equal(transitions);
    }
    stage.window.expectQuiet();
  });

  it('name every nested state in words', () => {
    const named = readFileSync('console/format/states.ts', 'utf8');
    const nested = machinesOf(catalogue).flatMap((each) =>
      chartOf(each).states.flatMap(({ name }) => (name.includes('.') ? [name] : [])),
    );
    expect(nested).to.include('created.lapsed');
    expect(nested.filter((path) => !named.includes(`'${path}':`))).to.deep.equal([]);
  });

  it('list escrows by substate, and show that one was cancelled', async () => {
    const [open, gone] = [await made(), await made()];
    expectStatus(await stage.scene.ada.act(gone, 'cancel', {}));
    await stage.window.visit('#/charts/escrow');
    const panel = stage.page.getByRole('region', { name: 'Newest' });
    const listed = async (substate: string) => {
      await panel.getByLabel('Substate').selectOption(substate);
      await panel.getByRole('link').first().waitFor();
      await panel
        .locator('li')
        .filter({ hasText: substate === 'open' ? 'not funded yet' : 'cancelled' })
        .first()
        .waitFor();
      const links = await panel.getByRole('link').all();
      return Promise.all(links.map((each) => each.getAttribute('title')));
    };
    expect(await listed('cancelled')).to.deep.equal([`escrow/${gone.escrowId}`]);
    expect(await panel.locator('li').allInnerTexts()).to.satisfy((lines: string[]) => lines[0]!.includes('created'));
    expect(await listed('open'))
      .to.include(`escrow/${open.escrowId}`)
      .and.not.to.include(`escrow/${gone.escrowId}`);
    expect(new URL(stage.page.url()).hash).to.equal('#/charts/escrow?substate=open');
    await stage.window.visit(`#/charts/escrow/${gone.escrowId}`);
    await reaches('step 2 of 2');
    expect(await stage.page.locator('.now .badge').allInnerTexts()).to.deep.equal(['created, cancelled']);
    stage.window.expectQuiet();
  });

  it('follow an escrow that is driven over HTTP', async () => {
    const escrow = await made();
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await reaches('step 1 of 1');
    await stage.page.getByText('live', { exact: true }).waitFor();
    expect(await lit()).to.deep.equal(['open']);
    const { resourcePrev } = expectStatus(await stage.scene.node.client.get(`/api/v1/escrows/${escrow.escrowId}`));
    expectStatus(await stage.scene.ada.act(escrow, 'fund', { amount: 50, resourcePrev }));
    await reaches('step 2 of 2');
    expect(await lit()).to.deep.equal(['funded']);
    for (const [step, amount] of [
      [3, 20],
      [4, 30],
    ]) {
      expectStatus(await stage.scene.ada.act(escrow, 'release', { amount }));
      await reaches(`step ${step} of ${step}`);
    }
    expect(await lit()).to.deep.equal(['released']);
    stage.window.expectQuiet();
  });

  it('replay with the slider: loops are distinct steps, and the state of then is lit', async () => {
    const escrow = await released();
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await reaches('step 4 of 4');
    expect(await numbers()).to.include('2…4');
    const slider = stage.page.getByRole('slider', { name: 'Step' });
    await slider.focus();
    await slider.press('Home');
    await reaches('step 1 of 4');
    await slider.press('ArrowRight');
    await slider.press('ArrowRight');
    await reaches('step 3 of 4');
    expect(await slider.getAttribute('aria-valuetext')).to.equal('Step 3 of 4: release, funded to funded');
    expect(await lit()).to.deep.equal(['funded']);
    expect(stage.page.url()).to.match(/\?step=3$/);
    await stage.page.getByRole('heading', { name: 'Step 3 of 4: release' }).waitFor();
    await stage.page.getByRole('button', { name: 'Next step' }).click();
    await reaches('step 4 of 4');
    await stage.page.getByRole('button', { name: 'Previous step' }).click();
    await reaches('step 3 of 4');
    stage.window.expectQuiet();
  });

  it('show the milestone that a step moved, where the drawing is wider than its place', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    await deal.steps('one', 'submit');
    await stage.window.visit(`#/charts/contract/${deal.id}`);
    await reaches('step 5 of 5');
    const edges = async (selector: string) => {
      const { x, width } = (await stage.page.locator(selector).boundingBox())!;
      return [x, x + width] as const;
    };
    await lit();
    const [left, right] = await edges('.drawing');
    const [from, to] = await edges('.drawing [data-state="milestone/submitted"]');
    expect(from).to.be.at.least(left);
    expect(to).to.be.at.most(right);
    await stage.page.getByText('Only the parties can see').waitFor();
    await expectGood(stage.window, 'charts-contract-active');
    await stage.window.visit(`#/charts/contract/${deal.id}?step=5`);
    await stage.page.getByText('Checked in this browser: all checks passed').waitFor();
    expect(await stage.page.locator('.checks li .good').count(), 'with what all may see of the payload').to.equal(8);
  });

  it('open a step by its number in the drawing, with the keyboard or the mouse', async () => {
    const escrow = await released();
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await reaches('step 4 of 4');
    const first = stage.page.getByRole('button', { name: /: step 1\. Open step 1$/ }).first();
    await first.focus();
    await first.press('Enter');
    await reaches('step 1 of 4');
    const releases = stage.page.getByRole('button', { name: /: step .*4\. Open step/ }).first();
    await releases.click();
    await reaches('step 2 of 4');
    const entry = stage.page.getByRole('region', { name: 'Step 2 of 4: release' });
    await entry.getByText('double entry: debits equal credits').waitFor();
    const shown = (await entry.innerText()).replace(/\s+/g, ' ');
    expect(shown).to.match(
      /State funded, as before Event escrow\.released Role depositor Signer z6Mk.* none on a chain/,
    );
    const lines = await entry.locator('[aria-label="Postings"] tbody tr').allInnerTexts();
    expect(
      lines.map((line) =>
        line
          .replace(/z6Mk\S+/, '_')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    ).to.deep.equal(['escrowed _ 10', 'available _ 10']);
    stage.window.expectQuiet();
  });

  it('show for a transition its roles, each guard with its refusal, and its effects', async () => {
    await stage.window.visit('#/charts/escrow');
    const release = stage.page.locator('.label[data-transition="funded.release.released"]');
    await release.focus();
    await release.press('Enter');
    const shown = stage.page.getByRole('region', { name: 'Transition release' });
    expect((await shown.innerText()).replace(/\s+/g, ' ')).to.match(
      /release funded → released .*Roles depositor, arbiter, .*releaseRuleMet ESCROW_RULE_NOT_MET.*emptiesIt UNPROCESSABLE.*Effects pay Moves the amount asked for depositor, escrowed → beneficiary, available Changes released \+ the amount asked for$/,
    );
    expect(await stage.window.axe()).to.deep.equal([]);
    await shown.getByRole('button', { name: 'Close' }).click();
    expect(await shown.count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('replay by themselves, from the first step to the last', async () => {
    const escrow = await released(1);
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await reaches('step 2 of 2');
    await stage.page.getByRole('button', { name: 'Replay' }).click();
    await reaches('step 1 of 2');
    await reaches('step 2 of 2');
    await stage.page.getByRole('button', { name: 'Replay' }).waitFor();
    stage.window.expectQuiet();
  });

  for (const by of ['WebCrypto', '@noble/ed25519']) {
    it(`check each step’s signature and hashes in the browser, by ${by}`, async () => {
      const escrow = await released();
      if (by !== 'WebCrypto') {
        await stage.page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
      }
      await stage.window.visit(`#/charts/escrow/${escrow.escrowId}?step=2`);
      await stage.page.getByText('Checked in this browser: all checks passed').waitFor();
      expect(await stage.page.locator('.checks li .good').count()).to.equal(8);
      expect(await stage.page.locator('.checks').innerText()).to.include(`Signature by ${by}`);
      stage.window.expectQuiet();
    });

    it(`show where one does not hold, by ${by}`, async () => {
      const escrow = await released();
      if (by !== 'WebCrypto') {
        await stage.page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
      }
      await stage.page.route('**/api/v1/events/*', async (route) => {
        if (route.request().url().includes('/stream')) return route.continue();
        const entry = (await (await route.fetch()).json()) as Body;
        entry.event.nonce += 1;
        await route.fulfill({ json: entry });
      });
      await stage.window.visit(`#/charts/escrow/${escrow.escrowId}?step=2`);
      await stage.page.getByText('Checks failed').waitFor();
      const broken = await stage.page.locator('.checks li:has(.bad)').allInnerTexts();
      expect(
        broken.map((each) => /(Signature|Signer|Event hash|Payload|Entry hash|Chain)/.exec(each)?.[1]),
      ).to.deep.equal(['Signature', 'Event hash', 'Entry hash']);
    });
  }

  it('show which actions are available, to whom, and the code of every refusal', async () => {
    const escrow = await released();
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}`);
    const panel = stage.page.getByRole('region', { name: 'Available actions' });
    const available = panel.getByRole('region', { name: 'Actions that are available' });
    const release = available.getByRole('row', { name: /^release/ });
    expect(await release.innerText()).to.match(/depositor[\s\S]*ESCROW_RULE_NOT_MET/);
    await panel.getByText(/^Not available: /).click();
    const refused = await panel.locator('.refused tbody tr').allInnerTexts();
    expect(refused.length).to.be.above(8);
    expect(refused.filter((each) => !/^\w+\s+\w+\s+[A-Z]+(_[A-Z]+)* \S/.test(each))).to.deep.equal([]);
    expect(refused.map((each) => each.replace(/\s+/g, ' '))).to.include(
      'depositor fund ESCROW_INVALID_STATE not while the escrow is funded',
    );
    stage.window.expectQuiet();
  });

  it('show what a resource holds, and hold it against the entry that made it', async () => {
    const escrow = await made();
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}`);
    const panel = stage.page.getByRole('region', { name: 'Current state' });
    await panel.getByText('State hash: passed').waitFor();
    await panel.getByText('version 1, now').waitFor();
    const funded = panel.locator('.facts div').filter({ has: stage.page.getByText('Funded', { exact: true }) });
    expect(await funded.locator('dd').textContent()).to.equal('0');
    expectStatus(await stage.scene.ada.act(escrow, 'fund', { amount: 50, resourcePrev: escrow.resourcePrev }));
    await panel.getByText('version 2, now').waitFor();
    await panel.getByText('State hash: passed').waitFor();
    expect(await funded.locator('dd').textContent()).to.equal('50');
    stage.window.expectQuiet();
  });

  it('warn when a resource’s state is not the one in the journal', async () => {
    const escrow = await made();
    await stage.page.route(`**/machines/escrow/${escrow.escrowId}/state`, async (route) => {
      const reply = await route.fetch();
      const held = (await reply.json()) as { context: Body };
      await route.fulfill({ response: reply, json: { ...held, context: { ...held.context, amount: 5_000 } } });
    });
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await stage.page.getByText('State hash: failed').waitFor();
    stage.window.expectQuiet();
  });

  it('leave what an order holds to its parties', async () => {
    const { ada, ben } = stage.scene;
    const published = await ben.write('/api/v1/markets/info', {
      ...{ title: 'Rainfall', description: 'Hourly.', category: 'weather', pricing: { price: 11 }, license: {} },
      ...{ infoType: 'dataset', content: { format: 'text/csv' }, accessMethod: { type: 'download' } },
    });
    const { listingId } = expectStatus(published, 201);
    const { orderId } = expectStatus(await ada.write(`/api/v1/markets/info/${listingId}/actions/purchase`), 201);
    await stage.window.visit(`#/charts/info-order/${orderId}`);
    const panel = stage.page.getByRole('region', { name: 'Current state' });
    await panel.getByText('Only the parties can see').waitFor();
    expect(await stage.page.getByRole('alert').count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('show text of others as text', async () => {
    const escrow = await made({ releaseRules: [{ type: 'inspection', words: markup }] });
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}`);
    await stage.page.getByText('Request', { exact: true }).click();
    await stage.page.locator('.entry details').getByText('<img src=x').first().waitFor();
    expect(await stage.page.evaluate(() => (globalThis as { caught?: number }).caught)).to.equal(undefined);
    expect(await stage.page.locator('main img').count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('say which resource there is not', async () => {
    stage.window.expected.add(404);
    await stage.window.visit('#/charts/escrow/esc-none');
    await stage.page.getByText('ESCROW_NOT_FOUND').waitFor();
    expect(await stage.page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'are without violations, and fit', async (look) => {
    const escrow = await released();
    // The largest chart is checked once, because its drawing is the same in each look.
    if (look !== 'narrow') {
      await stage.window.visit('#/charts/contract');
      await stage.page.locator('.drawing svg').waitFor();
      await expectGood(stage.window, `charts-contract-${look}`);
    }
    await stage.window.visit(`#/charts/escrow/${escrow.escrowId}?step=3`);
    await stage.page.getByText('Checked in this browser').waitFor();
    await stage.page.getByRole('region', { name: 'Available actions' }).getByRole('row').nth(1).waitFor();
    await stage.page.getByRole('region', { name: 'State after step 3' }).waitFor();
    await expectGood(stage.window, `charts-escrow-${look}`);
  });
});
