/** An account that signs transactions, and a small contract that receives them. */

import { expect } from 'chai';
import { randomBytes, SigningKey } from 'ethers/crypto';
import { computeAddress, Transaction } from 'ethers/transaction';
import type { Evm, EvmReceipt, Hex, Sent } from '../../../src/chain/evm/evm.js';

const ether = 10n ** 18n;

/**
 * A contract that adds each word that it is sent to a sum and logs the word. Called without data, it returns the sum;
 * for a zero it reverts with 0xdead. Assembled by hand, so that the suite needs no compiler.
 */
const runtime = [
  '3615601b57', // nothing sent: read
  '5f3580156024 57', // zero sent: fail
  '805f54015f55', // sum += word
  '5f5260016020 5fa100', // log it under topic 1
  '5b5f545f5260205ff3', // read
  '5b61dead5f5260205ffd', // fail
]
  .join('')
  .replaceAll(' ', '');
export const sumContract: Hex = `0x602e8060095f395ff3${runtime}`;
export const addedTopic: Hex = `0x${'1'.padStart(64, '0')}`;
export const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

export class Sender {
  readonly #key: SigningKey;
  readonly address: Hex;
  nonce = 0;

  constructor(
    private readonly evm: () => Evm,
    key: Uint8Array = randomBytes(32),
  ) {
    this.#key = new SigningKey(key);
    this.address = computeAddress(this.#key).toLowerCase() as Hex;
  }

  /** Signs with the next nonce, unless another is given. */
  async sign(to: Hex | null, data: Hex, { nonce = this.nonce++, gasLimit = 500_000 } = {}): Promise<Hex> {
    const transaction = Transaction.from({
      type: 2,
      chainId: this.evm().chainId,
      nonce,
      gasLimit,
      to,
      data,
      ...(await this.evm().fees()),
    });
    transaction.signature = this.#key.sign(transaction.unsignedHash);
    return transaction.serialized as Hex;
  }

  async send(to: Hex | null, data: Hex, gasLimit?: number): Promise<Sent> {
    return this.evm().send(await this.sign(to, data, gasLimit === undefined ? {} : { gasLimit }));
  }

  async mined(to: Hex | null, data: Hex, gasLimit?: number): Promise<EvmReceipt> {
    return receiptOf(this.evm(), await this.send(to, data, gasLimit));
  }

  async deploySum(): Promise<Hex> {
    const { contractAddress, succeeded } = await this.mined(null, sumContract);
    expect(succeeded).to.equal(true);
    return contractAddress!;
  }
}

/** Polls for the receipt, as a settler does. */
export async function receiptOf(evm: Evm, { hash, receipt }: Sent): Promise<EvmReceipt> {
  for (let found = receipt; ; found = await evm.receipt(hash)) {
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** On a local chain the chain gives the Ether; on another one the test does. */
export async function richSender(
  evm: () => Evm,
  give: (address: Hex, wei: bigint) => Promise<void> = (address, wei) => evm().fund!(address, wei),
): Promise<Sender> {
  const sender = new Sender(evm);
  await give(sender.address, 1_000n * ether);
  return sender;
}
