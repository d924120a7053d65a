/** A node's reaction to another home that sends a false entry, signs two journals, runs a newer release, or lost its disk. */
import { cp, mkdtemp } from 'node:fs/promises';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { equivocationForm, parseForm, violationOfEquivocation } from '../../../src/peers/checkpoint.js';
import { expectProblem } from '../../node/support/answers.js';
import { copyShared } from '../../node/support/shared-store.js';
import { until } from '../../support/until.js';
import { Bench } from '../../world/bench.js';
import { life } from '../../world/history.js';
import { follow, ServingHome } from '../feed/homes.js';
import { acquaint, discard, Home } from './network.js';

describe('A node whose peer', function () {
  this.timeout(120_000);
  const homes: Home[] = [];
  const serving: ServingHome[] = [];
  const started = async (...asked: Parameters<typeof Home.start>): Promise<Home> => {
    const home = await Home.start(...asked);
    homes.push(home);
    return home;
  };
  const served = async (bench: Bench): Promise<ServingHome> => {
    const home = await ServingHome.open(bench);
    serving.push(home);
    return home;
  };
  const add = (home: Home, { address }: ServingHome) =>
    home.operator('peers.add', { address: formatMultiaddr(address) });
  const statusOf = (home: Home, did: string, status: string) =>
    until(`the feed is ${status}`, () => home.peer({ did }), { is: (peer) => peer.status === status });

  /** Directory and database as they are, while the node is stopped. */
  const backupOf = async ({ node: { dir } }: Home): Promise<string> => {
    const backup = await mkdtemp(join(tmpdir(), 'svc-backup-'));
    await cp(dir, backup, { recursive: true });
    await copyShared(dir, backup);
    return backup;
  };

  afterEach(async () => {
    await discard(homes.splice(0));
    for (const each of serving.splice(0)) await each.close();
  });

  it('sends a false entry is named, its feed is stopped with the evidence, and the others are followed', async () => {
    const [node, honest] = [await started(), await started()];
    await acquaint([node, honest]);
    const liar = await served(await Bench.open({}, { ada: 10, ben: 20 }));
    const { did } = liar.signer;
    await liar.lies(3);
    await add(node, liar);
    const { adopted, violation } = await statusOf(node, did, 'stopped');
    expect(adopted).to.equal(2);
    expect(violation).to.include({ seq: 3, what: 'payloadHash is not the hash of the payload' });
    const { status, reasons } = (await node.node.client.get('/readyz')).body;
    expect(status).to.equal('degraded');
    expect(reasons.join()).to.include(did).and.to.include('entry 3 is not valid');
    // A feed that is followed no further is not waited for: a lie cannot take a node out of service.
    await node.sees(honest);
    await until('the node is synced', () => node.get('/node'), { is: ({ synced }) => synced });
    const { text } = await node.node.client.get('/metrics');
    expect(text)
      .to.include(`svc_peer_violation{peer="${did}"} 1`)
      .and.to.include(`svc_peer_violation{peer="${honest.did}"} 0`);
    expect(await node.operator('peers.evidence', { did })).to.include({ seq: 3, cause: 'violation' });
    expect((await node.get(`/wallets?home=${did}`)).wallets).to.be.an('array');
    await honest.node.rich();
    await node.sees(honest);
    expect(await node.peer(honest)).to.include({ status: 'current' });
    // The violation is still known after a restart. Once the home has repaired it, an operator's command is enough.
    await node.node.restart();
    const kept = await until('its copy is open', () => node.peer({ did }), { is: (peer) => peer.adopted === 2 });
    expect(kept).to.deep.include({ status: 'stopped', violation });
    await liar.listen();
    await add(node, liar);
    await statusOf(node, did, 'current');
    expect((await node.node.client.get('/readyz')).body.status).to.equal('ready');
  });

  it('is of a later release waits for an update, and continues after it', async () => {
    const node = await started();
    const bench = await life();
    const home = await served(bench);
    await add(node, home);
    const { violation, adopted } = await statusOf(node, home.signer.did, 'outdated');
    expect(violation!.what).to.match(/this program knows no such kind/);
    expect(adopted).to.be.above(0);
    await node.stop();
    const updated = await started({ dir: node.node.dir, parts: { catalogue: bench.catalogue } });
    const { seq } = await bench.store.head();
    await until('it goes on', () => updated.peer({ did: home.signer.did }), { is: ({ adopted }) => adopted === seq });
  });

  it('has signed two journals follows it no further, and so does everyone that hears of it', async () => {
    const [north, south] = [await started(), await started()];
    const one = await served(await Bench.open({}, { ada: 10 }));
    const other = await served(await Bench.open({}, { ada: 20 }));
    const { did } = one.signer;
    await add(north, one);
    await add(south, other);
    for (const home of [north, south]) await statusOf(home, did, 'current');
    await acquaint([north, south]);
    for (const home of [north, south]) {
      await statusOf(home, did, 'forked');
      const { proof } = await home.operator('peers.evidence', { did });
      const parsed = parseForm(equivocationForm, proof);
      if (typeof parsed === 'string') expect.fail(parsed);
      expect(violationOfEquivocation(parsed)).to.equal(undefined);
      expect(JSON.stringify((await home.node.client.get('/readyz')).body.reasons)).to.include(
        'has signed two journals',
      );
    }
    // The operators agree on one journal: the copy of the other one is deleted and read again.
    await other.close();
    const { seq, chainHash } = (await one.bench.store.entries({ after: 0, limit: 100 })).at(-1)!;
    const { proof } = await south.operator('peers.evidence', { did });
    const chosen =
      proof.first.seq === seq
        ? chainHash
        : (await one.bench.store.entries({ after: proof.first.seq - 1, limit: 1 }))[0]!.chainHash;
    await south.operator('peers.accept', { did, chainHash: chosen });
    await add(south, one);
    await until('the accepted journal is adopted', () => south.peer({ did }), {
      is: ({ adopted, status }) => adopted === seq && status === 'current',
    });
  });

  it('knows more of this node’s own journal than it has after a restored backup takes its entries back', async () => {
    const [node, peer] = [await started(), await started()];
    await acquaint([node, peer]);
    const ada = await node.node.rich();
    await node.stop();
    const backup = await backupOf(node);
    const port = (await peer.peer(node)).address.replace(/\/p2p.*/, '');
    const again = await started({ dir: node.node.dir, variables: { SVC_LISTEN: port } });
    const payer = ada.through(again.node.client);
    for (const amount of [1, 2, 3]) await payer.pays(again.did, amount);
    await peer.sees(again);
    const { seq, chainHash } = await again.node.store.head();
    await again.stop();
    const restored = await started({ dir: backup, variables: { SVC_LISTEN: port, SVC_PEERS_ALONE: '10' } });
    expect(await restored.node.store.head()).to.include({ seq, chainHash });
    await payer.through(restored.node.client).pays(restored.did, 4);
    await peer.sees(restored);
    expect(await peer.peer(restored)).to.include({ status: 'current', adopted: seq + 1 });
    expect((await restored.node.audit()).ok).to.equal(true);
  });

  it('was not in reach when it started behind an old backup refuses every write once the peer shows that', async () => {
    const [node, peer] = [await started(), await started()];
    await acquaint([node, peer]);
    const ada = await node.node.rich();
    await node.stop();
    const backup = await backupOf(node);
    const port = (await peer.peer(node)).address.replace(/\/p2p.*/, '');
    const again = await started({ dir: node.node.dir, variables: { SVC_LISTEN: port } });
    const payer = ada.through(again.node.client);
    await payer.pays(again.did, 1);
    await payer.pays(again.did, 1);
    await peer.sees(again);
    await again.stop();
    const peerAt = (await peer.operator('peers.list')).listens[0].replace(/\/p2p.*/, '');
    await peer.stop();
    const alone = await started({ dir: backup, variables: { SVC_LISTEN: port } });
    await ada.through(alone.node.client).pays(alone.did, 5);
    const back = await started({ dir: peer.node.dir, variables: { SVC_LISTEN: peerAt } });
    await until('it hears of its other journal', () => alone.node.client.get('/readyz'), {
      is: ({ body }) => JSON.stringify(body.reasons).includes(back.did),
    });
    expectProblem(
      await ada.through(alone.node.client).write('/api/v1/transfers', { to: alone.did, amount: 1 }),
      'SERVICE_UNAVAILABLE',
    );
  });

  it('must have a copy of each write is waited for', async () => {
    const node = await started({ variables: { SVC_PEER_COPIES: '1' } });
    const peer = await started();
    await acquaint([node, peer]);
    const ada = await node.node.rich();
    await ada.pays(node.did, 1);
    const { seq } = await node.node.store.head();
    expect((await peer.peer(node)).adopted).to.equal(seq);
  });

  it('follows and is followed adds nothing to an unchanged feed', async () => {
    const home = await served(await Bench.open({}, { ada: 1 }));
    const follower = await follow(home);
    await until('it is current', () => follower.follower.state, { is: ({ status }) => status === 'current' });
    const writes = follower.store as unknown as { tables: { local: unknown } };
    const before = JSON.stringify(writes.tables.local);
    const { time } = follower.heads.adopted(home.signer.did)!;
    await until('a sign of life', () => follower.heads.adopted(home.signer.did)!, {
      is: (newest) => newest.time > time,
    });
    expect(JSON.stringify(writes.tables.local)).to.equal(before);
    await follower.close();
  });
});
