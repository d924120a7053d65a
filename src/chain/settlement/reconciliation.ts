/**
 * Where the chain stands, and what that means (design.md, Reconcile): less than was settled is sent again, more is
 * caught up with, another head or more than the journal has halts.
 */
import type { Contracts } from '../deployment.js';
import type { Hex } from '../evm/evm.js';
import { deployContracts } from './deploy.js';
import type { Sender } from './sender.js';
import { type AppliedBatch, SettlementContract } from './settlement-contract.js';
import type { SettlerOptions } from './settler.js';
import { type StreamEntry, type StreamPoint, streamStart } from './stream.js';

/** Settlement can't go on: the message tells a person why. */
export class SettlementHalted extends Error {
  override name = 'SettlementHalted';
  constructor(
    message: string,
    readonly over: 'the chain' | 'an operation',
  ) {
    super(message);
  }
}

/** A batch that is in a block. */
export interface Mined {
  readonly entries: readonly { readonly entryHash: string; readonly seq: number }[];
  readonly after: StreamPoint;
  readonly txHash: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** On the chain, by a settler that is gone: its receipts may be written already. */
  readonly wasFound?: true;
}

export interface Standing {
  readonly contract: SettlementContract;
  readonly contracts: Contracts;
  /** Where the chain stands. */
  readonly point: StreamPoint;
  /** Batches up to there that have no receipts yet. */
  readonly mined: readonly Mined[];
  /** The point before them, where receipts end. */
  readonly recorded: StreamPoint;
  /** Block of the last receipt. */
  readonly block: number;
}

const ether = 10n ** 18n;
/** What an operator has on a chain of the node's own; a batch may cost 12 at the price that is offered there. */
const ownFunds = 1_000_000_000n * ether;
const pageSize = 200;
/** Blocks that may come again in another order. */
const deepestReorg = 1_000;

type Options = Omit<SettlerOptions, 'onBatch' | 'isMine' | 'confirmations'>;

export class Reconciliation {
  constructor(
    private readonly options: Options,
    private readonly sender: Sender,
  ) {}

  /** Rejects with SettlementHalted, or with what the chain's port rejects with. */
  async run(): Promise<Standing> {
    const { records, backlog, log, evm } = this.options;
    const record = await records.load();
    this.sender.forget();
    await this.#fund();
    const contracts = await this.#contracts();
    const contract = await SettlementContract.at(evm, contracts.settlement);
    const cursor = await contract.cursor();
    const known = record.point.operation;
    if (backlog.total < cursor.operation) await this.#count();
    if (backlog.total < cursor.operation) {
      throw new SettlementHalted(
        `the chain has ${cursor.operation} operations and the journal ${backlog.total}: the journal was rolled back, or is another one; \`svc-node doctor\` explains`,
        'the chain',
      );
    }
    const point = await this.#pointAt(cursor.operation);
    if (point?.head !== cursor.head) {
      throw new SettlementHalted(
        `the chain holds another history than the journal: after operation ${cursor.operation} its head is ${cursor.head} and not ${point?.head ?? 'the end of an entry'}`,
        'the chain',
      );
    }
    backlog.settled(Math.min(point.operation, known), record.highest);
    if (cursor.operation < known) {
      log('the chain has less than was settled: the rest is sent again', { has: cursor.operation, had: known });
      return { contract, contracts, point, mined: [], recorded: point, block: await this.#searchFrom(record.block) };
    }
    const mined = cursor.operation > known ? await this.#mined(contract, record.point, cursor.operation) : [];
    return { contract, contracts, point, mined, recorded: record.point, block: record.block };
  }

  /** On a chain of the node's own Ether costs nothing. */
  async #fund(): Promise<void> {
    const { evm, operator } = this.options;
    if (evm.fund && (await evm.balance(operator.address)) < ownFunds / 2n) await evm.fund(operator.address, ownFunds);
  }

  async #contracts(): Promise<Contracts> {
    const { evm, operator, network, world, records, log, contracts } = this.options;
    const { value } = records;
    const known = contracts ?? (value.chainId === evm.chainId ? value.contracts : null);
    if (known && (await evm.code(known.settlement as Hex)) !== '0x') {
      if (value.chainId !== evm.chainId || value.contracts?.settlement !== known.settlement) {
        await records.change({ chainId: evm.chainId, contracts: known, outgoing: null });
      }
      return known;
    }
    if (contracts || !evm.fund) {
      throw new SettlementHalted(
        'there are no contracts on the chain; `svc-node chain deploy` makes them',
        'the chain',
      );
    }
    const made = await deployContracts({ evm, operator, network, world });
    await records.change({ chainId: evm.chainId, contracts: made, outgoing: null });
    log('contracts were put on the local chain', { addresses: Object.values(made).join(' ') });
    return made;
  }

  /** Counts what the journal holds beyond what was counted. */
  async #count(): Promise<void> {
    const { backlog, tail } = this.options;
    for (;;) {
      const page = await tail.after(backlog.entry, pageSize);
      if (page.length === 0) return;
      for (const { seq, core } of page) backlog.count(seq, core.moves.length);
    }
  }

  /** The stream up to an operation; undefined where no entry ends there. */
  async #pointAt(operation: number): Promise<StreamPoint | undefined> {
    const { records, tail, network } = this.options;
    if (operation === 0) return streamStart(network);
    const from = await records.pointBefore(operation);
    if (from.operation === operation) return from;
    for await (const { after } of tail.from(from)) {
      if (after.operation === operation) return after;
      if (after.operation > operation) return undefined;
    }
    return undefined;
  }

  /** Batches that were mined and not noted. */
  async #mined(contract: SettlementContract, from: StreamPoint, operation: number): Promise<readonly Mined[]> {
    const { tail, log, evm, records } = this.options;
    const first = await this.#searchFrom(records.value.block);
    const batches = await contract.appliedSince(first, await evm.blockNumber());
    log('the chain has more than was noted', { noted: from.operation, has: operation });
    const mined: Mined[] = [];
    for await (const each of tail.from(from)) {
      if (each.after.operation > operation) break;
      const batch = each.operations.length > 0 ? batchOf(batches, each) : undefined;
      if (!batch) continue;
      const { entryHash, seq } = each.entry;
      const last = mined.at(-1);
      const isSame = last?.txHash === batch.txHash;
      const entries = [...(isSame ? last.entries : []), { entryHash, seq }];
      if (isSame) mined.pop();
      const { txHash, blockNumber, blockHash } = batch;
      mined.push({ entries, after: each.after, txHash, blockNumber, blockHash, wasFound: true });
    }
    return mined;
  }

  /** Block where a search for batches begins; a chain that is shorter than it was is another one. */
  async #searchFrom(block: number): Promise<number> {
    const { evm } = this.options;
    return evm.fund || (await evm.blockNumber()) < block ? 0 : Math.max(0, block - deepestReorg);
  }
}

/** The newest that has the entry's operations: after a reorg there may be an older one. */
const batchOf = (batches: readonly AppliedBatch[], { after }: StreamEntry): AppliedBatch | undefined =>
  batches.findLast(({ first, last }) => first <= after.operation && after.operation <= last);
