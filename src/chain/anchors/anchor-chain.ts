/** The anchors on chain. Every method rejects with ChainAway or ChainRefused. */
import type { ContractReader, DecodedLog } from '../contracts/contract-reader.js';
import { contractInterface } from '../contracts/interfaces.js';
import { BlockRange } from '../deposits/deposit-source.js';
import type { EvmReceipt, Hex } from '../evm/evm.js';
import type { OutOfBandSender } from '../settlement/out-of-band.js';
import type { Anchor } from './anchor.js';

export interface AnchorChain {
  /** Number of the last anchored entry; 0 before the first anchor. */
  anchored(): Promise<number>;
  /** The anchors after this entry, found by searching back from the newest block. */
  since(entry: number): Promise<readonly Anchor[]>;
  send(anchor: Pick<Anchor, 'firstEntry' | 'lastEntry' | 'root'>): Promise<EvmReceipt>;
}

const anchorOf = ({ args, log }: DecodedLog): Anchor => ({
  firstEntry: Number(args.firstEntry),
  lastEntry: Number(args.lastEntry),
  root: String(args.root).slice(2),
  txHash: log.transactionHash,
  blockNumber: log.blockNumber,
});

export function anchorsOn(reader: ContractReader, outOfBand: OutOfBandSender): AnchorChain {
  const range = new BlockRange();
  return {
    anchored: async () => (await reader.cursor()).anchored,

    async since(entry) {
      const found: Anchor[] = [];
      const newest = await reader.evm.blockNumber();
      // Anchors have no gaps, so the search ends at the anchor that begins right after the entry.
      for (let to = newest; to >= 0 && (found[0]?.firstEntry ?? Number.POSITIVE_INFINITY) > entry + 1; ) {
        const { from, events } = await before(to);
        found.unshift(...events.map(anchorOf));
        to = from - 1;
      }
      return found.filter(({ lastEntry }) => lastEntry > entry);
    },

    async send({ firstEntry, lastEntry, root }) {
      const abi = await contractInterface('Settlement');
      const receipt = await outOfBand.send({
        what: `anchor entries ${firstEntry} to ${lastEntry}`,
        to: reader.contracts.settlement.toLowerCase() as Hex,
        data: abi.encodeFunctionData('anchor', [firstEntry, lastEntry, `0x${root}`]) as Hex,
      });
      // After a reset there is no code at the address, and a transaction to it succeeds without effect.
      return { ...receipt, succeeded: receipt.succeeded && receipt.logs.length > 0 };
    },
  };

  async function before(to: number): Promise<{ from: number; events: DecodedLog[] }> {
    // Counted from the end, so that each query has the full width that the provider accepts.
    const { to: width, answer } = await range.ask(1, to + 1, (_, count) =>
      reader.events('Settlement', 'Anchored', to - count + 1, to),
    );
    return { from: to - width + 1, events: answer };
  }
}
