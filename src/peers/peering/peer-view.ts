/** How a peer is shown to operators (docs/reference/node.md#peers). */

import { peerIdOf } from '../../core/codecs/peer-id.js';
import type { Equivocations } from '../equivocation.js';
import type { FollowStatus } from '../feed/feed-follower.js';
import type { KnownHeads } from '../known-heads.js';
import type { TradeLimit } from '../trade/limits.js';
import type { InboundPeer } from '../transport/transport.js';
import { whatOfEquivocation } from './evidence.js';
import type { FollowedPeer } from './followed-peer.js';

/** Entries are given by number, times in epoch milliseconds. */
export interface PeerView {
  readonly peerId: string;
  readonly did: string;
  /** The multiaddr that is dialled. */
  readonly address: string;
  /** Which side opened the connections that are open. */
  readonly direction: 'outbound' | 'inbound' | 'both' | 'none';
  /** When the oldest open connection was made. */
  readonly connectedAt: number | null;
  readonly latencyMs: number | null;
  /** The newest entry that it has announced. */
  readonly head: number;
  readonly adopted: number;
  /** Age of the newest adopted checkpoint; null before the first. */
  readonly lagMs: number | null;
  readonly status: FollowStatus;
  readonly violation?: PeerViolation;
  /** Entries whose payload it has withheld. */
  readonly withheld: number;
  /** What this node's operator lets trade with it come to. */
  readonly limits: TradeLimit;
}

export interface PeerViolation {
  readonly seq: number;
  readonly what: string;
  readonly at: number;
}

export interface ViewedFrom {
  readonly now: number;
  readonly inbound: readonly InboundPeer[];
  readonly heads: Pick<KnownHeads, 'adopted'>;
  readonly equivocations: Equivocations;
}

export function peerView({ did, follower, link }: FollowedPeer, limits: TradeLimit, from: ViewedFrom): PeerView {
  const { now, heads, equivocations } = from;
  const { status, adopted, head, connectedAt, withheld, stop } = follower.state;
  const inbound = from.inbound.filter((each) => each.did === did).map((each) => each.connectedAt);
  const since = [...inbound, ...(connectedAt === undefined ? [] : [connectedAt])];
  const proven = status === 'forked' ? equivocations.of(did) : undefined;
  const violation = proven
    ? { seq: proven.proof.first.seq, what: whatOfEquivocation, at: proven.learntAt }
    : stop && { seq: stop.seq, what: stop.what, at: stop.at };
  const covered = heads.adopted(did);
  return {
    ...{ peerId: peerIdOf(did), did, address: link.address },
    direction:
      connectedAt === undefined ? (inbound.length > 0 ? 'inbound' : 'none') : inbound.length > 0 ? 'both' : 'outbound',
    connectedAt: since.length > 0 ? Math.min(...since) : null,
    latencyMs: link.latencyMs === undefined ? null : Math.round(link.latencyMs * 10) / 10,
    ...{ head, adopted, lagMs: covered ? Math.max(0, now - covered.time) : null, status, withheld, limits },
    ...(violation ? { violation } : {}),
  };
}
