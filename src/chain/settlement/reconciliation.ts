/**
 * Reconciles the settler with the chain (docs/reference/settlement.md#reconciliation). A chain that is behind gets the
 * missing operations again; one that is ahead is caught up with. Settlement halts on another head, or when the chain has
 * more operations than the journal.
 */
import { sha256Hex } from '../../core/canonical.js';
import type { ContractAddresses } from '../contracts/deployment.js';
import type { Hex } from '../evm/evm.js';
import { pinOf, WrongChain } from './chain-pin.js';
import { deployContracts } from './deploy.js';
import type { Sender } from './sender.js';
import { type AppliedBatch, SettlementContract } from './settlement-contract.js';
import type { SettlerOptions } from './settler-options.js';
import { type StreamEntry, type StreamPoint, streamStart } from './stream.js';

/** Settlement cannot continue; the message is the reason, for an operator. */
export class SettlementHalted extends Error {
  override name = 'SettlementHalted';
  constructor(
    message: string,
    readonly over: 'the chain' | 'an operation',
  ) {
    super(message);
  }
}

export interface MinedBatch {
  readonly entries: readonly { readonly entryHash: string; readonly seq: number }[];
  readonly after: StreamPoint;
  readonly txHash: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** Found on the chain after a restart: its receipts may be durable already. */
  readonly wasFound?: true;
}

export interface ReconciledChain {
  readonly contract: SettlementContract;
  readonly contracts: ContractAddresses;
  /** The chain's position in the stream. */
  readonly point: StreamPoint;
  /** Batches up to that point without receipts. */
  readonly mined: readonly MinedBatch[];
  /** The point before these batches, up to which receipts are durable. */
  readonly recorded: StreamPoint;
  /** Block of the last receipt. */
  readonly block: number;
}

const ether = 10n ** 18n;
/** The operator's balance on a local chain; a batch costs up to 12 Ether at the fee that is offered there. */
const ownFunds = 1_000_000_000n * ether;
const pageSize = 200;
/** The deepest reorg, in blocks, that the search for batches covers. */
const deepestReorg = 1_000;

type ReconciliationOptions = Omit<SettlerOptions, 'onBatch' | 'isMine'>;

export class Reconciliation {
  constructor(
    private readonly options: ReconciliationOptions,
    private readonly sender: Sender,
  ) {}

  /** Resolves with the chain's position. Rejects with SettlementHalted, or as the chain's port does. */
  async run(): Promise<ReconciledChain> {
    const { records, backlog, log, evm } = this.options;
    const record = await records.load();
    this.sender.forget();
    await this.#fund();
    await this.checkPin();
    const contracts = await this.#contracts();
    await this.#checkCode(contracts.settlement as Hex);
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
      log('the chain has fewer operations than were settled; the missing ones are sent again', {
        has: cursor.operation,
        had: known,
      });
      return { contract, contracts, point, mined: [], recorded: point, block: await this.#searchFrom(record.block) };
    }
    const mined = cursor.operation > known ? await this.#mined(contract, record.point, cursor.operation) : [];
    return { contract, contracts, point, mined, recorded: record.point, block: record.block };
  }

  /** Rejects with SettlementHalted when the chain is another one. A local chain has no pin, because its state may be lost. */
  async checkPin(): Promise<void> {
    const { evm, records, contracts, madeIn, confirmations } = this.options;
    if (evm.fund || !contracts) return;
    const known = records.value.pin;
    try {
      const pin = await pinOf({ evm, settlement: contracts.settlement, madeIn, known, confirmations });
      if (pin !== known) await records.change({ pin });
    } catch (error) {
      if (!(error instanceof WrongChain)) throw error;
      throw new SettlementHalted(error.message, 'the chain');
    }
  }

  /** Rejects with SettlementHalted when the contract has other code than before: its answers prove nothing then. */
  async #checkCode(settlement: Hex): Promise<void> {
    const { evm, records } = this.options;
    const { pin } = records.value;
    if (!pin) return;
    const code = sha256Hex(await evm.code(settlement));
    if (pin.code === undefined) await records.change({ pin: { ...pin, code } });
    else if (pin.code !== code) {
      throw new SettlementHalted(
        `the code of the contract ${settlement}, which settles, is not what it was`,
        'the chain',
      );
    }
  }

  async #fund(): Promise<void> {
    const { evm, operator } = this.options;
    if (evm.fund && (await evm.balance(operator.address)) < ownFunds / 2n) await evm.fund(operator.address, ownFunds);
  }

  async #contracts(): Promise<ContractAddresses> {
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
        'there are no contracts on the chain; `svc-node chain deploy` deploys them',
        'the chain',
      );
    }
    const { contracts: made } = await deployContracts({ evm, operator, network, world });
    await records.change({ chainId: evm.chainId, contracts: made, outgoing: null });
    log('contracts were deployed on the local chain', { addresses: Object.values(made).join(' ') });
    return made;
  }

  /** Counts the entries of the journal that the backlog lacks. */
  async #count(): Promise<void> {
    const { backlog, tail } = this.options;
    for (;;) {
      const page = await tail.after(backlog.entry, pageSize);
      if (page.length === 0) return;
      for (const { seq, core } of page) backlog.count(seq, core.moves.length);
    }
  }

  /** The point of the stream at an operation; undefined when no entry ends there. */
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

  async #mined(contract: SettlementContract, from: StreamPoint, operation: number): Promise<readonly MinedBatch[]> {
    const { tail, log, evm, records } = this.options;
    const first = await this.#searchFrom(records.value.block);
    const batches = await contract.appliedSince(first, await evm.blockNumber());
    log('the chain has more operations than were recorded', { noted: from.operation, has: operation });
    const mined: MinedBatch[] = [];
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

  /** The block at which a search for batches begins; 0 when the chain is shorter than before, because it was reset. */
  async #searchFrom(block: number): Promise<number> {
    const { evm } = this.options;
    return evm.fund || (await evm.blockNumber()) < block ? 0 : Math.max(0, block - deepestReorg);
  }
}

/** The newest batch with the entry's operations; after a reorg there may be an older one. */
const batchOf = (batches: readonly AppliedBatch[], { after }: StreamEntry): AppliedBatch | undefined =>
  batches.findLast(({ first, last }) => first <= after.operation && after.operation <= last);
