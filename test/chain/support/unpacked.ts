/** Reads batches and their operations again, by code that the node does not have. */

import {
  type FieldType,
  fieldBytes,
  headerBytes,
  operationBytes,
  operationLayouts,
  type PackedMove,
  type StreamOperation,
} from '../../../src/chain/operations/operation.js';
import { encodeBatch, genesisHead, type OperationBatch } from '../../../src/chain/operations/operation-batch.js';
import { didOf } from '../../../src/core/codecs/did.js';
import { assert } from '../../../src/core/refusal.js';
import type { Move } from '../../../src/machines/kernel/posting.js';

export interface UnpackedOperation extends Omit<StreamOperation, 'move'> {
  readonly move: PackedMove;
}

const opOfKind = new Map(Object.entries(operationLayouts).map(([op, { kind }]) => [kind, op as Move['op']]));

/** @throws an assertion error for malformed bytes; the chain accepts whole operations only */
export function unpackOperations(bytes: Buffer): UnpackedOperation[] {
  return splitOperations(bytes).map(unpackOperation);
}

function splitOperations(bytes: Buffer): Buffer[] {
  const operations: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const op = opOfKind.get(bytes[offset]!);
    assert(op, `no kind of operation: ${bytes[offset]}`);
    const end = offset + operationBytes(op);
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
  for (const [name, type] of operationLayouts[op].fields) {
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

const wordBytes = 32;
const selector = encodeBatch({ first: 1, prevHead: genesisHead('devnet'), operations: [] }).subarray(0, 4);
const fixedBytes = selector.length + 4 * wordBytes;

/** Reads the calldata of `applyBatch`. @throws an assertion error on any other call */
export function decodeBatch(calldata: Buffer): OperationBatch {
  assert(calldata.length >= fixedBytes && calldata.subarray(0, 4).equals(selector), 'no call of applyBatch');
  const word = (index: number) => Number(calldata.readBigUInt64BE(selector.length + (index + 1) * wordBytes - 8));
  const length = word(3);
  assert(word(2) === 3 * wordBytes && fixedBytes + length <= calldata.length, 'a call that is cut off');
  return {
    first: word(0),
    prevHead: calldata.subarray(selector.length + wordBytes, selector.length + 2 * wordBytes),
    operations: splitOperations(calldata.subarray(fixedBytes, fixedBytes + length)),
  };
}
