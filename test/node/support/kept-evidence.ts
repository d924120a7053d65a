/** The records that remain when a feed is no longer followed. */
import type { JsonObject } from '../../../src/core/canonical.js';
import { proofOfEquivocation, signCheckpoint } from '../../../src/peers/checkpoint.js';
import { keepStop } from '../../../src/peers/peering/stops.js';
import type { Store } from '../../../src/store/store.js';
import { signer } from '../../world/people.js';

const at = { network: 'devnet', time: 1_700_000_000_000 };
const entry = (hash: string) => ({ seq: 7, chainHash: hash.repeat(64) });

/** Stores a bad line, and why it is one. @returns DID of the home */
export async function leavesStop(store: Store): Promise<{ readonly did: string; readonly line: string }> {
  const home = signer('home of a lie');
  const line = JSON.stringify({ seq: 7, entryHash: 'a'.repeat(64), more: 1 });
  await keepStop(store, home.did, {
    ...{ seq: 7, what: 'a line has other members than an entry', at: at.time, line },
    checkpoint: signCheckpoint(home, entry('a'), at),
  });
  return { did: home.did, line };
}

/** Stores a proof of two journals of a home. @returns its DID */
export async function leavesProof(store: Store): Promise<{ readonly did: string }> {
  const home = signer('home of two journals');
  const proof = proofOfEquivocation(signCheckpoint(home, entry('a'), at), signCheckpoint(home, entry('b'), at));
  const value = { proof, from: home.did, learntAt: at.time } as unknown as JsonObject;
  const revision = (await store.getLocal('peer-equivocations', home.did))?.revision ?? 0;
  await store.putLocal('peer-equivocations', home.did, value, revision);
  return { did: home.did };
}
