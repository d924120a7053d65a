/** Which process holds the leases of a database, read from outside of all processes. */
import { expect } from 'chai';
import type { LeaseDocument, ProcessDocument } from '../../../src/store/mongo/documents.js';
import type { NodeProcess } from '../../crash/support/process.js';
import { expectStatus } from '../../node/support/answers.js';
import { until } from '../../support/until.js';
import type { TestDatabase } from './database.js';

/** A dead process's lease passes on within this time. */
export const longestMs = 5_000;

export class Leases {
  constructor(
    private readonly database: () => TestDatabase,
    private readonly nodes: () => readonly NodeProcess[],
  ) {}

  /** The node that holds a lease. */
  async holderOf(name: string): Promise<{ node: NodeProcess; token: number }> {
    const { holder, token } = await this.#lease(name);
    const home = (await this.#read<ProcessDocument>(`process/${holder}`))?.home;
    for (const node of this.nodes()) {
      if (expectStatus(await node.client.get('/api/v1/node')).did === home) return { node, token };
    }
    return expect.fail(`the lease ${name} is held by ${home}, which is none of these nodes`);
  }

  /** Waits until another node has the lease, whose token is then larger. @returns how long it took */
  async handedOver(name: string, token: number): Promise<number> {
    const from = performance.now();
    const isNext = (lease: LeaseDocument) => lease.token > token && lease.holder !== null;
    const now = await until(`${name} is handed over`, () => this.#lease(name), { is: isNext });
    expect(now.token, `${name}: one hand-over, one token`).to.equal(token + 1);
    return performance.now() - from;
  }

  async #lease(name: string): Promise<LeaseDocument> {
    return (await this.#read<LeaseDocument>(`lease/${name}`)) ?? { _id: `lease/${name}`, holder: null, token: 0 };
  }

  #read<T>(id: string): Promise<T | null> {
    return this.database().raw(async (client, name) => {
      const control = client.db(name).collection('control');
      return (await control.findOne({ _id: id as never })) as T | null;
    });
  }
}
