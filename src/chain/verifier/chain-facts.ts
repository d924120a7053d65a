/** The chain's facts about a journal at one block. Plain data, so that a running node can send it to an auditor. */
import type { Anchor } from '../anchors/anchor.js';
import { anchorsOn } from '../anchors/anchor-chain.js';
import type { ContractReader, Holdings, StreamCursor } from '../contracts/contract-reader.js';
import type { ContractAddresses } from '../contracts/deployment.js';
import { ChainAway } from '../evm/evm.js';

export interface ChainFacts {
  readonly chainId: number;
  readonly blockNumber: number;
  readonly contracts: ContractAddresses;
  readonly cursor: StreamCursor;
  readonly holdings: Holdings;
  /** Without a gap, from the first entry on. */
  readonly anchors: readonly Anchor[];
}

const onlyReading = { send: () => Promise.reject(new ChainAway('an auditor sends nothing')) };

/** Reads the facts. Rejects with ChainAway or ChainRefused. */
export async function factsOf(reader: ContractReader): Promise<ChainFacts> {
  const { cursor, blockNumber, ...holdings } = await reader.holdings();
  const anchors = cursor.anchored === 0 ? [] : await anchorsOn(reader, onlyReading).since(0);
  const { contracts, evm } = reader;
  return {
    ...{ chainId: evm.chainId, blockNumber, contracts, cursor, holdings },
    anchors: anchors.filter(({ lastEntry }) => lastEntry <= cursor.anchored),
  };
}
