/** The settlement contract: its cursor, the batches that it applied, and the reason of a revert. */
import type { Interface } from 'ethers/abi';
import { type ContractName, contractInterface, parsedError } from '../contracts/interfaces.js';
import { ChainRefused, type Evm, type EvmLog, type EvmReceipt, type Hex } from '../evm/evm.js';

export interface ChainCursor {
  /** Number of the last operation that the chain has applied. */
  readonly operation: number;
  /** Hex without prefix, as in `StreamPoint`. */
  readonly head: string;
  /** When the last batch was applied, by the chain's clock, epoch ms. */
  readonly batchAtMs: number;
  /** Number of the last entry that an anchor covers. */
  readonly anchored: number;
}

export interface AppliedBatch {
  readonly first: number;
  readonly last: number;
  readonly head: string;
  readonly txHash: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

/** A custom error of the contracts. */
export interface Revert {
  readonly name: string;
  readonly text: string;
  /** Number of the rejected operation; undefined when the revert is about the batch as a whole. */
  readonly operation: number | undefined;
}

/** Blocks per query of logs; some providers reject longer ranges. */
const logRange = 2_000;

export class SettlementContract {
  private constructor(
    private readonly evm: Evm,
    readonly address: Hex,
    private readonly calls: Interface,
    private readonly errors: readonly Interface[],
    private readonly appliedTopic: Hex,
  ) {}

  static async at(evm: Evm, address: string): Promise<SettlementContract> {
    const names: ContractName[] = ['Settlement', 'LedgerVault', 'ServiceToken'];
    const [calls, ...others] = await Promise.all(names.map(contractInterface));
    const topic = calls!.getEvent('BatchApplied')!.topicHash as Hex;
    return new SettlementContract(evm, address.toLowerCase() as Hex, calls!, [calls!, ...others], topic);
  }

  async cursor(): Promise<ChainCursor> {
    const data = this.calls.encodeFunctionData('cursor') as Hex;
    const answer = this.calls.decodeFunctionResult('cursor', await this.evm.call({ to: this.address, data }));
    const [lastSeq, head, , batchAt, anchored] = answer as unknown as [bigint, string, bigint, bigint, bigint];
    return {
      operation: Number(lastSeq),
      head: head.slice(2),
      batchAtMs: Number(batchAt) * 1_000,
      anchored: Number(anchored),
    };
  }

  /** The batch that a transaction applied; undefined when it applied none, for example at an address without code. */
  appliedIn(receipt: EvmReceipt): AppliedBatch | undefined {
    return receipt.logs.map((log) => this.#batchOf(log)).find((batch) => batch !== undefined);
  }

  async appliedSince(fromBlock: number, toBlock: number): Promise<readonly AppliedBatch[]> {
    const topics = [this.appliedTopic];
    const found: AppliedBatch[] = [];
    for (let from = fromBlock; from <= toBlock; from += logRange) {
      const to = Math.min(toBlock, from + logRange - 1);
      const logs = await this.evm.logs({ address: this.address, topics, fromBlock: from, toBlock: to });
      found.push(...logs.map((log) => this.#batchOf(log)).filter((batch) => batch !== undefined));
    }
    return found;
  }

  /** Simulates the call to find the reason of a revert. @returns undefined when the simulation succeeds */
  async whyNot(from: Hex, data: Uint8Array): Promise<Revert | undefined> {
    try {
      await this.evm.call({ from, to: this.address, data: `0x${Buffer.from(data).toString('hex')}` });
      return undefined;
    } catch (error) {
      if (!(error instanceof ChainRefused) || error.reason !== 'reverted') throw error;
      return this.revertOf(error);
    }
  }

  revertOf({ data, message }: ChainRefused): Revert {
    for (const each of this.errors) {
      const found = parsedError(each, data);
      if (!found) continue;
      const about = found.fragment.inputs[0]?.name === 'seq' ? Number(found.args[0]) : undefined;
      return { name: found.name, text: `${found.name}(${found.args.join(', ')})`, operation: about };
    }
    return { name: 'unknown', text: data === undefined || data === '0x' ? message : data, operation: undefined };
  }

  /** Decodes the log without ethers, which takes 0.5 ms for each batch. */
  #batchOf(log: EvmLog): AppliedBatch | undefined {
    const [topic, first, last] = log.topics;
    if (log.address !== this.address || topic !== this.appliedTopic) return undefined;
    return {
      first: Number(first),
      last: Number(last),
      head: log.data.slice(2, 66),
      txHash: log.transactionHash,
      blockNumber: log.blockNumber,
      blockHash: log.blockHash,
    };
  }
}
