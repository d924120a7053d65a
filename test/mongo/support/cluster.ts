/** Several nodes on one database in the test's process, each with its own directory, key, port and cache. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { TestNode, type TestNodeOptions } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { TestDatabase } from './database.js';

export class Cluster {
  private constructor(
    readonly database: TestDatabase,
    readonly nodes: readonly TestNode[],
  ) {}

  static async start(count: number, options: Omit<TestNodeOptions, 'store' | 'dir'> = {}): Promise<Cluster> {
    const database = await TestDatabase.fresh(options.variables?.SVC_NETWORK);
    const nodes: TestNode[] = [];
    while (nodes.length < count) nodes.push(await TestNode.start({ ...options, store: () => database.open() }));
    return new Cluster(database, nodes);
  }

  node(index: number): TestNode {
    return this.nodes[index] ?? expect.fail(`there is no node ${index}`);
  }

  /**
   * Creates a person whose key is in the keystore of every node, and returns the person at each node.
   * @param apiKey where loopback needs one
   */
  async person(funds = 0, apiKey?: string): Promise<Person[]> {
    const [first, ...others] = this.nodes as [TestNode, ...TestNode[]];
    const clientOf = ({ client }: TestNode) => (apiKey === undefined ? client : client.keyed(apiKey));
    const person = await first.person(clientOf(first));
    if (funds > 0) await first.fund(person, funds);
    const file = join('keystore', `${person.address}.json`);
    for (const { dir } of others) {
      await mkdir(join(dir, 'keystore'), { recursive: true });
      await copyFile(join(first.dir, file), join(dir, file));
    }
    return [person, ...others.map((node) => person.through(clientOf(node)))];
  }

  /** Expects that all nodes report the same totals, and that they are sound. */
  async sound(): Promise<void> {
    const reports = await Promise.all(this.nodes.map((node) => node.audit()));
    for (const report of reports) {
      expect(report.flaw?.what).to.equal(undefined);
      expect(report).to.deep.equal(reports[0]);
    }
    for (const node of this.nodes) expect(node.faults).to.deep.equal([]);
  }

  async discard(): Promise<void> {
    for (const node of this.nodes) await node.discard();
    await this.database.dispose();
  }
}

/** Nodes for the tests of a `describe`. Each audits the journal at the end. */
export function clusterForSuite(count: number, options: Omit<TestNodeOptions, 'store' | 'dir'> = {}): () => Cluster {
  let cluster: Cluster | undefined;
  before(async () => {
    cluster = await Cluster.start(count, options);
  });
  after(async () => {
    try {
      await cluster?.sound();
    } finally {
      await cluster?.discard();
    }
  });
  return () => cluster!;
}

/** Repeats the request until the answer is right, because other processes see writes a little later. */
export const soon = <T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> =>
  until('the answer is right', ask, { is: isRight });
