/**
 * Signed EIP-1559 transactions, encoded by hand over bytes: through the hex texts of a library, a batch of operations
 * would cost more to wrap than to pack.
 */
import { keccak256, SigningKey } from 'ethers/crypto';
import { computeAddress } from 'ethers/transaction';
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

const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
const type = Buffer.from([2]);

/** Who pays for settlement. */
export class Operator {
  readonly #key: SigningKey;
  readonly address: Hex;

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    this.#key = new SigningKey(key);
    this.address = computeAddress(this.#key) as Hex;
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
    const { yParity, r, s } = this.#key.sign(keccak256(Buffer.concat([type, encode(unsigned)])));
    const signature = [number(yParity), number(BigInt(r)), number(BigInt(s))];
    const raw = Buffer.concat([type, encode([...unsigned, ...signature])]);
    return { raw: `0x${raw.toString('hex')}`, hash: keccak256(raw) as Hex };
  }
}
