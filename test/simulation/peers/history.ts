/** One seed gives one history of several homes: requests, faults, recovery, and the properties checked during and after it. */
import type { Accepted } from '../../../src/actors/command.js';
import { tradeBounds } from '../../../src/core/bounds.js';
import { isRefusal } from '../../../src/core/refusal.js';
import type { TradeLimit } from '../../../src/peers/trade/limits.js';
import type { Entry } from '../../../src/store/entry.js';
import { type EntryFinding, findingInText } from '../../../src/verify/entry-text.js';
import { noPlace } from '../../../src/verify/may-sign.js';
import { disksOf, homeNames, hostOf, nameAt } from './beginning.js';
import { Draws } from './draws.js';
import { Home, type Planted } from './home.js';
import { Model } from './model.js';
import { type ModelHome, ModelViolation } from './model-home.js';
import { type Link, Network } from './network.js';
import { withRememberedSignatures } from './remembered-signatures.js';
import { Requests } from './requests.js';
import { Scheduler } from './scheduler.js';
import type { SimulatedProcess } from './simulated-process.js';
import { Travellers } from './travellers.js';
import { causeTrouble, drawLimit, forkAlone, reconnect, type Troubled } from './trouble.js';
import { Withdrawals } from './withdrawals.js';

/** How long faults happen, and how long the homes then have to agree. */
const troubleMs = 5_500;
const calmMs = 120_000;
const unlimited: TradeLimit = { mostAtRisk: null, answersPerSecond: tradeBounds.answersPerSecond };
/** Weights. Seven homes take as long as seven histories of three, which find as much. */
const numbersOfHomes = { 3: 28, 4: 2, 5: 1, 7: 1 };
/** How often all homes limit their trade from the start. */
const limitedChance = 0.3;
/** How often a home never returns. */
const goneChance = 0.1;
/** How often it shows one home a second journal before. */
const forkChance = 0.5;
/** The longest that this may take. */
const forkMs = 15_000;
/** How often the homes have not yet read each other's first entries. */
const newChance = 0.2;
/** Connection, request for the own head, and one to spare. */
const startRoundTrips = 3;

/** How often each event happened in all histories of a run. */
export type Counts = Map<string, number>;

export interface HistoryOptions {
  readonly seed: number;
  readonly planted?: Planted;
  readonly logs?: boolean;
  readonly counts?: Counts;
}

export interface HistoryResult {
  /** The violated property; undefined if all held. */
  readonly flaw: string | undefined;
  readonly lines: readonly string[];
  readonly events: number;
}

export async function runHistory(options: HistoryOptions): Promise<HistoryResult> {
  const history = new History(options);
  const { scheduler } = history;
  let flaw: string | undefined;
  const { stackTraceLimit } = Error;
  // Stacks of the many errors that a network causes are expensive, and only a printed history needs one.
  if (!options.logs) Error.stackTraceLimit = 0;
  try {
    await withRememberedSignatures(() => history.run());
  } catch (error) {
    if (!(error instanceof ModelViolation)) throw error;
    flaw = error.message;
    scheduler.log(() => `VIOLATION ${error.message}`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { flaw, lines: scheduler.lines, events: scheduler.events };
}

class History implements Troubled {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly network: Network;
  readonly homes: readonly Home[];
  readonly isLossless: boolean;
  readonly #requests: Requests;
  readonly #moving: Draws;
  readonly #leaving: Draws;
  readonly #travellers: Travellers;
  readonly #withdrawals: Withdrawals;
  /** Names of homes whose disks have lost entries. */
  readonly #setBack = new Set<string>();
  #model!: Model;
  #isHealed = false;

  constructor(private readonly options: HistoryOptions) {
    this.scheduler = new Scheduler(options.logs);
    const draws = new Draws(`history ${options.seed}`);
    this.draws = draws.stream('faults');
    this.network = new Network(this.scheduler, draws.stream('network'), nameAt);
    this.isLossless = draws.stream('losses').chance(0.3);
    const count = Number(draws.weighted(numbersOfHomes));
    const checked = new Map<string, EntryFinding | undefined>();
    this.homes = homeNames(count).map((name) => {
      const aloneMs = draws.stream(name).pick([500, 2_000, 6_000]);
      return new Home(
        {
          ...{ name, network: this.network, draws: draws.stream(name), planted: options.planted ?? {}, aloneMs },
          // The texts of an entry are verified once for all homes.
          checkTexts: async (entries) => entries.map((entry) => remembered(checked, entry)),
          onOpened: (home, outcome) => this.#opened(home, outcome),
          onDeath: (home, process, why) => this.#died(home, process, why),
        },
        hostOf(name),
      );
    });
    this.#requests = new Requests({
      ...{ scheduler: this.scheduler, draws: this.draws, homes: this.homes, count: (what) => this.count(what) },
      onAccepted: (home, accepted) => this.#accepted(home, accepted),
    });
    this.#withdrawals = new Withdrawals({
      ...{ scheduler: this.scheduler, draws: draws.stream('withdrawals'), operations: this.#requests.operations },
      count: (what) => this.count(what),
    });
    this.#moving = draws.stream('moving');
    this.#leaving = draws.stream('leaving');
    this.#travellers = new Travellers({
      ...{ scheduler: this.scheduler, draws: this.#moving, homes: this.homes, count: (what) => this.count(what) },
      onAccepted: (home, accepted) => this.#accepted(home, accepted),
    });
  }

  async run(): Promise<void> {
    await this.#format();
    this.#model = new Model(this.homes, () => this.scheduler.now, this.#requests.onTrade);
    for (const home of this.homes) this.#start(home);
    await this.#pass(500);
    if (this.draws.chance(limitedChance)) {
      for (const home of this.homes) {
        for (const other of this.homes) if (other !== home) this.limit(home, other, drawLimit(this.draws));
      }
    }
    await this.#pass(1_500);
    const gone = this.draws.chance(goneChance) ? this.draws.pick(this.homes) : undefined;
    const goneAt = this.draws.between(2_000, troubleMs);
    while (this.scheduler.now < troubleMs) {
      if (gone && this.scheduler.now > goneAt && !gone.isGone) {
        if (this.#leaving.chance(forkChance) && !this.isLossless) await this.#showsSecondJournal(gone);
        this.#leaves(gone);
      }
      if (this.#moving.chance(0.3)) this.#travellers.act();
      const fault = causeTrouble(this);
      this.count(`fault ${fault}`);
      await this.#pass(this.draws.pick([0, 1, 10, 60, 150, 300]));
    }
    this.log('everything heals');
    this.#isHealed = true;
    this.network.heal();
    for (const home of this.homes) {
      home.process?.heal();
      home.disk.fault = undefined;
      this.#unlimit(home);
    }
    await this.#settle();
    this.#checkOperations();
  }

  async #format(): Promise<void> {
    if (new Draws(`beginning ${this.options.seed}`).chance(newChance)) {
      const names = this.homes.map(({ name }) => name);
      await Promise.all(this.homes.map((home) => home.format(names.filter((name) => name !== home.name))));
      return;
    }
    const disks = await disksOf(this.homes.length);
    for (const [index, home] of this.homes.entries()) home.disk.copyFrom(disks[index]!);
  }

  #leaves(home: Home): void {
    home.isGone = true;
    this.count('gone for good');
    if (home.process) home.process.die('gone for good');
  }

  /** Only the home that has seen both journals can prove it to the others. */
  async #showsSecondJournal(home: Home): Promise<void> {
    const end = this.scheduler.now + forkMs;
    const witness = this.#leaving.pick(this.homes.filter((each) => each !== home));
    forkAlone(this, home, this.#leaving.between(1, 4));
    for (let left = 3; left > 0 && this.scheduler.now < end; ) {
      await this.#pass(200);
      if (home.isOpen && this.#requests.transfer(home)) left--;
    }
    await this.#pass(200);
    reconnect(this, home, witness);
    await this.#pass(1_500);
    this.count('forked and gone');
  }

  /** All homes run and are connected: they must agree, or hold a proof why they don't. */
  async #settle(): Promise<void> {
    const end = this.scheduler.now + calmMs;
    const isUp = ({ name }: ModelHome): boolean => this.homes.some((home) => home.name === name && home.isOpen);
    const left = new Map(this.homes.map((home) => [home, 2]));
    for (let rest: string | undefined = 'requests are open'; rest !== undefined; ) {
      if (this.scheduler.now > end) throw new ModelViolation(`${calmMs / 1_000} s after the heal: ${rest}`);
      await this.#pass(1_000);
      // Each home writes more entries, because two journals differ only once they have different entries. They send and
      // answer no requests, so that what is open must be continued without such news.
      for (const [home, count] of left) {
        if (count > 0 && this.#requests.transfer(home)) left.set(home, count - 1);
      }
      const isLeft = this.homes.some((home) => home.isOpen && left.get(home)! > 0);
      rest = this.#requests.areOpen || isLeft ? 'requests are open' : this.#model.unsettled(isUp);
      rest ??= this.#givesUpGone();
    }
    this.count('settled');
    this.#countRequests();
    if (this.homes.some(({ did }) => this.homes.some((home) => home.proofOf(did)))) this.count('forked');
  }

  #unlimit(home: Home): void {
    for (const other of this.homes) if (other !== home) this.limit(home, other, unlimited);
  }

  /** What was sent to a home that never returns is given up. @returns what is not yet */
  #givesUpGone(): string | undefined {
    let rest: string | undefined;
    for (const gone of this.homes.filter(({ isGone }) => isGone)) {
      for (const home of this.homes.filter(({ isOpen }) => isOpen)) {
        for (const { id } of this.#model.trade.openTo(home, gone.did)) {
          rest = `${home.name} has open requests to ${gone.name}, which is gone`;
          this.#giveUp(home, id);
        }
      }
    }
    return rest;
  }

  async #pass(ms: number): Promise<void> {
    await this.scheduler.run(ms, () => {
      this.#model.check();
      for (const home of this.homes) home.dieIfRefused();
    });
    this.#model.checkProofs();
    const late = this.#requests.late() ?? this.#travellers.flaw;
    if (late !== undefined) throw new ModelViolation(late);
  }

  count(what: string, times = 1): void {
    this.options.counts?.set(what, (this.options.counts.get(what) ?? 0) + times);
  }

  log(line: string): void {
    this.scheduler.log(() => line);
  }

  /** A link got worse, or a peer died: a starting home can no longer rely on that peer. */
  separated(one: Home, other: Home): void {
    this.#model.outOfReach(one, other);
    this.#model.outOfReach(other, one);
  }

  /** Sends one request of a resident. @returns false while the home accepts none */
  write(home: Home): boolean {
    return this.#requests.write(home);
  }

  rush(at: Home): void {
    this.#requests.rush(at);
  }

  earnAndSpend(home: Home, at: Home): void {
    this.#requests.earnAndSpend(home, at);
  }

  withdraw(home: Home, at: Home): void {
    this.#withdrawals.act(home, at);
  }

  limit(home: Home, other: Home, limit: TradeLimit): void {
    if (!home.isOpen) return;
    // It holds at the latest when it is durable.
    const noted = () => {
      const current = home.limitOf(other.did);
      if (current) this.#model.limits.limited(home, other, current);
    };
    void home.limit(other.did, limit).then(noted, () => {});
  }

  giveUp(): Home | undefined {
    const open = this.homes.flatMap((home) =>
      this.homes
        .filter((other) => other !== home && home.isOpen && !home.isFollowing(other.did))
        .flatMap((other) => this.#model.trade.openTo(home, other.did).map(({ id }) => ({ home, id }))),
    );
    if (open.length === 0) return undefined;
    const { home, id } = this.draws.pick(open);
    this.#giveUp(home, id);
    return home;
  }

  #giveUp(home: Home, id: string): void {
    const given = home.giveUp(id);
    this.log(`${home.name} gives up ${id}`);
    void given?.then((done) => {
      const came = isRefusal(done) ? done.detail : `${done.loss} Tokens may be lost`;
      this.log(`${home.name}: ${id}: ${came}`);
    });
  }

  #accepted(home: Home, { entry }: Accepted): void {
    const isCutOff = this.homes.some((other) => other !== home && !this.#reach(home, other));
    if (isCutOff) this.count('accepted while cut off');
    const { seq, chainHash, payload } = entry;
    this.log(`${home.name} has acknowledged ${payload?.kind} ${payload?.id} as entry ${seq} ${chainHash.slice(0, 6)}`);
    this.#model.acknowledge(home, { seq, chainHash });
  }

  #countRequests(): void {
    for (const [what, times] of Object.entries(this.#model.trade.counts())) this.count(what, times);
  }

  /** A home whose disk has lost nothing has answered as if one request had come after the other. */
  #checkOperations(): void {
    const found = this.#requests.operations.violation((home) => !this.#setBack.has(home));
    if (!found) return;
    const rest = found.rest.map(({ input, output }) => `${JSON.stringify(input)} → ${output}`).join(', ');
    throw new ModelViolation(`${found.key} is not linearizable: no order has a place for ${rest}`);
  }

  #start(home: Home): void {
    if (home.process || home.isGone) return;
    this.log(`${home.name} starts with ${home.disk.tables.journal.length} entries`);
    const inReach = this.homes.filter((peer) => peer !== home && peer.listens && this.#answersInTime(home, peer));
    this.#model.starts(home, inReach);
    home.start(this.homes);
  }

  /** Whether the peer answers a starting home before it continues alone. */
  #answersInTime(home: Home, peer: Home): boolean {
    const roundTripMs = this.#links(home, peer).reduce((sum, { delayMs }) => sum + delayMs, 0);
    return this.#reach(home, peer) && roundTripMs * startRoundTrips < home.aloneMs;
  }

  #links(one: Home, other: Home): readonly Link[] {
    return [this.network.link(one.name, other.name), this.network.link(other.name, one.name)];
  }

  #reach(one: Home, other: Home): boolean {
    return this.#links(one, other).every(({ isCut, lossy }) => !isCut && lossy === 0);
  }

  #opened(home: Home, outcome: string): void {
    this.log(`${home.name} is open: ${outcome}`);
    this.count(`opened ${outcome.replace(/[1-9]\d*/, 'some')}`);
    this.#model.opened(home);
    for (const other of this.homes) {
      if (other !== home) this.#model.limits.limited(home, other, home.limitOf(other.did)!, true);
    }
    if (this.#isHealed) this.#unlimit(home);
  }

  #died(home: Home, process: SimulatedProcess, why: string): void {
    this.log(`${home.name} dies: ${why}`);
    this.count(`died ${why.replace(/[:0-9].*/s, '')}`);
    if (this.#model.trade.hasOpen(home.did)) this.count('died with an open request');
    this.#requests.died(home);
    for (const other of this.homes) this.separated(home, other);
    this.network.died(process, this.draws.chance(0.3));
    const set = home.afterDeath;
    home.afterDeath = undefined;
    // A supervisor restarts it, even if its start is refused.
    const needsDecision = /^its start is refused|has decided/.test(why);
    const restMs = needsDecision ? 8_000 : this.draws.pick([50, 200, 500, 3_000]);
    this.scheduler.after(restMs, () => void this.#again(home, set));
    void home.disk.settle();
  }

  async #again(home: Home, set: (() => Promise<void>) | undefined): Promise<void> {
    if (set) {
      this.#setBack.add(home.name);
      this.#withdrawals.setBack(home);
      await set();
      this.#model.setBack(home);
    }
    this.#start(home);
  }
}

function remembered(known: Map<string, EntryFinding | undefined>, entry: Entry): EntryFinding | undefined {
  const text = `${entry.coreText}\n${entry.payloadText}`;
  if (!known.has(text)) known.set(text, findingInText(entry, noPlace));
  return known.get(text);
}
