/** The console's pages of other homes: with real nodes, and with each state that a feed can have. */
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import { didOf } from '../../src/core/codecs/did.js';
import { formatMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { isRefusal, type Refusal } from '../../src/core/refusal.js';
import { runHere } from '../cli/support/here.js';
import { expectStatus } from '../node/support/answers.js';
import { publishes } from '../node/support/market.js';
import { ServingHome } from '../peers/feed/homes.js';
import { acquaint, discard, Home } from '../peers/nodes/network.js';
import { until } from '../support/until.js';
import { Bench } from '../world/bench.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

interface Neighbours {
  readonly node: Home['node'];
  readonly here: Home;
  readonly there: Home;
  readonly alone: Home;
  /** A home that sends an invalid entry; and a home that signed two journals, once for each of them. */
  readonly liars: readonly ServingHome[];
  readonly listingId: string;
}

/** The short name of a home in the console. */
const tagOf = (did: string): string => did.slice('did:svc:z6Mk'.length).slice(0, 8);

const newDid = (): string =>
  didOf(Buffer.from(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x!, 'base64url'));

/** DIDs of the homes in each state. */
const dids = {
  ...{ current: newDid(), behind: newDid(), away: newDid() },
  ...{ newer: newDid(), liar: newDid(), forked: newDid() },
};

async function open(): Promise<Neighbours> {
  const [here, there, alone] = [await Home.start(), await Home.start(), await Home.start()];
  await acquaint([here, there]);
  const { listingId } = await publishes(await there.node.rich(), { title: 'snow of the south' });
  await there.node.fund(here, 100);
  await here.node.fund(there, 40);
  await here.operator('peers.limit', { did: there.did, mostAtRisk: 150 });
  await here.sees(there);
  const liars = await openLiars(here, there);
  await sends(here, liars[0]!.signer.did);
  return { node: here.node, here, there, alone, listingId, liars };
}

/** Two requests to a home that does not answer, one of which is given up. */
async function sends({ node }: Home, home: string): Promise<void> {
  const { system } = node.running;
  await node.fund(system.signer, 8);
  for (const [id, money] of [
    ['rem-open', 5],
    ['rem-lost', 3],
  ] as const) {
    const input = { home, kind: 'escrow', resource: 'esc-1', action: 'expire', input: {}, money };
    const ids = { escrow: `esc-of-${id}` };
    expectAccepted(await system.execute({ kind: 'remote-request', id, action: 'create', input, ids }));
  }
  expectAccepted(await node.operate('remote-request', 'rem-lost', 'give-up', { loss: 3, reason: 'it lies' }));
}

function expectAccepted(done: Accepted | Refusal): void {
  if (isRefusal(done)) expect.fail(done.detail);
}

/** The first home sends an invalid entry to `here`; the other two show different journals to `here` and `there`. */
async function openLiars(here: Home, there: Home): Promise<readonly ServingHome[]> {
  const opened = (node: string, ada: number) =>
    Bench.open({ node }, { ada, ben: 1 }).then((bench) => ServingHome.open(bench));
  const liars = [await opened('liar', 1), await opened('forked', 2), await opened('forked', 3)] as const;
  await liars[0].lies(3);
  for (const [home, { address }] of [
    [here, liars[0]],
    [here, liars[1]],
    [there, liars[2]],
  ] as const)
    await home.operator('peers.add', { address: formatMultiaddr(address) });
  for (const [{ signer }, status] of [
    [liars[0], 'stopped'],
    [liars[1], 'forked'],
  ] as const)
    await until(`the feed is ${status}`, () => here.peer(signer), { is: (peer) => peer.status === status });
  return liars;
}

async function close({ here, there, alone, liars }: Neighbours): Promise<void> {
  await discard([here, there, alone]);
  for (const each of liars) await each.close();
}

inBrowser('the console’s peers', { open, close }, (stage) => {
  const region = (name: string) => stage.page.getByRole('region', { name, exact: true });
  const shown = async (name: string) => (await region(name).innerText()).replace(/\s+/g, ' ');

  /** Replaces the reply by the real peer and one peer in each other state. */
  async function everyState(): Promise<void> {
    const real = await stage.scene.here.peer(stage.scene.there);
    const like = (end: keyof typeof dids, changes: object) => ({ ...real, did: dids[end], ...changes });
    const violation = { seq: 41, what: 'payloadHash is not the hash of the payload', at: 1_790_000_000_000 };
    const none = { direction: 'none', connectedAt: null, latencyMs: null };
    const peers = [
      like('current', { status: 'current' }),
      like('behind', { status: 'behind', head: 1_250, adopted: 50, lagMs: 4_200 }),
      like('away', { status: 'unreachable', ...none }),
      like('newer', { status: 'outdated', violation }),
      like('liar', { status: 'stopped', violation, head: 90, adopted: 40 }),
      like('forked', { status: 'forked', violation, ...none, withheld: 3 }),
    ];
    const pagination = { total: peers.length, limit: 20, offset: 0, after: null };
    const evidence = await stage.scene.here.get(`/node/peers/${stage.scene.liars[0]!.signer.did}/evidence`);
    await stage.page.route('**/api/v1/node/peers/*/evidence', (route) => route.fulfill({ json: evidence }));
    await stage.page.route('**/api/v1/node/peers*', (route) =>
      route.fulfill({ json: { peers, total: peers.length, pagination } }),
    );
  }
  const inState = (name: keyof typeof dids): string => `Home ~${tagOf(dids[name])}`;

  it('shows the home that is followed, how far, and the connection', async () => {
    const { here, there } = stage.scene;
    await stage.window.visit('#/peers');
    const name = `Home ~${tagOf(there.did)}`;
    await region(name).getByText('following', { exact: true }).waitFor();
    const { adopted } = await here.peer(there);
    expect(await shown(name)).to.match(new RegExp(`Copy here ${adopted} entries, verified Lag 0 entries Seen .* ago`));
    const graph = stage.page.getByRole('navigation', { name: 'This node and 3 homes that it follows' });
    await graph.getByRole('link', { name: /following/ }).click();
    await stage.page.getByRole('link', { name: 'All peers' }).waitFor();
    await region(name).getByText('each has dialled the other').waitFor();
    expect(stage.page.url()).to.include(`#/peers/${encodeURIComponent(there.did)}`);
    stage.window.expectQuiet();
  });

  it('links from a resource of another home to that home', async () => {
    const { there, listingId } = stage.scene;
    await stage.window.visit('#/markets');
    const line = stage.page.getByRole('listitem').filter({ hasText: 'snow of the south' });
    await line.getByRole('link', { name: / as of / }).click();
    await region(`Home ~${tagOf(there.did)}`).waitFor();
    // Chart, steps and checks of the resource come from the copy of its journal.
    await stage.window.visit(`#/charts/info-listing/${encodeURIComponent(`${listingId}~${there.did}`)}`);
    await stage.page
      .getByText(/All checks passed/i)
      .first()
      .waitFor();
    stage.window.expectQuiet();
  });

  it('shows the entry of another home’s event, and the entries around it', async () => {
    const { there } = stage.scene;
    const { node } = stage.scene.here;
    const path = `/api/v1/events?home=${encodeURIComponent(there.did)}`;
    const [first, second] = expectStatus(await node.client.get(path)).events;
    await stage.window.visit(`#/ledger/entry/${second.event.hash}`);
    const head = stage.page.locator('.entry-head h2');
    await stage.page.getByText('All checks passed').waitFor();
    expect(await head.innerText()).to.match(new RegExp(`^Entry 2 ${second.event.type} .*${tagOf(there.did)}`));
    await stage.page.getByRole('link', { name: 'Previous entry' }).click();
    await stage.page.waitForURL((url) => url.hash.endsWith(first.event.hash));
    await stage.page.locator('.entry-head h2', { hasText: 'Entry 1' }).waitFor();
    expect(await head.innerText()).to.include(first.event.type);
    stage.window.expectQuiet();
  });

  it('says for each state what it means', async () => {
    await everyState();
    await stage.window.visit('#/peers');
    await region(inState('liar')).waitFor();
    expect(await shown(inState('behind')))
      .to.include('1,200 entries')
      .and.to.include('Seen 4.2 s ago');
    expect(await shown(inState('away')))
      .to.include('waiting')
      .and.to.include('The node cannot reach it');
    expect(await shown(inState('newer'))).to.include('Entry 41 needs a newer release of this node');
    expect(await shown(inState('liar'))).to.include(
      'Entry 41 is not valid: payloadHash is not the hash of the payload',
    );
    expect(await shown(inState('forked'))).to.include('It has signed two journals that differ at entry 41');
  });

  const downloaded = async (name: string, button: string): Promise<string> => {
    const waiting = stage.page.waitForEvent('download');
    await region(name).getByRole('button', { name: button }).click();
    return (await waiting).path();
  };

  it('shows why a feed has stopped, and the line that was sent to an admin key only', async () => {
    const [
      {
        signer: { did },
      },
    ] = stage.scene.liars as [ServingHome];
    const name = `Home ~${tagOf(did)}`;
    await stage.window.visit(`#/peers/${encodeURIComponent(did)}`);
    await region(name).getByText('Signature: passed').waitFor({ state: 'attached' });
    expect(await shown(name))
      .to.include('Entry 3 is not valid: payloadHash is not the hash of the payload')
      .and.to.match(/Signed entry 3, signed .*, chain hash [0-9a-f]{8}/)
      .and.to.include('may contain a private payload, so only operators can see it')
      .and.to.include(`svc-node peers evidence ${did}`);
    const open = JSON.parse(await readFile(await downloaded(name, 'Download the evidence'), 'utf8'));
    expect(open).to.include({ did, cause: 'violation', seq: 3 }).and.not.have.property('line');
    await region(name).getByText('Show the line that was sent').click();
    stage.window.expected.add(401);
    await region(name)
      .getByRole('textbox', { name: 'Admin key' })
      .fill(`svck_${'1'.repeat(44)}`);
    await region(name).getByRole('button', { name: 'Show the line' }).click();
    await region(name).getByRole('button', { name: 'Enter another admin key' }).click();
    await region(name).getByText('Show the line that was sent').click();
    const { key } = await stage.scene.node.key({ scope: 'admin' });
    await region(name).getByRole('textbox', { name: 'Admin key' }).fill(key);
    await region(name).getByRole('button', { name: 'Show the line' }).click();
    const line = await stage.page.getByRole('region', { name: 'The line that was sent' }).innerText();
    expect(line).to.match(/^\{"seq":3,.*"payload":" /);
    expect(JSON.parse(await readFile(await downloaded(name, 'Download the evidence'), 'utf8')).line).to.equal(line);
    stage.window.expectQuiet();
  });

  it('shows two journals, checks what was signed, and saves a proof that verify-equivocation takes', async () => {
    const { did } = stage.scene.liars[1]!.signer;
    const name = `Home ~${tagOf(did)}`;
    await stage.window.visit(`#/peers/${encodeURIComponent(did)}`);
    for (const check of ['Home', 'Signatures', 'Contradiction'])
      await region(name).getByText(`${check}: passed`).waitFor({ state: 'attached' });
    expect(await shown(name)).to.match(
      /One journal entry \d+, signed .*, chain hash .* Another entry \d+, signed .* Shown by /,
    );
    const file = await downloaded(name, 'Download the proof');
    const { code, stdout, stderr } = await runHere(['verify-equivocation', file]);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.include(did).and.include('OK: the key of this home has signed two journals');
    stage.window.expectQuiet();
  });

  it('shows what the homes hold at each other, with a statement of each account', async () => {
    const { here, there, liars } = stage.scene;
    const accounts = region('Accounts with other homes');
    const row = (did: string) => accounts.locator('tbody tr').filter({ hasText: tagOf(did) });
    const cells = async (did: string) => (await row(did).locator('td').allInnerTexts()).slice(1);
    await stage.window.visit('#/peers');
    await row(there.did).getByText('following').waitFor();
    expect(await cells(there.did)).to.deep.equal(['following', '100', '40', '0', '0', '100', '150', '50', '0']);
    const liar = ['stopped', '0', '0', '5', '0', '5', 'none', '', '3'];
    expect(await cells(liars[0]!.signer.did)).to.deep.equal(liar);
    const table = await readFile(
      await downloaded('Accounts with other homes', 'Download accounts with other homes as CSV'),
      'utf8',
    );
    expect(table).to.include(`${there.did},100,40,0,0,100,150,50,0`);
    for (const width of [1440, 1024, 390]) {
      await stage.page.setViewportSize({ width, height: 900 });
      await stage.window.painted();
      await stage.window.expectFits();
      const hidden = await accounts.locator('.table').evaluate((each) => each.scrollWidth - each.clientWidth);
      expect(hidden, `hidden at ${width}`).to.equal(0);
    }
    await row(there.did).getByRole('link', { name: '100, statement of this home’s account there' }).click();
    const statement = stage.page.locator('[aria-label="Statement, newest first"] tbody tr');
    await statement.first().waitFor();
    await region('Account')
      .getByRole('link', { name: new RegExp(`${tagOf(there.did)} as of`) })
      .waitFor();
    expect(await statement.count()).to.equal(1);
    expect((await statement.innerText()).replace(/\s+/g, ' ')).to.match(/faucet claimed .*\+100 100$/);
    const lines = await readFile(
      await downloaded('Statement', `Download statement-${here.did.slice(-8)}-at-${tagOf(there.did)} as CSV`),
      'utf8',
    );
    expect(lines.trim().split('\n')).to.have.length(2);
    await statement.getByRole('link').first().click();
    await stage.page.locator('.entry-head h2', { hasText: 'faucet.claimed' }).waitFor();
    await stage.window.visit(`#/peers/${encodeURIComponent(there.did)}`);
    const name = `Home ~${tagOf(there.did)}`;
    await region(name).getByText('150 Tokens, 50 unused').waitFor();
    await region(name).getByRole('link', { name: 'statement' }).last().click();
    await stage.page.getByText('Closing balance').waitFor();
    expect((await statement.innerText()).replace(/\s+/g, ' ')).to.match(/faucet claimed .*\+40 40$/);
    stage.window.expectQuiet();
  });

  it('holds a forged proof for none', async () => {
    const { did } = stage.scene.liars[1]!.signer;
    const { proof, ...rest } = await stage.scene.here.get(`/node/peers/${did}/evidence`);
    const forged = { ...rest, proof: { ...proof, second: { ...proof.second, time: proof.second.time + 1 } } };
    await stage.page.route('**/api/v1/node/peers/*/evidence', (route) => route.fulfill({ json: forged }));
    await stage.window.visit(`#/peers/${encodeURIComponent(did)}`);
    await region(`Home ~${tagOf(did)}`)
      .getByText('Signatures: failed')
      .waitFor({ state: 'attached' });
    stage.window.expectQuiet();
  });

  it('explains on a node without peers how to add one', async () => {
    await stage.open('light', stage.scene.alone.node.url);
    await stage.window.visit('#/peers');
    const text = await shown('No peers yet');
    expect(text).to.include('svc-node peers add ADDRESS').and.to.not.include('SVC_LISTEN');
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    await everyState();
    await stage.window.visit('#/peers');
    await region(inState('forked')).waitFor();
    await expectGood(stage.window, `peers-${look}`);
  });
});
