/** The console's pages of other homes: with real nodes, and with each state that a feed can have. */
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { didOf } from '../../src/core/codecs/did.js';
import { formatMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { runHere } from '../cli/support/here.js';
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
  /** A home that sends an invalid line; and a home that signed two journals, once for each of them. */
  readonly liars: readonly ServingHome[];
}

/** The title of a home's panel. */
const nameOf = (did: string): string => `Home ${did.slice('did:svc:z6Mk'.length).slice(0, 8)}`;

const newDid = (): string =>
  didOf(Buffer.from(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x!, 'base64url'));

/** DIDs of the homes in each state. */
const dids = {
  ...{ current: newDid(), behind: newDid(), away: newDid() },
  ...{ liar: newDid(), forked: newDid() },
};

async function open(): Promise<Neighbours> {
  const [here, there, alone] = [await Home.start(), await Home.start(), await Home.start()];
  await acquaint([here, there]);
  await there.node.rich();
  await here.sees(there);
  const liars = await openLiars(here, there);
  return { node: here.node, here, there, alone, liars };
}

/** The first home sends an invalid line to `here`; the other two show different journals to `here` and `there`. */
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
    const violation = { seq: 41, what: 'a line has other members than an entry', detectedAt: 1_790_000_000_000 };
    const none = { direction: 'none', connectedAt: null, latencyMs: null };
    const peers = [
      like('current', { status: 'current' }),
      like('behind', { status: 'behind', head: 1_250, followed: 50, lagMs: 4_200 }),
      like('away', { status: 'unreachable', ...none }),
      like('liar', { status: 'stopped', violation, head: 90, followed: 40 }),
      like('forked', { status: 'forked', violation, ...none }),
    ];
    const pagination = { total: peers.length, limit: 20, offset: 0, after: null };
    const evidence = await stage.scene.here.get(`/node/peers/${stage.scene.liars[0]!.signer.did}/evidence`);
    await stage.page.route('**/api/v1/node/peers/*/evidence', (route) => route.fulfill({ json: evidence }));
    await stage.page.route('**/api/v1/node/peers*', (route) =>
      route.fulfill({ json: { peers, total: peers.length, pagination } }),
    );
  }
  const inState = (name: keyof typeof dids): string => nameOf(dids[name]);

  it('shows the home that is followed, how far, and the connection', async () => {
    const { here, there } = stage.scene;
    await stage.window.visit('#/peers');
    const name = nameOf(there.did);
    await region(name).getByText('following', { exact: true }).waitFor();
    const { followed } = await here.peer(there);
    expect(await shown(name)).to.match(new RegExp(`Followed ${followed} entries Lag 0 entries Seen .* ago`));
    const graph = stage.page.getByRole('navigation', { name: 'This node and 3 homes that it follows' });
    await graph.getByRole('link', { name: /following/ }).click();
    await stage.page.getByRole('link', { name: 'All peers' }).waitFor();
    await region(name).getByText('each has dialled the other').waitFor();
    expect(stage.page.url()).to.include(`#/peers/${encodeURIComponent(there.did)}`);
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
    expect(await shown(inState('liar'))).to.include(
      'Its line for entry 41 is bad: a line has other members than an entry',
    );
    expect(await shown(inState('forked'))).to.include('It has signed two journals that differ at entry 41');
  });

  const downloaded = async (name: string, button: string): Promise<string> => {
    const waiting = stage.page.waitForEvent('download');
    await region(name).getByRole('button', { name: button }).click();
    return (await waiting).path();
  };

  it('shows why a feed has stopped, and the line that was sent', async () => {
    const { did } = stage.scene.liars[0]!.signer;
    const name = nameOf(did);
    await stage.window.visit(`#/peers/${encodeURIComponent(did)}`);
    await region(name).getByText('Signature: passed').waitFor({ state: 'attached' });
    expect(await shown(name)).to.include('the checkpoint after it is of another journal');
    const line = await stage.page
      .getByRole('region', { name: `The line that ${nameOf(did).slice('Home '.length)} has sent` })
      .innerText();
    expect(line).to.match(/^\{"checkpoint":/);
    const saved = JSON.parse(await readFile(await downloaded(name, 'Download the evidence'), 'utf8'));
    expect(saved).to.include({ did, cause: 'bad-line', line });
    stage.window.expectQuiet();
  });

  it('shows two journals, checks what was signed, and saves a proof that verify-equivocation takes', async () => {
    const { did } = stage.scene.liars[1]!.signer;
    const name = nameOf(did);
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

  it('holds a forged proof for none', async () => {
    const { did } = stage.scene.liars[1]!.signer;
    const { proof, ...rest } = await stage.scene.here.get(`/node/peers/${did}/evidence`);
    const forged = { ...rest, proof: { ...proof, second: { ...proof.second, time: proof.second.time + 1 } } };
    await stage.page.route('**/api/v1/node/peers/*/evidence', (route) => route.fulfill({ json: forged }));
    await stage.window.visit(`#/peers/${encodeURIComponent(did)}`);
    await region(nameOf(did)).getByText('Signatures: failed').waitFor({ state: 'attached' });
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
