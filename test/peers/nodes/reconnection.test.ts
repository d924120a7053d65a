/** A node connects at once to a peer that has just connected to it, instead of waiting for its next attempt. */
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { formatMultiaddr, parseMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { pause, realEnvironment as world } from '../../../src/core/environment.js';
import { TlsTransport } from '../../../src/peers/transport/tls-transport.js';
import type { PeerAddress } from '../../../src/peers/transport/transport.js';
import { until } from '../../support/until.js';
import { signer } from '../../world/people.js';
import { discard, Home } from './network.js';

/** Less than half of the longest delay, so that an attempt that follows this soon was not due. */
const soonMs = 700;

describe('A node whose peer is away', function () {
  this.timeout(60_000);
  const peer = signer('peer');
  const transport = new TlsTransport({ world, signer: peer });
  /** When the node has tried to connect, monotonic ms. */
  const attempts: number[] = [];
  let door: Server;
  let node: Home;

  before(async () => {
    node = await Home.start();
    door = createServer((socket) => {
      attempts.push(world.monotonic());
      socket.destroy();
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const { port } = door.address() as { port: number };
    const address = { family: 'ip4', host: '127.0.0.1', port, peerId: peerIdOf(peer.did) } as const;
    await node.operator('peers.add', { address: formatMultiaddr(address) });
  });
  after(async () => {
    await transport.close();
    door.close();
    await discard([node]);
  });

  const attemptsSince = (at: number): number => attempts.filter((each) => each >= at).length;

  it('tries again as soon as the peer connects, for its feed and its news, but not at each connection', async () => {
    await until('both wait for the longest delay', async () => {
      const [feed, news] = attempts.slice(-2);
      return news !== undefined && attempts.length > 12 && world.monotonic() - Math.max(feed!, news) < 50;
    });
    const target = parseMultiaddr(await node.address()) as PeerAddress;
    const connectedAt = world.monotonic();
    const connection = transport.dial(target);
    await connection.request('GET', '/head').catch(() => {});
    await until('both have tried', () => attemptsSince(connectedAt) >= 2, { longestMs: soonMs });
    connection.close();
    const tried = attempts.length;
    await transport.dial(target).request('GET', '/head');
    await pause(world, soonMs / 2);
    expect(attempts.length).to.equal(tried);
  });
});
