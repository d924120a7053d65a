/**
 * A dishonest operator: continues its journal in two ways, and shows each peer one of them. It signs with the node's key,
 * so each peer by itself sees nothing wrong.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../src/core/canonical.js';
import type { Did } from '../../src/core/codecs/did.js';
import { parseMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { Keystore } from '../../src/keys/keystore.js';
import { SeedSigner } from '../../src/keys/signing.js';
import { signCheckpoint } from '../../src/peers/checkpoint.js';
import { lineOfEnd, lineOfEntry } from '../../src/peers/feed/line.js';
import { TlsTransport } from '../../src/peers/transport/tls-transport.js';
import type { PeerReply, PeerRequest } from '../../src/peers/transport/transport.js';
import { chainHashOf } from '../../src/store/entry.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { JournalHead } from '../../src/store/store.js';
import { DemoFailed } from './stage.js';

const heartbeatMs = 1_000;

export class Liar {
  /** By DID of the follower: the entry hash that it is shown, another for each. */
  readonly #shown = new Map<Did, string>();
  readonly #transport: TlsTransport;

  private constructor(
    private readonly signer: SeedSigner,
    /** The newest entry that is the same for all. */
    private readonly last: JournalHead,
  ) {
    this.#transport = new TlsTransport({ world, signer });
  }

  /** @param dir data directory of the operator's node, which has stopped @param address at which the peers reach it */
  static async open(dir: string, address: string): Promise<Liar> {
    const where = parseMultiaddr(address);
    if (typeof where === 'string') throw new DemoFailed(`${address}: ${where}`);
    const signer = await keyIn(dir);
    const store = await SqliteStore.open({ dir, writer: 'inline' });
    const liar = new Liar(signer, await store.head());
    await store.close();
    const handle = (request: PeerRequest, reply: PeerReply) => liar.#answer(request, reply);
    await liar.#transport.listen([where], { admit: () => true, onFault: () => {}, handle });
    return liar;
  }

  /** Number of the entry of which there are several. */
  get seq(): number {
    return this.last.seq + 1;
  }

  async #answer({ did, method, path, query }: PeerRequest, reply: PeerReply): Promise<void> {
    if (path !== '/feed')
      return void (await reply.send(method === 'GET' ? 200 : 204, method === 'GET' ? '{}' : undefined));
    const entryHash = this.#shown.get(did) ?? sha256Hex(`for ${did}`);
    this.#shown.set(did, entryHash);
    const { seq } = this;
    const head = { seq, chainHash: chainHashOf(seq, this.last.chainHash, entryHash) };
    const lines = reply.open();
    const end = () => lineOfEnd({ checkpoint: this.#checkpointOf(head), head: seq });
    let isOpen = await lines.write([
      ...(query.get('after') === String(seq) ? [] : [lineOfEntry({ seq, entryHash })]),
      end(),
    ]);
    for (; isOpen; isOpen = await lines.write([end()])) await pause(world, heartbeatMs);
    lines.end();
  }

  #checkpointOf(head: JournalHead) {
    return signCheckpoint(this.signer, head, { network: 'devnet', time: world.now() });
  }

  close(): Promise<void> {
    return this.#transport.close();
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
