/** The root that an audit path leads to (RFC 6962, section 2.1, with SHA-256). */
import { bytesOf, sha256OfBytes } from './hash.ts';

const node = (left: string, right: string): string => sha256OfBytes(bytesOf(`01${left}${right}`));

/** @param leaf 64 hex digits, not hashed yet @returns undefined if a tree of that size has no such path */
export function rootOfPath(leaf: string, index: number, size: number, path: readonly string[]): string | undefined {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return undefined;
  // The way from the root to the leaf: true means that the leaf is in the left subtree.
  const turns: boolean[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + 2 ** Math.floor(Math.log2(to - from - 1));
    turns.push(index < middle);
    if (index < middle) to = middle;
    else from = middle;
  }
  if (turns.length !== path.length) return undefined;
  let at = sha256OfBytes(bytesOf(`00${leaf}`));
  for (const beside of path) at = turns.pop() ? node(at, beside) : node(beside, at);
  return at;
}
