/** What is kept against a home that is followed no further (docs/reference/node.md#evidence). */
import type { Did } from '../../core/codecs/did.js';
import type { Store } from '../../store/store.js';
import type { Checkpoint, EquivocationProof } from '../checkpoint.js';
import { type Equivocation, keptEquivocation } from '../equivocation.js';
import type { FeedStop } from '../feed/feed-stop.js';
import { keptStop } from './stops.js';

export interface PeerEvidence {
  /** DID of the home. */
  readonly did: Did;
  readonly cause: FeedStop['cause'] | 'equivocation';
  /** The first entry that is not valid, or at which two journals differ. */
  readonly seq: number;
  readonly what: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Of two journals; with the DID of the node that has found it, and what this node's operator has decided. */
  readonly proof?: EquivocationProof;
  readonly from?: string;
  readonly accepted?: { readonly chainHash: string; readonly at: number };
  /** Of an entry: the home's signature over it, and the line as it came, which may hold a private payload. */
  readonly checkpoint?: Checkpoint;
  readonly line?: string;
}

export const whatOfEquivocation = 'it has signed two journals';

const ofEquivocation = (did: Did, { proof, from, learntAt, accepted }: Equivocation): PeerEvidence => ({
  ...{ did, cause: 'equivocation', seq: proof.first.seq, what: whatOfEquivocation, at: learntAt, proof, from },
  ...(accepted ? { accepted } : {}),
});

const ofStop = (did: Did, { seq, what, cause, at, line, checkpoint }: FeedStop): PeerEvidence => ({
  ...{ did, cause, seq, what, at, line },
  ...(checkpoint ? { checkpoint } : {}),
});

/** What the feed stands still for: a proof that the operator has decided on is history, unless there is nothing newer. */
export function evidenceOf(
  did: Did,
  found: Equivocation | undefined,
  stop: FeedStop | undefined,
): PeerEvidence | undefined {
  if (stop && (!found || found.accepted)) return ofStop(did, stop);
  return found && ofEquivocation(did, found);
}

/** As it is on disk: for a process that speaks to no peers, beside one that does or did. */
export async function keptEvidence(
  store: Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>,
  did: Did,
): Promise<PeerEvidence | undefined> {
  return evidenceOf(did, await keptEquivocation(store, did), await keptStop(store, did));
}
