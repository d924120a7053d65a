/**
 * Writers that continue whatever happens to the nodes: if a node does not answer, the writer sends the request to another one
 * with the same nonce and Idempotency-Key, until it knows the result. Acknowledged writes are recorded outside of all nodes.
 */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Comparison } from '../../crash/support/comparison.js';
import { Writer } from '../../crash/support/writer.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Client } from '../../node/support/client.js';
import { until } from '../../support/until.js';

const claims = 10;
const endowment = 100 * claims;
/** Longer than any hand-over of a lease, on a busy machine too. */
const patienceMs = 120_000;

export interface Door {
  readonly client: Client;
}

export class Traffic {
  #over = false;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly writers: readonly Writer[],
    private readonly doors: () => readonly Door[],
    private readonly comparison: Comparison,
    /** How long a writer retries before it must have an answer. */
    private readonly patience: number,
    private readonly restMs: number,
  ) {}

  /**
   * @param doors the nodes that may be asked at this moment; at first all of them
   * @param restMs pause of a writer after each write, where a follower must keep up
   */
  static async begin(
    people: number,
    doors: () => readonly Door[],
    patience = patienceMs,
    restMs = 0,
  ): Promise<Traffic> {
    const dids: string[] = [];
    const writers: Writer[] = [];
    const { client } = doors()[0]!;
    while (writers.length < people) {
      const writer = await Writer.create(client, dids);
      writers.push(writer);
      dids.push(writer.did);
      for (let n = 0; n < claims; n++) expectStatus(await client.post('/api/v1/faucet', { did: writer.did }));
    }
    return new Traffic(writers, doors, new Comparison(writers, endowment), patience, restMs);
  }

  start(): void {
    this.#running = Promise.all(this.writers.map((writer, number) => this.#keepWriting(writer, number)));
  }

  async stop(): Promise<void> {
    this.#over = true;
    await this.#running;
  }

  get acknowledged(): number {
    return this.writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  /** Resolves after that many more acknowledged writes; rejects if they don't come in time. */
  async goesOn(writes: number, withinMs = patienceMs): Promise<number> {
    const [goal, from] = [this.acknowledged + writes, performance.now()];
    while (this.acknowledged < goal) {
      if (performance.now() - from > withinMs) {
        expect.fail(`${writes - goal + this.acknowledged} of ${writes} writes were acknowledged in ${withinMs} ms`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now() - from;
  }

  /** Every node has each acknowledged write once, with its exact content, and nothing else. */
  async compare(doors: readonly Door[]): Promise<void> {
    expect(this.writers.flatMap(({ refused }) => refused)).to.deep.equal([]);
    for (const { client } of doors) {
      await this.#catchesUp(client);
      await this.comparison.compare(client);
    }
  }

  /**
   * A process lists the writes of others once it has seen them, and answers 503 until its network is back
   * (docs/operations.md: heights of several processes differ for a moment).
   */
  async #catchesUp(client: Client): Promise<void> {
    for (const { did, asked } of this.writers) {
      const last = asked.at(-1)?.nonce;
      if (last === undefined) continue;
      const newest = async () => {
        const { status, body } = await client.get(`/api/v1/events?issuer=${did}&order=newest&limit=1`);
        return status === 503 ? status : body.events?.[0]?.event.nonce;
      };
      await until(`write ${last} of ${did} is listed`, newest, { is: (nonce) => nonce === last });
    }
  }

  async #keepWriting(writer: Writer, number: number): Promise<void> {
    for (let turn = number; !this.#over; turn++) {
      const doors = this.doors();
      const door = doors[turn % doors.length]!;
      await writer.run(door.client, 1, () => this.#over || !this.doors().includes(door), this.restMs);
      // A 503 is not a refusal: the request may or may not have been accepted.
      for (const text of writer.refused.splice(0)) if (!/ 503 /.test(text)) writer.refused.push(text);
      if (writer.refused.length > 0) return;
      await this.#hear(writer);
    }
  }

  /** Repeats every request without an answer. */
  async #hear(writer: Writer): Promise<void> {
    const until = performance.now() + this.patience;
    for (const asked of writer.asked.filter(({ hash }) => hash === undefined)) {
      for (let turn = 0; asked.hash === undefined; turn++) {
        const doors = this.doors();
        const reply = await writer.send(doors[turn % doors.length]!.client, asked).catch(() => undefined);
        if (reply && reply.status >= 300 && reply.status !== 503) {
          writer.refused.push(`again: ${asked.path} ${reply.status} ${reply.text}`);
          return;
        }
        if (performance.now() > until) writer.refused.push(`no answer: ${reply?.status} ${reply?.text}`);
        if (writer.refused.length > 0) return;
        if (asked.hash === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }
}

/** Copies keys to another keystore, because a key may be in several; the node's own key is not copied. */
export function copyKeys(from: string, to: string, addresses: ReadonlySet<string>): void {
  const [source, target] = [join(from, 'keystore'), join(to, 'keystore')];
  mkdirSync(target, { recursive: true, mode: 0o700 });
  for (const file of readdirSync(source)) {
    if (addresses.has(file.replace(/\.json$/, ''))) copyFileSync(join(source, file), join(target, file));
  }
}
