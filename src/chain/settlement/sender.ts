/**
 * One transaction at a time: stored before it is handed over, waited for by its hashes, offered more for where it
 * sticks. The nonce is counted here; the chain is asked for it only when this counter may be wrong.
 */
import { pause, type World } from '../../world.js';
import { ChainAway, ChainRefused, type Evm, type EvmReceipt, type Fees, type Hex } from '../evm/evm.js';
import type { Operator, SignedTransaction } from './transaction.js';

export interface Sending {
  readonly to: Hex | null;
  readonly data: Uint8Array;
  readonly gasLimit: number;
  /** Makes it durable; called before anything is handed over, once for each attempt. */
  readonly keep: (signed: SignedTransaction, hashes: readonly Hex[], nonce: number) => Promise<void>;
  /** One that was kept by an earlier run, and is handed over again as it was. */
  readonly kept?: { readonly raw: Hex; readonly hashes: readonly Hex[]; readonly nonce: number } | undefined;
}

/** What the chain knows has moved on: settlement looks where it stands before it goes on. */
export class OutOfStep extends Error {
  override name = 'OutOfStep';
}

const firstPollMs = 20;
const longestPollMs = 1_500;
/** After so long without a receipt a transaction is offered more for. */
const stuckMs = { own: 10_000, other: 60_000 };
/** So often a transaction that waits is looked after. */
const lookMs = 2_000;
const attempts = 10;
/** A replacement has to offer an eighth more. */
const raised = (wei: bigint): bigint => (wei * 5n) / 4n + 1n;
/** On a chain of the node's own nothing is paid for. */
const ownFees: Fees = { maxFeePerGas: 1_000_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

export class Sender {
  #nonce: number | undefined;
  #closed = false;

  constructor(
    private readonly evm: Evm,
    readonly operator: Operator,
    private readonly world: World,
  ) {}

  /** Asks the chain for the nonce before the next transaction. */
  forget(): void {
    this.#nonce = undefined;
  }

  async nextNonce(): Promise<number> {
    this.#nonce ??= await this.evm.transactionCount(this.operator.address, 'latest');
    return this.#nonce;
  }

  /** No further waiting: what is on its way is kept, and found again. */
  close(): void {
    this.#closed = true;
  }

  /** Rejects with ChainAway, ChainRefused or OutOfStep; the transaction may be mined all the same. */
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
    throw new ChainAway('a transaction was not mined, whatever was offered for it');
  }

  /** @returns undefined where more has to be offered */
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
    return this.#wait(hashes, nonce);
  }

  /** The nonce is used: by one of ours, or the counter is wrong. */
  async #minedOf(hashes: readonly Hex[]): Promise<EvmReceipt> {
    const found = (await this.evm.receipts(hashes)).find((receipt) => receipt !== undefined);
    if (found) return found;
    this.forget();
    throw new OutOfStep('the nonce is used by another transaction');
  }

  async #wait(hashes: readonly Hex[], nonce: number): Promise<EvmReceipt | undefined> {
    const from = this.world.monotonic();
    const patienceMs = this.evm.fund ? stuckMs.own : stuckMs.other;
    let lookAt = from + lookMs;
    for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
      const found = (await this.evm.receipts(hashes)).find((receipt) => receipt !== undefined);
      if (found) return found;
      if (this.#closed) throw new ChainAway('settlement is closing');
      const now = this.world.monotonic();
      if (now >= lookAt) {
        await this.#mustBeNext(hashes, nonce);
        lookAt = now + lookMs;
      }
      if (now - from > patienceMs) return undefined;
      await pause(this.world, pollMs);
    }
  }

  /** A transaction whose nonce is not the next one will not be mined: the chain is not what it was. */
  async #mustBeNext(hashes: readonly Hex[], nonce: number): Promise<void> {
    const next = await this.evm.transactionCount(this.operator.address, 'latest');
    if (next === nonce) return;
    if (next > nonce) await this.#minedOf(hashes);
    this.forget();
    throw new OutOfStep('the chain counts other transactions than were sent');
  }

  async #fees(): Promise<Fees> {
    return this.evm.fund ? ownFees : this.evm.fees();
  }
}
