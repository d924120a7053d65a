/** A home that serves its feed on 127.0.0.1, and one that follows it, with real TLS and memory stores. */
import { realEnvironment } from '../../../src/core/environment.js';
import { Feed } from '../../../src/core/feed.js';
import type { Catalogue } from '../../../src/machines/kernel/step.js';
import { Equivocations } from '../../../src/peers/equivocation.js';
import { EarlyChecks } from '../../../src/peers/feed/early-checks.js';
import { FeedFollower } from '../../../src/peers/feed/feed-follower.js';
import { FeedServer } from '../../../src/peers/feed/feed-server.js';
import type { FeedStop } from '../../../src/peers/feed/feed-stop.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import { KnownHeads } from '../../../src/peers/known-heads.js';
import { Replica } from '../../../src/peers/replica/replica.js';
import { TlsTransport } from '../../../src/peers/transport/tls-transport.js';
import type { PeerAddress, PeerService } from '../../../src/peers/transport/transport.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Store } from '../../../src/store/store.js';
import { MemoryReplicas } from '../../doubles/memory-replicas.js';
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
    residents: readonly string[],
  ) {
    this.signer = signer(bench.node);
    this.feed = new Feed(0);
    this.checkpoints = new OwnCheckpoints({ signer: this.signer, network, world });
    this.server = new FeedServer({
      ...{ store: bench.store, feed: this.feed, catalogue: bench.catalogue, checkpoints: this.checkpoints, world },
      resource: (kind, id) => bench.store.load(kind, id),
      isResident: async (_home, did) => residents.includes(did),
    });
    bench.actors.committer.listen((entry) => {
      this.server.committed(entry);
      this.feed.advance(entry.seq);
    });
  }

  static async open(bench: Bench, residents: readonly string[] = []): Promise<ServingHome> {
    const home = new ServingHome(bench, residents);
    home.feed.advance((await bench.store.head()).seq);
    await home.listen();
    return home;
  }

  async listen(handle: PeerService['handle'] = (request, reply) => this.server.serve(request, reply)): Promise<void> {
    await this.close();
    this.#transport = new TlsTransport({ world, signer: this.signer });
    const where = this.address ? { ...anywhere, port: this.address.port } : anywhere;
    const service = { admit: () => true, onFault: () => {}, handle };
    [this.address] = (await this.#transport.listen([where], service)).addresses as [PeerAddress];
  }

  /** Serves its journal with an additional blank in the payload of one entry. */
  lies(seq: number): Promise<void> {
    const change = (line: string): string =>
      line.startsWith(`{"seq":${seq},`) ? line.replace('"payload":"', '"payload":" ') : line;
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
  readonly replicas: MemoryReplicas;
  readonly store: Store;
  readonly stops: FeedStop[];
  readonly logged: string[];
  close(): Promise<void>;
}

interface Following {
  readonly replicas?: MemoryReplicas;
  readonly catalogue?: Catalogue;
  readonly stop?: FeedStop;
}

export async function follow(home: ServingHome, options: Following = {}): Promise<FollowingHome> {
  const { replicas = new MemoryReplicas() } = options;
  const own = signer('follower');
  const transport = new TlsTransport({ world, signer: own });
  const logged: string[] = [];
  const log = (message: string): void => {
    logged.push(message);
  };
  const { did } = home.signer;
  const store = await replicas.open(did, 'write');
  const records = new MemoryStore({});
  const equivocations = await Equivocations.open({ store: records, world, log, hasRoom: () => true });
  const heads = new KnownHeads({
    ...{ own: own.did, network, world, equivocations, log },
    follows: (each) => each === did,
    journalOf: (each) => (each === did ? store : undefined),
    onOwnConflict: () => {},
  });
  const stops: FeedStop[] = [];
  const checks = new EarlyChecks();
  const connection = transport.dial(home.address);
  const follower = new FeedFollower({
    ...{ home: did, network, world, heads, log, checks, stop: options.stop },
    dial: () => connection,
    openReplica: () =>
      Replica.open({
        ...{
          store,
          home: did,
          network,
          catalogue: options.catalogue ?? home.bench.catalogue,
          world,
          verifySignatures: checks.of,
        },
      }),
    onStop: (stop) => stops.push(stop),
  });
  follower.start();
  return {
    ...{ follower, heads, replicas, store, stops, logged },
    async close() {
      await follower.close();
      await Promise.all([transport.close(), equivocations.stop()]);
    },
  };
}
