/** Random sessions of four people over contracts with milestones and disputes. Each request is compared with the model. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Accepted } from '../../../src/actors/command.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal, type Refusal } from '../../../src/core/refusal.js';
import type { ContractContext } from '../../../src/machines/contract/machine.js';
import type { Resource } from '../../../src/machines/kernel/resource.js';
import { topState } from '../../../src/machines/kernel/state-path.js';
import { Bench, codeOf } from '../../world/bench.js';
import { didOf } from '../../world/people.js';
import { type Agreed, type Asked, hourMs, ModelContract } from './model.js';

const people = ['ada', 'ben', 'cyd', 'dan'] as const;
/** The arbiter of the terms, if they name one; Eve is the network's. */
const arbiter = 'cyd';
const networkArbiter = 'eve';

const who = fc.oneof(
  // A role that the action permits.
  { weight: 8, arbitrary: fc.constantFrom('client' as const, 'provider' as const) },
  { weight: 2, arbitrary: fc.constant('arbiter' as const) },
  fc.constantFrom(...people, networkArbiter),
);
const which = fc.nat(2);
const stage = fc.constantFrom('s0', 's1', 's2');
const draft = fc.record({
  do: fc.constant('draft' as const),
  which,
  client: fc.constantFrom('ada', 'ben'),
  provider: fc.constantFrom('ben', 'dan'),
  arbiter: fc.constantFrom(arbiter, null),
  deadline: fc.option(fc.integer({ min: -5, max: 200 })),
  stageDeadline: fc.option(fc.integer({ min: -5, max: 200 })),
  stages: fc.nat(3),
  over: fc.nat(9),
  fallback: fc.constantFrom('refund' as const, 'release' as const, 'split' as const),
});
const asked: fc.Arbitrary<Asked> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('sign' as const), stale: fc.constantFrom(false, false, false, true) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('activate' as const), amount: fc.constantFrom(0, 0, 0, 1) }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constantFrom('approve' as const, 'approve', 'reject'), stage }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('submit' as const), stage, forged: fc.constantFrom(false, false, true) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('complete' as const, 'complete', 'consent') }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('update' as const), flaw: fc.constantFrom(null, 'cost', 'arbiter') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('terminate' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('dispute' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      resolution: fc.constantFrom('release' as const, 'refund', 'split', 'resume', 'resume', 'fallback'),
      toProvider: fc.constantFrom(0, 3, 8, 10),
    }),
  },
);
const command = fc.oneof(
  { weight: 3, arbitrary: draft },
  { weight: 30, arbitrary: fc.record({ do: fc.constant('ask' as const), which, who, asked, atDispute: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 30, 150, 725) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('clock' as const),
      which,
      asks: fc.constantFrom('overdue' as const, 'review', 'settle'),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
type Draft = Extract<Command, { do: 'draft' }>;
type Ask = Extract<Command, { do: 'ask' }>;

/**
 * The successful course of a contract with two milestones, with refused requests in between: it takes sessions further than
 * chance.
 */
const sound: readonly (readonly [by: 'client' | 'provider' | 'arbiter', asked: Asked])[] = [
  ['client', { do: 'update', flaw: null }],
  ['client', { do: 'sign', stale: false }],
  ['client', { do: 'update', flaw: null }],
  ['provider', { do: 'sign', stale: false }],
  ['client', { do: 'activate', amount: 1 }],
  ['client', { do: 'activate', amount: 0 }],
  ['provider', { do: 'submit', stage: 's0', forged: false }],
  ['client', { do: 'approve', stage: 's1' }],
  ['client', { do: 'reject', stage: 's0' }],
  ['provider', { do: 'submit', stage: 's0', forged: false }],
  ['provider', { do: 'consent' }],
  ['provider', { do: 'consent' }],
  ['client', { do: 'approve', stage: 's0' }],
  ['provider', { do: 'dispute' }],
  ['client', { do: 'resolve', resolution: 'resume', toProvider: 0 }],
  ['provider', { do: 'resolve', resolution: 'resume', toProvider: 0 }],
  ['provider', { do: 'submit', stage: 's1', forged: false }],
  ['client', { do: 'approve', stage: 's1' }],
  ['client', { do: 'complete' }],
];
/**
 * In a dispute, requests that come too early or are never accepted: of the network's arbiter where another one is named, and of
 * the clock after sixty days.
 */
const patience: readonly Command[] = [
  { do: 'ask', which: 1, who: 'provider', asked: { do: 'dispute' }, atDispute: false },
  {
    ...{ do: 'ask', which: 1, who: networkArbiter, atDispute: false },
    asked: { do: 'resolve', resolution: 'release', toProvider: 0 },
  },
  { do: 'wait', hours: 725 },
  { do: 'wait', hours: 725 },
  { do: 'clock', which: 1, asks: 'settle' },
];
const beginning = fc
  .tuple(draft, draft, fc.constantFrom(0, 6, 14, sound.length), fc.constantFrom(0, 6, 14))
  .map(([first, second, one, two]): Command[] => [
    { ...first, which: 0, stages: 2 },
    { ...second, which: 1 },
    ...[one, two].flatMap((length, which) =>
      sound.slice(0, length).map(([by, what]): Ask => ({ do: 'ask', which, who: by, asked: what, atDispute: false })),
    ),
  ]);
export const session = fc
  .tuple(beginning, fc.constantFrom([], [], patience), fc.array(command, { minLength: 20, maxLength: 70, size: 'max' }))
  .map(([first, then, rest]) => [...first, ...then, ...rest]);

/** A session in which a contract takes its successful course. */
export const soundSession: readonly Command[] = [
  {
    ...{ do: 'draft', which: 0, client: 'ada', provider: 'ben', arbiter: null, fallback: 'split' },
    ...{ deadline: null, stageDeadline: null, stages: 2, over: 0 },
  },
  ...sound.map(([who, asked]): Ask => ({ do: 'ask', which: 0, who, asked, atDispute: false })),
];

/** Without a signature. */
const forged = { type: 'text', format: 'text/plain', transport: { method: 'inline', data: 'done' } } as const;

export class Session {
  /** Names of accepted requests. */
  readonly granted = new Set<string>();
  readonly #contracts = new Map<string, ModelContract>();
  readonly #disputes = new Map<string, string>();
  readonly #wallets = new Map<string, number>(people.map((name) => [name, 100]));
  #turn = 0;

  private constructor(private bench: Bench) {}

  static async open(): Promise<Session> {
    return new Session(await Bench.open({}, { ada: 100, ben: 100, cyd: 100, dan: 100 }));
  }

  async run(each: Command): Promise<void> {
    this.#turn += 1;
    if (each.do === 'wait') await this.bench.world.advance(each.hours * hourMs);
    else if (each.do === 'restart') this.bench = await this.bench.restart();
    else if (each.do === 'draft') await this.#draft(each);
    else if (each.do === 'clock') await this.#tick(each);
    else await this.#ask(each);
    await this.check();
  }

  async #draft({ which, client, provider, over, ...drawn }: Draft): Promise<void> {
    const now = this.bench.world.now();
    const at = (hours: number | null) => (hours === null ? null : now + hours * hourMs);
    const stages = Array.from({ length: drawn.stages }, (_, i) => ({
      id: `s${i}`,
      amount: 7 + i,
      deadline: i === 0 ? at(drawn.stageDeadline) : null,
    }));
    const total = stages.reduce((sum, { amount }) => sum + amount, 0) + over;
    const deadline = at(drawn.deadline);
    const agreed: Agreed = {
      ...{ client, provider, networkArbiter, deadline, total, stages },
      ...{ arbiter: drawn.arbiter, fallback: drawn.fallback },
    };
    const id = `ctr-${which}`;
    const terms: JsonObject = {
      fallback: drawn.fallback,
      ...(drawn.arbiter === null ? {} : { arbiter: didOf(drawn.arbiter) }),
      ...(deadline === null ? {} : { deadline }),
    };
    const milestones = stages.map(({ deadline: own, ...rest }) => ({
      ...rest,
      ...(own === null ? {} : { deadline: own }),
    }));
    const body = { provider: didOf(provider), terms, payment: { totalAmount: total }, milestones } as JsonObject;
    const result = await this.#execute(client, 'contract', id, 'create', body, {});
    const isGranted = !this.#contracts.has(id) && client !== provider && total > 0;
    expect(codeOf(result) === 'accepted', `draft ${id}: ${codeOf(result)}`).to.equal(isGranted);
    if (isGranted) this.#contracts.set(id, new ModelContract(agreed, this.#wallets));
  }

  /** Early or late, the clock pays what was submitted in time and not answered; it ends no dispute of a contract. */
  async #tick({ which, asks }: Extract<Command, { do: 'clock' }>): Promise<void> {
    const id = `ctr-${which}`;
    const model = this.#contracts.get(id);
    if (!model) return;
    const dispute = this.#disputes.get(id);
    if (asks === 'settle' && !dispute) return;
    const now = this.bench.world.now();
    const isDue = (asks === 'overdue' && model.notes(now)) || (asks === 'review' && model.settles(now));
    const [kind, on] = asks === 'settle' ? (['dispute', dispute!] as const) : (['contract', id] as const);
    const result = await this.bench.operate(kind, on, asks === 'review' ? 'settle' : asks);
    expect(codeOf(result) === 'accepted', `the clock: ${asks} of ${id}`).to.equal(isDue);
  }

  /** Executes a command as the HTTP layer does, which adds the network's arbiter. */
  #execute(who: string, kind: string, id: string, action: string, body: JsonObject, ids: { [part: string]: string }) {
    const made = this.bench.command(who, kind, id, action, body, { ids });
    if (isRefusal(made)) return Promise.resolve<Accepted | Refusal>(made);
    const input = action === 'create' ? { ...made.input, networkArbiter: didOf(networkArbiter) } : made.input;
    return this.bench.world.settle(this.bench.actors.execute({ ...made, input }));
  }

  async #ask({ which, who, asked: drawn, atDispute }: Ask): Promise<void> {
    const id = `ctr-${which}`;
    const model = this.#contracts.get(id);
    if (!model) return;
    const name = this.#nameOf(model, who);
    const what = drawn.do === 'activate' ? { ...drawn, amount: model.agreed.total + drawn.amount } : drawn;
    const dispute = this.#disputes.get(id);
    const [kind, on] =
      what.do === 'resolve' && atDispute && dispute ? (['dispute', dispute] as const) : ['contract', id];
    const before = this.bench.store.tables.journal.length;
    const ids = { escrow: `esc-${id}`, dispute: `dsp-${this.#turn}` };
    const chosen = what.do === 'activate' || what.do === 'dispute' ? ids : {};
    const result = await this.#execute(name, kind, on, what.do, this.#bodyOf(what, model), chosen);
    const isGranted = model.ask(name, what, this.bench.world.now());
    const label = `${name}: ${JSON.stringify(what)} on ${on}, ${isRefusal(result) ? result.detail : 'accepted'}`;
    expect(codeOf(result) === 'accepted', label).to.equal(isGranted);
    expect(this.bench.store.tables.journal.length - before, 'one entry or none').to.equal(isGranted ? 1 : 0);
    if (!isGranted) return;
    if (what.do === 'dispute') this.#disputes.set(id, ids.dispute);
    this.granted.add(what.do === 'resolve' ? `${what.do} ${what.resolution} ${model.state}` : what.do);
  }

  #nameOf({ agreed }: ModelContract, who: string): string {
    if (who === 'client' || who === 'provider') return agreed[who];
    return who === 'arbiter' ? (agreed.arbiter ?? networkArbiter) : who;
  }

  #bodyOf(what: Asked, model: ModelContract): JsonObject {
    if (what.do === 'sign') return what.stale ? { termsHash: '0'.repeat(64) } : {};
    if (what.do === 'activate') return { amount: what.amount };
    if (what.do === 'dispute') return { reason: 'other' };
    if (what.do === 'resolve') {
      const clientRefund = Math.max(0, model.rest - what.toProvider);
      return what.resolution === 'split'
        ? { resolution: 'split', providerPayment: what.toProvider, clientRefund }
        : { resolution: what.resolution };
    }
    if (what.do === 'update') {
      if (what.flaw === 'arbiter') return { terms: { arbiter: didOf(model.agreed.provider) } };
      return what.flaw === 'cost' ? { milestones: [{ amount: model.agreed.total + 1 }] } : {};
    }
    if (what.do === 'submit' && what.forged) return { milestoneId: what.stage, delivery: { envelope: forged } };
    return 'stage' in what ? { milestoneId: what.stage } : {};
  }

  /** Checked after every request: the node's state equals the model's, to the Token. */
  async check(): Promise<void> {
    const { supply, fees, available, reserved, escrowed } = await this.bench.store.totals();
    expect(fees + available + reserved + escrowed, 'no Token is made or lost').to.equal(supply);
    let held = 0;
    for (const [id, model] of this.#contracts) {
      const found = this.bench.store.tables.snapshot('contract', id) as unknown as Resource<ContractContext>;
      const { paid, refunded, amount, milestones, escrowId } = found.context;
      expect([id, topState(found.state), paid, refunded, amount]).to.deep.equal([
        ...[id, model.state, model.paid, model.refunded, model.amount],
      ]);
      expect(milestones.map(({ state }) => state)).to.deep.equal(model.stages.map(({ state }) => state));
      held += model.rest;
      if (escrowId === null) continue;
      const escrow = this.bench.store.tables.snapshot('escrow', escrowId)!;
      expect(escrow.context, 'its escrow').to.include({ funded: amount, released: paid, refunded });
    }
    expect([escrowed, reserved], 'what contracts hold').to.deep.equal([held, 0]);
    for (const [name, balance] of this.#wallets) expect((await this.bench.balances(name))[0], name).to.equal(balance);
  }

  /** All deadlines pass, and the clock pays what was not answered. Then the provider alone, or either party, gets each contract's Tokens out. */
  async rest(): Promise<void> {
    for (;;) {
      const [next] = await this.bench.store.due(Number.MAX_SAFE_INTEGER, 1);
      if (!next) break;
      await this.bench.world.advance(Math.max(0, next.at - this.bench.world.now()));
      expect(codeOf(await this.bench.operate(next.kind, next.id, next.action)), next.action).to.equal('accepted');
      if (next.action === 'settle') this.#contracts.get(next.id)!.settles(this.bench.world.now());
      await this.check();
    }
    await this.bench.world.advance(60 * 24 * hourMs);
    for (const [id, model] of this.#contracts) {
      const which = Number(id.slice(4));
      const last: Asked =
        model.state === 'disputed' ? { do: 'resolve', resolution: 'fallback', toProvider: 0 } : { do: 'terminate' };
      const by = model.state === 'disputed' && this.#turn % 2 === 0 ? 'client' : 'provider';
      await this.#ask({ do: 'ask', which, who: by, asked: last, atDispute: false });
      await this.check();
    }
    const { escrowed, available, supply } = await this.bench.store.totals();
    expect([escrowed, available], 'no money is stranded').to.deep.equal([0, supply]);
    expect((await this.bench.audit()).flaw?.what).to.equal(undefined);
  }
}
