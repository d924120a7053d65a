/** A node connects at once to a peer that has just connected to it, instead of waiting for its next attempt. */
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { peerBounds } from '../../../src/core/bounds.js';
import { formatMultiaddr, parseMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { pause, realEnvironment as world } from '../../../src/core/environment.js';
import { TlsTransport } from '../../../src/peers/transport/tls-transport.js';
import type { PeerAddress } from '../../../src/peers/transport/transport.js';
import { until } from '../../support/until.js';
import { signer } from '../../world/people.js';
import { discard, Home } from './network.js';

/** No attempt is due sooner after the last one of its kind: half of the longest delay. */
const dueMs = peerBounds.reconnectLongestMs / 2;

/** The attempts of a round that follow the peer's first connection, and those that follow its second one. */
interface Round {
  readonly first: number;
  readonly second: number;
}

describe('A node whose peer is away', () => {
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

  /**
   * Connects as the peer, twice, between two attempts that are due. @returns undefined if that took so long that others
   * were due meanwhile
   */
  async function round(): Promise<Round | undefined> {
    await pause(world, peerBounds.reconnectLongestMs);
    const age = (attempt: number | undefined) => world.monotonic() - attempt!;
    await until(
      'both wait for the longest delay',
      () => attempts.length > 12 && age(attempts.at(-1)) < 50 && age(attempts.at(-2)) < dueMs / 3,
      { everyMs: 5 },
    );
    const before = attempts.length;
    const older = attempts.at(-2);
    const target = parseMultiaddr(await node.address()) as PeerAddress;
    const connection = transport.dial(target);
    const connectedAt = world.monotonic();
    await connection.request('GET', '/head').catch(() => {});
    await until('both have tried, or were due', () => attempts.length >= before + 2 || age(older) >= dueMs, {
      everyMs: 5,
    });
    if (age(older) >= dueMs) return undefined;
    connection.close();
    const first = attempts.length - before;
    await transport.dial(target).request('GET', '/head');
    await pause(world, dueMs / 3);
    const second = attempts.length - before - first;
    return world.monotonic() - connectedAt < dueMs ? { first, second } : undefined;
  }

  it('tries again as soon as the peer connects, for its feed and its news, but not at each connection', async () => {
    expect(await until('no attempt was due during a round', round)).to.deep.equal({
      first: 2,
      second: 0,
    });
  });
});
