/**
 * An EVM inside the process that answers the few questions of JSON-RPC which settlement asks: where anvil cannot run.
 * One block a transaction, mined at once; calls see the newest state only.
 */
import { createBlock } from '@ethereumjs/block';
import { type Common, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createTx, createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { Address, bytesToHex, createAddressFromString, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { createVM, type RunTxResult, runTx, type VM } from '@ethereumjs/vm';
import type { RpcAnswer, RpcCall } from '../evm/transport.js';
import { BlockList, type StoredBlock, type StoredReceipt } from './block-list.js';
import { type StateImage, WorldState } from './world-state.js';

export interface ChainImage {
  readonly v: 1;
  readonly chainId: number;
  readonly state: StateImage;
  readonly blocks: readonly StoredBlock[];
}

const gasLimit = 30_000_000;
/** Wei. The blocks of such a chain never fill up, so it need not move. */
const baseFee = 7n;
const zeroHash = `0x${'0'.repeat(64)}`;
const bloom = `0x${'0'.repeat(512)}`;

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
  /** Of the caller's clock. */
  #aheadMs = 0;

  private constructor(
    private readonly chainId: number,
    private readonly common: Common,
    private readonly vm: VM,
    private readonly state: WorldState,
    private readonly blocks: BlockList,
  ) {
    this.#methods = this.#table();
  }

  /** @param image what an earlier run has left; another chain's is not taken */
  static async open(chainId: number, image?: ChainImage): Promise<EmbeddedChain> {
    const common = createCustomCommon({ chainId, name: 'embedded' }, Mainnet, { hardfork: Hardfork.Cancun });
    const state = new WorldState();
    const usable = image?.v === 1 && image.chainId === chainId ? image : undefined;
    if (usable) state.restore(usable.state);
    const [first, ...others] = usable?.blocks ?? [];
    const genesis = { number: 0, hash: zeroHash, parentHash: zeroHash, timestamp: 0, gasUsed: 0, receipt: null };
    const vm = await createVM({ common, stateManager: state });
    return new EmbeddedChain(chainId, common, vm, state, new BlockList(first ?? genesis, others));
  }

  image(): ChainImage {
    return { v: 1, chainId: this.chainId, state: this.state.image(), blocks: this.blocks.all() };
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

  /** The block that comes next. Its time never goes back. */
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
    // Nothing waits here: what can't be mined at once never is.
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
      const message = error instanceof Error ? error.message : String(error);
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
    // Refunds come at the end only, and a callee is given 63/64 of what is left.
    const spent = result.totalGasSpent + (result.gasRefund ?? 0n);
    return quantity(spent + spent / 8n);
  }

  /** Runs on the newest state and leaves it as it was. */
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
    logsBloom: bloom,
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
