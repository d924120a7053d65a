/**
 * The peers of this node: those of SVC_PEERS, and those that its operator has added or removed since
 * (docs/reference/feeds.md#membership). Membership is local: no peer can change it.
 */

import { bounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { formatMultiaddr, parsePeerAddress } from '../../core/codecs/multiaddr.js';
import { didOfPeerId } from '../../core/codecs/peer-id.js';
import { assert, type Refusal, refuse } from '../../core/refusal.js';
import { putNewest } from '../../store/local-record.js';
import type { Store } from '../../store/store.js';
import type { PeerAddress } from '../transport/transport.js';

export interface PeerMember {
  readonly did: Did;
  /** At least one; tried in turn. */
  readonly addresses: readonly PeerAddress[];
}

/** The operator's decision about one DID. */
interface KeptMember {
  readonly addresses: readonly string[];
  readonly isRemoved?: boolean;
  /** See Peering.limits. */
  readonly limit?: number;
}

const table = 'peer-members';
const mostAddresses = 8;

export class Membership {
  readonly #members = new Map<Did, PeerMember>();
  readonly limits = new Map<Did, number>();

  private constructor(
    private readonly store: Pick<Store, 'listLocal' | 'getLocal' | 'putLocal'>,
    private readonly own: Did,
  ) {}

  static async open(
    store: Pick<Store, 'listLocal' | 'getLocal' | 'putLocal'>,
    own: Did,
    configured: readonly PeerAddress[],
  ): Promise<Membership> {
    const membership = new Membership(store, own);
    for (const address of configured) membership.#take(address);
    for (const { id, value } of await store.listLocal(table)) {
      const { addresses, isRemoved, limit } = value as unknown as KeptMember;
      if (limit !== undefined) membership.limits.set(id as Did, limit);
      if (isRemoved) membership.#members.delete(id as Did);
      else for (const text of addresses) membership.#take(parsePeerAddress(text) as PeerAddress);
    }
    return membership;
  }

  all(): readonly PeerMember[] {
    return [...this.#members.values()].sort((one, other) => (one.did < other.did ? -1 : 1));
  }

  has(did: string): boolean {
    return this.#members.has(did as Did);
  }

  /** Adds a peer or an address of one. Durable when it resolves. */
  async add(address: PeerAddress): Promise<PeerMember | Refusal> {
    const did = didOf(address);
    if (did === this.own) return refuse('INVALID_REQUEST', 'the address is that of this node');
    if (!this.#members.has(did) && this.#members.size >= bounds.peers) {
      return refuse('CONFLICT', `the node has ${bounds.peers} peers already, which is the most`);
    }
    const known = this.#members.get(did)?.addresses ?? [];
    const text = formatMultiaddr(address);
    const isKnown = known.some((each) => formatMultiaddr(each) === text);
    if (!isKnown && known.length >= mostAddresses) {
      return refuse('CONFLICT', `the peer has ${mostAddresses} addresses already, which is the most`);
    }
    const addresses = isKnown ? known : [...known, address];
    await this.#keep(did, { addresses: addresses.map(formatMultiaddr) });
    const member = { did, addresses };
    this.#members.set(did, member);
    return member;
  }

  /** Durable when it resolves. */
  async limit(did: Did, limit: number): Promise<Refusal | undefined> {
    const member = this.#members.get(did);
    if (!member) return refuse('NOT_FOUND', `${did} is not a peer of this node`);
    this.limits.set(did, limit);
    await this.#keep(did, { addresses: member.addresses.map(formatMultiaddr) });
    return undefined;
  }

  /** Removes a peer, also one that SVC_PEERS names. Durable when it resolves. */
  async remove(did: Did): Promise<Refusal | undefined> {
    if (!this.#members.has(did)) return refuse('NOT_FOUND', `${did} is not a peer of this node`);
    this.limits.delete(did);
    await this.#keep(did, { addresses: [], isRemoved: true });
    this.#members.delete(did);
    return undefined;
  }

  #take(address: PeerAddress): void {
    const did = didOf(address);
    // SVC_PEERS may contain this node itself: a cluster may share one list of all its nodes.
    if (did === this.own) return;
    const known = this.#members.get(did)?.addresses ?? [];
    const text = formatMultiaddr(address);
    if (known.length >= mostAddresses || known.some((each) => formatMultiaddr(each) === text)) return;
    this.#members.set(did, { did, addresses: [...known, address] });
  }

  async #keep(did: Did, kept: KeptMember): Promise<void> {
    const limit = this.limits.get(did);
    await putNewest(this.store, table, did, {
      ...{ ...kept, addresses: [...kept.addresses] },
      ...(limit !== undefined && { limit }),
    });
  }
}

function didOf({ peerId }: PeerAddress): Did {
  const did = didOfPeerId(peerId);
  assert(did !== undefined, 'the address of a peer has a checked peer id');
  return did;
}
