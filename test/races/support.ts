/** Simultaneous requests, and checks after them. */
import { expect } from 'chai';
import type { Reply } from '../node/support/client.js';
import { nodeForSuite, type TestNode } from '../node/support/node.js';

/** A node whose ledger is checked after each test. */
export function racingNode(): () => TestNode {
  const node = nodeForSuite();
  afterEach(async () => {
    const { supply, fees, available, reserved, escrowed } = await node().store.totals();
    expect(fees + available + reserved + escrowed, 'no Token was made or lost').to.equal(supply);
  });
  return node;
}

/** `200 ×3, 409 CONFLICT ×2`, for messages and for comparing. */
export function outcomes(replies: readonly Reply[]): { readonly [outcome: string]: number } {
  const counts: { [outcome: string]: number } = {};
  for (const { status, body } of replies) {
    const outcome = status < 300 ? 'accepted' : String(body.code);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

export const accepted = (replies: readonly Reply[]): Reply[] => replies.filter(({ status }) => status < 300);

/** In random order, so that the order of sending does not decide. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
