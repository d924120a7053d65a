import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sha256Hex } from '../../../src/core/canonical.js';
import type { Body } from '../../node/support/client.js';
import { publishes } from '../../node/support/market.js';
import { nodeForSuite } from '../../node/support/node.js';
import { scratch, tidy } from '../../support/scratch.js';
import { type Ended, json, svcNode } from '../support/command.js';
import { runHere } from '../support/here.js';

describe('svc-node, asking a node', () => {
  const node = nodeForSuite();
  after(tidy);
  const passphrase = 'correct horse battery staple';
  let secret: string;
  before(() => {
    secret = join(scratch(), 'passphrase');
    writeFileSync(secret, `${passphrase}\n`);
  });
  /** The first command, and those that read standard input, run in their own process; the others in this one. */
  let isFirst = true;
  const ask = (words: readonly string[], more: NodeJS.ProcessEnv = {}, input?: string): Promise<Ended> => {
    const env = { SVC_NODE_URL: node().url, ...more };
    const all = [...words, '--data', scratch()];
    if (input === undefined && !isFirst) return runHere(all, env);
    isFirst = false;
    return svcNode(all, { env, apart: true, ...(input === undefined ? {} : { input }) });
  };

  it('takes an escrow from its creation to its end, counting nonces and reading versions by itself', async () => {
    const made = await ask(['identity', 'create', '--url', node().url, '--passphrase-file', secret, '--json']);
    expect(made).to.include({ code: 0, stderr: '' });
    const { did } = json<{ did: string }>(made);
    const ben = await node().person();
    const signed = { SVC_NODE_DID: did, SVC_PASSPHRASE_FILE: secret };
    const claimed = await ask(['faucet'], signed);
    expect(claimed.stdout).to.match(new RegExp(`^The faucet gave 100 to ${did}\\. Entry \\d+\\.\n$`));
    const rules = JSON.stringify({ releaseRules: [{ type: 'manual' }], amount: 1 });
    // Flags take precedence over --input.
    const created = await ask(
      ['escrow', 'create', '--beneficiary', ben.did, '--amount', '40', '--escrow-id', 'deal', '--input', '-', '--json'],
      signed,
      rules,
    );
    expect(created.stderr).to.equal('');
    expect(json(created)).to.include({ escrowId: 'deal', status: 'created', amount: 40, nonce: 1 });
    const funded = await ask(['escrow', 'fund', 'deal', '--amount', '40'], signed);
    expect(funded).to.include({ code: 0, stderr: '' });
    expect(funded.stdout).to.match(/^Funded escrow deal with 40; 40 remain \(funded\)\. Entry \d+\.\n$/);
    const again = await ask(['escrow', 'fund', 'deal', '--amount', '40', '--json'], signed);
    expect(again.code).to.equal(5);
    expect(again.stderr).to.match(/^svc-node: .*funded.* \(ESCROW_INVALID_STATE\)\n$/);
    expect(json(again)).to.include({ status: 409, code: 'ESCROW_INVALID_STATE' });
    const listed = await ask(['escrow', 'list', '--did', did]);
    const [headings, row, ...others] = listed.stdout.trimEnd().split('\n');
    expect(headings).to.match(/^ESCROW\tSTATUS\tAMOUNT\tLEFT\tFROM\tTO\tCREATED$/);
    expect(row).to.match(new RegExp(`^deal\tfunded\t40\t40\t${did}\t${ben.did}\t`));
    expect(others).to.deep.equal([]);
  });

  it('reads a history with the rule that each step met, its amount, its role, and the reason that was given', async () => {
    const [ada, ben] = [await node().rich(100), await node().person()];
    const preimage = 'ab'.repeat(8);
    const hash = sha256Hex(Buffer.from(preimage, 'hex'));
    const releaseRules = [
      { type: 'hash', hash },
      { type: 'manual', requiresReason: true },
    ];
    const { escrowId } = (await ada.write('/api/v1/escrows', { beneficiary: ben.did, amount: 10, releaseRules })).body;
    const act = async (action: string, body: Body) => {
      const { resourcePrev } = (await node().client.get(`/api/v1/escrows/${escrowId}`)).body;
      expect(
        (await ada.write(`/api/v1/escrows/${escrowId}/actions/${action}`, { ...body, resourcePrev })).status,
      ).to.equal(200);
    };
    await act('fund', { amount: 10 });
    await act('release', { amount: 4, reason: 'half is done' });
    await act('release', { amount: 6, evidence: { preimage } });
    const { key } = await node().key({ scope: 'read', did: ada.did });
    const words = ['machine', 'history', 'escrow', escrowId];
    const rows = async (asks: readonly string[], more: NodeJS.ProcessEnv) => {
      const [headings, ...lines] = (await ask(asks, more)).stdout.trimEnd().split('\n');
      expect(headings).to.match(/^STEP\tACTION\tFROM\tTO\tAMOUNT\tRULE\tAS\tBY(\tREASON)?\tTIME\tENTRY$/);
      return lines.map((line) => line.split('\t').slice(1, 9));
    };
    const read = await rows(words, { SVC_NODE_KEY: key });
    expect(
      read.map(([action, , , amount, rule, role, by, reason]) => [action, amount, rule, role, by, reason]),
    ).to.deep.equal([
      ['create', '10', '', 'depositor', ada.did, ''],
      ['fund', '10', '', 'depositor', ada.did, ''],
      ['release', '4', 'rule-2: manual', 'depositor', ada.did, 'half is done'],
      ['release', '6', 'rule-1: hash', 'depositor', ada.did, ''],
    ]);
    expect(await rows([...words, '--all'], { SVC_NODE_KEY: key })).to.deep.equal(read);
    const { steps } = json<{ steps: object[] }>(await ask([...words, '--json'], { SVC_NODE_KEY: key }));
    expect(steps[2]).to.not.have.any.keys('rule', 'reason');
    // Another reader may not see the requests.
    const unbound = (await ask(words)).stdout;
    expect(unbound).to.include('for the parties only').and.not.include('half is done');
  });

  it('lists the texts of a resource, erases one for good, and shows where it was', async () => {
    const ada = await node().rich(100);
    const { key } = await node().key({ scope: 'admin' });
    const admin = { SVC_NODE_KEY: key };
    const { listingId } = await publishes(ada, { title: 'a secret of ada' });
    const resource = `info-listing/${listingId}`;
    const [headings, ...rows] = (await ask(['leaf', 'list', '--resource', resource], admin)).stdout
      .trimEnd()
      .split('\n');
    expect(headings).to.equal('LEAF\tAT\tBYTES\tERASED\tEVENT');
    const title = rows.map((row) => row.split('\t')).find(([, at]) => at === '/title')!;
    const [leaf, , bytes, erased] = title;
    expect([bytes, erased]).to.deep.equal(['17', 'false']);
    const redact = ['redact', leaf!, '--reason', 'asked for by ada', '--operator', 'the operator'];
    expect((await ask(redact, { SVC_NODE_KEY: '' })).stderr).to.include('(FORBIDDEN)');
    const done = await ask(redact, admin);
    expect(done).to.include({ code: 0, stderr: '' });
    expect(done.stdout).to.match(new RegExp(`^Erased the text ${leaf}\\. Entry \\d+\\.\n$`));
    const again = await ask(redact, admin);
    expect(again).to.include({ code: 5, stderr: 'svc-node: the text was erased already (CONFLICT)\n' });
    const { leaves } = json<Body>(await ask(['leaf', 'list', '--resource', resource, '--json'], admin));
    expect(leaves.filter((each: Body) => each.erased).map((each: Body) => each.pointer)).to.deep.equal(['/title']);
    const shown = (await ask(['info', 'get', listingId])).stdout;
    expect(shown)
      .to.match(/^title +erased$/m)
      .and.not.include('secret');
  });

  it('says what is wrong in words, with an exit code for each class', async () => {
    const poor = await node().person();
    const env = { SVC_NODE_DID: poor.did, SVC_PASSPHRASE: poor.passphrase };
    const ends = await Promise.all([
      ask(['transfer', '--to', node().did, '--amount', '5'], env),
      ask(['transfer', '--to', node().did, '--amount', '5'], { ...env, SVC_PASSPHRASE: 'another passphrase' }),
      ask(['escrow', 'get', 'esc-none']),
      ask(['escrow', 'list', '--limit', '1000']),
      ask(['api-key', 'list', '--url', node().url]),
      ask(['peers', 'list', '--url', 'http://127.0.0.1:9/api/v1', '--timeout', '2']),
    ]);
    expect(ends.map(({ code }) => code)).to.deep.equal([6, 3, 4, 2, 3, 7]);
    expect(ends.map(({ stdout }) => stdout).join('')).to.equal('');
    const [money, wrong, unknown, odd] = ends.map(({ stderr }) => stderr);
    expect(money).to.include('(INSUFFICIENT_BALANCE)\n').and.include('svc-node faucet gives some');
    expect(wrong).to.include('(TRANSFER_NOT_ALLOWED)\n').and.include('the passphrase is wrong');
    expect(unknown).to.include('(ESCROW_NOT_FOUND)');
    expect(odd).to.equal('svc-node: limit: must be an integer from 1 to 100 (INVALID_REQUEST)\n');
    for (const { stderr } of ends) expect(stderr).to.not.include('    at ').and.not.include(poor.passphrase);
  });

  it('sees mistakes before it asks for a passphrase, or the node', async () => {
    for (const [words, says] of [
      [['transfer', '--amount', '5'], 'transfer needs --to'],
      [['transfer', '--amount', 'five', '--to', 'x'], '--amount five is not a whole number'],
      [['transfer', '--amount', '9007199254740993', '--to', 'x'], 'not a whole number of at most 9007199254740991.'],
      [
        ['transfer', '--amount', '5', '--to', 'x'],
        'transfer is signed: say by whom, with --did, SVC_NODE_DID or a profile',
      ],
      [['escrow', 'create', '--release-rules', '[{'], '--release-rules takes JSON'],
      [
        ['contract', 'create', '--terms', '{"invoice":738529527931269425}'],
        'terms takes JSON, and this is refused: invoice',
      ],
      [['transfer', '--passphrase', passphrase], 'A passphrase is never an argument'],
      [['escrow', 'find'], "unknown command 'find'"],
    ] as const) {
      const end = await ask(words);
      expect(end).to.include({ code: 2, stdout: '' });
      expect(end.stderr).to.include(says).and.not.include(passphrase);
    }
  });

  it('gives every page of a list with --all, and a key from a file', async () => {
    const rich = await node().rich(100);
    const { key } = await node().key({ scope: 'admin' });
    const file = join(scratch(), 'key');
    writeFileSync(file, `${key}\n`);
    for (let n = 0; n < 3; n++) await rich.write('/api/v1/transfers', { to: node().did, amount: 1 });
    const words = ['wallet', 'transactions', rich.did, '--type', 'sent', '--limit', '1'];
    const page = await ask(words);
    expect(page.stderr).to.match(/^1 of 3; the next page: --after \S+; all: --all\n$/);
    const all = await ask([...words, '--all', '--json'], { SVC_NODE_KEY_FILE: file });
    expect(json<{ transactions: unknown[] }>(all).transactions).to.have.length(3);
    const keys = await ask(['api-key', 'list', '--url', `${node().url}/api/v1`, '--key-file', file]);
    expect(keys.stdout).to.match(/^KEY\tSTATUS\tSCOPE\t/);
  });

  it('opens the console without a shell, or says where it is', async () => {
    const odd = `${node().url}/;touch x&$(x)`;
    const end = await ask(['console', '--url', odd], { PATH: '/nowhere' });
    expect(end.code).to.equal(0);
    expect(end.stdout).to.equal(`${new URL('console', `${odd}/`).href}\n`);
    expect(end.stderr).to.equal('No browser could be opened here: open the address by hand.\n');
    expect((await ask(['console', '--url', 'file:///etc/passwd'])).code).to.equal(2);
  });
});
