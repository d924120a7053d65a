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
  const moved = flaw === undefined ? movedIn(proof) : {};
  concludeCheck({
    what: 'proof',
    ...{ json, flaw },
    members: { kind, id, state, ...moved, entries: entries.length, anchored, onChain, journal: home },
    facts: () => {
      const signers = new Set(entries.map(({ entry }) => entry.event.issuer));
      const newest = entries.at(-1)!.entry;
      return {
        resource: `${kind} ${id}`,
        state: `${state}, after ${count(total)} steps`,
        ...(moved.paid?.length ? { paid: moved.paid.map(paymentText).join('; ') } : {}),
        ...(moved.returned?.length ? { returned: moved.returned.map(paymentText).join('; ') } : {}),
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

interface ProvenPayment {
  readonly from?: string;
  readonly to: string;
  readonly amount: number;
}

const paymentText = ({ from, to, amount }: ProvenPayment): string =>
  `${count(amount)} ${amount === 1 ? 'Token' : 'Tokens'}${from === undefined ? '' : ` from ${from}`} to ${to}`;

/** Who paid whom how much in the entries of a proof, and what went back to its payer, summed. */
function movedIn({ entries }: ResourceProof): { readonly paid?: ProvenPayment[]; readonly returned?: ProvenPayment[] } {
  const [paid, returned] = [new Map<string, ProvenPayment>(), new Map<string, ProvenPayment>()];
  const add = (sums: Map<string, ProvenPayment>, payment: ProvenPayment) => {
    const key = `${payment.from} ${payment.to}`;
    sums.set(key, { ...payment, amount: payment.amount + (sums.get(key)?.amount ?? 0) });
  };
  for (const move of entries.flatMap(({ entry }) => entry.moves)) {
    if (move.op === 'release' || move.op === 'transfer' || move.op === 'withdraw')
      add(paid, { from: move.from, to: move.to, amount: move.amount });
    if (move.op === 'refund' || move.op === 'expire') add(returned, { to: move.from, amount: move.amount });
  }
  return { paid: [...paid.values()], returned: [...returned.values()] };
}
