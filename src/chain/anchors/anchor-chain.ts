/** What anchoring needs of the chain. Every method rejects with ChainAway or ChainRefused, as the chain does. */
import type { ContractEvent, ContractReader } from '../contract-reader.js';
import { BlockRange } from '../deposits/deposit-source.js';
import type { Errands } from '../errands.js';
import type { EvmReceipt, Hex } from '../evm/evm.js';
import { interfaceOf } from '../interfaces.js';
import type { Anchor } from './anchor.js';

export interface AnchorChain {
  /** The last entry that an anchor covers; 0 before the first. */
  anchored(): Promise<number>;
  /** The anchors behind this entry, found by looking back from the newest block. */
  since(entry: number): Promise<readonly Anchor[]>;
  send(anchor: Pick<Anchor, 'firstEntry' | 'lastEntry' | 'root'>): Promise<EvmReceipt>;
}

const anchorOf = ({ args, log }: ContractEvent): Anchor => ({
  firstEntry: Number(args.firstEntry),
  lastEntry: Number(args.lastEntry),
  root: String(args.root).slice(2),
  txHash: log.transactionHash,
  blockNumber: log.blockNumber,
});

/** @param fromBlock where the contracts were made */
export function anchorsOn(reader: ContractReader, errands: Errands, fromBlock: number): AnchorChain {
  const range = new BlockRange();
  return {
    anchored: async () => (await reader.cursor()).anchored,

    async since(entry) {
      const found: Anchor[] = [];
      const newest = await reader.evm.blockNumber();
      // Anchors follow each other without a gap: the one that begins right behind the entry is the last to be found.
      for (let to = newest; to >= fromBlock && (found[0]?.firstEntry ?? Number.POSITIVE_INFINITY) > entry + 1; ) {
        const { from, events } = await before(to);
        found.unshift(...events.map(anchorOf));
        to = from - 1;
      }
      return found.filter(({ lastEntry }) => lastEntry > entry);
    },

    async send({ firstEntry, lastEntry, root }) {
      const abi = await interfaceOf('Settlement');
      const receipt = await errands.send({
        what: `anchor entries ${firstEntry} to ${lastEntry}`,
        to: reader.contracts.settlement.toLowerCase() as Hex,
        data: abi.encodeFunctionData('anchor', [firstEntry, lastEntry, `0x${root}`]) as Hex,
      });
      // A chain that was reset takes a transaction to an address without code, too, and nothing comes of it.
      return { ...receipt, succeeded: receipt.succeeded && receipt.logs.length > 0 };
    },
  };

  async function before(to: number): Promise<{ from: number; events: ContractEvent[] }> {
    // Counted from the end, so that the width that is found out is that of a range.
    const { to: width, answer } = await range.ask(1, to - fromBlock + 1, (_, count) =>
      reader.events('Settlement', 'Anchored', to - count + 1, to),
    );
    return { from: to - width + 1, events: answer };
  }
}
