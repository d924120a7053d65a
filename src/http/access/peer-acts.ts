/** What operators decide about peers: over the control socket, and some of it with an admin key (docs/decisions/0042-peers-by-http.md). */
import type { Did } from '../../core/codecs/did.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import type { Peering } from '../../peers/peering/peering.js';
import type { Act, AdminLog } from './admin-log.js';

export interface PeerActParts<P = Pick<Peering, 'limit' | 'mirror'>> {
  /** Undefined for a node without peers. */
  readonly peering: P | undefined;
  readonly adminLog: AdminLog;
}

/** Runs an act on this node's peers, and logs it. */
export async function onPeers<P>(
  { peering, adminLog }: PeerActParts<P>,
  act: Act,
  run: (peering: P) => Promise<object | Refusal>,
): Promise<object | Refusal> {
  if (!peering) return refuse('UNPROCESSABLE', 'this node does not connect to peers: set SVC_LISTEN or SVC_PEERS');
  return adminLog.around<object>(act, () => run(peering));
}

export const limitPeer = (
  parts: PeerActParts,
  by: string,
  { did, tokens }: { readonly did: string; readonly tokens: number },
): Promise<object | Refusal> =>
  onPeers(
    parts,
    { act: 'peers.limit', by, details: { did, tokens } },
    async (peers) => (await peers.limit(did as Did, tokens)) ?? { did, tokens },
  );

export const mirrorPeer = (
  parts: PeerActParts,
  by: string,
  { did, remove }: { readonly did: string; readonly remove: boolean },
): Promise<object | Refusal> =>
  onPeers(
    parts,
    { act: 'peers.mirror', by, details: { did, remove } },
    async (peers) => (await peers.mirror(did as Did, !remove)) ?? { did },
  );
