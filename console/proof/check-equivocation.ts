/** Verifies in the browser what a home has signed, from the evidence alone (docs/reference/node.md#evidence). */
import type { Checkpoint, PeerEvidence } from '../api/types.ts';
import { canonical } from './canonical.ts';
import type { Check } from './check-entry.ts';
import { sha256Hex } from './hash.ts';
import { keyOf } from './may-sign.ts';
import { signedMessage, verified } from './signature.ts';

type EquivocationProof = NonNullable<PeerEvidence['proof']>;

const isSigned = async ({ sig, ...body }: Checkpoint): Promise<boolean> =>
  (await verified(keyOf(body.home), signedMessage('svc:checkpoint:v1', canonical(body)), sig)).holds;

/**
 * The chain hash of the second journal at the first checkpoint's entry; undefined if the links do not lead from there to the
 * second checkpoint.
 */
function otherHashIn({ first, second, links }: EquivocationProof): string | undefined {
  if (!links) return first.seq === second.seq ? second.chainHash : undefined;
  const end = links.entryHashes.reduce(
    (before, entryHash, index) => sha256Hex(`svc:journal:v1:${first.seq + index + 1}:${before}:${entryHash}`),
    links.chainHash,
  );
  const isWhole = second.seq - first.seq === links.entryHashes.length && end === second.chainHash;
  return isWhole ? links.chainHash : undefined;
}

async function checkProof(proof: EquivocationProof, did: string): Promise<readonly Check[]> {
  const { first, second } = proof;
  const [one, other] = [await isSigned(first), await isSigned(second)];
  const isOfHome = first.home === did && second.home === did && first.network === second.network;
  const hash = otherHashIn(proof);
  return [
    { name: 'Home', holds: isOfHome, says: 'both checkpoints are of this home, on one network' },
    { name: 'Signatures', holds: one && other, says: 'its own key has signed both' },
    {
      name: 'Contradiction',
      holds: hash !== undefined && hash !== first.chainHash,
      says: 'no journal can have both',
    },
  ];
}

async function checkCheckpoint(checkpoint: Checkpoint, did: string): Promise<readonly Check[]> {
  const holds = checkpoint.home === did && (await isSigned(checkpoint));
  return [{ name: 'Signature', holds, says: 'the home’s own key has signed the checkpoint' }];
}

/** Never throws: evidence that cannot be read fails its check. Without anything signed there are no checks. */
export async function checkEvidence({ did, proof, checkpoint }: PeerEvidence): Promise<readonly Check[]> {
  try {
    if (proof) return await checkProof(proof, did);
    return checkpoint ? await checkCheckpoint(checkpoint, did) : [];
  } catch (error) {
    return [{ name: 'Form', holds: false, says: `a member cannot be read: ${String(error)}` }];
  }
}
