/** A home that serves its feed on 127.0.0.1, and one that follows it, with real TLS and memory stores. */
import { realEnvironment } from '../../../src/core/environment.js';
import { Feed } from '../../../src/core/feed.js';
import { Equivocations } from '../../../src/peers/equivocation.js';
import { FeedFollower } from '../../../src/peers/feed/feed-follower.js';
import { FeedServer } from '../../../src/peers/feed/feed-server.js';
import type { FeedStop } from '../../../src/peers/feed/feed-stop.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import { FollowedChain } from '../../../src/peers/followed-chain.js';
import { KnownHeads } from '../../../src/peers/known-heads.js';
import { TlsTransport } from '../../../src/peers/transport/tls-transport.js';
import type { PeerAddress, PeerService } from '../../../src/peers/transport/transport.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { freePort } from '../../support/free-port.js';
import { type Bench, network } from '../../world/bench.js';
import { signer } from '../../world/people.js';
import { anywhere } from '../transport/pair.js';

const world = realEnvironment;

export class ServingHome {
  readonly signer;
  readonly feed: Feed;
  readonly server: FeedServer;
  readonly checkpoints: OwnCheckpoints;
  address!: PeerAddress;
  #transport: TlsTransport | undefined;

  private constructor(
    readonly bench: Bench,
    network: string,
  ) {
    this.signer = signer(bench.node);
    this.feed = new Feed(0);
    this.checkpoints = new OwnCheckpoints({ signer: this.signer, network, world });
    this.server = new FeedServer({
      ...{ store: bench.store, feed: this.feed, checkpoints: this.checkpoints, world },
    });
    bench.actors.committer.listen((entry) => {
      this.server.committed(entry);
      this.feed.advance(entry.seq);
    });
  }

  /** @param stated the network that its checkpoints name */
  static async open(bench: Bench, stated = network): Promise<ServingHome> {
    const home = new ServingHome(bench, stated);
    home.feed.advance((await bench.store.head()).seq);
    await home.listen();
    return home;
  }

  async listen(handle: PeerService['handle'] = (request, reply) => this.server.serve(request, reply)): Promise<void> {
    await this.close();
    this.#transport = new TlsTransport({ world, signer: this.signer });
    const where = { ...anywhere, port: this.address?.port ?? (await freePort()) };
    const service = { admit: () => true, onFault: () => {}, handle };
    [this.address] = (await this.#transport.listen([where], service)).addresses as [PeerAddress];
  }

  /** Serves its journal with another hash of one entry. */
  lies(seq: number): Promise<void> {
    const change = (line: string): string =>
      line.startsWith(`{"seq":${seq},`) ? line.replace(/[0-9a-f]{64}/, 'f'.repeat(64)) : line;
    return this.listen((request, reply) =>
      this.server.serve(request, {
        send: (...sent) => reply.send(...sent),
        open() {
          const writer = reply.open();
          return { write: (lines) => writer.write(lines.map(change)), end: () => writer.end() };
        },
      }),
    );
  }

  async close(): Promise<void> {
    await this.#transport?.close();
  }
}

export interface FollowingHome {
  readonly follower: FeedFollower;
  readonly heads: KnownHeads;
  readonly chain: FollowedChain;
  readonly store: MemoryStore;
  readonly stops: FeedStop[];
  readonly logged: string[];
  close(): Promise<void>;
}

interface Following {
  /** That of an earlier run. */
  readonly store?: MemoryStore;
  readonly stop?: FeedStop;
}

export async function follow(home: ServingHome, options: Following = {}): Promise<FollowingHome> {
  const { store = new MemoryStore({}) } = options;
  const own = signer('follower');
  const transport = new TlsTransport({ world, signer: own });
  const logged: string[] = [];
  const log = (message: string): void => {
    logged.push(message);
  };
  const { did } = home.signer;
  const chain = await FollowedChain.open(store, did, network);
  const equivocations = await Equivocations.open({ store, world, log, hasRoom: () => true });
  const heads = new KnownHeads({
    ...{ own: own.did, network, world, equivocations, log },
    follows: (each) => each === did,
    chainOf: (each) => (each === did ? chain : undefined),
    ownJournal: () => undefined,
    onOwnConflict: () => {},
  });
  const stops: FeedStop[] = [];
  const connection = transport.dial(home.address);
  const follower = new FeedFollower({
    ...{ home: did, network, world, chain, heads, log, stop: options.stop },
    link: connection,
    onStop: (stop) => stops.push(stop),
  });
  follower.start();
  return {
    ...{ follower, heads, chain, store, stops, logged },
    async close() {
      await follower.close();
      await Promise.all([transport.close(), equivocations.stop()]);
    },
  };
}
