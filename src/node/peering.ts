/** The peers of a node: opened only if SVC_LISTEN or SVC_PEERS is set (docs/reference/feeds.md). */
import { bounds, defaultPeerPort } from '../core/bounds.js';
import type { Did } from '../core/codecs/did.js';
import { formatMultiaddr, type Multiaddr } from '../core/codecs/multiaddr.js';
import { assert } from '../core/refusal.js';
import { SeedSigner } from '../keys/signing.js';
import { catalogue as everyKind } from '../machines/catalogue.js';
import { ContentFetcher } from '../peers/contents/content-fetcher.js';
import { ContentQueue } from '../peers/contents/content-queue.js';
import { Peering } from '../peers/peering/peering.js';
import { Residents } from '../peers/peering/residents.js';
import { TextThread } from '../peers/replica/text-checks.js';
import { RemoteTrading } from '../peers/trade/trade.js';
import { TlsTransport } from '../peers/transport/tls-transport.js';
import { PeerError } from '../peers/transport/transport.js';
import { homeOf } from '../store/entry.js';
import type { Replicas } from '../store/replicas.js';
import { entryAt, type Store } from '../store/store.js';
import type { NodeOptions } from './dependencies.js';
import { type NodeIdentity, StartRefused } from './identity.js';
import type { NodePeers, TradeParts } from './node-peers.js';
import { SharedCopies } from './shared-copies.js';

const anywhere: readonly Multiaddr[] = [{ family: 'ip4', host: '0.0.0.0', port: defaultPeerPort }];

/**
 * Listens for peers, and fetches the entries of this node's own journal that it has lost and its peers have. Must be
 * called before anything is written. Rejects with StartRefused.
 */
export async function openPeers(options: NodeOptions, store: Store, { signer }: NodeIdentity): Promise<NodePeers> {
  const { config, world, log, catalogue = everyKind } = options;
  assert(signer instanceof SeedSigner, 'the node’s own key is in memory');
  await refuseForeignJournal(store, signer.did);
  const replicas = await openReplicas(options, store);
  const texts = new TextThread();
  let freeBytes: () => number | undefined = () => undefined;
  const hasRoom = () => (freeBytes() ?? bounds.freeDiskBytes) >= bounds.freeDiskBytes;
  try {
    const peering = await Peering.open({
      ...{ signer, network: config.network, world, catalogue, store, replicas, hasRoom },
      transport: new TlsTransport({ world, signer }),
      listen: config.listen.length > 0 ? config.listen : anywhere,
      peers: config.peers,
      aloneMs: config.peersAloneSeconds * 1_000,
      copies: config.peerCopies,
      verifySignatures: texts.check,
      log: (message, detail) => log.warn(detail, message),
    });
    const contents = openContents(options, { peering, store, hasRoom, home: signer.did });
    const close = async () => {
      await contents.close();
      await peering.close();
      await texts.close();
    };
    try {
      const ended = await peering.catchUp();
      if (ended.outcome === 'refused') throw new StartRefused(`SVC_PEERS: the node does not start: ${ended.why}.`);
      log.info({ addresses: peering.addresses.map(formatMultiaddr), ...ended }, 'peers can reach this node');
      const openTrade = (parts: TradeParts) => {
        const trade = new RemoteTrading({
          ...{ ...parts, network: config.network, networkArbiter: config.arbiterDid, world, store },
          ...{ homes: peering.foreignHomes, limits: peering.limits, moved: peering.moved },
          refusalOf: (home) => peering.refusalOfTrade(home),
          isFollowing: (home) => peering.isFollowing(home),
          homewardMs: config.homewardSeconds * 1_000,
          log: (message, detail) => log.warn(detail, message),
        });
        peering.listenAdopted((home, entries) =>
          trade.adopted(
            home,
            entries.map(({ entry }) => entry),
          ),
        );
        return trade;
      };
      return { peering, contents: contents.fetcher, watchDisk: (read) => (freeBytes = read), openTrade, close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await texts.close();
    if (error instanceof PeerError) throw new StartRefused(`SVC_LISTEN: ${error.message}.`);
    throw error;
  }
}

interface ContentParts {
  readonly peering: Peering;
  readonly store: Store;
  readonly hasRoom: () => boolean;
  /** DID of this home. */
  readonly home: Did;
}

/** Fetches the contents of other homes' resources for the residents of this one. */
function openContents({ world, log, catalogue = everyKind }: NodeOptions, parts: ContentParts) {
  const { peering, store, hasRoom, home } = parts;
  const shared = { world, catalogue, log: (message: string, detail: object) => log.warn(detail, message) };
  const fetcher = new ContentFetcher({ ...shared, hasRoom, peerAt: peering.peerAt });
  const residents = new Residents(() => store, peering.moved);
  const queue = new ContentQueue({
    ...{ ...shared, fetcher },
    copyOf: (of) => peering.peerAt(of)?.store,
    isResident: (did) => residents.isResident(home, did),
  });
  peering.listenAdopted((of, entries) =>
    queue.adopted(
      of,
      entries.map(({ entry }) => entry),
    ),
  );
  const close = async () => {
    await Promise.all([fetcher.close(), queue.close()]);
  };
  return { fetcher, close };
}

/** Refuses another home's journal, because only its home can sign checkpoints of it. */
async function refuseForeignJournal(store: Store, did: string): Promise<void> {
  const first = await entryAt(store, 1);
  const home = first && homeOf(first.core);
  if (home === undefined || home === did) return;
  throw new StartRefused(
    `SVC_LISTEN, SVC_PEERS: this journal's home is ${home}, and this node is ${did}: only the node with the home's key can speak to peers. Leave the variables out.`,
  );
}

async function openReplicas({ config }: NodeOptions, store: Store): Promise<Replicas> {
  if (store.kind === 'sqlite') {
    const { SqliteReplicas } = await import('../store/sqlite/replicas.js');
    return new SqliteReplicas({ dir: config.dataDir });
  }
  const { MongoStore } = await import('../store/mongo/mongo-store.js');
  if (store instanceof MongoStore) return store.replicas();
  throw new StartRefused(
    'SVC_LISTEN, SVC_PEERS: this store keeps no copies of other journals. Leave the variables out.',
  );
}

/** Opens copies for a process without peers on a shared database, where another process may have some. */
export async function openSharedCopies({ world, log }: NodeOptions, store: Store): Promise<SharedCopies | undefined> {
  const { MongoStore } = await import('../store/mongo/mongo-store.js');
  if (!(store instanceof MongoStore)) return undefined;
  return new SharedCopies(store.replicas(), { world, log: (message, detail) => log.warn(detail, message) });
}
