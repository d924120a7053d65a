/** How a peer is shown to operators (docs/reference/node.md#peers). */

import { peerIdOf } from '../../core/codecs/peer-id.js';
import type { Equivocations } from '../equivocation.js';
import type { FollowStatus } from '../feed/feed-follower.js';
import type { InboundPeer } from '../transport/transport.js';
import { whatOfEquivocation } from './evidence.js';
import type { FollowedPeer } from './followed-peer.js';

/** Entries are given by number, times in epoch milliseconds. */
export interface PeerView {
  readonly peerId: string;
  readonly did: string;
  /** The address that is dialled. */
  readonly multiaddrs: readonly string[];
  /** Which side opened the connections that are open. */
  readonly direction: 'outbound' | 'inbound' | 'both' | 'none';
  /** When the oldest open connection was made. */
  readonly connectedAt: number | null;
  readonly latencyMs: number | null;
  /** The newest entry that it has announced. */
  readonly head: number;
  readonly followed: number;
  /** Age of the newest checkpoint of the followed entry; null before the first. */
  readonly lagMs: number | null;
  /** Its clock minus this one at its newest checkpoint; null before the first. */
  readonly clockAheadMs: number | null;
  readonly status: FollowStatus;
  /** See Peering.limits. */
  readonly limit: number;
  readonly violation?: PeerViolation;
  /** The last entry of this node's journal that it has on its disk as a mirror; absent: it is none, or has not answered. */
  readonly mirrored?: number;
  /** Bytes that this node keeps of it as its mirror; absent: it keeps none. */
  readonly kept?: number;
}

export interface PeerViolation {
  readonly seq: number;
  readonly what: string;
  readonly detectedAt: number;
}

export interface ViewedFrom {
  readonly now: number;
  readonly inbound: readonly InboundPeer[];
  readonly equivocations: Equivocations;
}

export function peerView({ did, follower, link }: FollowedPeer, from: ViewedFrom): Omit<PeerView, 'limit'> {
  const { now, equivocations } = from;
  const { status, followed, head, asOf, clockAheadMs = null, connectedAt, stop } = follower.state;
  const inbound = from.inbound.filter((each) => each.did === did).map((each) => each.connectedAt);
  const since = [...inbound, ...(connectedAt === undefined ? [] : [connectedAt])];
  const proven = status === 'forked' ? equivocations.of(did) : undefined;
  const violation = proven
    ? { seq: proven.proof.first.seq, what: whatOfEquivocation, detectedAt: proven.learntAt }
    : stop && { seq: stop.seq, what: stop.what, detectedAt: stop.at };
  return {
    ...{ peerId: peerIdOf(did), did, multiaddrs: [link.address] },
    direction:
      connectedAt === undefined ? (inbound.length > 0 ? 'inbound' : 'none') : inbound.length > 0 ? 'both' : 'outbound',
    connectedAt: since.length > 0 ? Math.min(...since) : null,
    latencyMs: link.latencyMs === undefined ? null : Math.round(link.latencyMs * 10) / 10,
    ...{ head, followed, lagMs: asOf === undefined ? null : Math.max(0, now - asOf), clockAheadMs, status },
    ...(violation ? { violation } : {}),
  };
}
