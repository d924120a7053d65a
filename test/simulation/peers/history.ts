/**
 * One history: homes that write, fail and recover for some seconds, then a network that has healed. It is the same for the
 * same seed.
 */
import { isRefusal } from '../../../src/core/refusal.js';
import type { ShowView } from '../../../src/peers/views/foreign-views.js';
import { Draws } from './draws.js';
import { residentsOf } from './genesis.js';
import { Home, nameAt, type Planted } from './home.js';
import { lying } from './lies.js';
import { Model } from './model.js';
import { type ModelHome, ModelViolation } from './model-home.js';
import { type Link, Network } from './network.js';
import { withRememberedSignatures } from './remembered-signatures.js';
import { Scheduler } from './scheduler.js';
import { withSimulatedCrypto } from './simulated-crypto.js';
import type { SimulatedProcess } from './simulated-process.js';
import { TopUps } from './top-ups.js';
import { causeTrouble, type Troubled } from './trouble.js';
import { Visits } from './visits.js';

/** How long faults happen, and how long the homes then have to agree. */
const troubleMs = 5_500;
const calmMs = 120_000;
/** Weights. Seven homes take as long as seven histories of three, which find as much. */
const numbersOfHomes = { 3: 28, 4: 2, 5: 1, 7: 1 };
/** Connection, request for the own head, and one to spare. */
const startRoundTrips = 3;
/** A running home answers its residents within this time in any network. */
const answerMs = 15_000;

/** How often each event happened in all histories of a run. */
export type Counts = Map<string, number>;

export interface HistoryOptions {
  readonly seed: number;
  readonly planted?: Planted;
  readonly logs?: boolean;
  readonly counts?: Counts;
  /** Whether residents act at other homes. */
  readonly hasVisits?: boolean;
  /** Whether they send Tokens to other homes as well. */
  readonly hasTopUps?: boolean;
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
    await withRememberedSignatures(() => withSimulatedCrypto(() => history.run()));
  } catch (error) {
    if (!(error instanceof ModelViolation)) throw error;
    flaw = error.message;
    scheduler.log(() => `VIOLATION ${error.message}`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { flaw, lines: scheduler.lines, events: scheduler.events };
}

/** A transfer that is not answered yet. */
interface OpenWrite {
  readonly home: Home;
  readonly at: number;
}

class History implements Troubled {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly network: Network;
  readonly homes: readonly Home[];
  readonly isLossless: boolean;
  readonly #visitDraws: Draws;
  readonly #visits: Visits | undefined;
  readonly #topUps: TopUps | undefined;
  readonly #liar: Home | undefined;
  readonly #open = new Set<OpenWrite>();
  readonly #listing: Draws;
  #listed = 0;
  #model!: Model;

  constructor(private readonly options: HistoryOptions) {
    this.scheduler = new Scheduler(options.logs);
    const draws = new Draws(`history ${options.seed}`);
    this.draws = draws.stream('faults');
    this.network = new Network(this.scheduler, draws.stream('network'), nameAt);
    this.#listing = draws.stream('listings');
    this.isLossless = draws.stream('losses').chance(this.hasVisits ? 0.7 : 0.3);
    const count = Number(draws.weighted(numbersOfHomes));
    const { planted = {} } = options;
    this.homes = Array.from({ length: count }, (_, index) => `h${index}`).map((name) => {
      const aloneMs = draws.stream(name).pick([500, 2_000, 6_000]);
      return new Home({
        ...{ name, network: this.network, draws: draws.stream(name), planted, aloneMs },
        ...(this.hasVisits && { shown: (home: Home, show: ShowView) => this.#shown(home, show) }),
        ...{ hasTopUps: options.hasTopUps === true },
        onOpened: (home, outcome) => this.#opened(home, outcome),
        onDeath: (home, process, why) => this.#died(home, process, why),
      });
    });
    this.#visitDraws = draws.stream('visits');
    if (!this.hasVisits) return;
    this.#liar = this.#visitDraws.chance(0.5) ? this.homes[0] : undefined;
    const visiting = { homes: this.homes, liar: this.#liar, draws: this.#visitDraws };
    const counting = { ...visiting, count: (what: string) => this.count(what) };
    const { hasTopUps = false } = options;
    this.#visits = new Visits({ ...counting, hasTopUps, log: (line) => this.log(line) });
    this.#topUps = hasTopUps ? new TopUps(counting) : undefined;
  }

  get hasVisits(): boolean {
    return this.options.hasVisits === true;
  }

  /** The API of a home, for the others. */
  #shown(home: Home, show: ShowView): ShowView {
    const answer = home === this.#liar ? lying(show, this.#visitDraws) : show;
    return (asked) => {
      if (asked.body && asked.path === '/events') this.#visits!.submitted(home, asked.body);
      return answer(asked);
    };
  }

  async run(): Promise<void> {
    const names = this.homes.map(({ name }) => name);
    for (const home of this.homes) await home.format(this.hasVisits ? names.filter((each) => each !== home.name) : []);
    this.#model = new Model(this.homes);
    for (const home of this.homes) this.#start(home);
    await this.#pass(2_000);
    const pauses = [0, 1, 10, 60, 150, 300, ...(this.hasVisits ? [1_000] : [])];
    while (this.scheduler.now < (this.hasVisits ? 2 : 1) * troubleMs) {
      this.count(`fault ${causeTrouble(this)}`);
      await this.#pass(this.draws.pick(pauses));
    }
    this.log('everything heals');
    this.network.heal();
    for (const home of this.homes) {
      home.process?.dieAt(undefined);
      home.disk.fault = undefined;
      home.cards.fails = false;
    }
    await this.#settle();
  }

  /** All homes run and are connected: they must agree, or hold a proof why they don't. */
  async #settle(): Promise<void> {
    const settleMs = calmMs * (this.#topUps ? 4 : 1);
    const end = this.scheduler.now + settleMs;
    const isUp = ({ name }: ModelHome): boolean => this.homes.some((home) => home.name === name && home.isOpen);
    const left = new Map(this.homes.map((home) => [home, 2]));
    for (let rest: string | undefined = 'nothing is written'; rest !== undefined; ) {
      if (this.scheduler.now > end) throw new ModelViolation(`${settleMs / 1_000} s after the heal: ${rest}`);
      await this.#pass(1_000);
      // Each home writes more entries, because two journals differ only once they have different entries.
      for (const [home, count] of left) {
        if (count === 0 || !home.isOpen) continue;
        this.#writeOwn(home);
        left.set(home, count - 1);
      }
      const isLeft = this.#open.size > 0 || this.homes.some((home) => home.isOpen && left.get(home)! > 0);
      rest = isLeft
        ? 'writes are open'
        : (this.#visits?.unsettled() ?? this.#topUps?.unsettled() ?? this.#model.unsettled(isUp));
    }
    this.#visits?.verify();
    this.#topUps?.verify();
    this.count('settled');
    if (this.homes.some(({ did }) => this.homes.some((home) => home.proofOf(did)))) this.count('forked');
  }

  async #pass(ms: number): Promise<void> {
    await this.scheduler.run(ms, () => {
      this.#model.check();
      for (const home of this.homes) home.dieIfRefused();
    });
    this.#model.checkProofs();
    this.#visits?.check();
    const late = [...this.#open].find(({ at }) => this.scheduler.now - at > answerMs);
    if (late) throw new ModelViolation(`${late.home.name} has not answered for ${answerMs / 1_000} s`);
  }

  count(what: string): void {
    this.options.counts?.set(what, (this.options.counts.get(what) ?? 0) + 1);
  }

  log(line: string): void {
    this.scheduler.log(() => line);
  }

  /** A link got worse, or a peer died: a starting home can no longer rely on that peer. */
  separated(one: Home, other: Home): void {
    this.#model.outOfReach(one, other);
    this.#model.outOfReach(other, one);
  }

  write(home: Home): void {
    if (this.#topUps && this.#visitDraws.chance(0.4)) this.#topUps.step(home);
    if (this.#visits && this.#visitDraws.chance(0.8)) for (let left = 3; left > 0; left--) this.#visits.step(home);
    else this.#writeOwn(home);
  }

  #writeOwn(home: Home): void {
    const from = this.draws.pick(residentsOf(home.name));
    const to = this.draws.pick(residentsOf(home.name).filter((each) => each !== from));
    const open = { home, at: this.scheduler.now };
    // Before it is asked: it may die of the request itself.
    this.#open.add(open);
    const answered = () => this.#open.delete(open);
    const asked = this.#ask(home, from, to);
    if (!asked) return void answered();
    void asked.then((done) => {
      // The process that would have answered may be gone.
      if (!answered() || isRefusal(done)) return;
      const { seq, chainHash } = done.entry;
      this.log(`${home.name} has acknowledged entry ${seq} ${chainHash.slice(0, 6)}`);
      this.count('acknowledged');
      this.#model.acknowledge(home, { seq, chainHash });
    }, answered);
  }

  #ask(home: Home, from: string, to: string) {
    const kinds = this.#listing.weighted({ transfer: 10, list: 5, erase: 1 });
    if (kinds === 'erase') return home.erase(this.#listing);
    return kinds === 'list' ? home.list(from, ++this.#listed, this.#listing) : home.transfer(from, to);
  }

  #start(home: Home): void {
    if (home.process) return;
    this.log(`${home.name} starts with ${home.disk.tables.journal.length} entries`);
    const inReach = this.homes.filter((peer) => peer !== home && peer.listens && this.#answersInTime(home, peer));
    this.#model.starts(home, inReach);
    home.start(this.homes);
  }

  /** Whether the peer answers a starting home before it continues alone. */
  #answersInTime(home: Home, peer: Home): boolean {
    const links: readonly Link[] = [this.network.link(home.name, peer.name), this.network.link(peer.name, home.name)];
    const roundTripMs = links.reduce((sum, { delayMs }) => sum + delayMs, 0);
    const isReached = links.every(({ isCut, lossy }) => !isCut && lossy === 0);
    return isReached && roundTripMs * startRoundTrips < home.aloneMs;
  }

  #opened(home: Home, outcome: string): void {
    this.log(`${home.name} is open: ${outcome}`);
    this.count(`opened ${outcome}`);
    this.#model.opened(home);
  }

  #died(home: Home, process: SimulatedProcess, why: string): void {
    this.log(`${home.name} dies: ${why}`);
    this.count(`died ${why.replace(/[:0-9].*/s, '')}`);
    for (const each of [...this.#open]) if (each.home === home) this.#open.delete(each);
    this.#visits?.died(home);
    for (const other of this.homes) this.separated(home, other);
    this.network.died(process, this.draws.chance(0.3));
    const set = home.afterDeath;
    home.afterDeath = undefined;
    // A supervisor restarts it, even if its start is refused.
    const needsDecision = /refused/.test(why);
    const restMs = needsDecision ? 8_000 : this.draws.pick([50, 200, 500, 3_000]);
    this.scheduler.after(restMs, () => void this.#again(home, set));
    void home.disk.settle();
  }

  async #again(home: Home, set: (() => Promise<void>) | undefined): Promise<void> {
    if (set) {
      await set();
      this.#model.setBack(home);
      this.#visits?.forgotten(home);
    }
    this.#start(home);
  }
}
