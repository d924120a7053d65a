/** An auditor reads a resource, downloads its proof and verifies it without the node, with the keyboard only. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { svcNode } from '../cli/support/command.js';
import { expectStatus } from '../node/support/answers.js';
import { scratch, tidy } from '../support/scratch.js';
import { expectGood } from './support/browser.js';
import { closePair, openPair } from './support/pair.js';
import { inBrowser, inEachLook } from './support/stage.js';

const markup = '<img src=x onerror="globalThis.caught=1">';
const assets = join('dist', 'console', 'assets');
/** The page that verifies proofs without a node. */
const checker = () => readdirSync(assets).find((name) => /^verify-proof-.*\.html$/.test(name))!;

inBrowser('a proof taken away', { open: () => openPair(10_000), close: closePair }, (stage) => {
  after(tidy);

  async function escrow(): Promise<string> {
    const { ada, ben } = stage.scene;
    const made = await ada.does('/api/v1/escrows', {
      ...{ beneficiary: ben.did, amount: 30, autoFund: true },
      releaseRules: [{ type: 'manual' }, { type: markup }],
    });
    expectStatus(await ada.act(made, 'release', { amount: 30 }));
    return made.escrowId as string;
  }

  async function focus(name: string): Promise<void> {
    const focused = () =>
      stage.page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      );
    for (let tabs = 0; tabs < 60 && (await focused()) !== name; tabs++) await stage.page.keyboard.press('Tab');
    expect(await focused()).to.equal(name);
  }

  /** Finds the resource by the start of its id and downloads its proof with the keyboard only. @returns the file */
  async function download(escrowId: string): Promise<string> {
    await stage.window.visit();
    await stage.page.keyboard.press('/');
    await stage.page.keyboard.type(escrowId.slice(0, -1));
    await stage.page.keyboard.press('Enter');
    await stage.page.waitForURL((url) => url.hash === `#/charts/escrow/${escrowId}`);
    await stage.page.getByText('✓ proven here').waitFor();
    await focus('Download proof');
    const [taken] = await Promise.all([stage.page.waitForEvent('download'), stage.page.keyboard.press('Enter')]);
    const file = join(scratch(), taken.suggestedFilename());
    await taken.saveAs(file);
    return file;
  }

  const verdictOf = async (page: Page, file: string): Promise<string> => {
    await page.getByLabel('The file of a proof').setInputFiles([]);
    await page.getByLabel('The file of a proof').setInputFiles(file);
    const verdict = page.locator('[role=status] h2, [role=status] .failure');
    await verdict.waitFor();
    return verdict.innerText();
  };

  /** The file with one change. */
  function forged(file: string, change: (proof: Forged) => void): string {
    const proof = JSON.parse(readFileSync(file, 'utf8')) as Forged;
    change(proof);
    const other = join(scratch(), 'forged.json');
    writeFileSync(other, JSON.stringify(proof));
    return other;
  }

  interface Forged {
    state: string;
    total: number;
    entries: { entry: { time: number; postings: [string, number][]; event: { sig: string; issuer: string } } }[];
    definitions: { [version: string]: { transitions: unknown[] } };
  }

  const forgeries: { readonly [what: string]: (proof: Forged) => void } = {
    amount: ({ entries }) => {
      entries[1]!.entry.postings[0]![1] = 29;
    },
    signer: ({ entries }) => {
      entries[1]!.entry.event.issuer = stage.scene.ben.did;
    },
    time: ({ entries }) => {
      entries[1]!.entry.time += 1;
    },
    state: (proof) => {
      proof.state = 'refunded';
    },
    'a missing entry': (proof) => {
      proof.entries.pop();
      proof.total = 1;
    },
    'another definition': ({ definitions }) => {
      Object.values(definitions)[0]!.transitions.pop();
    },
    signature: ({ entries }) => {
      entries[0]!.entry.event.sig = entries[1]!.entry.event.sig;
    },
  };

  it('is verified by the command line and by a page without a node, and refused where it was changed', async () => {
    const file = await download(await escrow());
    const end = await svcNode(['verify-proof', file]);
    expect(end, end.stderr).to.include({ code: 0, stderr: '' });
    expect(end.stdout).to.include('OK as far as it goes').and.include('released, after 2 steps');
    const { page } = await stage.open();
    // From disk, and with every request to the node blocked.
    await page.context().setOffline(true);
    await page.goto(pathToFileURL(join(assets, checker())).href);
    expect(await verdictOf(page, file)).to.equal('✓ The proof holds');
    const { ada, ben } = stage.scene;
    expect(end.stdout).to.match(new RegExp(`paid +30 Tokens from ${ada.did} to ${ben.did}`));
    const paid = (await page.locator('[role=status] ul').first().innerText()).replace(/\s+/g, ' ');
    expect(paid).to.match(/^z6Mk\S+ paid 30 Tokens to z6Mk\S+$/);
    const checks = await page.locator('[role=status] .check-list li').allInnerTexts();
    expect(checks).to.have.length(7);
    expect(await page.evaluate('globalThis.caught')).to.equal(undefined);
    for (const [what, change] of Object.entries(forgeries)) {
      const other = forged(file, change);
      expect(await verdictOf(page, other), what).to.equal('✗ The proof does not hold');
      const refused = await svcNode(['verify-proof', other]);
      expect(refused.stderr, what).to.match(/^svc-node: the proof does not hold: [^\n]+\n$/);
      expect(refused.code, what).to.equal(1);
    }
    writeFileSync(file, '{"type": "something else"}');
    expect(await verdictOf(page, file)).to.equal('This file is not a proof of a resource in format version 1.');
    expect(stage.window.trouble.filter((each) => !each.startsWith('off the node: file:'))).to.deep.equal([]);
  });

  inEachLook(stage, 'is verified in the console', async (look) => {
    const file = await download(await escrow());
    await stage.window.visit('#/verify');
    expect(await verdictOf(stage.page, file)).to.equal('✓ The proof holds');
    const link = stage.page.getByRole('link', { name: 'Download this checker' });
    const reply = await stage.page.request.get(`${stage.scene.node.url}${await link.getAttribute('href')}`);
    expect(reply.status()).to.equal(200);
    await expectGood(stage.window, `verify-${look}`);
  });
});
