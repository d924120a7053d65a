/** One seed gives one history of several homes: requests, faults, recovery, and the properties checked during and after it. */
import type { Accepted } from '../../../src/actors/command.js';
import { isRefusal, type Refusal } from '../../../src/core/refusal.js';
import type { Entry } from '../../../src/store/entry.js';
import { type EntryFinding, findingInText } from '../../../src/verify/entry-text.js';
import { noPlace } from '../../../src/verify/may-sign.js';
import { didOf } from '../../world/people.js';
import { Draws } from './draws.js';
import { residents } from './genesis.js';
import { Home, type Planted } from './home.js';
import { Model, type ModelHome, ModelViolation } from './model.js';
import { type Link, Network } from './network.js';
import { Scheduler } from './scheduler.js';
import type { SimulatedProcess } from './simulated-process.js';
import { causeTrouble, type Troubled } from './trouble.js';

/** How long faults happen, and how long the homes then have to agree. */
const troubleMs = 8_000;
const calmMs = 120_000;
/** A running home answers within this time in any network. */
const answerMs = 15_000;
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
  try {
    await history.run();
  } catch (error) {
    if (!(error instanceof ModelViolation)) throw error;
    flaw = error.message;
    scheduler.log(() => `VIOLATION ${error.message}`);
  }
  return { flaw, lines: scheduler.lines, events: scheduler.events };
}

interface OpenRequest {
  readonly home: Home;
  readonly at: number;
  readonly what: string;
}

class History implements Troubled {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly network: Network;
  readonly homes: readonly Home[];
  readonly #open = new Set<OpenRequest>();
  #model!: Model;
  #made = 0;

  constructor(private readonly options: HistoryOptions) {
    this.scheduler = new Scheduler(options.logs);
    const draws = new Draws(`history ${options.seed}`);
    this.draws = draws.stream('faults');
    this.network = new Network(this.scheduler, draws.stream('network'), (host) => `h${host.split('.')[3]}`);
    const count = draws.pick([3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 7]);
    const checked = new Map<string, EntryFinding | undefined>();
    this.homes = Array.from({ length: count }, (_, index) => {
      const name = `h${index}`;
      const aloneMs = draws.stream(name).pick([500, 2_000, 6_000]);
      return new Home(
        {
          ...{ name, network: this.network, draws: draws.stream(name), planted: options.planted ?? {}, aloneMs },
          // The texts of an entry are verified once for all homes.
          checkTexts: async (entries) => entries.map((entry) => remembered(checked, entry)),
          onOpened: (home, outcome) => this.#opened(home, outcome),
          onDeath: (home, process, why) => this.#died(home, process, why),
        },
        `10.0.0.${index}`,
      );
    });
  }

  async run(): Promise<void> {
    await Promise.all(this.homes.map((home) => home.format()));
    this.#model = new Model(this.homes);
    for (const home of this.homes) this.#start(home);
    await this.#pass(2_000);
    while (this.scheduler.now < troubleMs) {
      const fault = causeTrouble(this);
      this.count(`fault ${fault}`);
      await this.#pass(this.draws.pick([0, 1, 10, 60, 150, 300]));
    }
    this.log('everything heals');
    this.network.heal();
    for (const home of this.homes) {
      home.process?.dieAt(undefined);
      home.disk.fault = undefined;
    }
    await this.#settle();
  }

  /** All homes run and are connected: they must agree, or hold a proof why they don't. */
  async #settle(): Promise<void> {
    const end = this.scheduler.now + calmMs;
    const isUp = ({ name }: ModelHome): boolean => this.homes.some((home) => home.name === name && home.isOpen);
    const left = new Map(this.homes.map((home) => [home, 2]));
    for (let rest: string | undefined = 'requests are open'; rest !== undefined; ) {
      if (this.scheduler.now > end) throw new ModelViolation(`${calmMs / 1_000} s after the heal: ${rest}`);
      await this.#pass(1_000);
      // Each home writes more entries, because two journals differ only once they have different entries.
      for (const [home, count] of left) {
        if (count > 0 && this.write(home)) left.set(home, count - 1);
      }
      const isLeft = this.homes.some((home) => home.isOpen && left.get(home)! > 0);
      rest = this.#open.size > 0 || isLeft ? 'requests are open' : this.#model.unsettled(isUp);
    }
    this.count('settled');
    if (this.homes.some(({ did }) => this.homes.some((home) => home.proofOf(did)))) this.count('forked');
  }

  async #pass(ms: number): Promise<void> {
    await this.scheduler.run(ms, () => {
      this.#model.check();
      for (const home of this.homes) home.dieIfRefused();
    });
    this.#model.checkProofs();
    const late = [...this.#open].find(({ at }) => this.scheduler.now - at > answerMs);
    if (late) throw new ModelViolation(`${late.home.name} has not answered for ${answerMs / 1_000} s: ${late.what}`);
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

  /** Sends one request of a resident. @returns false while the home accepts none */
  write(home: Home): boolean {
    const from = this.draws.pick(residents);
    const to = this.draws.pick(residents.filter((each) => each !== from));
    const number = ++this.#made;
    const amount = this.draws.between(1, 30);
    const input = { to: didOf(to), amount };
    const escrow = { beneficiary: didOf(to), amount, releaseRules: [{ type: 'manual' }], autoFund: true };
    const asked = this.draws.chance(0.7)
      ? home.ask(from, 'account', didOf(from), 'transfer', input)
      : home.ask(from, 'escrow', `esc-${number}`, 'create', escrow);
    if (!asked) return false;
    const request = { home, at: this.scheduler.now, what: `request ${number}` };
    this.#open.add(request);
    void asked.then((result) => this.#answered(request, result));
    return true;
  }

  #answered(request: OpenRequest, result: Accepted | Refusal): void {
    this.#open.delete(request);
    this.count(isRefusal(result) ? `refused ${result.code}` : 'accepted');
    if (isRefusal(result)) return;
    const isCutOff = this.homes.some((other) => other !== request.home && !this.#reach(request.home, other));
    if (isCutOff) this.count('accepted while cut off');
    const { seq, chainHash } = result.entry;
    this.log(`${request.home.name} has acknowledged ${request.what} as entry ${seq} ${chainHash.slice(0, 6)}`);
    this.#model.acknowledge(request.home, { seq, chainHash });
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
  }

  #died(home: Home, process: SimulatedProcess, why: string): void {
    this.log(`${home.name} dies: ${why}`);
    this.count(`died ${why.replace(/[:0-9].*/s, '')}`);
    for (const each of [...this.#open]) if (each.home === home) this.#open.delete(each);
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
