/** The peers of a node: opened only if SVC_LISTEN or SVC_PEERS is set (docs/reference/feeds.md). */
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bounds, defaultPeerPort, mirrorBounds, type PeerBounds, peerBounds } from '../core/bounds.js';
import { formatMultiaddr, type Multiaddr } from '../core/codecs/multiaddr.js';
import type { Environment } from '../core/environment.js';
import { catalogue as everyKind } from '../machines/catalogue.js';
import type { CardFile } from '../peers/cards/card-index.js';
import { Peering } from '../peers/peering/peering.js';
import { TlsTransport } from '../peers/transport/tls-transport.js';
import { PeerError } from '../peers/transport/transport.js';
import { databaseFile } from '../store/sqlite/durable.js';
import { SqliteStore } from '../store/sqlite/sqlite-store.js';
import { entryAt, type Store, StoreRefused } from '../store/store.js';
import { restoreMarkOf } from '../verify/move/mark.js';
import type { Config } from './config/config.js';
import { halfRestored } from './database.js';
import type { NodeOptions, NodePeers } from './dependencies.js';
import { type NodeIdentity, StartRefused } from './identity.js';

export const peerBoundsOf = ({
  peerConnectionsPerAddress: connections,
  peerHandshakesPerAddress: handshakes,
}: Pick<Config, 'peerConnectionsPerAddress' | 'peerHandshakesPerAddress'>): PeerBounds => ({
  ...{ ...peerBounds, connectionsPerAddress: connections, handshakesPerAddress: handshakes },
  handshakesPerKnownAddress: Math.max(peerBounds.handshakesPerKnownAddress, handshakes),
});

const anywhere: readonly Multiaddr[] = [{ family: 'ip4', host: '0.0.0.0', port: defaultPeerPort }];

/**
 * Listens for peers, and asks them for the head of this node's own journal. Must be called before anything is written.
 * Rejects with StartRefused.
 */
export async function openPeers(options: NodeOptions, store: Store, { signer }: NodeIdentity): Promise<NodePeers> {
  const { config, world, log } = options;
  await refuseForeignJournal(store, signer.did);
  let freeBytes: () => number | undefined = () => undefined;
  const hasFree = (bytes: number) => (freeBytes() ?? bytes) >= bytes;
  const peering = await Peering.open({
    ...{ signer, network: config.network, world, store },
    transport: new TlsTransport({ world, signer, bounds: peerBoundsOf(config) }),
    listen: config.listen.length > 0 ? config.listen : anywhere,
    peers: config.peers,
    cards: { catalogue: options.catalogue ?? everyKind, file: cardFileIn(config.dataDir, world) },
    aloneMs: config.peersAloneSeconds * 1_000,
    hasRoom: () => hasFree(bounds.freeDiskBytes),
    mirrors: {
      dir: join(config.dataDir, 'mirrors'),
      hasRoom: () => hasFree(bounds.freeDiskBytes + mirrorBounds.reserveBytes),
      copies: config.peerCopies,
    },
    log: (message, detail) => log.warn(detail, message),
  }).catch((error: unknown) => {
    throw error instanceof PeerError ? new StartRefused(`SVC_LISTEN: ${error.message}.`) : error;
  });
  try {
    const outcome = await levelWithPeers(options, store, peering);
    log.info({ addresses: peering.addresses.map(formatMultiaddr), outcome }, 'peers can reach this node');
    const { clocks } = peering;
    return { peering, clocks, watchDisk: (read) => (freeBytes = read), close: () => peering.close() };
  } catch (error) {
    await peering.close();
    throw error;
  }
}

/**
 * Asks the peers for the head of this node's own journal, and takes what is missing here back from the mirrors. Rejects with
 * StartRefused.
 */
async function levelWithPeers(
  { catalogue = everyKind, log }: NodeOptions,
  store: Store,
  peering: Peering,
): Promise<string> {
  const refused = (why: string) => new StartRefused(`SVC_PEERS: the node does not start: ${why}.`);
  for (;;) {
    const ended = await peering.askOwnHead();
    if (ended.outcome === 'refused') throw refused(ended.why);
    const begun = await restoreMarkOf(store);
    const ends = [ended.outcome === 'behind' ? ended.until : undefined, begun].filter((end) => end !== undefined);
    const until = ends.toSorted((one, other) => other.seq - one.seq)[0];
    if (!until) return ended.outcome;
    const why = ended.outcome === 'behind' ? ended.why : halfRestored(until);
    log.warn(
      { until: until.seq },
      'this journal lacks entries that the peers know: it takes them back from the mirrors',
    );
    await peering.restore(until, catalogue).catch((error: unknown) => {
      throw error instanceof StoreRefused ? refused(`${why} (from mirrors: ${error.message})`) : error;
    });
    log.warn({ head: until.seq }, 'the journal is whole again');
  }
}

/** Refuses another home's journal, because only its home can sign checkpoints of it. */
async function refuseForeignJournal(store: Store, did: string): Promise<void> {
  const first = await entryAt(store, 1);
  const home = first?.core.event.home;
  if (home === undefined || home === did) return;
  throw new StartRefused(
    `SVC_LISTEN, SVC_PEERS: this journal's home is ${home}, and this node is ${did}: only the node with the home's key can speak to peers. Leave the variables out.`,
  );
}

/** The index of other homes' cards: a separate SQLite database, in a folder of the data directory. */
export function cardFileIn(dataDir: string, world: Environment): CardFile {
  const dir = join(dataDir, 'peers');
  let inode: number | undefined;
  // Without a thread of the pool, which would cost ten times as much for each line of a feed.
  const inodeNow = () => {
    try {
      return statSync(databaseFile(dir)).ino;
    } catch {
      return undefined; // a file that cannot be looked at counts as gone
    }
  };
  const erase = () => rm(dir, { recursive: true, force: true });
  return {
    async open() {
      const store = await SqliteStore.open({ dir, world }).catch(async () => {
        await erase();
        return SqliteStore.open({ dir, world });
      });
      inode = inodeNow();
      return store;
    },
    isThere: async () => inode !== undefined && inodeNow() === inode,
    delete: erase,
  };
}
