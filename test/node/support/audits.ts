/** Audits over HTTP. */
import { until } from '../../support/until.js';
import { expectStatus } from './answers.js';
import type { Body, Client } from './client.js';
import { TestNode, type TestNodeOptions } from './node.js';

export const path = '/api/v1/audit';

/** Audits the node's journal, again where a database on a busy machine did not answer in time. @returns the result, as the API shows it */
export async function auditOf(node: TestNode): Promise<Body> {
  const admin = await node.keyed({ scope: 'admin' });
  return until('an audit reaches a verdict', () => auditOnce(node, admin), {
    is: ({ status }) => status !== 'unfinished',
  });
}

async function auditOnce(node: TestNode, admin: Client): Promise<Body> {
  expectStatus(await admin.post(path), 201);
  const audits: Body = await until('the audit is finished', async () => expectStatus(await node.client.get(path)), {
    is: ({ running }) => running === null,
  });
  return audits.last;
}

/** Starts a node, makes a transfer, runs the test, and stops the node. */
export async function withNode(options: TestNodeOptions, test: (node: TestNode) => Promise<void>): Promise<void> {
  const node = await TestNode.start(options);
  try {
    const [ada, ben] = [await node.rich(100), await node.rich(100)];
    for (let i = 1; i <= 3; i++) await ada.pays(ben.did, i);
    await test(node);
  } finally {
    await node.discard();
  }
}

export const sound = { status: 'sound', flaw: null, note: null };
