/**
 * Operations of the settlement stream: one move of the journal each, packed (docs/settlement.md shows every byte).
 * The same layout is read by `contracts/Operations.sol`. Pure.
 */
import { hash } from 'node:crypto';
import { didOf, publicKeyOf } from '../keys/did.js';
import type { Move } from '../machines/kernel/posting.js';
import { assert } from '../machines/kernel/refusal.js';

/** One move with its place in time and in the journal. */
export interface Operation {
  readonly move: Move;
  /** The stream's time, epoch ms: the running maximum of the entries' times. */
  readonly time: number;
  /** Hash of the entry that holds the move, lower-case hex. */
  readonly entryHash: string;
}

/** A move as the chain knows it: an escrow by the hash of its id, and `lock` without what `reserve` said already. */
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

export interface UnpackedOperation extends Omit<Operation, 'move'> {
  readonly move: PackedMove;
}

/** `escrow`, `account`: 32 bytes; `address`: 20; `tokens`, `number`: 8; `time`: 6, where 0 stands for none. */
type FieldType = 'escrow' | 'account' | 'address' | 'tokens' | 'number' | 'time';
type Field = readonly [name: keyof Omit<PackedMove, 'op'>, type: FieldType];

const fieldBytes: { readonly [T in FieldType]: number } = {
  escrow: 32,
  account: 32,
  address: 20,
  tokens: 8,
  number: 8,
  time: 6,
};

const escrow: Field = ['escrow', 'escrow'];
const from: Field = ['from', 'account'];
const to: Field = ['to', 'account'];
const amount: Field = ['amount', 'tokens'];
const fee: Field = ['fee', 'tokens'];

interface Layout {
  /** First byte of the operation. */
  readonly kind: number;
  /** What follows the header, in this order. */
  readonly fields: readonly Field[];
}

/** How each move is packed behind the header. A released stream can't be read with another table: only add to it. */
export const layouts: { readonly [O in Move['op']]: Layout } = {
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

/** Bytes of a packed operation; each kind has one length. */
export const operationBytes = (op: Move['op']): number =>
  layouts[op].fields.reduce((sum, [, type]) => sum + fieldBytes[type], headerBytes);

const lengths = new Map(Object.keys(layouts).map((op) => [op, operationBytes(op as Move['op'])]));
const opOfKind = new Map(Object.entries(layouts).map(([op, { kind }]) => [kind, op as Move['op']]));

/** How the chain names an escrow: SHA-256 of its id (UTF-8). */
export const escrowHash = (id: string): Buffer => hash('sha256', id, 'buffer');

/**
 * Packs an operation.
 * @throws an assertion on amounts that are no integers of 0 … 2^53-1 and on times past 2^48-1: the ledger has none
 */
export function packOperation({ move, time, entryHash }: Operation): Buffer {
  const bytes = Buffer.allocUnsafe(lengths.get(move.op)!);
  const { kind, fields } = layouts[move.op];
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

/**
 * Reads operations that lie one behind the other, as a batch has them.
 * @throws an assertion on bytes that are none: the chain takes whole operations only
 */
export function unpackOperations(bytes: Buffer): UnpackedOperation[] {
  return splitOperations(bytes).map(unpackOperation);
}

/** Cuts a batch into its operations: what the running hash goes over. @throws as unpackOperations */
export function splitOperations(bytes: Buffer): Buffer[] {
  const operations: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const op = opOfKind.get(bytes[offset]!);
    assert(op, `no kind of operation: ${bytes[offset]}`);
    const end = offset + lengths.get(op)!;
    assert(end <= bytes.length, 'the last operation is cut off');
    operations.push(bytes.subarray(offset, end));
    offset = end;
  }
  return operations;
}

function unpackOperation(bytes: Buffer): UnpackedOperation {
  const op = opOfKind.get(bytes[0]!)!;
  const move: { [name: string]: string | number } & { op: Move['op'] } = { op };
  let offset = headerBytes;
  for (const [name, type] of layouts[op].fields) {
    const end = offset + fieldBytes[type];
    const value = unpackField(bytes.subarray(offset, end), type);
    if (value !== undefined) move[name] = value;
    offset = end;
  }
  return { move, time: bytes.readUIntBE(1, 6), entryHash: bytes.toString('hex', 7, headerBytes) };
}

function unpackField(bytes: Buffer, type: FieldType): string | number | undefined {
  switch (type) {
    case 'escrow':
      return bytes.toString('hex');
    case 'account':
      return didOf(bytes);
    case 'address':
      return `0x${bytes.toString('hex')}`;
    case 'time':
      return bytes.readUIntBE(0, 6) || undefined;
    default:
      return Number(bytes.readBigUInt64BE());
  }
}
