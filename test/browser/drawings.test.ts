/**
 * The charts' drawings: nothing is cut off or too small at any width, related parts are highlighted together, downloads equal
 * the drawing.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { Deal } from '../stories/contract/stage.js';
import { isLong } from '../support/long.js';
import { drawingFlaws, shapesIn } from './support/drawing.js';
import { closePair, openPair } from './support/pair.js';
import { inBrowser } from './support/stage.js';

const widths = [1_440, 1_024, 390] as const;
const kinds = machinesOf(catalogue).map(({ kind }) => kind);

inBrowser('the console’s drawings', { open: () => openPair(10_000), close: closePair }, (stage) => {
  /** Funded, released in parts and refunded in one: step numbers appear on lines and inside a state. */
  async function walkedEscrow(): Promise<string> {
    const { ada, ben } = stage.scene;
    const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
    const made: Body = await ada.does('/api/v1/escrows', { ...rules, amount: 50, autoFund: true });
    for (const amount of [10, 5]) expectStatus(await ada.act(made, 'release', { amount }));
    const { resourcePrev } = expectStatus(await ben.client.get(`/api/v1/escrows/${made.escrowId}`));
    expectStatus(await ben.act(made, 'refund', { amount: 5, reason: 'less work', resourcePrev }));
    expectStatus(await ada.act(made, 'release', { amount: 30 }));
    return made.escrowId as string;
  }
  const drawing = () => stage.page.locator('.drawing');
  const visit = async (hash: string, width: number) => {
    await stage.page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    await stage.window.visit(hash);
    await drawing().locator('svg').waitFor();
  };
  const expectWhole = async (name: string) => {
    expect(await drawingFlaws(stage.page), name).to.deep.equal([]);
    await stage.window.expectFits();
  };
  const visitOutline = async (hash: string) => {
    await stage.page.setViewportSize({ width: 390, height: 844 });
    await stage.window.visit(hash);
    await stage.page.locator('.outline .lit').first().waitFor();
  };
  /** Final states of the machine itself, not of those in its context. */
  const expectEndsInView = async () => {
    // Of a resource, the steps come first.
    await drawing().evaluate((box) => box.scrollIntoView({ block: 'start' }));
    const ends = await drawing()
      .locator('.final:not([data-state*="/"])')
      .evaluateAll((all) =>
        all.map((each) => [(each as SVGElement).dataset.state, each.getBoundingClientRect().bottom] as const),
      );
    expect(ends.length, 'final states').to.be.above(0);
    expect(ends.filter(([, bottom]) => bottom > 900)).to.deep.equal([]);
  };
  const settled = async (width: number) => {
    await stage.page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    await stage.window.painted();
    const drawn = stage.page.getByRole('button', { name: 'Show the drawing' });
    if ((await drawn.count()) > 0) await drawn.click();
  };

  for (const [index, kind] of kinds.entries()) {
    const shade = index % 2 === 0 ? ('light' as const) : ('dark' as const);
    it(`${kind}: no label is cut, covered or too small to read at any width, in light and dark`, async () => {
      await visit(`#/charts/${kind}`, widths[0]);
      await expectEndsInView();
      for (const width of widths) {
        await settled(width);
        await expectWhole(`${kind} at ${width}`);
        if (!isLong && width !== 1_440) continue;
        for (const colorScheme of isLong ? (['light', 'dark'] as const) : [shade]) {
          await stage.page.emulateMedia({ colorScheme });
          await stage.shotOf('.chart', `drawing-${kind}-${width}-${colorScheme}`);
        }
      }
      stage.window.expectQuiet();
    });
  }

  it('have a history’s numbers in them, whole at every width, and its end in view at 1440 × 900', async () => {
    const id = await walkedEscrow();
    await visit(`#/charts/escrow/${id}`, widths[0]);
    await drawing().locator('.numbers').first().waitFor();
    expect(await drawing().locator('.numbers text').allTextContents()).to.have.members(['1', '1', '2 3', '4', '5']);
    await stage.page.getByText('proven here').waitFor();
    await settled(widths[0]);
    await expectEndsInView();
    for (const width of widths) {
      await settled(width);
      await expectWhole(`escrow at ${width}`);
      await stage.shotOf('main', `drawing-walked-escrow-${width}`);
    }
    expect(await stage.window.axe()).to.deep.equal([]);
  });

  it('have room for numbers of two digits, and the track for two dozen steps at 1024 pixels', async () => {
    const { ada, ben } = stage.scene;
    const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
    const made: Body = await ada.does('/api/v1/escrows', { ...rules, amount: 50, autoFund: true });
    for (let step = 2; step <= 20; step++) expectStatus(await ada.act(made, 'release', { amount: 1 }));
    for (let step = 21; step <= 22; step++) {
      const { resourcePrev } = expectStatus(await ben.client.get(`/api/v1/escrows/${made.escrowId}`));
      expectStatus(await ben.act(made, 'refund', { amount: 1, reason: 'less work', resourcePrev }));
    }
    await visit(`#/charts/escrow/${made.escrowId}`, 1_024);
    await stage.page.getByText('proven here').waitFor();
    await settled(1_024);
    expect(await drawing().locator('.numbers text').allTextContents()).to.include.members(['2…20', '×2']);
    await expectWhole('escrow of 22 steps');
    const { most, shown } = await stage.page
      .locator('.track-box')
      .evaluate((box) => ({ most: box.scrollWidth, shown: box.clientWidth }));
    expect(most, 'the track scrolls').to.equal(shown);
    const widest = await stage.page
      .locator('.track .step-dot')
      .evaluateAll((dots) => Math.max(...dots.map((dot) => dot.getBoundingClientRect().width)));
    expect(widest, 'a mark beside the least distance of two').to.be.at.most(22);
    stage.window.expectQuiet();
  });

  it('have a contract’s and its milestones’ numbers in them', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    await deal.steps('one', 'submit', 'reject', 'submit', 'approve');
    await visit(`#/charts/contract/${deal.id}`, widths[0]);
    await drawing().locator('.numbers').first().waitFor();
    await stage.page.getByText('proven here').waitFor();
    await settled(widths[0]);
    await expectEndsInView();
    for (const width of widths) {
      await settled(width);
      await expectWhole(`contract at ${width}`);
    }
    const classesOf = (state: string) => drawing().locator(`[data-state="milestone/${state}"]`).getAttribute('class');
    // The second milestone has not begun.
    for (const now of ['approved', 'pending']) expect(await classesOf(now)).to.include('lit');
    for (const walked of ['submitted', 'rejected']) expect(await classesOf(walked)).to.include('been');
  });

  it('stand beside ten milestones, each in its lane, at every width, in light and dark', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const milestones = Array.from({ length: 10 }, (_, at) => ({
      id: `m-${at}`,
      title: `${at}: ${'W'.repeat(60)}`,
      amount: 10,
    }));
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter }, { milestones });
    for (const { id } of milestones.slice(0, 4)) await deal.steps(id, 'submit', 'approve');
    await deal.steps('m-4', 'submit', 'reject', 'submit');
    const { key } = await node.key({ scope: 'read', did: ada.did });
    await visit(`#/charts/contract/${deal.id}`, widths[0]);
    await stage.page.getByRole('button', { name: 'Enter a read key' }).first().click();
    await stage.page.getByLabel('API key').fill(key);
    await stage.page.getByRole('button', { name: 'Use this key' }).click();
    const lanes = stage.page.locator('.lanes tbody tr');
    await lanes.nth(9).locator('bdi').waitFor();
    const states = ['approved', 'approved', 'approved', 'approved', 'submitted', ...Array(5).fill('pending')];
    expect(await lanes.locator('.badge').allInnerTexts()).to.deep.equal(states);
    const lit = drawing().locator('.lit[data-state^="milestone/"]');
    expect(await lit.evaluateAll((all) => all.map((each) => (each as SVGElement).dataset.state).sort())).to.deep.equal([
      ...['milestone/approved', 'milestone/pending', 'milestone/submitted'],
    ]);
    const counted = await lit.locator('.title').allTextContents();
    expect(counted.sort()).to.deep.equal(['1 submitted', '4 approved', '5 pending']);
    // Steps that do not follow one another are no row.
    expect(await drawing().locator('.numbers[data-transition*="approve"] text').allTextContents()).to.include('×4');
    for (const width of widths) {
      await settled(width);
      for (const colorScheme of ['light', 'dark'] as const) {
        await stage.page.emulateMedia({ colorScheme });
        await expectWhole(`ten milestones at ${width}, ${colorScheme}`);
        await stage.window.shot(`ten-milestones-${width}-${colorScheme}`);
      }
    }
    expect(await stage.window.axe()).to.deep.equal([]);
    stage.window.expectQuiet();
  });

  it('are a list of states and actions where they do not fit, with the history in it', async () => {
    const { node, ada, ben } = stage.scene;
    const arbiter = await node.person();
    const deal = await Deal.active(node, { client: ada, provider: ben, arbiter, stranger: arbiter });
    await deal.steps('one', 'submit');
    await visitOutline(`#/charts/contract/${deal.id}`);
    const outline = stage.page.locator('.outline');
    expect(
      await outline.locator('.lit').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.state)),
    ).to.deep.equal(['active.ongoing', 'milestone/pending', 'milestone/submitted']);
    expect(await outline.innerText())
      .to.include('→ active, ongoing')
      .and.include('network arbiter')
      .and.not.include('networkArbiter');
    expect(await drawing().isVisible()).to.equal(false);
    const wide = await outline.evaluate(
      (all) => [...all.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > innerWidth).length,
    );
    expect(wide, 'parts beyond the page').to.equal(0);
    await outline.getByRole('button', { name: 'Open step 1' }).click();
    await stage.page.getByRole('heading', { name: 'Step 1 of 5: create' }).waitFor();
    await outline.getByRole('button', { name: 'terminate' }).first().click();
    await stage.page.getByRole('region', { name: 'Transition terminate' }).waitFor();
    await stage.shotOf('.chart', 'drawing-contract-outline-390');
    expect(await stage.window.axe()).to.deep.equal([]);
    stage.window.expectQuiet();
  });

  it('light a transition together with its states, under the pointer and with the focus', async () => {
    await visit('#/charts/escrow', widths[0]);
    const joined = () =>
      drawing()
        .locator('.joined')
        .evaluateAll((all) =>
          all.map(
            (each) =>
              (each as SVGElement).dataset.state ?? `${each.classList[0]} ${(each as SVGElement).dataset.transition}`,
          ),
        );
    const together = ['created.open', 'funded', 'edge created.open.fund.funded', 'label created.open.fund.funded'];
    const label = drawing().locator('.label[data-transition="created.open.fund.funded"]');
    expect(await joined()).to.deep.equal([]);
    await label.focus();
    expect(await joined()).to.have.members(together);
    await label.blur();
    expect(await joined()).to.deep.equal([]);
    await label.hover();
    expect(await joined()).to.have.members(together);
    await drawing().locator('[data-state="released"] .title').hover();
    expect(await joined()).to.include.members(['released', 'edge funded.release.released']);
  });

  it('open a transition’s conditions next to the drawing, and close them with Escape', async () => {
    await visit('#/charts/escrow', widths[0]);
    await drawing().locator('.label[data-transition="created.open.fund.funded"] .chip').click();
    const shown = stage.page.getByRole('region', { name: 'Transition fund' });
    await shown
      .getByText('not while the escrow is created: it has lapsed')
      .or(shown.getByText('inTimeToFund'))
      .first()
      .waitFor();
    const [chart, aside] = [(await drawing().boundingBox())!, (await shown.boundingBox())!];
    expect(aside.x).to.be.at.least(chart.x + chart.width - 1);
    expect(aside.y).to.be.below(900);
    await expectWhole('beside the conditions');
    await stage.page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });

  it('zoom by buttons and keys and are dragged, and their text never gets too small', async () => {
    await visit('#/charts/escrow', widths[0]);
    const width = async () => (await drawing().locator('svg').boundingBox())!.width;
    const fitted = await width();
    const tools = stage.page.getByRole('toolbar', { name: 'Chart' });
    for (let i = 0; i < 3; i++) await tools.getByRole('button', { name: 'Zoom in' }).click();
    expect(await width()).to.be.above(fitted * 1.8);
    const { x, y } = (await drawing().boundingBox())!;
    const scrolled = () => drawing().evaluate((box) => box.scrollLeft);
    const before = await scrolled();
    await stage.page.mouse.move(x + 380, y + 12);
    await stage.page.mouse.down();
    await stage.page.mouse.move(x + 300, y + 12);
    await stage.page.mouse.up();
    const drawn = await scrolled();
    expect(Math.abs(drawn - before)).to.be.above(40);
    await tools.getByRole('button', { name: 'Fit' }).click();
    expect(await width()).to.equal(fitted);
    await drawing().focus();
    for (let i = 0; i < 8; i++) await stage.page.keyboard.press('-');
    expect(await width()).to.be.below(fitted);
    await expectWhole('the smallest');
    await stage.page.keyboard.press('0');
    expect(await width()).to.equal(fitted);
  });

  it('are stepped through with ← and → anywhere, by named marks on a track', async () => {
    const id = await walkedEscrow();
    await visit(`#/charts/escrow/${id}`, widths[0]);
    const output = stage.page.locator('.replay output');
    await output.filter({ hasText: 'step 5 of 5' }).waitFor();
    const names = await stage.page.locator('.step-name').allInnerTexts();
    expect(names).to.include('release 30');
    const places = await stage.page
      .locator('.step-mark')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
    expect(places).to.have.length(5);
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    await stage.page.locator('h1').focus();
    await stage.page.keyboard.press('ArrowLeft');
    await output.filter({ hasText: 'step 4 of 5' }).waitFor();
    await stage.page.keyboard.press('ArrowRight');
    await output.filter({ hasText: 'step 5 of 5' }).waitFor();
    await stage.page.locator('.step-mark .step-dot').nth(1).click();
    await output.filter({ hasText: 'step 2 of 5' }).waitFor();
    // In a text field the arrow keys move the caret.
    await stage.page.locator('.search-box input').focus();
    await stage.page.keyboard.press('ArrowRight');
    await output.filter({ hasText: 'step 2 of 5' }).waitFor();
    stage.window.expectQuiet();
  });

  it('come after the steps on a phone', async () => {
    const id = await walkedEscrow();
    await visitOutline(`#/charts/escrow/${id}`);
    const list = stage.page.getByRole('region', { name: 'Steps, oldest first' });
    const items = list.getByRole('button');
    expect(await items.count()).to.equal(5);
    expect((await list.boundingBox())!.y).to.be.below((await stage.page.locator('.outline').boundingBox())!.y);
    await items.nth(2).click();
    await stage.page.locator('.replay output', { hasText: 'step 3 of 5' }).waitFor();
    expect(await stage.window.axe()).to.deep.equal([]);
  });

  it('are saved as they stand: the SVG has the shapes of the node’s own, and a resource’s numbers', async () => {
    await visit('#/charts/escrow', widths[0]);
    const takes = async (format: 'SVG' | 'PNG') => {
      const taking = stage.page.waitForEvent('download');
      await stage.page.getByRole('button', { name: `Download the chart as ${format}` }).click();
      const file = await taking;
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
    };
    const { node } = stage.scene;
    const served = (await node.client.get('/api/v1/machines/escrow?format=svg')).text;
    const saved = (await takes('SVG')).bytes.toString('utf8');
    expect(await shapesIn(stage.page, saved)).to.deep.equal(await shapesIn(stage.page, served));
    const id = await walkedEscrow();
    await visit(`#/charts/escrow/${id}`, widths[0]);
    await drawing().locator('.numbers').first().waitFor();
    const walked = await takes('SVG');
    expect(walked.name).to.equal(`escrow-${id}-step-5.svg`);
    expect(walked.bytes.toString('utf8')).to.match(/<text[^>]*>2 3<\/text>/);
    const { bytes } = await takes('PNG');
    expect(bytes.subarray(1, 4).toString()).to.equal('PNG');
    const box = /viewBox="0 0 (\d+) (\d+)"/.exec(served)!;
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).to.deep.equal([2 * Number(box[1]), 2 * Number(box[2])]);
    stage.window.expectQuiet();
  });
});
