/**
 * An EVM in this process with the JSON-RPC methods that settlement uses. Each transaction is mined at once in a block of
 * its own; calls read the newest state only. Headers have no state root, because its cost would grow with the chain and no
 * client asks for proofs.
 */
import { createBlock } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import { createTx, createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { Address, bytesToHex, createAddressFromString, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { createVM, type RunTxResult, runTx, type VM } from '@ethereumjs/vm';
import { messageOf } from '../../core/error-message.js';
import { chainRulesOf } from '../evm/hashes.js';
import type { RpcAnswer, RpcCall } from '../evm/transport.js';
import { BlockList, type StoredReceipt } from './block-list.js';
import type { ChainChanges, SavedChain } from './chain-file.js';
import { WorldState } from './world-state.js';

const gasLimit = 30_000_000;
/** Base fee in wei; constant, because the blocks never fill up. */
const baseFee = 7n;
const zeroHash = `0x${'0'.repeat(64)}`;

const quantity = (value: number | bigint): string => `0x${value.toString(16)}`;

class Failure extends Error {
  override name = 'Failure';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: string,
  ) {
    super(message);
  }
}

interface CallFields {
  readonly from?: string;
  readonly to?: string;
  readonly data?: string;
  readonly input?: string;
}

type Method = (params: readonly unknown[], now: number) => unknown;

export class EmbeddedChain {
  readonly #methods: { readonly [method: string]: Method };
  /** Offset of the chain's clock from the caller's, ms. */
  #aheadMs = 0;
  #savedBlock: number;

  private constructor(
    private readonly chainId: number,
    private readonly common: Common,
    private readonly vm: VM,
    private readonly state: WorldState,
    private readonly blocks: BlockList,
  ) {
    this.#methods = this.#table();
    this.#savedBlock = blocks.newest.number;
  }

  /** @param saved the state of an earlier run */
  static async open(chainId: number, saved?: SavedChain): Promise<EmbeddedChain> {
    const common = chainRulesOf(chainId);
    const state = new WorldState();
    state.restore(saved?.rows ?? []);
    const genesis = { number: 0, hash: zeroHash, parentHash: zeroHash, timestamp: 0, gasUsed: 0, receipt: null };
    const vm = await createVM({ common, stateManager: state });
    return new EmbeddedChain(chainId, common, vm, state, new BlockList(genesis, saved?.blocks));
  }

  /** The changes since `markSaved`. */
  changes(): ChainChanges {
    const blocks = this.blocks.between(this.#savedBlock + 1, this.blocks.newest.number);
    return { rows: this.state.changes(), blocks, firstBlock: this.blocks.oldest };
  }

  markSaved(): void {
    this.#savedBlock = this.blocks.newest.number;
    this.state.markSaved();
  }

  /** @param now the caller's clock, epoch ms */
  async answer({ method, params }: RpcCall, now: number): Promise<RpcAnswer> {
    const known = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (!known) return { error: { code: -32_601, message: `the method ${method} is not known` } };
    try {
      return { result: await known(params, now) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const { code, data } = error instanceof Failure ? error : { code: -32_602, data: undefined };
      return { error: { code, message: error.message, ...(data === undefined ? {} : { data }) } };
    }
  }

  #table(): { readonly [method: string]: Method } {
    return {
      eth_chainId: () => quantity(this.chainId),
      eth_blockNumber: () => quantity(this.blocks.newest.number),
      eth_gasPrice: () => quantity(baseFee + 1n),
      eth_getBlockByNumber: ([which]) => this.#block(which),
      eth_getCode: async ([address]) => bytesToHex(await this.state.getCode(addressOf(address))),
      eth_getBalance: async ([address]) => quantity((await this.state.getAccount(addressOf(address)))?.balance ?? 0n),
      eth_getTransactionCount: async ([address]) =>
        quantity((await this.state.getAccount(addressOf(address)))?.nonce ?? 0n),
      eth_call: ([call], now) => this.#call(call as CallFields, now),
      eth_estimateGas: ([call], now) => this.#estimate(call as CallFields, now),
      eth_sendRawTransaction: async ([raw], now) => (await this.#send(raw, now)).transactionHash,
      eth_sendRawTransactionSync: ([raw], now) => this.#send(raw, now),
      eth_getTransactionReceipt: ([hash]) => this.blocks.receipt(String(hash).toLowerCase()) ?? null,
      eth_getLogs: ([filter]) => this.#logs(filter as LogFilter),
      anvil_setBalance: ([address, wei]) => this.#setBalance(addressOf(address), BigInt(String(wei))),
      evm_setNextBlockTimestamp: ([seconds], now) => {
        this.#aheadMs = Number(seconds) * 1_000 - now;
        return null;
      },
      evm_mine: (_, now) => {
        this.#add(this.#header(now), null, 0);
        return '0x0';
      },
    };
  }

  #block(which: unknown): object | null {
    const number = which === 'latest' || which === 'pending' ? this.blocks.newest.number : Number(which);
    const block = this.blocks.get(number);
    if (!block) return null;
    return {
      number: quantity(block.number),
      hash: block.hash,
      parentHash: block.parentHash,
      timestamp: quantity(block.timestamp),
      gasUsed: quantity(block.gasUsed),
      gasLimit: quantity(gasLimit),
      baseFeePerGas: quantity(baseFee),
      transactions: block.receipt ? [block.receipt.transactionHash] : [],
    };
  }

  async #setBalance(address: Address, balance: bigint): Promise<null> {
    await this.state.modifyAccountFields(address, { balance });
    return null;
  }

  /** The header of the next block. Block times never decrease. */
  #header(now: number) {
    const { newest } = this.blocks;
    return createBlock(
      {
        header: {
          number: newest.number + 1,
          parentHash: newest.hash as PrefixedHexString,
          timestamp: Math.max(newest.timestamp, Math.floor((now + this.#aheadMs) / 1000)),
          gasLimit,
          baseFeePerGas: baseFee,
        },
      },
      { common: this.common },
    );
  }

  #add(block: ReturnType<typeof createBlock>, receipt: StoredReceipt | null, gasUsed: number): void {
    this.blocks.add({
      number: Number(block.header.number),
      hash: bytesToHex(block.hash()),
      parentHash: this.blocks.newest.hash,
      timestamp: Number(block.header.timestamp),
      gasUsed,
      receipt,
    });
  }

  async #send(raw: unknown, now: number): Promise<StoredReceipt> {
    const tx = createTxFromRLP(hexToBytes(String(raw) as PrefixedHexString), { common: this.common });
    const hash = bytesToHex(tx.hash());
    if (this.blocks.receipt(hash)) throw new Failure(-32_000, 'already known');
    const sender = await this.state.getAccount(tx.getSenderAddress());
    const nonce = sender?.nonce ?? 0n;
    if (tx.nonce < nonce) throw new Failure(-32_003, 'nonce too low');
    // There is no mempool: a transaction that cannot be mined now is rejected.
    if (tx.nonce > nonce) throw new Failure(-32_003, `nonce too high: ${nonce} is next`);
    const block = this.#header(now);
    const result = await this.#run(tx, block);
    const receipt = receiptOf(tx, result, { number: Number(block.header.number), hash: bytesToHex(block.hash()) });
    this.#add(block, receipt, Number(result.totalGasSpent));
    return receipt;
  }

  async #run(tx: TypedTransaction, block: ReturnType<typeof createBlock>): Promise<RunTxResult> {
    try {
      return await runTx(this.vm, { tx, block });
    } catch (error) {
      const message = messageOf(error);
      const funds = /enough funds/.test(message);
      throw new Failure(-32_003, funds ? `insufficient funds for gas * price + value: ${message}` : message);
    }
  }

  async #call(call: CallFields, now: number): Promise<string> {
    const { execResult } = await this.#undone(() =>
      this.vm.evm.runCall({
        block: this.#header(now),
        gasLimit: BigInt(gasLimit),
        data: dataOf(call),
        ...(call.from === undefined ? {} : { caller: addressOf(call.from) }),
        ...(call.to === undefined ? {} : { to: addressOf(call.to) }),
      }),
    );
    if (execResult.exceptionError) throw reverted(execResult.exceptionError.error, execResult.returnValue);
    return bytesToHex(execResult.returnValue);
  }

  async #estimate(call: CallFields, now: number): Promise<string> {
    const sender = addressOf(call.from);
    const fields = {
      type: 2,
      chainId: this.chainId,
      gasLimit,
      maxFeePerGas: baseFee,
      maxPriorityFeePerGas: 0,
      data: dataOf(call),
      ...(call.to === undefined ? {} : { to: addressOf(call.to) }),
    };
    const unsigned = createTx(fields, { common: this.common, freeze: false });
    const tx = Object.assign(unsigned, { getSenderAddress: () => sender, isSigned: () => true });
    const result = await this.#undone(() =>
      runTx(this.vm, { tx, block: this.#header(now), skipBalance: true, skipNonce: true }),
    );
    const { exceptionError, returnValue } = result.execResult;
    if (exceptionError) throw reverted(exceptionError.error, returnValue);
    // Refunds are credited only at the end, and a callee receives 63/64 of the remaining gas.
    const spent = result.totalGasSpent + (result.gasRefund ?? 0n);
    return quantity(spent + spent / 8n);
  }

  async #undone<T>(run: () => Promise<T>): Promise<T> {
    await this.state.checkpoint();
    try {
      return await run();
    } finally {
      this.vm.evm.journal.cleanJournal();
      this.state.originalStorageCache.clear();
      await this.state.revert();
    }
  }

  #logs({ address, topics = [], fromBlock, toBlock }: LogFilter): unknown[] {
    const first = topics[0] ?? null;
    const last = toBlock === undefined || toBlock === 'latest' ? this.blocks.newest.number : Number(toBlock);
    const found: unknown[] = [];
    for (const { receipt } of this.blocks.between(Number(fromBlock ?? 0), last)) {
      for (const log of receipt?.logs ?? []) {
        if (address !== undefined && log.address !== address.toLowerCase()) continue;
        if (first === null || [first].flat().includes(log.topics[0] ?? '')) found.push(log);
      }
    }
    return found;
  }
}

interface LogFilter {
  readonly address?: string;
  readonly topics?: readonly (string | readonly string[] | null)[];
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

const addressOf = (text: unknown): Address =>
  text === undefined ? new Address(new Uint8Array(20)) : createAddressFromString(String(text));

const dataOf = ({ data, input }: CallFields): Uint8Array => hexToBytes((data ?? input ?? '0x') as PrefixedHexString);

const reverted = (why: string, returned: Uint8Array): Failure =>
  new Failure(3, why === 'revert' ? 'execution reverted' : `execution failed: ${why}`, bytesToHex(returned));

function receiptOf(tx: TypedTransaction, result: RunTxResult, block: { number: number; hash: string }): StoredReceipt {
  const transactionHash = bytesToHex(tx.hash());
  const place = {
    blockNumber: quantity(block.number),
    blockHash: block.hash,
    transactionHash,
    transactionIndex: '0x0',
  };
  return {
    ...place,
    type: quantity(tx.type),
    status: result.execResult.exceptionError ? '0x0' : '0x1',
    from: tx.getSenderAddress().toString(),
    to: tx.to?.toString() ?? null,
    contractAddress: tx.to ? null : (result.createdAddress?.toString() ?? null),
    gasUsed: quantity(result.totalGasSpent),
    cumulativeGasUsed: quantity(result.totalGasSpent),
    effectiveGasPrice: quantity(baseFee + 1n),
    logs: (result.execResult.logs ?? []).map(([address, topics, data], index) => ({
      ...place,
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
      logIndex: quantity(index),
      removed: false,
    })),
  };
}
