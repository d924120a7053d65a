/**
 * The port on JSON-RPC. Reads are retried a few times; a transaction is sent once, because only its sender knows how to
 * handle a missing reply.
 */
import { keccak256 } from 'ethers/crypto';
import { type Environment, pause, type Timer } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { bigintOf, blockOf, evmReceiptOf, hexHash, hexOf, hexText, logsOf, numberOf } from './answer.js';
import { BlockPace } from './block-pace.js';
import {
  ChainAway,
  ChainRefused,
  type Evm,
  type EvmBlock,
  type EvmCall,
  type EvmHealth,
  type EvmKind,
  type EvmLog,
  type EvmReceipt,
  type Fees,
  type Hex,
  type LogQuery,
  type RefusalReason,
  type Sent,
} from './evm.js';
import type { RpcAnswer, RpcCall, RpcError, Transport } from './transport.js';

export interface JsonRpcEvmOptions {
  readonly kind: EvmKind;
  readonly chainId: number;
  readonly transport: Transport;
  readonly world: Environment;
  /** Interval of polls for the newest block while there are no other requests; undefined: never. */
  readonly pulseMs?: number;
}

const readAttempts = 3;
const firstPauseMs = 100;
/** Time after which no further attempt is made. */
const retryWindowMs = 5_000;

const call = (method: string, ...params: unknown[]): RpcCall => ({ method, params });
const quantity = (value: number | bigint): string => `0x${value.toString(16)}`;
const blockTag = (which: number | 'latest'): string => (which === 'latest' ? which : quantity(which));

export class JsonRpcEvm implements Evm {
  readonly kind: EvmKind;
  readonly chainId: number;
  readonly fund?: (address: Hex, wei: bigint) => Promise<void>;
  readonly mine?: () => Promise<void>;
  readonly putForward?: (timeMs: number) => Promise<void>;
  readonly #transport: Transport;
  readonly #world: Environment;
  #health: EvmHealth = { connected: false, blockNumber: null, reason: 'the chain has not answered yet' };
  #timer: Timer | undefined;
  readonly #pace = new BlockPace();
  #sent = 0;
  #closed = false;

  constructor(options: JsonRpcEvmOptions) {
    this.kind = options.kind;
    this.chainId = options.chainId;
    this.#transport = options.transport;
    this.#world = options.world;
    if (this.#isOurs) {
      this.fund = (address, wei) => this.#command('anvil_setBalance', address, quantity(wei));
      this.mine = () => this.#command('evm_mine');
      this.putForward = (timeMs) => this.#command('evm_setNextBlockTimestamp', Math.floor(timeMs / 1_000));
    }
    if (options.pulseMs !== undefined) this.#beat(options.pulseMs);
  }

  health(): EvmHealth {
    const silence = this.#health.connected ? this.#pace.silence(this.#world.monotonic()) : undefined;
    const { newestMs: blockTime } = this.#pace;
    return { ...this.#health, ...(silence && { silence }), ...(blockTime !== undefined && { blockTime }) };
  }

  async askChainId(): Promise<number> {
    return numberOf(await this.#read(call('eth_chainId')));
  }

  async blockNumber(): Promise<number> {
    return this.#sawBlock(numberOf(await this.#read(call('eth_blockNumber'))));
  }

  async block(which: number | 'latest'): Promise<EvmBlock | undefined> {
    const block = blockOf(await this.#read(call('eth_getBlockByNumber', blockTag(which), false)));
    if (which === 'latest' && block) this.#sawBlock(block.number);
    return block;
  }

  async code(address: Hex): Promise<Hex> {
    return hexOf(await this.#read(call('eth_getCode', address, 'latest')));
  }

  async balance(address: Hex): Promise<bigint> {
    return bigintOf(await this.#read(call('eth_getBalance', address, 'latest')));
  }

  async transactionCount(address: Hex, at: 'latest' | 'pending'): Promise<number> {
    return numberOf(await this.#read(call('eth_getTransactionCount', address, at)));
  }

  async call(what: EvmCall): Promise<Hex> {
    return hexOf(await this.#read(call('eth_call', what, 'latest')));
  }

  async estimateGas(transaction: { readonly from: Hex; readonly to?: Hex; readonly data: Hex }): Promise<number> {
    return numberOf(await this.#read(call('eth_estimateGas', transaction)));
  }

  async send(raw: Hex, hash: Hex = keccak256(raw) as Hex): Promise<Sent> {
    // A local chain mines at once and returns the receipt in the same reply.
    const method = this.#isOurs ? 'eth_sendRawTransactionSync' : 'eth_sendRawTransaction';
    this.#sent++;
    const [answer] = await this.#ask([call(method, raw)]);
    if ('error' in answer!) {
      if (isKnown.test(answer.error.message)) return { hash };
      throw refusalOf(answer.error);
    }
    if (!this.#isOurs) {
      if (hexHash(answer!.result) !== hash) throw new ChainAway('the RPC names another transaction than it was given');
      return { hash };
    }
    const receipt = evmReceiptOf(answer!.result);
    if (receipt) this.#sawBlock(receipt.blockNumber);
    return receipt?.transactionHash === hash ? { hash, receipt } : { hash };
  }

  async receipt(transactionHash: Hex): Promise<EvmReceipt | undefined> {
    const [receipt] = await this.receipts([transactionHash]);
    return receipt;
  }

  async receipts(transactionHashes: readonly Hex[]): Promise<readonly (EvmReceipt | undefined)[]> {
    if (transactionHashes.length === 0) return [];
    const answers = await this.#readAll(transactionHashes.map((hash) => call('eth_getTransactionReceipt', hash)));
    return answers.map((answer, index) => {
      const receipt = evmReceiptOf(answer);
      return receipt?.transactionHash === transactionHashes[index] ? receipt : undefined;
    });
  }

  async logs({ address, topics, fromBlock, toBlock }: LogQuery): Promise<readonly EvmLog[]> {
    const filter = { address, topics: [topics], fromBlock: quantity(fromBlock), toBlock: quantity(toBlock) };
    return logsOf(await this.#read(call('eth_getLogs', filter)));
  }

  async fees(): Promise<Fees> {
    const [block, price] = await this.#readAll([call('eth_getBlockByNumber', 'latest', false), call('eth_gasPrice')]);
    const base = blockOf(block)?.baseFeePerGas ?? 0n;
    const gasPrice = bigintOf(price);
    const tip = gasPrice > base ? gasPrice - base : 1n;
    // Twice the base fee stays sufficient for six full blocks with the steepest increase.
    return { maxFeePerGas: 2n * base + tip, maxPriorityFeePerGas: tip };
  }

  /** Stops polling. The owner of the transport closes it. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  get #isOurs(): boolean {
    return this.kind !== 'rpc';
  }

  async #command(method: string, ...params: unknown[]): Promise<void> {
    const [answer] = await this.#ask([call(method, ...params)]);
    resultOf(answer!);
  }

  async #read(one: RpcCall): Promise<unknown> {
    return (await this.#readAll([one]))[0];
  }

  async #readAll(calls: readonly RpcCall[]): Promise<readonly unknown[]> {
    const from = this.#world.monotonic();
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#ask(calls)).map(resultOf);
      } catch (error) {
        const isLast = attempt === readAttempts || this.#world.monotonic() - from > retryWindowMs || this.#closed;
        if (!(error instanceof ChainAway) || isLast) throw error;
      }
      await pause(this.#world, firstPauseMs * 2 ** (attempt - 1));
    }
  }

  async #ask(calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> {
    try {
      const answers = await this.#transport.request(calls);
      this.#health = { connected: true, blockNumber: this.#health.blockNumber };
      return answers;
    } catch (error) {
      const reason = messageOf(error);
      this.#health = { connected: false, blockNumber: this.#health.blockNumber, reason };
      throw error;
    }
  }

  #sawBlock(number: number): number {
    this.#health = { connected: true, blockNumber: number };
    return number;
  }

  async #look(): Promise<void> {
    const block = await this.block('latest');
    if (!block) return;
    this.#pace.saw(block, this.#world.monotonic(), this.#sent);
    this.#sent = 0;
  }

  #beat(everyMs: number): void {
    if (this.#closed) return;
    const next = () => {
      if (!this.#closed) this.#timer = this.#world.after(everyMs, () => this.#beat(everyMs));
    };
    // An error is reported by `health`.
    (this.#isOurs ? this.blockNumber() : this.#look()).then(next, next);
  }
}

const isKnown = /already (known|imported)|alreadyknown|known transaction/i;

const reasons: readonly (readonly [RegExp, RefusalReason])[] = [
  [/nonce (is )?too low|nonce has already been used|old nonce/i, 'nonce too low'],
  [/underpriced|fee too low|max fee per gas less than/i, 'underpriced'],
  [/insufficient funds/i, 'no funds'],
  [/revert/i, 'reverted'],
];

/**
 * Whether a retry may succeed: the request was rate-limited or too large, or anvil mined a block between finding the latest
 * one and reading it.
 */
const isMomentary = ({ code, message }: RpcError): boolean =>
  code === -32_005 || code === 429 || /rate limit|too many requests|timed? ?out|BlockOutOfRange/i.test(message);

function refusalOf(error: RpcError): ChainRefused | ChainAway {
  const message = error.message.slice(0, 500);
  if (isMomentary(error)) return new ChainAway(message);
  const data = typeof error.data === 'string' && hexText.test(error.data) ? (error.data as Hex) : undefined;
  const reason = error.code === 3 ? 'reverted' : (reasons.find(([words]) => words.test(message))?.[1] ?? 'other');
  return new ChainRefused(message, reason, data);
}

function resultOf(answer: RpcAnswer): unknown {
  if ('error' in answer) throw refusalOf(answer.error);
  return answer.result;
}
