/**
 * The Merkle tree of an anchor: RFC 6962, section 2.1, with SHA-256. Leaves and inner nodes are hashed with different first
 * bytes, so that neither can be presented as the other. Pure.
 */
import { hash } from 'node:crypto';
import { assert } from '../../core/refusal.js';

const leafMark = Buffer.from([0]);
const nodeMark = Buffer.from([1]);

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** @param data the 32 bytes of an entry's `chainHash` */
export const leafHash = (data: Uint8Array): Buffer => sha256(Buffer.concat([leafMark, data]));

const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.concat([nodeMark, left, right]));

/** The largest power of two below n: the size of the left subtree of n leaves. */
const partOf = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

/** The root of hashed leaves; there is at least one. */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer {
  assert(leaves.length > 0, 'a tree has a leaf');
  return rootOf(leaves, 0, leaves.length);
}

function rootOf(leaves: readonly Uint8Array[], from: number, to: number): Buffer {
  if (to - from === 1) return Buffer.from(leaves[from]!);
  const middle = from + partOf(to - from);
  return nodeHash(rootOf(leaves, from, middle), rootOf(leaves, middle, to));
}

export function inclusionPath(leaves: readonly Uint8Array[], index: number): Buffer[] {
  assert(index >= 0 && index < leaves.length, `a tree of ${leaves.length} leaves has no leaf ${index}`);
  const path: Buffer[] = [];
  for (let [from, to] = [0, leaves.length]; to - from > 1; ) {
    const middle = from + partOf(to - from);
    if (index < middle) {
      path.unshift(rootOf(leaves, middle, to));
      to = middle;
    } else {
      path.unshift(rootOf(leaves, from, middle));
      from = middle;
    }
  }
  return path;
}

export interface Inclusion {
  /** Hashed already. */
  readonly leaf: Uint8Array;
  /** Index of the leaf, from 0. */
  readonly index: number;
  /** Number of leaves of the tree. */
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/** The root that an audit path computes to; undefined when a tree of that size has no such path. */
export function rootOfPath({ leaf, index, size, path }: Inclusion): Buffer | undefined {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return undefined;
  // From the root down: whether the leaf is in the left or the right subtree.
  const turns: boolean[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + partOf(to - from);
    turns.push(index < middle);
    if (index < middle) to = middle;
    else from = middle;
  }
  if (turns.length !== path.length) return undefined;
  let node: Buffer = Buffer.from(leaf);
  for (const sibling of path) node = turns.pop() ? nodeHash(node, sibling) : nodeHash(sibling, node);
  return node;
}
