/** A peer that floods is disconnected, and the other peers are followed meanwhile. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { formatMultiaddr, parseMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { signCheckpoint } from '../../../src/peers/checkpoint.js';
import { TlsTransport } from '../../../src/peers/transport/tls-transport.js';
import type { PeerAddress, PeerReply } from '../../../src/peers/transport/transport.js';
import { until } from '../../support/until.js';
import { network } from '../../world/bench.js';
import { signer } from '../../world/people.js';
import { anywhere } from '../transport/pair.js';
import { rawTcp } from '../transport/raw-client.js';
import { acquaint, discard, Home } from './network.js';

const world = realEnvironment;
/** Its compression takes far less than the time in which a line must come. */
const longLine = 2 * 2 ** 20;
const dials = 1_000;
const perMessage = 500;
/** One message has more forged checkpoints than a peer may send; by the second it is barred. */
const messages = 2;

describe('A node whose peer floods it', () => {
  const mallory = signer('mallory');
  let transport: TlsTransport;
  let homes: readonly Home[] = [];
  let node: Home;
  let honest: Home;
  let target: PeerAddress;
  let address: string;
  let feed: (reply: PeerReply) => Promise<unknown> = (reply) => reply.send(503);
  const faults: unknown[] = [];

  before(async () => {
    [node, honest] = [await Home.start(), await Home.start()];
    homes = [node, honest];
    await acquaint(homes);
    transport = new TlsTransport({ world, signer: mallory });
    const { addresses } = await transport.listen([anywhere], {
      admit: () => true,
      onFault: (error) => faults.push(error),
      handle: async ({ path }, reply) => void (await (path === '/feed' ? feed(reply) : reply.send(204))),
    });
    address = formatMultiaddr(addresses[0]!);
    await node.operator('peers.add', { address });
    target = parseMultiaddr(await node.address()) as PeerAddress;
  });
  after(async () => {
    await transport?.close();
    await discard(homes);
  });
  afterEach('the other peer is followed, and nothing was thrown', async () => {
    await honest.node.rich();
    await node.sees(honest);
    expect((await node.peer(honest)).violation).to.equal(undefined);
    expect(faults).to.deep.equal([]);
  });

  const metric = async (name: string, value: string): Promise<number> => {
    const { text } = await node.node.client.get('/metrics');
    return Number(new RegExp(`^${name}\\{[^}]*"${value}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  };

  it('ends a line of 2 MB long before its end', async () => {
    let read: boolean | undefined;
    // Compression must not make it short enough to be sent whole.
    const text = randomBytes(longLine / 2)
      .toString('base64')
      .padEnd(longLine, 'x');
    feed = async (reply) => {
      const writer = reply.open();
      do read = await writer.write([text]);
      while (read);
    };
    await until('the feed is stopped', () => node.peer(mallory), { is: ({ status }) => status === 'stopped' });
    await until('its writer hears of it', () => read === false);
    feed = (reply) => reply.send(503);
    await node.operator('peers.add', { address });
  });

  it('checks only some of 500 forged checkpoints, counts them, and bars the peer at once', async () => {
    const { sig } = signCheckpoint(mallory, { seq: 1, chainHash: 'a'.repeat(64) }, { network, time: 1 });
    const forged = (seq: number) => ({
      ...{ home: honest.did, network: 'devnet', seq, chainHash: 'b'.repeat(64), time: world.now(), sig },
    });
    const connection = transport.dial(target);
    let sent = 0;
    let failure: unknown;
    for (; sent < messages && failure === undefined; sent++) {
      const checkpoints = Array.from({ length: perMessage }, (_, index) => forged(1_000_000 + index));
      const body = JSON.stringify({ checkpoints });
      failure = await connection.request('POST', '/news', { body }).then(
        () => undefined,
        (error) => error,
      );
    }
    expect(failure, `after ${sent} messages`).to.have.property('name', 'PeerError');
    expect(await metric('svc_peer_checkpoints_heard', 'forged')).to.be.above(0);
    expect(await metric('svc_peer_checkpoints_heard', 'too many')).to.be.above(0);
    expect(await metric('svc_peer_connections_refused', 'badInput')).to.be.above(0);
    const again = await connection.request('GET', '/head').catch((error) => error);
    expect(again).to.have.property('name', 'PeerError');
  });

  it('refuses most of 1,000 connections that prove nothing, before their handshake', async () => {
    const sockets = Array.from({ length: dials }, () => rawTcp(target));
    await until('they are refused', () => metric('svc_peer_connections_refused', 'crowded'), {
      is: (crowded) => crowded > dials / 2,
    });
    for (const socket of sockets) socket.destroy();
  });

  it('stops at the first of many lines that are none of a feed', async () => {
    feed = (reply) => reply.open().write(Array.from({ length: 10_000 }, () => '{"garbage":true}'));
    const { violation, followed } = await until('its feed is stopped', () => node.peer(mallory), {
      is: ({ status }) => status === 'stopped',
    });
    expect(followed).to.equal(0);
    expect(violation?.seq).to.equal(1);
  });
});
