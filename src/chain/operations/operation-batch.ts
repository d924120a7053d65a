/**
 * Batches of the stream: the running head over packed operations, and the calldata of `Settlement.applyBatch`. Encoded
 * without an ABI encoder, which costs more than the signature. Pure.
 */
import { hash } from 'node:crypto';

/** Head of the empty stream: SHA-256 of `svc:settlement:v1:` and the network's name. */
export const genesisHead = (network: string): Buffer => hash('sha256', `svc:settlement:v1:${network}`, 'buffer');

const room = Buffer.allocUnsafe(256);

/** SHA-256(head ‖ operation). @param operation packed */
export function nextHead(head: Uint8Array, operation: Uint8Array): Buffer {
  room.set(head);
  room.set(operation, 32);
  return hash('sha256', room.subarray(0, 32 + operation.length), 'buffer');
}

export interface OperationBatch {
  /** Number of the first operation in the stream; 1 is the very first. */
  readonly first: number;
  /** Head before the first operation. */
  readonly prevHead: Uint8Array;
  /** Packed. An empty batch is a heartbeat: it keeps the vault from opening its exit. */
  readonly operations: readonly Uint8Array[];
}

/** `applyBatch(uint64,bytes32,bytes)` */
const selector = Buffer.from('fe1aaf2b', 'hex');
const wordBytes = 32;
/** Selector, first, prevHead, offset and length of the operations. */
const fixedBytes = selector.length + 4 * wordBytes;

export function encodeBatch({ first, prevHead, operations }: OperationBatch): Buffer {
  const length = operations.reduce((sum, each) => sum + each.length, 0);
  const bytes = Buffer.alloc(fixedBytes + Math.ceil(length / wordBytes) * wordBytes);
  selector.copy(bytes);
  writeWord(bytes, 0, first);
  bytes.set(prevHead, selector.length + wordBytes);
  writeWord(bytes, 2, 3 * wordBytes);
  writeWord(bytes, 3, length);
  let offset = fixedBytes;
  for (const operation of operations) {
    bytes.set(operation, offset);
    offset += operation.length;
  }
  return bytes;
}

const writeWord = (bytes: Buffer, word: number, value: number): void => {
  bytes.writeBigUInt64BE(BigInt(value), selector.length + (word + 1) * wordBytes - 8);
};
