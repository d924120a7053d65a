/**
 * A proof that an entry was in the journal when it was anchored: the entry, its audit path, and the transaction with the
 * root (docs/settlement.md, Anchors). It can be verified without a node.
 */
import { canonical, sha256Hex } from '../../core/canonical.js';
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { chainHashOf, type EntryCore, type NumberedEntry } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import { contractInterface } from '../contracts/interfaces.js';
import type { Evm, EvmLog, Hex } from '../evm/evm.js';
import { type Anchor, anchorEntries, entriesBetween, leafOf } from './anchor.js';
import { inclusionPath, rootOfPath } from './merkle.js';

export interface ProofAnchor extends Anchor {
  readonly chainId: number;
  /** Address of the Settlement contract. */
  readonly contract: string;
  /** The audit path from the entry to the root, hex. */
  readonly path: readonly string[];
}

export interface Proof {
  readonly v: 1;
  readonly network: string;
  readonly seq: number;
  readonly entryHash: string;
  readonly prevEntry: string;
  readonly chainHash: string;
  readonly entry: EntryCore;
  /** null until the entry is anchored. */
  readonly anchor: ProofAnchor | null;
}

export interface AnchoredAt {
  readonly anchor: Anchor;
  readonly chainId: number;
  readonly contract: string;
}

export async function proofOf(
  { seq, entryHash, prevEntry, chainHash, core }: NumberedEntry,
  at: AnchoredAt | undefined,
  store: Pick<StoreReader, 'entries'>,
): Promise<Proof> {
  const proof = { v: 1, network: core.event.network, seq, entryHash, prevEntry, chainHash, entry: core } as const;
  return { ...proof, anchor: at ? await proofAnchorOf(seq, at, store) : null };
}

/** @param leaves cache of anchors' leaves by their first entry; filled by this function */
export async function proofAnchorOf(
  seq: number,
  { anchor, chainId, contract }: AnchoredAt,
  store: Pick<StoreReader, 'entries'>,
  leaves = new Map<number, readonly Buffer[]>(),
): Promise<ProofAnchor> {
  const { firstEntry, lastEntry } = anchor;
  const known =
    leaves.get(firstEntry) ??
    (await entriesBetween(store, firstEntry, lastEntry)).map(({ chainHash }) => leafOf(chainHash));
  leaves.set(firstEntry, known);
  const path = inclusionPath(known, seq - firstEntry).map((hash) => hash.toString('hex'));
  return { ...anchor, chainId, contract, path };
}

const number = is.integer(0);
export const proofAnchor = is.object({
  firstEntry: is.integer(1),
  lastEntry: is.integer(1),
  root: is.hash,
  txHash: is.pattern(/^0x[0-9a-f]{64}$/, 'a transaction hash'),
  blockNumber: number,
  chainId: number,
  contract: is.evmAddress,
  path: is.list(is.hash, 0, Math.ceil(Math.log2(anchorEntries))),
});

const proofShape = is.object({
  v: is.integer(1, 1),
  network: is.text(32, 1),
  seq: is.integer(1),
  entryHash: is.hash,
  prevEntry: is.hash,
  chainHash: is.hash,
  entry: is.freeObject,
  anchor: is.nullable(proofAnchor),
});

/** Parses a proof. @returns a sentence with the first error if the value is not a proof */
export function parseProof(value: unknown): Proof | string {
  const parsed = is.parse(proofShape, value as never);
  if (isRefusal(parsed)) return parsed.detail;
  const { event } = parsed.entry as { event?: { network?: unknown } };
  if (event?.network !== parsed.network) return 'entry: is of another network';
  return parsed as unknown as Proof;
}

/**
 * Verifies the hashes from the entry to the root, but no signatures.
 * @param mayBeLoose whether an entry that is not anchored yet is accepted
 * @returns the violation in a sentence, or undefined
 */
export function violationOfProof(
  { seq, entryHash, prevEntry, chainHash, entry, anchor }: Proof,
  mayBeLoose = false,
): string | undefined {
  if (sha256Hex(canonical(entry)) !== entryHash) return 'entryHash is not the hash of the entry';
  if (chainHashOf(seq, prevEntry, entryHash) !== chainHash) return 'chainHash does not fit the entry and its number';
  if (!anchor) return mayBeLoose ? undefined : 'the entry is not anchored yet';
  const { firstEntry, lastEntry, path } = anchor;
  const root = rootOfPath({
    leaf: leafOf(chainHash),
    index: seq - firstEntry,
    size: lastEntry - firstEntry + 1,
    path: path.map((hash) => Buffer.from(hash, 'hex')),
  });
  return root?.toString('hex') === anchor.root ? undefined : 'the path does not lead from the entry to the root';
}

/** Verifies that the chain has the anchor. @returns the violation in a sentence, or undefined. Rejects as the chain does. */
export const violationOnChain = async ({ anchor }: Proof, evm: Evm): Promise<string | undefined> =>
  anchor ? violationOfAnchor(anchor, evm) : 'the entry is not anchored yet';

export async function violationOfAnchor(anchor: ProofAnchor, evm: Evm): Promise<string | undefined> {
  if (evm.chainId !== anchor.chainId) return `the anchor is on chain ${anchor.chainId}, and this is ${evm.chainId}`;
  const receipt = await evm.receipt(anchor.txHash as Hex);
  const abi = await contractInterface('Settlement');
  const event = abi.getEvent('Anchored')!;
  const says = (log: EvmLog): boolean => {
    if (log.address !== anchor.contract.toLowerCase() || log.topics[0] !== event.topicHash) return false;
    const { firstEntry, lastEntry, root } = abi.decodeEventLog(event, log.data, log.topics);
    return (
      Number(firstEntry) === anchor.firstEntry && Number(lastEntry) === anchor.lastEntry && root === `0x${anchor.root}`
    );
  };
  if (!receipt?.succeeded) return `there is no transaction ${anchor.txHash} on chain ${evm.chainId}`;
  return receipt.logs.some(says) ? undefined : `transaction ${anchor.txHash} anchors something else`;
}
