/**
 * The pin of a chain: its genesis block and a block that contains the contracts. The chain id and the addresses do not
 * identify a chain, because the holder of the operator's key can reproduce both on another one.
 */
import { ChainAway, type Evm, type Hex } from '../evm/evm.js';

export interface PinnedBlock {
  readonly number: number;
  readonly hash: Hex;
}

export interface ChainPin {
  /** Address of the contract that settles, lower case. */
  readonly settlement: string;
  /** Hash of block 0. */
  readonly genesis: Hex;
  readonly block: PinnedBlock;
  /** SHA-256 of the contract's code, hex; absent until it was read once. */
  readonly code?: string;
}

export interface PinQuestion {
  readonly evm: Evm;
  readonly settlement: string;
  /** The block in which the contracts were deployed, if it is configured. */
  readonly madeIn: PinnedBlock | undefined;
  /** The stored pin of an earlier run. */
  readonly known: ChainPin | null | undefined;
  readonly confirmations: number;
}

/** The chain is not the one that this ledger is settled on. */
export class WrongChain extends Error {
  override name = 'WrongChain';
}

const deliberately =
  '; to settle on another chain on purpose, set SVC_CONTRACTS to what `svc-node chain deploy` prints there';

/** Reads the chain's pin. Rejects with WrongChain when it contradicts the stored one. */
export async function pinOf({ evm, settlement, madeIn, known, confirmations }: PinQuestion): Promise<ChainPin> {
  const address = settlement.toLowerCase();
  const isSame = known?.settlement === address && (madeIn === undefined || madeIn.hash === known.block.hash);
  if (isSame) {
    await mustBe(evm, known);
    return known;
  }
  const genesis = await hashOf(evm, 0);
  if (madeIn) {
    const found = await hashOf(evm, madeIn.number);
    if (found === madeIn.hash) return { settlement: address, genesis, block: madeIn };
    throw new WrongChain(
      `SVC_RPC_URL leads to another chain: SVC_CONTRACTS says that its contracts were made in block ${madeIn.number}, ${madeIn.hash}, which is ${found} there`,
    );
  }
  const number = Math.max(0, (await evm.blockNumber()) - confirmations + 1);
  return { settlement: address, genesis, block: { number, hash: await hashOf(evm, number) } };
}

/** Rejects with WrongChain when the chain is not the pinned one. */
export async function mustBe(evm: Evm, { genesis, block }: ChainPin): Promise<void> {
  for (const { number, hash } of [{ number: 0, hash: genesis }, block]) {
    const found = await hashOf(evm, number);
    if (found === hash) continue;
    throw new WrongChain(
      `SVC_RPC_URL leads to another chain than this ledger is settled on: block ${number} is ${found} and was ${hash}${deliberately}`,
    );
  }
}

/** Rejects with ChainAway when the chain lacks the block, for example while it syncs. */
async function hashOf(evm: Evm, number: number): Promise<Hex> {
  const block = await evm.block(number);
  if (!block) throw new ChainAway(`the RPC does not have block ${number}, which the chain had before`);
  return block.hash;
}
