/** given / when / then for escrows. Each test has a fresh bench with Tokens for Ada, and people are named. */
import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { isRefusal } from '../../src/core/refusal.js';
import type { Snapshot } from '../../src/store/store.js';
import { accepted, Bench, type Stated } from './bench.js';
import { didOf } from './people.js';

export const manual = [{ type: 'manual' }];

/** Ada's escrow for Ben with 100 of her 1,000 Tokens and Cyd as arbiter, unless a test changes it. */
const usual = (): JsonObject => ({
  beneficiary: didOf('ben'),
  arbiter: didOf('cyd'),
  amount: 100,
  releaseRules: manual,
});

export class EscrowStory {
  readonly id = 'esc-story';

  private constructor(readonly bench: Bench) {}

  /** Given that Ada has 1,000 Tokens. */
  static async open(): Promise<EscrowStory> {
    return new EscrowStory(await Bench.open({}, { ada: 1_000 }));
  }

  /** Given an unfunded escrow. */
  static async created(more: JsonObject = {}): Promise<EscrowStory> {
    const story = await EscrowStory.open();
    await story.accepts('ada', 'create', { ...usual(), ...more });
    return story;
  }

  /** Given an escrow funded by `autoFund`. */
  static funded(more: JsonObject = {}): Promise<EscrowStory> {
    return EscrowStory.created({ autoFund: true, ...more });
  }

  get now(): number {
    return this.bench.world.now();
  }

  snapshot(): Snapshot {
    const snapshot = this.bench.store.tables.snapshot('escrow', this.id);
    expect(snapshot, 'the escrow').to.not.equal(undefined);
    return snapshot!;
  }

  /** `resourcePrev` as the view carries it. */
  get prev(): string {
    return this.snapshot().lastHash;
  }

  /** Adds `resourcePrev` where it is required, unless the test states one itself. */
  #stated(action: string, stated: Stated): Stated {
    return (action === 'fund' || action === 'refund') && !('resourcePrev' in stated)
      ? { resourcePrev: this.prev, ...stated }
      : stated;
  }

  /** When a person acts, then the request is accepted, in one entry. */
  async accepts(who: string, action: string, body: JsonObject = {}, stated: Stated = {}): Promise<Accepted> {
    const { seq } = await this.bench.store.head();
    const result = await this.bench.ask(
      who,
      'escrow',
      this.id,
      action,
      full(action, body),
      this.#stated(action, stated),
    );
    const { entry } = accepted(result);
    expect(entry.seq, 'one request, one entry').to.equal(seq + 1);
    expect((await this.bench.account(who)).nonce, 'one request, one nonce').to.equal(entry.core.event.nonce);
    return accepted(result);
  }

  /** When a person acts, then the request is refused with this code, and nothing has changed. */
  async refuses(who: string, action: string, body: JsonObject, code: string, stated: Stated = {}): Promise<void> {
    const before = this.bench.dump();
    const result = await this.bench.ask(
      who,
      'escrow',
      this.id,
      action,
      full(action, body),
      this.#stated(action, stated),
    );
    expect(isRefusal(result) ? result.code : 'accepted', `${who} ${action}s`).to.equal(code);
    expect(this.bench.dump(), 'a refusal changes nothing').to.equal(before);
    const head = this.bench.actors.registry.peekResource('escrow', this.id);
    if (head?.isLoaded) {
      expect(head.snapshot, 'nor in memory').to.deep.equal(this.bench.store.tables.snapshot('escrow', this.id));
    }
  }

  /** When the clock acts on the escrow. */
  async clockAccepts(action: string): Promise<Accepted> {
    return accepted(await this.bench.operate('escrow', this.id, action));
  }

  async clockRefuses(action: string, code: string): Promise<void> {
    const before = this.bench.dump();
    const result = await this.bench.operate('escrow', this.id, action);
    expect(isRefusal(result) ? result.code : 'accepted').to.equal(code);
    expect(this.bench.dump()).to.equal(before);
  }

  /** Then the escrow has this state and context. */
  is(state: string, context: JsonObject = {}): void {
    const snapshot = this.snapshot();
    expect(snapshot.state).to.equal(state);
    expect(snapshot.context).to.deep.include(context);
  }

  /** Then the person's `[available, reserved, escrowed]` are these, and the balances add up. */
  async has(who: string, available: number, reserved = 0, escrowed = 0): Promise<void> {
    expect(await this.bench.balances(who), who).to.deep.equal([available, reserved, escrowed]);
    const sums = await this.bench.store.totals();
    expect(sums.available + sums.reserved + sums.escrowed + sums.fees, 'conservation').to.equal(sums.supply);
  }
}

/** Adds a reason to a refund, unless the test is about it. */
const full = (action: string, body: JsonObject): JsonObject =>
  action === 'refund'
    ? { reason: 'not needed any more', ...body }
    : action === 'create'
      ? { ...usual(), ...body }
      : body;
