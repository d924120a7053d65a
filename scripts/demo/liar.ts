/**
 * A dishonest operator: serves its journal with one more entry, an event that someone has signed for another home. The
 * operator signs with the node's key, so all hashes, the chain and the checkpoints fit.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../packages/client/src/index.js';
import { canonical, sha256Hex } from '../../src/core/canonical.js';
import type { Did } from '../../src/core/codecs/did.js';
import { parseMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { realEnvironment as world } from '../../src/core/environment.js';
import { Feed } from '../../src/core/feed.js';
import { Keystore } from '../../src/keys/keystore.js';
import { SeedSigner } from '../../src/keys/signing.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { FeedServer } from '../../src/peers/feed/feed-server.js';
import { OwnCheckpoints } from '../../src/peers/feed/own-checkpoints.js';
import { TlsTransport } from '../../src/peers/transport/tls-transport.js';
import type { PeerService } from '../../src/peers/transport/transport.js';
import { chainHashOf, entryOf, type NumberedEntry } from '../../src/store/entry.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { DemoFailed } from './stage.js';

export interface LiarOptions {
  /** Data directory of the operator's node, which has stopped. */
  readonly dir: string;
  /** Address at which the peers reach it. */
  readonly address: string;
  /** The honest home whose resident has signed. */
  readonly stealFrom: Client;
  /** Number of the copied entry there. */
  readonly seq: number;
}

export class Liar {
  private constructor(
    /** Number of the forged entry. */
    readonly seq: number,
    private readonly store: SqliteStore,
    private readonly transport: TlsTransport,
  ) {}

  static async open({ dir, address, stealFrom, seq }: LiarOptions): Promise<Liar> {
    const where = parseMultiaddr(address);
    if (typeof where === 'string') throw new DemoFailed(`${address}: ${where}`);
    const signer = await keyIn(dir);
    const store = await SqliteStore.open({ dir, writer: 'inline' });
    const [last] = await store.entries({ after: (await store.head()).seq - 1, limit: 1 });
    if (!last) throw new DemoFailed('the dishonest home has a journal');
    const stolen = await stolenEntry({ stealFrom, seq }, signer.did, last);
    const feed = new Feed(stolen.seq);
    const server = new FeedServer({
      ...{ feed, catalogue, world },
      store: {
        entries: async (query) =>
          query.after >= last.seq
            ? [stolen]
            : store.entries({ ...query, limit: Math.min(query.limit, last.seq - query.after) }),
      },
      checkpoints: new OwnCheckpoints({ signer, network: 'devnet', world }),
      resource: (kind, id) => store.load(kind, id),
      isResident: async () => false,
    });
    const transport = new TlsTransport({ world, signer });
    const handle = async (...[request, reply]: Parameters<PeerService['handle']>) => {
      if (request.path === '/feed') await server.serve(request, reply);
      else await reply.send(404, '{}');
    };
    await transport.listen([where], { admit: () => true, onFault: () => {}, handle });
    return new Liar(stolen.seq, store, transport);
  }

  async close(): Promise<void> {
    await this.transport.close();
    await this.store.close();
  }
}

/** The node's key, unlocked with the passphrase that devnet has created for it. */
async function keyIn(dir: string): Promise<SeedSigner> {
  const { did } = JSON.parse(await readFile(join(dir, 'node.json'), 'utf8')) as { did: Did };
  const passphrase = (await readFile(join(dir, 'passphrase'), 'utf8')).trim();
  const keystore = await Keystore.open({ dir: join(dir, 'keystore'), world });
  await keystore.hold(did, passphrase, 'node');
  const signer = keystore.held(did);
  if (!(signer instanceof SeedSigner)) throw new DemoFailed('the key of the dishonest home opens');
  return signer;
}

/** An entry with the copied event, as the next one of this journal. */
async function stolenEntry(
  { stealFrom, seq }: Pick<LiarOptions, 'stealFrom' | 'seq'>,
  home: string,
  last: NumberedEntry,
): Promise<NumberedEntry> {
  const { events } = await stealFrom.events.list({ after: seq - 1, limit: 1 });
  const { event, law, versions, reads, accounts, moves, postings, idem, payload, salt } = events[0]!;
  const time = Math.max(last.core.time, world.now());
  const coreText = canonical({ v: 1, event, home, time, law, versions, reads, accounts, moves, postings, idem });
  const place = { seq: last.seq + 1, prevEntry: last.chainHash };
  const entry = entryOf(coreText, canonical({ payload, salt }), sha256Hex(coreText));
  return { ...entry, ...place, chainHash: chainHashOf(place.seq, place.prevEntry, entry.entryHash) };
}
