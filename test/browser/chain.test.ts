/** The console of a node that settles on a real chain: receipts, the vault next to the ledger, audits against the chain. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import type { Hex } from '../../src/chain/evm/evm.js';
import { anvilBinary } from '../chain/support/anvil-binary.js';
import { PublicChain } from '../chain/support/public-chain.js';
import { chainOf, settled } from '../chain/support/settled-node.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { expectGood } from './support/browser.js';
import { inBrowser } from './support/stage.js';

interface Scene {
  readonly chain: PublicChain;
  readonly node: TestNode;
  /** Transaction hash of the payment before the escrow. */
  readonly paid: string;
  readonly escrow: Body;
  /** A copy of the data directory from before the last payment. */
  readonly backup: string;
}

async function open(): Promise<Scene> {
  const chain = await PublicChain.start();
  const node = await TestNode.start({ variables: chain.variables() });
  const [ada, ben] = [await node.rich(1_000), await node.person()];
  const paid = await ada.pays(ben.did, 33);
  const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
  const escrow = await ada.does('/api/v1/escrows', { ...rules, amount: 60, autoFund: true });
  expectStatus(await ada.act(escrow, 'release', { amount: 20 }));
  await settled(node);
  await node.stop();
  const backup = join(scratch(), 'backup');
  cpSync(node.dir, backup, { recursive: true });
  await node.restart();
  await settled(node);
  await ada.through(node.client).pays(ben.did, 7, { fee: 1 });
  await settled(node);
  return { chain, node, paid: paid.eventHash, escrow, backup };
}

async function close({ node, chain }: Scene): Promise<void> {
  await node.discard();
  await chain.stop();
  await tidy();
}

const lacks = anvilBinary() === undefined ? 'no anvil' : undefined;

inBrowser('the console of a node with a chain', { open, close, lacks }, (stage) => {
  const read = async (path: string, node = stage.scene.node): Promise<Body> =>
    expectStatus(await node.client.get(`/api/v1${path}`));
  const text = async (name: string) =>
    (await stage.page.getByRole('region', { name, exact: true }).innerText()).replace(/\s+/g, ' ');

  /** Runs an audit over HTTP and returns its result. */
  async function auditOf(node: TestNode): Promise<Body> {
    expectStatus(await (await node.keyed({ scope: 'admin' })).post('/api/v1/audit'), 201);
    await until('the audit is finished', () => read('/audit', node), { is: ({ running }) => running === null });
    return (await read('/audit', node)).last;
  }

  /** Runs the test with a node on a copy of the older journal, in place of the other node. */
  async function instead(test: (node: TestNode) => Promise<void>): Promise<void> {
    const { chain, node, backup } = stage.scene;
    const dir = join(scratch(), 'copy');
    cpSync(backup, dir, { recursive: true });
    await node.stop();
    const other = await TestNode.start({ variables: chain.variables(), dir });
    try {
      await stage.open('light', other.url);
      await test(other);
    } finally {
      await other.discard();
      await node.restart();
    }
  }

  it('shows with each step the receipt that the chain has of it', async () => {
    const { node, escrow } = stage.scene;
    const { steps } = await read(`/machines/escrow/${escrow.escrowId}/history`);
    for (const { step, receipt } of steps) {
      await stage.window.visit(`#/charts/escrow/${escrow.escrowId}?step=${step}`);
      const entry = stage.page.getByRole('region', { name: `Step ${step} of 2` });
      await entry.getByText('confirmed').waitFor();
      const mined = await node.running.chain!.evm!.receipt(receipt.txHash as Hex);
      expect(mined, 'the transaction is on the chain').to.include({ blockNumber: receipt.blockNumber });
      expect(await entry.locator('dd', { hasText: 'confirmed' }).innerText()).to.include(
        `block ${receipt.blockNumber},`,
      );
      expect(await entry.locator(`code[title="${receipt.txHash}"]`).count()).to.equal(1);
    }
    await expectGood(stage.window, 'charts-receipt-light');
    await stage.window.visit(`#/ledger/entry/${escrow.eventHash}`);
    await stage.page.getByText(`in block ${steps[0].receipt.blockNumber},`).waitFor();
    stage.window.expectQuiet();
  });

  it('says how it stands with the chain', async () => {
    await stage.window.visit();
    await stage.page.getByText('running', { exact: true }).waitFor();
    const { kind, chainId } = await chainOf(stage.scene.node);
    expect(await text('Chain')).to.match(
      new RegExp(`Kind ${kind} Chain id ${chainId} Connected yes Block \\d+ Settlement running 0 operations behind`),
    );
    stage.window.expectQuiet();
  });

  it('holds the ledger against the vault, sum by sum', async () => {
    const { supply, fees, chain, balanced } = await read('/supply');
    expect({ supply, fees, balanced }).to.deep.equal({ supply: 1_000, fees: 1, balanced: true });
    expect(chain).to.include({ owed: 1_000, fees: 1, holdings: 1_000, tokenSupply: 1_000, lag: 0 });
    await stage.window.visit('#/ledger');
    await stage.page.getByText('they agree').waitFor();
    const lines = await stage.page
      .locator('[aria-label="Sums of the ledger and of the vault"] tbody tr')
      .allInnerTexts();
    expect(lines.map((line) => line.replace(/\s+/g, ' ').trim())).to.deep.equal([
      'Supply equals what the vault owes 1,000 1,000 ✓ Supply equals what the vault owes: passed',
      'Uncollected fees 1 1 ✓ Uncollected fees: passed',
      'The vault covers what it owes 1,000 1,000 ✓ The vault covers what it owes: passed',
    ]);
    expect(await stage.page.locator(`code[title="${chain.vault}"]`).count()).to.equal(1);
    await expectGood(stage.window, 'ledger-chain-light');
  });

  it('finds a sound journal and its chain to be the same', async () => {
    const last = await auditOf(stage.scene.node);
    expect(last).to.include({ status: 'sound', flaw: null, note: null });
    expect(last.chain).to.include({ settled: 6, holdings: 1_000, owed: 1_000 });
    await stage.window.visit('#/audit');
    await stage.page.getByText('The journal is sound').waitFor();
    expect(await stage.page.locator('.check-list .good').count(), 'the comparison is one of them').to.equal(12);
    const { chainId, blockNumber } = last.chain;
    expect(await text('Scope')).to.match(
      new RegExp(
        `Chain ${chainId}, block ${blockNumber} Settled 6 operations .*Vault 1,000.Tokens, of which 1,000 are`,
      ),
    );
    stage.window.expectQuiet();
  });

  it('finds a chain that knows more than the journal', async () => {
    await instead(async (node) => {
      await until('it halts', () => chainOf(node), { is: ({ settlement }) => settlement === 'halted' });
      const last = await auditOf(node);
      expect({ status: last.status, ...last.flaw }).to.include({ status: 'flawed', check: 'settlement', seq: 0 });
      expect(last.flaw.what).to.match(/its end was cut off, or it was restored from an older copy/);
      await stage.window.visit('#/audit');
      await stage.page.getByText('The journal is not sound').waitFor();
      expect(await text('Problem'))
        .to.include('Chain comparison')
        .and.include(last.flaw.what);
      const broken = await stage.page.locator('.check-list li:has(.bad) strong').allInnerTexts();
      expect(broken).to.deep.equal(['Chain comparison']);
      await expectGood(stage.window, 'audit-other-chain-light');
      expect((await read('/supply', node)).balanced).to.equal(false);
      await stage.window.visit('#/ledger');
      await stage.page.getByText('they do not agree').waitFor();
      expect(await text('Ledger against vault')).to.match(/Uncollected fees 0 1 ✗/);
      await expectGood(stage.window, 'ledger-other-chain-light');
      await stage.window.visit();
      await stage.page.getByText('halted', { exact: true }).waitFor();
      stage.window.expectQuiet();
    });
  });

  it('of a journal that was tampered with names the entry, whatever the chain says', async () => {
    await instead(async (node) => {
      const database = new Database(join(node.dir, 'journal.db'), { timeout: 5_000 });
      const change = "UPDATE journal SET core = replace(core, ',33]', ',34]') WHERE core LIKE '%,33]%'";
      expect(database.prepare(change).run().changes).to.equal(1);
      database.close();
      const last = await auditOf(node);
      expect({ status: last.status, ...last.flaw }).to.include({ status: 'flawed', check: 'hash' });
      expect(last.flaw.eventHash).to.equal(stage.scene.paid);
      await stage.window.visit('#/audit');
      await stage.page.getByText('The journal is not sound').waitFor();
      expect(await text('First invalid entry')).to.match(/Hashes Problem entryHash is not the hash of the entry/);
      await stage.page.getByRole('link', { name: String(last.flaw.seq), exact: true }).click();
      await stage.page.getByText('Checks failed').waitFor();
      const broken = await stage.page.locator('.check-list li:has(.bad) strong').allInnerTexts();
      expect(broken).to.deep.equal(['Entry hash', 'Postings']);
      stage.window.expectQuiet();
    });
  });
});
