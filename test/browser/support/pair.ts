/** A node with two people, one of whom has Tokens. */
import { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';

export interface Pair {
  readonly node: TestNode;
  readonly ada: Person;
  readonly ben: Person;
}

export async function openPair(tokens: number): Promise<Pair> {
  const node = await TestNode.start();
  return { node, ada: await node.rich(tokens), ben: await node.person() };
}

export const closePair = ({ node }: Pair): Promise<void> => node.discard();
