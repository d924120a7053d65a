/** `svc-node verify-proof` for the proof of a whole resource. */
import type { ProofAnchor } from '../chain/anchors/proof.js';
import type { ResourceProof } from '../verify/resource-proof.js';
import { askChain, openChain } from './chain-reader.js';
import { CommandFailed } from './failure.js';
import { count, timeText } from './output.js';
import { concludeCheck } from './verdict.js';

interface ResourceProofOptions {
  readonly rpc?: string | undefined;
  readonly contract?: string | undefined;
  readonly json: boolean;
}

export async function verifyResourceProof(value: unknown, file: string, options: ResourceProofOptions): Promise<void> {
  const { parseResourceProof, violationInResource, anchorsOf } = await import('../verify/resource-proof.js');
  const proof = parseResourceProof(value);
  if (typeof proof === 'string') throw new CommandFailed(`${file} is not a proof: ${proof}`);
  const anchors = anchorsOf(proof);
  const flaw =
    violationInResource(proof) ??
    violationOfContract(anchors, options.contract) ??
    (options.rpc === undefined ? undefined : await violationOnChains(anchors, options.rpc));
  concludeProof(proof, flaw, options);
}

/** What is wrong with the anchors' contract, if the caller trusts another one. */
export function violationOfContract(
  anchors: readonly (ProofAnchor | null)[],
  contract: string | undefined,
): string | undefined {
  const other = anchors.find((each) => contract && each?.contract.toLowerCase() !== contract.toLowerCase());
  return other === undefined ? undefined : `it is about the contract ${other?.contract}, not ${contract}`;
}

async function violationOnChains(anchors: readonly ProofAnchor[], rpc: string): Promise<string | undefined> {
  const { violationOfAnchor } = await import('../chain/anchors/proof.js');
  const { evm, close } = await openChain(rpc);
  try {
    for (const anchor of anchors) {
      const flaw = await askChain(violationOfAnchor(anchor, evm));
      if (flaw) return flaw;
    }
    return undefined;
  } finally {
    await close();
  }
}

function concludeProof(proof: ResourceProof, flaw: string | undefined, { rpc, json }: ResourceProofOptions): void {
  const { network, kind, id, state, total, first, entries } = proof;
  const anchored = entries.filter(({ anchor }) => anchor !== null).length;
  const onChain = flaw === undefined && rpc !== undefined && anchored === entries.length;
  const home = first.entry.event?.home ?? first.entry.home;
  concludeCheck({
    what: 'proof',
    ...{ json, flaw },
    members: { kind, id, state, entries: entries.length, anchored, onChain, journal: home },
    facts: () => {
      const signers = new Set(entries.map(({ entry }) => entry.event.issuer));
      const newest = entries.at(-1)!.entry;
      return {
        resource: `${kind} ${id}`,
        state: `${state}, after ${count(total)} steps`,
        'signed by': [...signers].slice(0, 4).join(', '),
        journal: `${home} on ${network}`,
        entries: `${count(entries[0]!.entry.seq)} to ${count(newest.seq)}, the newest of ${timeText(newest.time)}`,
        anchored: `${count(anchored)} of ${count(entries.length)} entries`,
      };
    },
    ok: onChain
      ? 'OK: every signature, hash and step holds, and every entry is under a root that is on chain.'
      : 'OK as far as it goes: every signature, hash and step holds; with anchors, --rpc checks whether the entries are on chain.',
  });
}
