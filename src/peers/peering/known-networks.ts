/**
 * Where each member has proven its DID, or was reached: handshakes from there come before those of strangers. Kept over
 * restarts, because strangers may be faster than the members at a start.
 */
import { peerBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { putNewest } from '../../store/local-record.js';
import type { Store } from '../../store/store.js';
import { networkOf } from '../transport/connection-limits.js';

const table = 'peer-networks';

export interface KnownNetworksOptions {
  readonly store: Pick<Store, 'listLocal' | 'getLocal' | 'putLocal' | 'deleteLocal'>;
  /** False while the disk is nearly full. */
  readonly hasRoom: () => boolean;
  readonly log: (message: string, detail: object) => void;
}

export class KnownNetworks {
  readonly #of = new Map<Did, readonly string[]>();

  private constructor(private readonly options: KnownNetworksOptions) {}

  static async open(options: KnownNetworksOptions): Promise<KnownNetworks> {
    const known = new KnownNetworks(options);
    for (const { id, value } of await options.store.listLocal(table)) {
      known.#of.set(id as Did, (value as { readonly networks: readonly string[] }).networks);
    }
    return known;
  }

  has(address: string): boolean {
    const network = networkOf(address);
    return [...this.#of.values()].some((networks) => networks.includes(network));
  }

  /** @param address at which the member has just proven its DID */
  add(did: Did, address: string): void {
    const network = networkOf(address);
    const before = this.#of.get(did) ?? [];
    if (before.includes(network)) return;
    const networks = [network, ...before].slice(0, peerBounds.networksPerDid);
    this.#of.set(did, networks);
    const { store, hasRoom, log } = this.options;
    if (!hasRoom()) return;
    putNewest(store, table, did, { networks }).catch((error: unknown) => {
      log('the address of a peer is not on disk', { home: did, error: String(error) });
    });
  }

  async forget(did: Did): Promise<void> {
    this.#of.delete(did);
    await this.options.store.deleteLocal(table, did);
  }
}
