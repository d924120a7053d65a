/** The expected result of a tour with a generated client, and that the tour used many operations. */
import { expect } from 'chai';
import type { TestNode } from '../../node/support/node.js';
import { must } from './tools.js';

/** Tokens: 10 into escrow, of which 4 are released to someone who had received 5 before. */
const facts = {
  remaining: 6,
  balance: 9,
  refusal: 'INSUFFICIENT_BALANCE',
  found: 1,
  bids: 1,
  signatures: 1,
  events: 2,
  isWide: true,
};
const leastOperations = 25;

/** Operations that the node answered with success, from its metrics. */
async function operationsOf(node: TestNode): Promise<Set<string>> {
  const text = await (await fetch(`${node.url}/metrics`)).text();
  const lines = text.matchAll(/^svc_http_requests_total\{route="([^"]+)",method="(\w+)",status="2\d\d"\}/gm);
  return new Set([...lines].map(([, route, method]) => `${method} ${route}`));
}

/** Runs the program against a node that has not answered any request yet. */
export async function expectTour(node: TestNode, command: string, args: readonly string[], cwd: string): Promise<void> {
  const stdout = await must(command, [...args, node.url], cwd);
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1)!)).to.deep.equal(facts);
  const operations = await operationsOf(node);
  operations.delete('GET /metrics');
  expect(operations.size, [...operations].join(', ')).to.be.at.least(leastOperations);
}
