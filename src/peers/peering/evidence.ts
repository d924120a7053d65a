/** The evidence kept against a home that is no longer followed (docs/reference/node.md#evidence). */
import type { Did } from '../../core/codecs/did.js';
import type { Store } from '../../store/store.js';
import type { Checkpoint, EquivocationProof } from '../checkpoint.js';
import { type Equivocation, keptEquivocation } from '../equivocation.js';
import type { FeedStop } from '../feed/feed-stop.js';
import { keptStop } from './stops.js';

export interface PeerEvidence {
  /** DID of the home. */
  readonly did: Did;
  readonly cause: 'bad-line' | 'equivocation';
  /** The entry at which the feed has stopped, or at which the two journals differ. */
  readonly seq: number;
  readonly what: string;
  /** Epoch milliseconds. */
  readonly detectedAt: number;
  /** For two journals: the proof, the DID of the node that found it, and the operator's decision. */
  readonly proof?: EquivocationProof;
  readonly from?: string;
  readonly accepted?: { readonly chainHash: string; readonly acceptedAt: number };
  /** For a bad line: the line as received, and the home's checkpoint behind it. They prove nothing against the home. */
  readonly checkpoint?: Checkpoint;
  readonly line?: string;
}

export const whatOfEquivocation = 'it has signed two journals';

const ofEquivocation = (did: Did, { proof, from, learntAt, accepted }: Equivocation): PeerEvidence => ({
  ...{ did, cause: 'equivocation', seq: proof.first.seq, what: whatOfEquivocation, detectedAt: learntAt, proof, from },
  ...(accepted ? { accepted: { chainHash: accepted.chainHash, acceptedAt: accepted.at } } : {}),
});

const ofStop = (did: Did, { seq, what, at: detectedAt, line, checkpoint }: FeedStop): PeerEvidence => ({
  ...{ did, cause: 'bad-line', seq, what, detectedAt, line },
  ...(checkpoint ? { checkpoint } : {}),
});

/**
 * The reason why the feed is not followed now. A proof that the operator has decided on is shown only if there is
 * nothing newer.
 */
export function evidenceOf(
  did: Did,
  found: Equivocation | undefined,
  stop: FeedStop | undefined,
): PeerEvidence | undefined {
  if (stop && (!found || found.accepted)) return ofStop(did, stop);
  return found && ofEquivocation(did, found);
}

/**
 * Reads the evidence from the store, for a process without peers that shares the store with one that has
 * them.
 */
export async function keptEvidence(
  store: Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>,
  did: Did,
): Promise<PeerEvidence | undefined> {
  return evidenceOf(did, await keptEquivocation(store, did), await keptStop(store, did));
}
