/** What an admin key decides about peers, and what it does not. */
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { askNode } from '../../src/node/control/client.js';
import { signer } from '../world/people.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { nodeForSuite, type TestNode } from './support/node.js';
import { absentPeer, nodeWithPeer } from './support/with-peer.js';

describe('Peers over HTTP', () => {
  const stranger = signer('stranger').did;
  const alone = nodeForSuite({ parts: { peerActs: undefined } });
  let node: TestNode;
  let admin: Client;

  before(async () => {
    node = await nodeWithPeer();
    admin = await node.keyed({ scope: 'admin' });
  });
  after(() => node?.discard());

  const path = (action: string, did: string = absentPeer) => `/api/v1/node/peers/${did}/actions/${action}`;
  const peer = async (): Promise<Body> => expectStatus(await admin.get('/api/v1/node/peers')).peers[0];

  it('are limited and made mirrors with an admin key, and the admin log says so', async () => {
    expect(await peer()).to.include({ did: absentPeer, limit: 0 });
    expect(expectStatus(await admin.post(path('limit'), { tokens: 500 }))).to.deep.equal({
      did: absentPeer,
      tokens: 500,
    });
    expect(await peer()).to.include({ limit: 500 });
    for (const body of [{}, { remove: true }])
      expect(expectStatus(await admin.post(path('mirror'), body))).to.deep.equal({ did: absentPeer });
    const { acts } = expectStatus(await admin.get('/api/v1/admin/log'));
    expect(acts.map(({ act, details, outcome }: Body) => [act, details, outcome])).to.deep.equal([
      ['peers.mirror', { did: absentPeer, remove: true }, 'done'],
      ['peers.mirror', { did: absentPeer, remove: false }, 'done'],
      ['peers.limit', { did: absentPeer, tokens: 500 }, 'done'],
    ]);
    expect(acts.every(({ by }: Body) => by.startsWith('key-'))).to.equal(true);
  });

  it('are refused as over the control socket', async () => {
    const ways = [
      ['limit', stranger, { tokens: 1 }, { tokens: 1 }],
      ['mirror', stranger, {}, { remove: false }],
      ['mirror', absentPeer, { remove: true }, { remove: true }],
    ] as const;
    for (const [action, did, body, input] of ways) {
      const there = await askNode(node.dir, `peers.${action}`, { did, ...input });
      if (!isRefusal(there)) return expect.fail(`the control socket refuses ${action}`);
      expectProblem(await admin.post(path(action, did), body), there.code);
      expect((await admin.post(path(action, did), body)).body.detail).to.equal(there.detail);
    }
    const elsewhere = await alone().keyed({ scope: 'admin' });
    for (const [action, body] of [
      ['limit', { tokens: 1 }],
      ['mirror', {}],
    ] as const)
      expectProblem(await elsewhere.post(path(action), body), 'UNPROCESSABLE');
  });

  it('are left alone by other keys, and by callers of this machine', async () => {
    const before = await peer();
    const others = [node.client, await node.keyed({ scope: 'read' }), await node.keyed({ scope: 'write' })];
    for (const other of others) {
      expectProblem(await other.post(path('limit'), { tokens: 1 }), 'FORBIDDEN');
      expectProblem(await other.post(path('mirror')), 'FORBIDDEN');
    }
    expect(await peer()).to.include({ limit: before.limit });
  });

  it('are added, removed, kept, forgotten and believed on the node’s machine alone', async () => {
    for (const action of ['add', 'remove', 'keep', 'forget', 'accept'])
      expectProblem(await admin.post(path(action)), 'NOT_FOUND');
    expectProblem(await admin.post('/api/v1/node/peers', { address: '/ip4/127.0.0.1/tcp/1' }), 'METHOD_NOT_ALLOWED');
    expectProblem(await admin.delete(`/api/v1/node/peers/${absentPeer}`), 'NOT_FOUND');
  });
});
