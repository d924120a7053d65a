/** Signed EIP-1559 transactions. By @ethereumjs and not by ethers, which takes 5 ms more for a batch (docs/decisions/0025). */
import type { Common } from '@ethereumjs/common';
import { createFeeMarket1559Tx } from '@ethereumjs/tx';
import { bytesToHex } from '@ethereumjs/util';
import { computeAddress } from 'ethers/transaction';
import type { Fees, Hex } from '../evm/evm.js';
import { chainRulesOf } from '../evm/hashes.js';

export interface TransactionFields extends Fees {
  readonly chainId: number;
  readonly nonce: number;
  readonly gasLimit: number;
  /** Null creates a contract. */
  readonly to: Hex | null;
  readonly data: Uint8Array;
}

export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
}

export class Operator {
  readonly #key: Uint8Array;
  readonly address: Hex;
  #rules: Common | undefined;

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    this.#key = Uint8Array.from(key);
    this.address = computeAddress(`0x${Buffer.from(key).toString('hex')}`) as Hex;
  }

  sign({ to, chainId, ...fields }: TransactionFields): SignedTransaction {
    if (Number(this.#rules?.chainId()) !== chainId) this.#rules = chainRulesOf(chainId);
    const unsigned = createFeeMarket1559Tx(
      { ...fields, chainId, ...(to === null ? {} : { to }) },
      { common: this.#rules! },
    );
    const signed = unsigned.sign(this.#key);
    return { raw: bytesToHex(signed.serialize()), hash: bytesToHex(signed.hash()) };
  }
}
