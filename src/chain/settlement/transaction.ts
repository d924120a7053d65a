/**
 * Signed EIP-1559 transactions, encoded by hand over bytes: through the hex texts of a library, a batch of operations
 * would cost more to wrap than to pack. Hashed and signed in WebAssembly: ethers takes twelve times as long for the
 * hashes of a batch, which was a quarter of what settling it cost.
 */
import { computeAddress } from 'ethers/transaction';
import { createKeccak } from 'hash-wasm';
import { signRecoverable } from 'tiny-secp256k1';
import type { Fees, Hex } from '../evm/evm.js';

export interface TransactionFields extends Fees {
  readonly chainId: number;
  readonly nonce: number;
  readonly gasLimit: number;
  /** Null makes a contract. */
  readonly to: Hex | null;
  readonly data: Uint8Array;
}

export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
}

type Item = Uint8Array | readonly Item[];

/** RLP: the bytes of an item behind its length. */
function encode(item: Item): Buffer {
  if (!(item instanceof Uint8Array)) {
    const content = Buffer.concat(item.map(encode));
    return Buffer.concat([lengthOf(content.length, 0xc0), content]);
  }
  if (item.length === 1 && item[0]! < 0x80) return Buffer.from(item);
  return Buffer.concat([lengthOf(item.length, 0x80), item]);
}

function lengthOf(length: number, offset: number): Buffer {
  if (length < 56) return Buffer.from([offset + length]);
  const digits = number(length);
  return Buffer.concat([Buffer.from([offset + 55 + digits.length]), digits]);
}

/** Big-endian without leading zeros; nothing for 0. */
function number(value: number | bigint): Buffer {
  if (BigInt(value) === 0n) return Buffer.alloc(0);
  const text = value.toString(16);
  return Buffer.from(text.length % 2 === 0 ? text : `0${text}`, 'hex');
}

const hasher = await createKeccak(256);
const keccak256 = (data: Uint8Array): Uint8Array => hasher.init().update(data).digest('binary');

/** Big-endian, without the zeros in front. */
const scalar = (word: Uint8Array): Uint8Array => word.subarray(word.findIndex((byte) => byte !== 0));

const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
const type = Buffer.from([2]);

/** Who pays for settlement. */
export class Operator {
  readonly #key: Uint8Array;
  readonly address: Hex;

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    this.#key = Uint8Array.from(key);
    this.address = computeAddress(`0x${Buffer.from(key).toString('hex')}`) as Hex;
  }

  sign(fields: TransactionFields): SignedTransaction {
    const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gasLimit, to, data } = fields;
    const unsigned: Item[] = [
      ...[chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gasLimit].map(number),
      to === null ? Buffer.alloc(0) : bytes(to),
      Buffer.alloc(0),
      data,
      [],
    ];
    const { signature, recoveryId } = signRecoverable(keccak256(Buffer.concat([type, encode(unsigned)])), this.#key);
    const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map(scalar);
    const raw = Buffer.concat([type, encode([...unsigned, number(recoveryId), r!, s!])]);
    return { raw: `0x${raw.toString('hex')}`, hash: `0x${Buffer.from(keccak256(raw)).toString('hex')}` };
  }
}
