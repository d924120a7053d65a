/**
 * Random sessions of four people over all markets at once. After each request the balances add up, and every escrowed Token
 * belongs to an order or lease; and without further requests the clock ends all of them, including the disputed ones.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Accepted } from '../../src/actors/command.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { isRefusal, type Refusal } from '../../src/core/refusal.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import type { Snapshot } from '../../src/store/store.js';
import { isLong } from '../support/long.js';
import { Bench, codeOf, type Stated } from '../world/bench.js';
import { didOf } from '../world/people.js';

const hourMs = 3_600_000;
const people = ['ada', 'ben', 'cyd', 'dan'] as const;
const nameOf = new Map(people.map((name) => [didOf(name), name as string]));

const buyerPublicKeyHex = '11'.repeat(32);
const words = { title: 'A title', description: 'Words.', category: 'things' };
const leased = { capabilityType: 'x', capability: {}, access: {} };
const task = { pricing: { budget: 90 }, taskType: 'x', task: {}, timeline: {} };

/** The listings and their owners. */
const listings: readonly (readonly [who: string, kind: string, id: string, own: JsonObject])[] = [
  ['ada', 'info-listing', 'lst-info', { ...infoListing.create.example, pricing: { price: 9 }, stock: 3 }],
  ['ben', 'capability-listing', 'lst-use', { ...leased, pricing: { price: 4 }, quota: { maxCalls: 4 } }],
  [
    'ben',
    'capability-listing',
    'lst-time',
    { ...leased, pricing: { subscriptionPrice: { period: 'day', price: 6 } }, quota: {} },
  ],
  ['cyd', 'task-listing', 'lst-task-0', task],
  ['dan', 'task-listing', 'lst-task-1', task],
];

interface Draw {
  readonly act: string;
  /** The signer: a person with the right role if there is one, or the named one. */
  readonly by: 'right' | (typeof people)[number];
  readonly which: number;
  readonly n: number;
}
type Asking = readonly [kind: string, id: string, action: string, body: JsonObject, ids?: Stated['ids']];

const order = ({ which }: Draw): string => `ord-${which}`;
const lease = ({ which }: Draw): string => `lease-${which}`;
const bid = ({ which }: Draw): string => `bid-${which}`;
const job = ({ which }: Draw): string => `task-ord-${which}`;
const onListing =
  (action: string) =>
  ({ which, n }: Draw): Asking => {
    const [, kind, id] = listings[(which + n) % listings.length]!;
    return [kind, id, action, {}];
  };

const rulings: readonly JsonObject[] = [{ resolution: 'refund' }, { resolution: 'release' }];

/** Every request of the markets by name; `turn` makes new ids. */
const acts: { readonly [name: string]: (draw: Draw, turn: number) => Asking } = {
  purchase: (draw, turn) => [
    'info-order',
    order(draw),
    'create',
    { listingId: 'lst-info', buyerPublicKeyHex },
    { escrow: `esc-${turn}` },
  ],
  deliver: (draw) => ['info-order', order(draw), 'deliver', { deliveryData: { box: draw.n } }],
  confirm: (draw) => ['info-order', order(draw), 'confirm', {}],
  review: (draw) => ['info-order', order(draw), 'review', { rating: draw.n }],
  lease: (draw, turn) => {
    const [listingId, plan] = draw.n > 3 ? ['lst-time', { periods: draw.n }] : ['lst-use', { budget: 5 * draw.n }];
    return ['lease', lease(draw), 'create', { listingId, plan }, { escrow: `esc-${turn}` }];
  },
  invoke: (draw) => ['lease', lease(draw), 'invoke', { units: draw.n, latency: 10 * draw.n }],
  pauseLease: (draw) => ['lease', lease(draw), 'pause', {}],
  resumeLease: (draw) => ['lease', lease(draw), 'resume', {}],
  terminate: (draw) => ['lease', lease(draw), 'terminate', {}],
  bid: (draw) => ['bid', bid(draw), 'create', { taskId: `lst-task-${draw.which % 2}`, price: 8 * draw.n }],
  withdraw: (draw) => ['bid', bid(draw), 'withdraw', {}],
  accept: (draw, turn) => ['bid', bid(draw), 'accept', {}, { order: job(draw), escrow: `esc-${turn}` }],
  submit: (draw, turn) => [
    'task-order',
    job(draw),
    'deliver',
    { deliverables: [{ n: 1 }], submissionId: `sub-${turn}` },
  ],
  approve: (draw) => ['task-order', job(draw), 'confirm', {}],
  reject: (draw) => ['task-order', job(draw), 'reject', { feedback: 'once more' }],
  rate: (draw) => ['task-order', job(draw), 'review', { rating: draw.n }],
  dispute: (draw, turn) => ['info-order', order(draw), 'dispute', { reason: 'other' }, { dispute: `dsp-${turn}` }],
  resolve: (draw) => ['info-order', order(draw), 'resolve', rulings[draw.n % rulings.length]!],
  disputeJob: (draw, turn) => ['task-order', job(draw), 'dispute', { reason: 'other' }, { dispute: `dsp-${turn}` }],
  resolveJob: (draw) => ['task-order', job(draw), 'resolve', rulings[draw.n % rulings.length]!],
  pause: onListing('pause'),
  resume: onListing('resume'),
  remove: onListing('remove'),
};

const rare = ['withdraw', 'pause', 'remove', 'terminate', 'pauseLease', 'dispute', 'disputeJob'];
const often = Object.keys(acts).filter((name) => !rare.includes(name));
const drawn = fc.record({
  act: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...often) }, fc.constantFrom(...rare)),
  by: fc.oneof({ weight: 8, arbitrary: fc.constant('right' as const) }, fc.constantFrom(...people)),
  // Few resources, so that requests concern the same ones.
  which: fc.nat(2),
  n: fc.integer({ min: 1, max: 5 }),
});
const command = fc.oneof(
  { weight: 25, arbitrary: drawn },
  { weight: 1, arbitrary: fc.record({ hours: fc.integer({ min: 1, max: 100 }) }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

/** The course of each market where nothing, or only little, goes wrong. */
const sound: readonly (readonly (readonly [act: string, by: Draw['by'], which?: number])[])[] = [
  [
    ['purchase', 'dan'],
    ['deliver', 'right'],
    ['confirm', 'right'],
    ['review', 'right'],
  ],
  [
    ['lease', 'dan'],
    ['invoke', 'right'],
    ['pauseLease', 'right'],
    ['resumeLease', 'right'],
    ['terminate', 'right'],
  ],
  [
    ['bid', 'ben'],
    ['accept', 'right'],
    ['submit', 'right'],
    ['reject', 'right'],
    ['submit', 'right'],
    ['approve', 'right'],
    ['rate', 'right'],
  ],
  [
    ['purchase', 'ben', 1],
    ['dispute', 'right', 1],
    ['resolve', 'right', 1],
    ['resolve', 'right', 1],
  ],
  [
    ['bid', 'ada', 1],
    ['accept', 'right', 1],
    ...Array.from(
      { length: 3 },
      () =>
        [
          ['submit', 'right', 1],
          ['reject', 'right', 1],
        ] as const,
    ).flat(),
    ['disputeJob', 'right', 1],
    ['resolveJob', 'right', 1],
  ],
];
const beginnings = fc.tuple(
  ...sound.map((story) =>
    fc
      .constantFrom(0, 2, story.length)
      .map((length) => story.slice(0, length).map(([act, by, which = 0]): Draw => ({ act, by, which, n: 2 }))),
  ),
);
const session = fc
  .tuple(beginnings, fc.array(command, { minLength: 20, maxLength: 80, size: 'max' }))
  .map(([stories, rest]) => [...stories.flat(), ...rest]);

/** States in which an escrow may still hold Tokens for the order or lease that made it. */
const running: { readonly [kind: string]: readonly string[] } = {
  'info-order': ['paid', 'delivered', 'disputed'],
  'task-order': ['accepted', 'delivered', 'disputed'],
  lease: ['active', 'paused'],
};

class Session {
  /** Number of accepted requests by name. */
  readonly done = new Map<string, number>();
  #turn = 0;

  private constructor(private bench: Bench) {}

  static async open(): Promise<Session> {
    const session = new Session(await Bench.open({}, { ada: 100, ben: 100, cyd: 100, dan: 100 }));
    for (const [who, kind, id, own] of listings) {
      const result = await session.bench.ask(who, kind, id, 'create', { ...words, ...own });
      expect(isRefusal(result) && result.detail, id).to.equal(false);
    }
    return session;
  }

  async wait(hours: number): Promise<void> {
    await this.bench.world.advance(hours * hourMs);
  }

  async restart(): Promise<void> {
    this.bench = await this.bench.restart();
  }

  async run(draw: Draw): Promise<void> {
    const [kind, id, action, body, ids] = acts[draw.act]!(draw, ++this.#turn);
    const before = this.bench.store.tables.journal.length;
    const who = draw.by === 'right' ? this.#rightful(kind, id, action) : draw.by;
    const result: Accepted | Refusal = await this.bench.ask(who, kind, id, action, body, ids ? { ids } : {});
    const isDone = codeOf(result) === 'accepted';
    expect(this.bench.store.tables.journal.length - before, 'one entry or none').to.equal(isDone ? 1 : 0);
    if (isDone) this.done.set(draw.act, (this.done.get(draw.act) ?? 0) + 1);
  }

  /** A person with one of the action's roles. */
  #rightful(kind: string, id: string, action: string): string {
    const { actions, roles } = this.bench.catalogue.definitions[kind] as AnyResource;
    const found = this.bench.store.tables.snapshot(kind, id);
    const holders = (actions[action]?.who ?? []).flatMap((role) => (found && roles[role]?.(found.context)) || []);
    return nameOf.get(holders[this.#turn % holders.length] ?? '') ?? people[this.#turn % people.length]!;
  }

  get #all(): Snapshot[] {
    return [...this.bench.store.tables.snapshots.values()].map((text) => JSON.parse(text) as Snapshot);
  }

  /** Checked after every request. */
  async check(): Promise<void> {
    const { supply, fees, available, reserved, escrowed } = await this.bench.store.totals();
    expect(fees + available + reserved + escrowed, 'no Token is made or lost').to.equal(supply);
    expect(reserved, 'nothing is only reserved').to.equal(0);
    const all = this.#all;
    let held = 0;
    for (const { id, context } of all.filter(({ kind }) => kind === 'escrow')) {
      const { funded, released, refunded } = context as { funded: number; released: number; refunded: number };
      const rest = funded - released - refunded;
      held += rest;
      const owners = all.filter((each) => running[each.kind] && each.context.escrowId === id);
      expect(owners, `${id} has one owner`).to.have.length(1);
      const isRunning = running[owners[0]!.kind]!.includes(owners[0]!.state);
      expect(rest > 0, `${id} of a ${owners[0]!.kind} that is ${owners[0]!.state}`).to.equal(isRunning);
    }
    expect(escrowed, 'what escrows hold').to.equal(held);
  }

  /** No further requests: deadlines pass, one after the other. */
  async rest(): Promise<void> {
    for (;;) {
      const [next] = await this.bench.store.due(Number.MAX_SAFE_INTEGER, 1);
      if (!next) break;
      await this.bench.world.advance(Math.max(0, next.at - this.bench.world.now()));
      expect(codeOf(await this.bench.operate(next.kind, next.id, next.action)), next.action).to.equal('accepted');
      await this.check();
    }
    const { escrowed, available, supply } = await this.bench.store.totals();
    expect([escrowed, available], 'no escrow is stranded').to.deep.equal([0, supply]);
    expect((await this.bench.audit()).flaw?.what).to.equal(undefined);
  }
}

describe('All markets, at random', () => {
  it('conserve Tokens, and strand no escrow', async () => {
    const done = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(session, async (commands) => {
        const people = await Session.open();
        for (const each of commands) {
          if (each === 'restart') await people.restart();
          else if ('hours' in each) await people.wait(each.hours);
          else await people.run(each);
          await people.check();
        }
        await people.rest();
        for (const [act, times] of people.done) done.set(act, (done.get(act) ?? 0) + times);
      }),
      { numRuns: isLong ? 300 : 20 },
    );
    const never = sound.flat().filter(([act]) => !done.has(act));
    expect(never, 'each of these was accepted in some session').to.deep.equal([]);
  });
});
