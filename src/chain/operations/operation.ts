/**
 * Operations of the settlement stream: each is one packed move of the journal (docs/settlement.md shows every byte).
 * `contracts/Operations.sol` reads the same layout. Pure.
 */
import { hash } from 'node:crypto';
import { publicKeyOf } from '../../core/codecs/did.js';
import { assert } from '../../core/refusal.js';
import type { Move } from '../../machines/kernel/posting.js';

export interface StreamOperation {
  readonly move: Move;
  /** The stream's time, epoch ms: the running maximum of the entries' times. */
  readonly time: number;
  /** Hash of the entry that holds the move, lower-case hex. */
  readonly entryHash: string;
}

/** A move in its packed form: an escrow is named by the hash of its id, and `lock` omits the members of `reserve`. */
export interface PackedMove {
  readonly op: Move['op'];
  /** SHA-256 of the escrow's id, hex. */
  readonly escrow?: string;
  readonly from?: string;
  readonly to?: string;
  readonly did?: string;
  readonly amount?: number;
  readonly fee?: number;
  readonly ref?: number;
  readonly expiresAt?: number;
}

/** Bytes: `escrow`, `account` 32; `address` 20; `tokens`, `number` 8; `time` 6, where 0 means none. */
export type FieldType = 'escrow' | 'account' | 'address' | 'tokens' | 'number' | 'time';
type PackedField = readonly [name: keyof Omit<PackedMove, 'op'>, type: FieldType];

export const fieldBytes: { readonly [T in FieldType]: number } = {
  escrow: 32,
  account: 32,
  address: 20,
  tokens: 8,
  number: 8,
  time: 6,
};

const escrow: PackedField = ['escrow', 'escrow'];
const from: PackedField = ['from', 'account'];
const to: PackedField = ['to', 'account'];
const amount: PackedField = ['amount', 'tokens'];
const fee: PackedField = ['fee', 'tokens'];

interface OperationLayout {
  /** First byte of the operation. */
  readonly kind: number;
  readonly fields: readonly PackedField[];
}

/** The layout of each operation. Released streams depend on it: add entries, never change one. */
export const operationLayouts: { readonly [O in Move['op']]: OperationLayout } = {
  mint: { kind: 1, fields: [to, amount] },
  transfer: { kind: 2, fields: [from, to, amount, fee] },
  reserve: { kind: 3, fields: [escrow, from, to, amount, ['expiresAt', 'time']] },
  unreserve: { kind: 4, fields: [escrow, from, amount] },
  lock: { kind: 5, fields: [escrow, from, amount] },
  release: { kind: 6, fields: [escrow, from, to, amount] },
  refund: { kind: 7, fields: [escrow, from, amount] },
  expire: { kind: 8, fields: [escrow, from, amount] },
  collect: { kind: 9, fields: [to, amount] },
  freeze: { kind: 10, fields: [['did', 'account']] },
  unfreeze: { kind: 11, fields: [['did', 'account']] },
  deposit: { kind: 12, fields: [to, amount, ['ref', 'number']] },
  withdraw: { kind: 13, fields: [from, ['to', 'address'], amount, fee] },
};

/** Kind (1 byte), the stream's time in epoch ms (6), the entry's hash (32). */
export const headerBytes = 39;

/** Length of a packed operation in bytes; it depends only on its kind. */
export const operationBytes = (op: Move['op']): number =>
  operationLayouts[op].fields.reduce((sum, [, type]) => sum + fieldBytes[type], headerBytes);

const lengths = new Map(Object.keys(operationLayouts).map((op) => [op, operationBytes(op as Move['op'])]));

/** The chain's key of an escrow: SHA-256 of its id (UTF-8). */
export const escrowHash = (id: string): Buffer => hash('sha256', id, 'buffer');

/**
 * Packs an operation.
 * @throws an assertion error for an amount that is no integer of 0 … 2^53-1, or a time above 2^48-1; the ledger has neither
 */
export function packOperation({ move, time, entryHash }: StreamOperation): Buffer {
  const bytes = Buffer.allocUnsafe(lengths.get(move.op)!);
  const { kind, fields } = operationLayouts[move.op];
  bytes[0] = kind;
  bytes.writeUIntBE(time, 1, 6);
  assert(bytes.write(entryHash, 7, 'hex') === 32, 'an entry hash has 32 bytes');
  let offset = headerBytes;
  for (const [name, type] of fields) {
    packField(bytes, offset, type, (move as unknown as PackedMove)[name]);
    offset += fieldBytes[type];
  }
  return bytes;
}

function packField(bytes: Buffer, offset: number, type: FieldType, value: string | number | undefined): void {
  if (typeof value === 'string') {
    if (type === 'escrow') escrowHash(value).copy(bytes, offset);
    else if (type === 'account') bytes.set(publicKeyOf(value), offset);
    else assert(bytes.write(value.slice(2), offset, 'hex') === 20, 'an EVM address has 20 bytes');
  } else if (type === 'time') {
    bytes.writeUIntBE(value ?? 0, offset, 6);
  } else {
    assert(Number.isSafeInteger(value) && value! >= 0, `no amount: ${value}`);
    bytes.writeUInt32BE(Math.floor(value! / 2 ** 32), offset);
    bytes.writeUInt32BE(value! % 2 ** 32, offset + 4);
  }
}
