/** given / when / then for leases. Ben offers a capability, Ada has 1,000 Tokens, and people are named. */
import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { isRefusal } from '../../src/core/refusal.js';
import type { Resource } from '../../src/machines/kernel/resource.js';
import type { LeaseContext } from '../../src/machines/lease/machine.js';
import { lease } from '../../src/machines/lease/resource.js';
import { accepted, Bench, type Stated } from './bench.js';

/** Ten Tokens a call, unless a test changes it. */
export const listing: JsonObject = {
  title: 'Speech to text',
  description: 'Thirty languages.',
  category: 'speech',
  pricing: { usagePrice: { unit: 'call', pricePerUnit: 10 } },
  capabilityType: 'transcription',
  capability: {},
  quota: {},
  access: {},
};

export const byDay = { subscriptionPrice: { period: 'day', price: 20 } };

export class LeaseStory {
  readonly listingId = 'lst-story';
  readonly id = 'lease-story';

  private constructor(readonly bench: Bench) {}

  /** Given Ben's listing, without a lease. */
  static async open(more: JsonObject = {}): Promise<LeaseStory> {
    const story = new LeaseStory(await Bench.open({}, { ada: 1_000 }));
    await story.listing('ben', 'create', { ...listing, ...more });
    return story;
  }

  /** Given Ada's lease of it. */
  static async leased(plan: JsonObject, more: JsonObject = {}): Promise<LeaseStory> {
    const story = await LeaseStory.open(more);
    await story.starts('ada', plan);
    return story;
  }

  get now(): number {
    return this.bench.world.now();
  }

  async listing(who: string, action: string, body: JsonObject = {}): Promise<Accepted> {
    return accepted(await this.bench.ask(who, 'capability-listing', this.listingId, action, body));
  }

  /** When a person leases it. */
  starts(who: string, plan: JsonObject, more: JsonObject = {}, id = this.id): Promise<Accepted> {
    return this.accepts(who, 'create', { listingId: this.listingId, plan, ...more }, {}, id);
  }

  refusesToStart(who: string, plan: JsonObject, code: string, more: JsonObject = {}): Promise<void> {
    return this.refuses(who, 'create', { listingId: this.listingId, plan, ...more }, code);
  }

  #ask(who: string, id: string, action: string, body: JsonObject, stated: Stated) {
    const ids = action === 'create' ? { ids: { escrow: `esc-${id}` } } : {};
    return this.bench.ask(who, 'lease', id, action, body, { ...ids, ...stated });
  }

  /** When a person acts, then the request is accepted, in one entry and with one nonce. */
  async accepts(who: string, action: string, body: JsonObject = {}, stated: Stated = {}, id = this.id) {
    const { seq } = await this.bench.store.head();
    const result = accepted(await this.#ask(who, id, action, body, stated));
    expect(result.entry.seq, 'one request, one entry').to.equal(seq + 1);
    expect((await this.bench.account(who)).nonce, 'one nonce').to.equal(result.entry.core.event.nonce);
    return result;
  }

  /** When a person acts, then the request is refused with this code, and nothing has changed. */
  async refuses(who: string, action: string, body: JsonObject, code: string, stated: Stated = {}): Promise<void> {
    const before = this.bench.dump();
    const result = await this.#ask(who, this.id, action, body, stated);
    expect(isRefusal(result) ? result.code : 'accepted', `${who} ${action}s`).to.equal(code);
    expect(this.bench.dump(), 'a refusal changes nothing').to.equal(before);
  }

  /** The resources that the accepted request wrote. */
  static wrote({ entry }: Accepted): string[] {
    return entry.core.versions.map(({ kind, path }) => `${kind} ${path.join('>')}`);
  }

  /** When the clock's time comes. */
  async clockAccepts(action: string): Promise<Accepted> {
    return accepted(await this.bench.operate('lease', this.id, action));
  }

  async clockRefuses(action: string, code: string): Promise<void> {
    const result = await this.bench.operate('lease', this.id, action);
    expect(isRefusal(result) ? result.code : 'accepted').to.equal(code);
  }

  /** The lease's view. */
  view(): JsonObject {
    const snapshot = this.bench.store.tables.snapshot('lease', this.id) as unknown as Resource<LeaseContext>;
    return lease.view(snapshot as never, { time: this.now });
  }

  /** Then the lease has this status. */
  is(status: string, more: JsonObject = {}): void {
    expect(this.view()).to.deep.include({ status, ...more });
  }

  /** Then the escrow has this status. */
  escrowIs(status: string): void {
    expect(this.bench.store.tables.snapshot('escrow', `esc-${this.id}`)?.state).to.equal(status);
  }

  /** Then the person has these Tokens, and the balances add up. */
  async has(who: string, available: number, escrowed = 0): Promise<void> {
    expect(await this.bench.balances(who), who).to.deep.equal([available, 0, escrowed]);
    const sums = await this.bench.store.totals();
    expect(sums.available + sums.reserved + sums.escrowed + sums.fees, 'conservation').to.equal(sums.supply);
  }

  async isSound(): Promise<void> {
    const report = await this.bench.audit();
    expect(report.flaw?.what).to.equal(undefined);
  }
}
