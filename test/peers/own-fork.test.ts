/** A node against which two journals are proven writes nothing before its operator has decided. */
import { expect } from 'chai';
import { peerIdOf } from '../../src/core/codecs/peer-id.js';
import { realEnvironment as world } from '../../src/core/environment.js';
import { Feed } from '../../src/core/feed.js';
import { isRefusal } from '../../src/core/refusal.js';
import { proofOfEquivocation, signCheckpoint } from '../../src/peers/checkpoint.js';
import { Peering } from '../../src/peers/peering/peering.js';
import { TlsTransport } from '../../src/peers/transport/tls-transport.js';
import type { PeerReply, PeerRequest, PeerService, PeerTransport } from '../../src/peers/transport/transport.js';
import { until } from '../support/until.js';
import { Bench, network } from '../world/bench.js';
import { signer } from '../world/people.js';
import { anywhere } from './transport/pair.js';

describe('A node whose own key has signed two journals', () => {
  const opened: Peering[] = [];
  const mirrors = { dir: '/nowhere', hasRoom: () => false, copies: 0 };
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  it('stays stopped over a restart without peers, until its operator accepts the journal that it has', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    const own = signer(bench.node);
    const start = async () => {
      const peering = await Peering.open({
        ...{ signer: own, network, world, store: bench.store, transport: new TlsTransport({ world, signer: own }) },
        ...{ listen: [], peers: [], aloneMs: 0, hasRoom: () => true, mirrors, log: () => {} },
      });
      opened.push(peering);
      return peering;
    };
    const head = await bench.store.head();
    const at = { network, time: world.now() };
    const other = 'f'.repeat(64);
    const signed = [head, { ...head, chainHash: other }].map((end) => signCheckpoint(own, end, at));
    const first = await start();
    expect(first.refusal()).to.equal(undefined);
    first.equivocations.take(proofOfEquivocation(signed[0]!, signed[1]!), 'peer');
    expect(first.refusal()).to.have.property('code', 'SERVICE_UNAVAILABLE');
    await until('the proof is on disk', () => first.equivocations.isSaved(own.did));
    await first.close();
    const again = await start();
    expect(again.refusal()).to.have.property('detail').that.includes('its operator has decided');
    expect(await again.accept(own.did, other)).to.have.property('code', 'CONFLICT');
    expect(isRefusal(again.refusal())).to.equal(true);
    expect(await again.accept(own.did, head.chainHash)).to.equal(undefined);
    expect(again.refusal()).to.equal(undefined);
    await again.close();
    expect((await start()).refusal()).to.equal(undefined);
  });

  /** A node with one peer, which sends it requests, and is away or knows nothing. */
  const heard = async (bench: Bench, { copies = 0, isThere = false } = {}) => {
    const [own, peer] = [signer(bench.node), signer('peer')];
    let service: PeerService | undefined;
    const asked: string[] = [];
    const request = async (_: string, path: string) => {
      asked.push(path);
      if (!isThere) throw new Error('away');
      return { status: 200, body: path === '/head' ? '{}' : '{"names":[],"isMore":false}' };
    };
    const away = { request, open: () => Promise.reject(new Error('away')) };
    const transport = {
      listen: async (_: unknown, given: PeerService) => {
        service = given;
        return { addresses: [], connections: () => [], close: async () => {} };
      },
      dial: () => ({ ...away, close: () => {} }),
      close: async () => {},
    } as unknown as PeerTransport;
    const peering = await Peering.open({
      ...{ signer: own, network, world, store: bench.store, transport },
      ...{ aloneMs: 5_000, hasRoom: () => true, mirrors: { ...mirrors, copies }, log: () => {} },
      listen: [anywhere],
      peers: [{ ...anywhere, peerId: peerIdOf(peer.did) }],
    });
    opened.push(peering);
    const asks = (request: object, reply: object) =>
      service!.handle({ did: peer.did, ...request } as unknown as PeerRequest, reply as unknown as PeerReply);
    return { own, peering, asks, asked };
  };

  it('shows followers nothing that fewer mirrors than SVC_PEER_COPIES have', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    const { seq } = await bench.store.head();
    for (const [copies, shown] of [
      [0, seq],
      [1, 0],
    ] as const) {
      const { peering, asks } = await heard(bench, { copies });
      peering.serve(new Feed(seq));
      const lines: string[] = [];
      // The second batch has what the feed has.
      const write = async (batch: readonly string[]) => lines.push(...batch) === 1 && shown > 0;
      const query = new URLSearchParams('after=0');
      const request = { method: 'GET', path: '/feed', query, signal: new AbortController().signal };
      await asks(request, { open: () => ({ write, end: () => {} }) });
      const { checkpoint, head } = JSON.parse(lines.at(-1)!);
      expect([checkpoint.seq, head]).to.deep.equal([shown, shown]);
    }
  });

  it('asks a peer for the pieces of its journal also if it does not know it as a mirror', async () => {
    const { peering, asked } = await heard(await Bench.open({}, { ada: 10 }), { isThere: true });
    expect(await peering.askOwnHead()).to.deep.equal({ outcome: 'level' });
    expect(asked).to.deep.equal(['/head', '/mirror/names?after=']);
  });

  it('takes what a peer knows of its journal for news while it starts, and for a conflict once it writes', async () => {
    const bench = await Bench.open({}, { ada: 10 });
    const { own, peering, asks } = await heard(bench);
    const { seq } = await bench.store.head();
    const ahead = { seq: seq + 1, chainHash: 'f'.repeat(64) };
    const body = { checkpoints: [signCheckpoint(own, ahead, { network, time: world.now() })] };
    const news = { method: 'POST', path: '/news', body: async () => JSON.stringify(body) };
    await asks(news, { send: async () => true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(peering.refusal()).to.equal(undefined);
    peering.serve(new Feed(seq));
    await until('it is stopped', () => peering.refusal()?.detail?.includes('knows a longer journal') === true);
  });
});
