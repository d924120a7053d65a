/**
 * Sends one transaction at a time: stores it before sending, polls for its receipt by hash, and replaces it with a higher
 * fee when it is stuck. The nonce is counted here; the chain is asked only when the counter may be wrong.
 */
import { type Environment, pause } from '../../core/environment.js';
import { ChainAway, ChainRefused, type Evm, type EvmReceipt, type Fees, type Hex } from '../evm/evm.js';
import type { Operator, SignedTransaction } from './transaction.js';

export interface Sending {
  readonly to: Hex | null;
  readonly data: Uint8Array;
  readonly gasLimit: number;
  /** Makes the signed transaction durable. Called before each attempt is sent. */
  readonly keep: (signed: SignedTransaction, hashes: readonly Hex[], nonce: number) => Promise<void>;
  /** The stored transaction of an earlier run; it is sent again unchanged. */
  readonly kept?: { readonly raw: Hex; readonly hashes: readonly Hex[]; readonly nonce: number } | undefined;
}

/** The chain is not where the settler expected it: reconciliation must run before the next transaction. */
export class OutOfStep extends Error {
  override name = 'OutOfStep';
}

const firstPollMs = 20;
const longestPollMs = 1_500;
/** Time without a receipt after which the fee is raised. */
const stuckMs = { own: 10_000, other: 60_000 };
const lookMs = 2_000;
/** Interval after which the transaction is sent again, because the RPC's node may have dropped it. */
const againMs = 5_000;
const attempts = 10;
/** Factor on the fee of a replacement; nodes demand at least 1/8 more. */
const raised = (wei: bigint): bigint => (wei * 5n) / 4n + 1n;
/** Fees on a local chain, where Ether costs nothing. */
const ownFees: Fees = { maxFeePerGas: 1_000_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

export class Sender {
  #nonce: number | undefined;
  #closed = false;

  constructor(
    private readonly evm: Evm,
    readonly operator: Operator,
    private readonly world: Environment,
  ) {}

  forget(): void {
    this.#nonce = undefined;
  }

  async nextNonce(): Promise<number> {
    this.#nonce ??= await this.evm.transactionCount(this.operator.address, 'latest');
    return this.#nonce;
  }

  /** Ends the polling; the transaction is stored, and the next start finds it. */
  close(): void {
    this.#closed = true;
  }

  /** Resolves with the receipt. Rejects with ChainAway, ChainRefused or OutOfStep; the transaction may still be mined then. */
  async send(sending: Sending): Promise<EvmReceipt> {
    const { kept } = sending;
    const nonce = kept?.nonce ?? (await this.nextNonce());
    let fees = await this.#fees();
    let hashes: readonly Hex[] = kept?.hashes ?? [];
    let raw = kept?.raw;
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (raw === undefined) {
        const { to, data, gasLimit } = sending;
        const signed = this.operator.sign({ chainId: this.evm.chainId, nonce, gasLimit, to, data, ...fees });
        hashes = [...hashes, signed.hash];
        await sending.keep(signed, hashes, nonce);
        raw = signed.raw;
      }
      const receipt = await this.#offer(raw, hashes, nonce);
      if (receipt) {
        this.#nonce = nonce + 1;
        return receipt;
      }
      const { maxFeePerGas, maxPriorityFeePerGas } = fees;
      fees = { maxFeePerGas: raised(maxFeePerGas), maxPriorityFeePerGas: raised(maxPriorityFeePerGas) };
      raw = undefined;
    }
    throw new ChainAway('a transaction was not mined even at the highest fee');
  }

  /** @returns undefined when the fee must be raised */
  async #offer(raw: Hex, hashes: readonly Hex[], nonce: number): Promise<EvmReceipt | undefined> {
    try {
      const { receipt } = await this.evm.send(raw, hashes.at(-1)!);
      if (receipt) return receipt;
    } catch (error) {
      if (!(error instanceof ChainRefused)) throw error;
      if (error.reason === 'nonce too low') return this.#minedOf(hashes);
      if (error.reason === 'underpriced') return undefined;
      throw error;
    }
    return this.#wait(raw, hashes, nonce);
  }

  /** Handles a used nonce: one of our transactions was mined, or the counter is wrong. */
  async #minedOf(hashes: readonly Hex[]): Promise<EvmReceipt> {
    const found = (await this.evm.receipts(hashes)).find((receipt) => receipt !== undefined);
    if (found) return found;
    this.forget();
    throw new OutOfStep('another transaction used the nonce');
  }

  async #wait(raw: Hex, hashes: readonly Hex[], nonce: number): Promise<EvmReceipt | undefined> {
    const from = this.world.monotonic();
    const stuckAfterMs = this.evm.fund ? stuckMs.own : stuckMs.other;
    let lookAt = from + lookMs;
    let againAt = from + againMs;
    for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
      const found = (await this.evm.receipts(hashes)).find((receipt) => receipt !== undefined);
      if (found) return found;
      if (this.#closed) throw new ChainAway('settlement is closing');
      const now = this.world.monotonic();
      if (now >= lookAt) {
        await this.#mustBeNext(hashes, nonce);
        lookAt = now + lookMs;
      }
      if (now >= againAt) {
        await this.#handOverAgain(raw, hashes.at(-1)!);
        againAt = now + againMs;
      }
      if (now - from > stuckAfterMs) return undefined;
      await pause(this.world, pollMs);
    }
  }

  /** Sends the transaction again and ignores the reply, because the receipt decides. */
  async #handOverAgain(raw: Hex, hash: Hex): Promise<void> {
    try {
      await this.evm.send(raw, hash);
    } catch (error) {
      if (!(error instanceof ChainRefused)) throw error;
    }
  }

  /** Rejects with OutOfStep when the chain expects another nonce, because the transaction would never be mined. */
  async #mustBeNext(hashes: readonly Hex[], nonce: number): Promise<void> {
    const next = await this.evm.transactionCount(this.operator.address, 'latest');
    if (next === nonce) return;
    if (next > nonce) await this.#minedOf(hashes);
    this.forget();
    throw new OutOfStep('the chain expects another nonce than the next one');
  }

  async #fees(): Promise<Fees> {
    return this.evm.fund ? ownFees : this.evm.fees();
  }
}
