/** The ledger in the console: the supply, the accounts, what moved the Tokens, and that the sums agree. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { OwnKey, signedAnew, withEvent } from '../node/support/independent.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';
import { sharedTown } from './support/town.js';

inBrowser('the console’s ledger', { open: sharedTown }, (stage) => {
  const rows = (caption: string) => stage.page.locator(`[aria-label="${caption}"] tbody tr`);
  const seqOfEscrow = async () =>
    (await stage.scene.node.client.get(`/api/v1/events/${stage.scene.escrow.eventHash}`)).body.seq;
  const entryOfEscrow = () => `#/ledger/entry/${stage.scene.escrow.eventHash}`;

  it('shows the equation of the supply, and every account', async () => {
    await stage.window.visit('#/ledger');
    const equation = stage.page.locator('.equation dd');
    await equation.last().waitFor();
    const [available, reserved, escrowed, fees, supply] = (await equation.allInnerTexts()).map((text) =>
      Number(text.replace(/\D/g, '')),
    );
    expect(available! + reserved! + escrowed! + fees!)
      .to.equal(supply)
      .and.equal(9_200);
    await stage.page.getByText('Balanced').waitFor();
    const { seq } = (await stage.scene.node.client.get('/api/v1/supply')).body;
    const asOf = stage.page.getByRole('region', { name: 'Supply' }).getByRole('link', { name: String(seq) });
    expect(await asOf.getAttribute('href')).to.equal(`#/ledger/entry/${seq}`);
    const { total } = (await stage.scene.node.client.get('/api/v1/wallets')).body;
    await rows('Accounts, the largest first').first().waitFor();
    expect(await rows('Accounts, the largest first').count()).to.equal(total);
    stage.window.expectQuiet();
  });

  it('links from an account to the entries that moved its Tokens', async () => {
    await stage.window.visit('#/ledger');
    await stage.page.getByLabel('Open an account by its DID or address').fill(stage.scene.ada.address);
    await stage.page.getByRole('button', { name: 'Open' }).click();
    const moves = rows('Statement, newest first');
    await moves.first().waitFor();
    expect((await moves.first().innerText()).replace(/\s+/g, ' ')).to.match(/transfer .*\+12 0 0 \+12 /);
    await moves.first().getByRole('link').first().click();
    await stage.page.getByRole('heading', { name: /Entry \d+ transfer/ }).waitFor();
    stage.window.expectQuiet();
  });

  it('shows an entry as double entry whose sum is zero, with all that can be checked of it', async () => {
    await stage.window.visit(entryOfEscrow());
    await stage.page.getByText('Balanced').waitFor();
    const lines = await rows('Postings').allInnerTexts();
    expect(
      lines.map((line) =>
        line
          .replace(/\s+/g, ' ')
          .trim()
          // Replaces the account's holder, whose name appears only once it is known.
          .replace(/^(\S+) .*\S{4} (\d+)$/, '$1 _ $2'),
      ),
    ).to.deep.equal(['available _ 60', 'escrowed _ 60']);
    const sums = await stage.page.locator('[aria-label="Postings"] tfoot td').allInnerTexts();
    expect(sums).to.deep.equal(['60', '60']);
    await stage.page.getByText('All checks passed').waitFor();
    expect(await stage.page.locator('.check-list .good').count()).to.equal(9);
    await stage.page.getByRole('link', { name: 'Next entry' }).click();
    await stage.page.getByRole('heading', { name: /escrow\.released/ }).waitFor();
    stage.window.expectQuiet();
  });

  it('says what an entry did in a sentence, with its memo', async () => {
    const { node, ada, ben } = stage.scene;
    const query = `type=transfer.sent&issuer=${ben.did}&order=newest`;
    const { events } = expectStatus(await node.client.get(`/api/v1/events?${query}`));
    const paid = events.find(({ payload }: Body) => payload.input.memo === 'for the stations');
    await stage.window.visit(`#/ledger/entry/${paid.seq}`);
    const sentence = stage.page.locator('main p', { hasText: /sent 12.Tokens to .+: “for the stations”$/ });
    await sentence.locator(`a[title="${ada.did}"]`).waitFor();
    stage.window.expectQuiet();
  });

  it('says so where an entry is not what its hash says', async () => {
    await stage.page.route('**/api/v1/events?*', async (route) => {
      const page = await (await route.fetch()).json();
      for (const entry of page.events) if (entry.event.hash === stage.scene.escrow.eventHash) entry.postings[0][1] -= 1;
      await route.fulfill({ json: page });
    });
    await stage.window.visit(entryOfEscrow());
    await stage.page.getByText('Not balanced: -1').waitFor();
    await stage.page.getByText('Checks failed').waitFor();
    await stage.page.getByText('kept by this node, which signs with it').waitFor();
    const broken = await stage.page.locator('.check-list li:has(.bad) strong').allInnerTexts();
    expect(broken).to.deep.equal(['Entry hash', 'Postings']);
    await stage.window.visit('#/ledger/journal');
    await stage.page.locator('tr.unsound').waitFor();
    expect(await stage.page.locator('tr.unsound').count()).to.equal(1);
    stage.window.expectQuiet();
  });

  it('refuses an event that was signed for another home, though all hashes fit', async () => {
    const thief = OwnKey.fresh();
    const pub = thief.publicKey.toString('hex');
    for (const [change, broken] of [
      [{ home: thief.did }, ['Home']],
      [{}, []],
    ] as const) {
      await stage.open();
      // This node does not know the signer.
      stage.window.expected.add(404);
      await stage.page.route('**/api/v1/events?*', async (route) => {
        const page = await (await route.fetch()).json();
        const at = page.events.findIndex(({ event }: Body) => event.hash === stage.scene.escrow.eventHash);
        if (at >= 0) {
          const { seq: _, ...honest } = page.events[at];
          const signed = signedAnew(thief, honest.event, { issuer: thief.did, pub, nonce: 1, prev: null, ...change });
          page.events[at] = withEvent(page.events[at], signed, page.events[at].prevEntry);
        }
        await route.fulfill({ json: page });
      });
      await stage.window.visit(`#/ledger/entry/${await seqOfEscrow()}`);
      await stage.page.getByText(broken.length > 0 ? 'Checks failed' : 'All checks passed').waitFor();
      const found = await stage.page.locator('.check-list li:has(.bad) strong').allInnerTexts();
      expect(found).to.deep.equal(broken);
    }
    stage.window.expectQuiet();
  });

  it('pages through the journal, newest first, each entry checked', async () => {
    await stage.window.visit('#/ledger/journal?last=12');
    const lines = rows('Entries');
    await lines.nth(11).waitFor();
    await stage.page.getByText('1 to 12 of').waitFor();
    await stage.page.locator('tbody .check.good').nth(11).waitFor();
    await stage.page.getByRole('link', { name: 'Newer' }).click();
    await lines.nth(12).waitFor();
    expect(await stage.page.locator('tr.unsound').count()).to.equal(0);
    stage.window.expectQuiet();
  });

  it('says which entry there is not', async () => {
    stage.window.expected.add(409);
    await stage.window.visit('#/ledger/entry/999999');
    await stage.page.getByText('There is no entry 999999.').waitFor();
    stage.window.expectQuiet();
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    await stage.window.visit('#/ledger');
    await rows('Accounts, the largest first').first().waitFor();
    await expectGood(stage.window, `ledger-${look}`);
    await stage.window.visit(entryOfEscrow());
    await stage.page.getByText('All checks passed').waitFor();
    await expectGood(stage.window, `ledger-entry-${look}`);
  });
});
