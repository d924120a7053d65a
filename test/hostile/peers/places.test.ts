/** Strangers who open connections without end must not keep a member's handshakes out. */
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { realEnvironment } from '../../../src/core/environment.js';
import { KnownNetworks } from '../../../src/peers/peering/known-networks.js';
import { PeerLink } from '../../../src/peers/peering/peer-link.js';
import { networkOf } from '../../../src/peers/transport/connection-limits.js';
import type { PeerAddress } from '../../../src/peers/transport/transport.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { type Pair, pairOf, signerNamed, transportOf } from '../../peers/transport/pair.js';
import { credentialsOf } from '../../peers/transport/raw-client.js';
import { until } from '../../support/until.js';

const member = signerNamed('bob');
const handshakes = 20;
/** At once, of one stranger. */
const flood = 100;

describe('Strangers at the port for peers', () => {
  let pair: Pair;
  let siege = { isOver: false };
  beforeEach(async () => {
    siege = { isOver: false };
    pair = await pairOf((_request, reply) => reply.send(204).then(() => {}), { admit: (did) => did === member.did });
  });
  afterEach(async () => {
    siege.isOver = true;
    await pair.close();
  });

  /** Completes one handshake from the address with any key; true if no one has ended it before. */
  const proves = async ({ host, port }: PeerAddress, from: string, who: string): Promise<boolean> => {
    const credentials = credentialsOf(signerNamed(who));
    const options = { host, port, localAddress: from, rejectUnauthorized: false, ...credentials };
    const socket = connectTls(options as ConnectionOptions);
    const isProven = once(socket, 'secureConnect').then(
      () => true,
      () => false,
    );
    const ended = new Promise<false>((resolve) => {
      socket.on('error', () => {}).once('close', () => resolve(false));
    });
    const proven = await Promise.race([isProven, ended]);
    if (proven && who === 'bob') {
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      const answered = new Promise<true>((resolve) => void socket.once('data', () => resolve(true)));
      const isAnswered = await Promise.race([answered, ended]);
      socket.destroy();
      return isAnswered;
    }
    await ended;
    return proven;
  };

  /** Keeps connections open that never prove anything; each that is ended is opened again. */
  const besiege = ({ host, port }: PeerAddress, localAddress: string, connections = flood): void => {
    const current = siege;
    const open = () => {
      if (current.isOver) return;
      connectTcp({ host, port, localAddress })
        .on('error', () => {})
        .on('close', () => setTimeout(open, 50));
    };
    for (let n = 0; n < connections; n++) open();
  };
  const lost = async (address: PeerAddress): Promise<number> => {
    let lost = 0;
    for (let n = 0; n < handshakes; n++) if (!(await proves(address, '127.0.0.1', 'bob'))) lost++;
    return lost;
  };

  it('keep out no member from one address', async () => {
    const { address, listener } = pair;
    besiege(address, '127.0.0.2');
    await until('some are refused', () => listener.counts().crowded > 0);
    expect(await lost(address)).to.equal(0);
  });

  it('keep out no member from two addresses that have proven other keys', async () => {
    const { address, listener } = pair;
    for (const from of ['127.0.0.2', '127.0.0.3']) expect(await proves(address, from, from)).to.equal(true);
    besiege(address, '127.0.0.2');
    besiege(address, '127.0.0.3');
    await until('some are refused', () => listener.counts().crowded > flood / 2);
    expect(await lost(address)).to.equal(0);
  });

  it('keep out no member from more addresses than there are places', async () => {
    const { address, listener } = pair;
    for (let n = 2; n < 34; n++) besiege(address, `127.0.0.${n}`, 5);
    await until('most are refused', () => listener.counts().crowded > flood);
    expect(await lost(address)).to.be.at.most(1);
  });
});

describe('Addresses of members', () => {
  it('are known after a restart, also those that were dialled, and no more than a few of each', async () => {
    const store = new MemoryStore({});
    const options = { store, hasRoom: () => true, log: () => {} };
    const networks = await KnownNetworks.open(options);
    const pair = await pairOf((_request, reply) => reply.send(204).then(() => {}));
    const carol = transportOf('carol');
    const { did } = pair.ada;
    const link = new PeerLink(carol, realEnvironment, { did, addresses: [pair.address] }, (address) =>
      networks.add(did, address),
    );
    await link.request('GET', '/');
    expect(networks.has('127.0.0.1')).to.equal(true);
    expect(networks.has('127.0.0.2')).to.equal(false);
    for (let n = 1; n <= 10; n++) networks.add(signerNamed('bob').did, `192.0.2.${n}`);
    networks.add(signerNamed('bob').did, '2001:db8::1');
    const again = await until('they are on disk', () => KnownNetworks.open(options), {
      is: (each) => each.has('2001:db8::2'),
    });
    expect(again.has('127.0.0.1')).to.equal(true);
    expect(Array.from({ length: 10 }, (_, n) => again.has(`192.0.2.${n + 1}`)).filter(Boolean)).to.have.length(3);
    await again.forget(did);
    expect((await KnownNetworks.open(options)).has('127.0.0.1')).to.equal(false);
    expect(networkOf('2001:db8::2')).to.equal(networkOf('2001:db8::1'));
    await Promise.all([pair.close(), carol.close()]);
  });
});
