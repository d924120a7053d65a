/** A node's reaction to another home that sends a bad line, signs two journals, or lost its disk. */
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
import { follow, ServingHome } from '../feed/homes.js';
import { acquaint, discard, Home } from './network.js';

describe('A node whose peer', () => {
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

  it('sends a bad line is named, its feed is stopped, and the others are followed', async () => {
    const [node, honest] = [await started(), await started()];
    await acquaint([node, honest]);
    const liar = await served(await Bench.open({}, { ada: 10, ben: 20 }));
    const { did } = liar.signer;
    await liar.lies(3);
    await add(node, liar);
    const { followed, violation } = await statusOf(node, did, 'stopped');
    expect(followed).to.equal(0);
    expect(violation).to.include({ what: 'the checkpoint after it is of another journal' });
    const { status, reasons } = (await node.node.client.get('/readyz')).body;
    expect(status).to.equal('degraded');
    expect(reasons.join()).to.include(did).and.to.include(`entry ${violation!.seq} is bad`);
    // A feed that is followed no further is not waited for: a lie cannot take a node out of service.
    await node.sees(honest);
    await until('the node is synced', () => node.get('/node'), { is: ({ synced }) => synced });
    const { text } = await node.node.client.get('/metrics');
    expect(text)
      .to.include(`svc_peer_violation{peer="${did}"} 1`)
      .and.to.include(`svc_peer_violation{peer="${honest.did}"} 0`);
    expect(await node.operator('peers.evidence', { did })).to.include({ seq: violation!.seq, cause: 'bad-line' });
    await honest.node.rich();
    await node.sees(honest);
    await node.isCurrentWith(honest);
    // The stop is still known after a restart. Once the home has repaired it, an operator's command is enough.
    await node.node.restart();
    expect(await node.peer({ did })).to.deep.include({ status: 'stopped', violation });
    await liar.listen();
    await add(node, liar);
    await statusOf(node, did, 'current');
    expect((await node.node.client.get('/readyz')).body.status).to.equal('ready');
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
    // The operators agree on one journal: it is followed from its first entry.
    await other.close();
    const { seq, chainHash } = (await one.bench.store.entries({ after: 0, limit: 100 })).at(-1)!;
    const { proof } = await south.operator('peers.evidence', { did });
    const chosen =
      proof.first.seq === seq
        ? chainHash
        : (await one.bench.store.entries({ after: proof.first.seq - 1, limit: 1 }))[0]!.chainHash;
    await south.operator('peers.accept', { did, chainHash: chosen });
    await add(south, one);
    await until('the accepted journal is followed', () => south.peer({ did }), {
      is: ({ followed, status }) => followed === seq && status === 'current',
    });
  });

  it('knows more of this node’s own journal than it has after a restored backup keeps it from starting', async () => {
    const [node, peer] = [await started(), await started()];
    await acquaint([node, peer]);
    const ada = await node.node.rich();
    await node.stop();
    const backup = await backupOf(node);
    const port = (await peer.addressOf(node)).replace(/\/p2p.*/, '');
    const again = await started({ dir: node.node.dir, variables: { SVC_LISTEN: port } });
    const payer = ada.through(again.node.client);
    for (const amount of [1, 2, 3]) await payer.pays(again.did, amount);
    await peer.sees(again);
    const { seq } = await again.node.store.head();
    await again.stop();
    await Home.start({ dir: backup, variables: { SVC_LISTEN: port, SVC_PEERS_ALONE: '10' } }).then(
      (home) => {
        homes.push(home);
        expect.fail('it starts');
      },
      (error: Error) => expect(error.message).to.include(`up to entry ${seq}`).and.to.include('restore a newer backup'),
    );
    // The newest state of its disk is accepted.
    const newest = await started({ dir: again.node.dir, variables: { SVC_LISTEN: port } });
    await payer.through(newest.node.client).pays(newest.did, 4);
    await peer.sees(newest);
  });

  it('was not in reach when it started behind an old backup refuses every write once the peer shows that', async () => {
    const [node, peer] = [await started(), await started()];
    await acquaint([node, peer]);
    const ada = await node.node.rich();
    await node.stop();
    const backup = await backupOf(node);
    const port = (await peer.addressOf(node)).replace(/\/p2p.*/, '');
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

  it('follows and is followed adds nothing to an unchanged feed', async () => {
    const home = await served(await Bench.open({}, { ada: 1 }));
    const follower = await follow(home);
    await until('it is current', () => follower.follower.state, { is: ({ status }) => status === 'current' });
    const { local } = follower.store.tables;
    const before = JSON.stringify([...local.get('peer-feeds')!]);
    const { asOf } = follower.follower.state;
    await until('a sign of life', () => follower.follower.state, { is: (state) => state.asOf! > asOf! });
    expect(JSON.stringify([...local.get('peer-feeds')!])).to.equal(before);
    await follower.close();
  });
});
