/** The peer tasks of a home: serving its feed, following others, comparing checkpoints. */

import type { Did } from '../../../src/core/codecs/did.js';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { type Environment, pause } from '../../../src/core/environment.js';
import { Feed } from '../../../src/core/feed.js';
import type { SeedSigner } from '../../../src/keys/signing.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { Equivocations } from '../../../src/peers/equivocation.js';
import { FeedFollower } from '../../../src/peers/feed/feed-follower.js';
import { FeedServer } from '../../../src/peers/feed/feed-server.js';
import { lineOfEntry, parseFeedLine } from '../../../src/peers/feed/line.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import { KnownHeads, type OwnHeadConflict } from '../../../src/peers/known-heads.js';
import type { OwnHeadPeer } from '../../../src/peers/own-head.js';
import { Replica, type TextChecks } from '../../../src/peers/replica/replica.js';
import type { PeerConnection, PeerReply, PeerRequest, PeerTransport } from '../../../src/peers/transport/transport.js';
import type { Store } from '../../../src/store/store.js';
import { network } from '../../world/bench.js';
import type { MountedDisk } from './disk.js';

export interface PeerSideOptions {
  readonly world: Environment;
  readonly signer: SeedSigner;
  readonly disk: MountedDisk;
  readonly transport: PeerTransport;
  readonly host: string;
  readonly peers: readonly { readonly did: Did; readonly host: string }[];
  readonly checkTexts: TextChecks;
  readonly onOwnConflict: (conflict: OwnHeadConflict) => void;
  readonly log: (message: string, detail: object) => void;
}

const addressOf = (host: string) => ({ family: 'ip4' as const, host, port: 9529 });

export class PeerSide {
  readonly heads: KnownHeads;
  readonly feed = new Feed(0);
  readonly followers = new Map<string, FeedFollower>();
  readonly replicas = new Map<string, Store>();
  readonly connections = new Map<string, PeerConnection>();
  #server: FeedServer | undefined;

  private constructor(
    private readonly options: PeerSideOptions,
    readonly equivocations: Equivocations,
  ) {
    const { world, signer, disk, peers, onOwnConflict, log } = options;
    this.heads = new KnownHeads({
      ...{ own: signer.did, network, world, equivocations, onOwnConflict, log },
      follows: (home) => peers.some(({ did }) => did === home),
      journalOf: (home) => (home === signer.did ? disk.store : this.replicas.get(home)),
    });
  }

  static async open(options: PeerSideOptions): Promise<PeerSide> {
    const { world, disk, transport, host, peers, log } = options;
    const equivocations = await Equivocations.open({ store: disk.store, world, log, hasRoom: () => true });
    const side = new PeerSide(options, equivocations);
    for (const { did } of peers) {
      side.replicas.set(did, await disk.replicas.open(did, 'write'));
      await side.heads.advanced(did);
    }
    await transport.listen([addressOf(host)], {
      admit: () => true,
      handle: (request, reply) => side.#handle(request, reply),
      onFault: (error) => log('a request failed', { error: String(error) }),
    });
    for (const peer of peers) {
      side.connections.set(peer.did, transport.dial({ ...addressOf(peer.host), peerId: peerIdOf(peer.did) }));
    }
    return side;
  }

  /** Peers to ask for our own head. */
  askable(): OwnHeadPeer[] {
    return [...this.connections].map(([did, connection]) => ({
      did,
      async end(signal) {
        const { status, body } = await connection.request('GET', '/head', { signal });
        if (status !== 200) throw new Error(`answers ${status}`);
        return JSON.parse(body);
      },
      async *entries(head, upTo, signal) {
        const lines = await connection.open(`/copy?after=${head.seq}&upTo=${upTo}`, { signal });
        let { chainHash } = head;
        for await (const text of lines) {
          const line = parseFeedLine(text, chainHash);
          if (typeof line === 'string' || !('entry' in line)) throw new Error('a strange line');
          chainHash = line.entry.entry.chainHash;
          yield line.entry;
        }
      },
    }));
  }

  /** Called when the own journal is open. */
  async start(): Promise<void> {
    const { signer, world, disk, peers } = this.options;
    const { store } = disk;
    this.feed.advance((await store.head()).seq);
    const checkpoints = new OwnCheckpoints({
      ...{ signer, network, world },
      onSigned: (checkpoint) => this.heads.signed(checkpoint),
    });
    this.#server = new FeedServer({
      ...{ store, feed: this.feed, checkpoints, world, catalogue },
      resource: (kind, id) => store.load(kind, id),
      isResident: async () => true,
    });
    await this.heads.advanced(signer.did);
    for (const { did } of peers) {
      const follower = this.#follow(did);
      this.followers.set(did, follower);
      void this.#tell(did);
    }
  }

  async #handle(request: PeerRequest, reply: PeerReply): Promise<void> {
    const { path, did, query } = request;
    if (path === '/head') {
      const checkpoint = this.heads.newest(did) ?? this.heads.adopted(did);
      const adopted = (await this.replicas.get(did)!.head()).seq;
      await reply.send(200, JSON.stringify({ checkpoint, held: this.heads.adopted(did), adopted }));
    } else if (path === '/copy') {
      const upTo = Number(query.get('upTo'));
      const writer = reply.open();
      for (let after = Number(query.get('after')); after < upTo; ) {
        const page = await this.replicas.get(did)!.entries({ after, limit: Math.min(50, upTo - after) });
        if (page.length === 0) break;
        if (!(await writer.write(page.map((entry) => lineOfEntry({ entry }))))) return;
        after = page.at(-1)!.seq;
      }
      writer.end();
    } else if (path === '/feed' && this.#server) await this.#server.serve(request, reply);
    else if (path === '/news') {
      const { checkpoints, equivocations } = JSON.parse((await request.body()) ?? '{}');
      for (const each of checkpoints) this.heads.receive(each, did);
      for (const each of equivocations) this.heads.receiveProof(each, did);
      await reply.send(204);
    } else await reply.send(503);
  }

  async #tell(did: Did): Promise<void> {
    for (;;) {
      await pause(this.options.world, 1_000);
      const news = this.heads.news(did);
      if (!news) continue;
      try {
        const body = JSON.stringify(news.message);
        const { status } = await this.connections.get(did)!.request('POST', '/news', { body });
        if (status === 204) news.delivered();
      } catch {
        this.heads.dropPeer(did);
      }
    }
  }

  /** Follows the homes, also before the own journal is open. */
  #follow(did: Did): FeedFollower {
    const { world, disk, checkTexts, log } = this.options;
    const follower = new FeedFollower({
      ...{ home: did, network, world, heads: this.heads },
      dial: () => this.connections.get(did)!,
      openReplica: async () => {
        const before = this.replicas.get(did);
        if (before) {
          this.replicas.delete(did);
          await before.close();
        }
        const store = await disk.replicas.open(did, 'write');
        this.replicas.set(did, store);
        await this.heads.advanced(did);
        return Replica.open({
          ...{ store, home: did, network, catalogue, world, verifySignatures: checkTexts },
          bounds: { accounts: 50, nodes: 4 },
        });
      },
      log,
    });
    follower.start();
    return follower;
  }
}
