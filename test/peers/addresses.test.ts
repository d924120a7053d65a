/** A peer with several addresses, of which one is dead (docs/reference/feeds.md#following). */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { peerBounds } from '../../src/core/bounds.js';
import { formatMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { realEnvironment } from '../../src/core/environment.js';
import { PeerLink } from '../../src/peers/peering/peer-link.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { elapsed } from '../support/within.js';
import { discard, Home } from './nodes/network.js';
import { pairOf, transportOf } from './transport/pair.js';

const trials = 4;

describe('A peer with two addresses', () => {
  it('is asked at the other one after any number of requests that have failed together', async () => {
    for (let requests = 1; requests <= 3; requests++) {
      const pair = await pairOf((_request, reply) => reply.send(204).then(() => {}));
      const carol = transportOf('carol');
      const dead = { ...pair.address, port: await freePort() };
      const link = new PeerLink(carol, realEnvironment, { did: pair.ada.did, addresses: [dead, pair.address] });
      const failed = Array.from({ length: requests }, (_, n) =>
        n % 2 ? link.open('/feed') : link.request('GET', '/'),
      );
      for (const each of await Promise.allSettled(failed)) expect(each.status).to.equal('rejected');
      expect(link.address).to.equal(formatMultiaddr(pair.address));
      expect(await link.request('GET', '/')).to.include({ status: 204 });
      await Promise.all([pair.close(), carol.close()]);
    }
  });

  it('is not asked elsewhere because it has answered with an error', async () => {
    const pair = await pairOf((_request, reply) => reply.send(503).then(() => {}));
    const carol = transportOf('carol');
    const dead = { ...pair.address, port: await freePort() };
    const link = new PeerLink(carol, realEnvironment, { did: pair.ada.did, addresses: [pair.address, dead] });
    await link.open('/feed').catch(() => {});
    expect(link.address).to.equal(formatMultiaddr(pair.address));
    await Promise.all([pair.close(), carol.close()]);
  });

  it('of which one is dead is followed after one failed attempt at most', async () => {
    const other = await Home.start();
    const live = await other.address();
    let attempts = 0;
    const door = createServer((socket) => {
      attempts++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(door, 'listening');
    const dead = live.replace(/tcp\/\d+/, `tcp/${(door.address() as AddressInfo).port}`);
    /** @returns the failed attempts; undefined if another one may have failed because the machine was too slow */
    async function trial(addresses: readonly string[]): Promise<number | undefined> {
      const node = await Home.start({ variables: { SVC_PEERS: addresses.join() } });
      await other.operator('peers.add', { address: await node.address() });
      const before = attempts;
      const tookMs = await elapsed(() => node.sees(other));
      const failed = attempts - before;
      await discard([node]);
      return tookMs < peerBounds.connectMs ? failed : undefined;
    }
    for (let count = 0; count < trials; count++) {
      const addresses = count % 2 ? [dead, live] : [live, dead];
      const failed = await until('no connection is too slow', () => trial(addresses), {
        is: (seen) => seen !== undefined,
      });
      expect(failed, 'one of its feed, and one of its news').to.be.at.most(2);
    }
    door.close();
    await discard([other]);
  });
});
