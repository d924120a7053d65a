/** given / when / then for tasks: a listing of Ada's, bids of Ben, Cyd and Dan, and the order of an accepted bid. */
import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import type { JsonObject } from '../../src/core/canonical.js';
import type { Snapshot } from '../../src/store/store.js';
import { accepted, Bench, codeOf, type Stated } from './bench.js';

const prices = { ben: 40, cyd: 30, dan: 50 } as const;
export type Bidder = keyof typeof prices;

export const taskId = 'lst-task';
export const orderId = 'task-ord-1';
export const escrowId = 'esc-1';

const usual = (): JsonObject => ({
  title: 'Translate a manual',
  description: 'Forty pages, from Japanese.',
  category: 'translation',
  pricing: { budget: 400 },
  taskType: 'translation',
  task: { pages: 40 },
  timeline: {},
});

export class TaskStory {
  private constructor(readonly bench: Bench) {}

  /** Given Ada's task; she has 1,000 Tokens. */
  static async published(more: JsonObject = {}): Promise<TaskStory> {
    const story = new TaskStory(await Bench.open({}, { ada: 1_000 }));
    await story.accepts('ada', 'task-listing', taskId, 'create', { ...usual(), ...more });
    return story;
  }

  /** Given bids of Ben, Cyd and Dan on it. */
  static async withBids(more: JsonObject = {}): Promise<TaskStory> {
    const story = await TaskStory.published(more);
    for (const who of Object.keys(prices) as Bidder[]) await story.bids(who);
    return story;
  }

  /** Given that Ada has accepted Ben's bid. */
  static async accepted(more: JsonObject = {}): Promise<TaskStory> {
    const story = await TaskStory.withBids(more);
    await story.takes('ben');
    return story;
  }

  /** Given that Ben has delivered. */
  static async delivered(more: JsonObject = {}): Promise<TaskStory> {
    const story = await TaskStory.accepted(more);
    await story.delivers('sub-1');
    return story;
  }

  get now(): number {
    return this.bench.world.now();
  }

  bids(who: Bidder, more: JsonObject = {}): Promise<Accepted> {
    return this.accepts(who, 'bid', `bid-${who}`, 'create', { taskId, price: prices[who], ...more });
  }

  takes(who: Bidder): Promise<Accepted> {
    return this.accepts('ada', 'bid', `bid-${who}`, 'accept', {}, { ids: { order: orderId, escrow: escrowId } });
  }

  delivers(submissionId: string, more: JsonObject = {}): Promise<Accepted> {
    return this.onOrder('ben', 'deliver', { deliverables: [{ name: submissionId }], submissionId, ...more });
  }

  onOrder(who: string, action: string, body: JsonObject = {}, stated: Stated = {}): Promise<Accepted> {
    return this.accepts(who, 'task-order', orderId, action, body, stated);
  }

  /** When a person acts, then the request is accepted, in one entry and with one nonce. */
  async accepts(...asked: Parameters<Bench['ask']>): Promise<Accepted> {
    const { seq } = await this.bench.store.head();
    const result = accepted(await this.bench.ask(...asked));
    expect(result.entry.seq, 'one request, one entry').to.equal(seq + 1);
    expect((await this.bench.account(asked[0])).nonce, 'one nonce').to.equal(result.entry.core.event.nonce);
    return result;
  }

  /** When a person acts, then the request is refused with this code, and nothing has changed. */
  async refuses(code: string, ...asked: Parameters<Bench['ask']>): Promise<void> {
    const before = this.bench.dump();
    expect(codeOf(await this.bench.ask(...asked)), `${asked[0]} ${asked[3]}s`).to.equal(code);
    expect(this.bench.dump(), 'a refusal changes nothing').to.equal(before);
  }

  refusesOnOrder(code: string, who: string, action: string, body: JsonObject = {}, stated: Stated = {}): Promise<void> {
    return this.refuses(code, who, 'task-order', orderId, action, body, stated);
  }

  async clock(action: string): Promise<string> {
    return codeOf(await this.bench.operate('task-order', orderId, action));
  }

  /** With the texts of its leaves. */
  snapshot(kind: string, id: string): Snapshot {
    const found = this.bench.store.tables.snapshot(kind, id);
    return this.bench.told(found) ?? expect.fail(`no ${kind} ${id}`);
  }

  /** Then the order has this state and context. */
  is(state: string, context: JsonObject = {}): void {
    const order = this.snapshot('task-order', orderId);
    expect(order.state).to.equal(state);
    expect(order.context).to.deep.include(context);
  }

  stateOfBid(who: Bidder): string {
    return this.snapshot('bid', `bid-${who}`).state;
  }

  /** Then the person's `[available, reserved, escrowed]` are these, and the balances add up. */
  async has(who: string, available: number, reserved = 0, escrowed = 0): Promise<void> {
    expect(await this.bench.balances(who), who).to.deep.equal([available, reserved, escrowed]);
    const sums = await this.bench.store.totals();
    expect(sums.available + sums.reserved + sums.escrowed + sums.fees, 'conservation').to.equal(sums.supply);
  }

  /** Then the whole journal is sound. */
  async sound(): Promise<void> {
    expect((await this.bench.audit()).flaw?.what).to.equal(undefined);
  }
}

/** What an entry wrote: `kind/id oldState>newState`. */
export const wrote = ({ entry }: Accepted): string[] =>
  entry.core.versions.map(({ kind, id, path }) => `${kind}/${id} ${path.join('>')}`);
