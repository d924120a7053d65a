/** The console's view of other homes: between real nodes, and with each state that a feed can have. */
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { didOf } from '../../src/core/codecs/did.js';
import { publishes } from '../node/support/market.js';
import { acquaint, discard, Home } from '../peers/nodes/network.js';
import { expectGood } from './support/browser.js';
import { inBrowser, inEachLook } from './support/stage.js';

interface Neighbours {
  readonly node: Home['node'];
  readonly here: Home;
  readonly there: Home;
  readonly alone: Home;
  readonly listingId: string;
}

/** The short name of a home, as the console writes it. */
const tagOf = (did: string): string => did.slice('did:svc:z6Mk'.length).slice(0, 8);

const newDid = (): string =>
  didOf(Buffer.from(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x!, 'base64url'));

/** Of the homes in each state. */
const dids = {
  ...{ current: newDid(), behind: newDid(), away: newDid() },
  ...{ newer: newDid(), liar: newDid(), forked: newDid() },
};

async function open(): Promise<Neighbours> {
  const [here, there, alone] = [await Home.start(), await Home.start(), await Home.start()];
  await acquaint([here, there]);
  const { listingId } = await publishes(await there.node.rich(), { title: 'snow of the south' });
  await here.sees(there);
  return { node: here.node, here, there, alone, listingId };
}

const close = ({ here, there, alone }: Neighbours): Promise<void> => discard([here, there, alone]);

inBrowser('the console’s peers', { open, close }, (stage) => {
  const region = (name: string) => stage.page.getByRole('region', { name, exact: true });
  const told = async (name: string) => (await region(name).innerText()).replace(/\s+/g, ' ');

  /** The real peer and one in each other state, as the node would show them. */
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
    expect(await told(name)).to.match(new RegExp(`Copy here ${adopted} entries, verified Lag 0 entries Seen .* ago`));
    const graph = stage.page.getByRole('navigation', { name: 'This node and one home that it follows' });
    await graph.getByRole('link', { name: /following/ }).click();
    await stage.page.getByRole('link', { name: 'All peers' }).waitFor();
    await region(name).getByText('each has dialled the other').waitFor();
    expect(stage.page.url()).to.include(`#/peers/${encodeURIComponent(there.did)}`);
    stage.window.expectQuiet();
  });

  it('leads from a resource of another home to that home', async () => {
    const { there, listingId } = stage.scene;
    await stage.window.visit('#/markets');
    const line = stage.page.getByRole('listitem').filter({ hasText: 'snow of the south' });
    await line.getByRole('link', { name: / as of / }).click();
    await region(`Home ~${tagOf(there.did)}`).waitFor();
    // Its chart, its steps and the checks of its entries come from the copy.
    await stage.window.visit(`#/charts/info-listing/${encodeURIComponent(`${listingId}~${there.did}`)}`);
    await stage.page
      .getByText(/All checks passed/i)
      .first()
      .waitFor();
    stage.window.expectQuiet();
  });

  it('says for each state what it means, and lets a finding be taken away', async () => {
    await everyState();
    await stage.window.visit('#/peers');
    await region(inState('liar')).waitFor();
    expect(await told(inState('behind')))
      .to.include('1,200 entries')
      .and.to.include('Seen 4.2 s ago');
    expect(await told(inState('away')))
      .to.include('waiting')
      .and.to.include('It is out of reach');
    expect(await told(inState('newer'))).to.include('Entry 41 needs a newer release of this node');
    expect(await told(inState('liar')))
      .to.include('Entry 41 is not valid: payloadHash is not the hash of the payload')
      .and.to.include(`svc-node peers evidence ${dids.liar}`);
    expect(await told(inState('forked'))).to.include('It has signed two journals that differ at entry 41');
    const waiting = stage.page.waitForEvent('download');
    await region(inState('liar')).getByRole('button', { name: 'Download the finding' }).click();
    const saved = JSON.parse(await readFile(await (await waiting).path(), 'utf8'));
    expect(saved.violation).to.include({ seq: 41, what: 'payloadHash is not the hash of the payload' });
  });

  it('tells a node without peers how to add one', async () => {
    await stage.open('light', stage.scene.alone.node.url);
    await stage.window.visit('#/peers');
    const text = await told('No peers yet');
    expect(text).to.include('svc-node peers add ADDRESS').and.to.not.include('SVC_LISTEN');
  });

  inEachLook(stage, 'is without violations, and fits', async (look) => {
    await everyState();
    await stage.window.visit('#/peers');
    await region(inState('forked')).waitFor();
    await expectGood(stage.window, `peers-${look}`);
  });
});
