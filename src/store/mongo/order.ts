/**
 * Numbers the journal. The holder of the order lease numbers inserted entries, chains them and writes projections;
 * other processes follow. Two processes that both assume that they hold the lease do no harm: the number is the
 * document's `_id` and each entry is unique, so the second insert fails and its process reads again.
 */
import { pause } from '../../core/environment.js';
import { chainHashOf } from '../entry.js';
import { StoreFault } from '../store.js';
import { Candidates, type CandidatesOptions } from './candidates.js';
import type { Commands } from './commands.js';
import { ConditionVariable } from './condition-variable.js';
import { type OrderDocument, tagsOf, touchesOf } from './documents.js';
import { type OrderCandidate, ownCandidate } from './ingest.js';
import type { Follower } from './inserter.js';
import { beatMs } from './process-registry.js';

export const orderLease = 'order';

/** Delay before the next round when there is nothing to do. */
const rests = {
  /**
   * While an append waits for its number, or other processes have just inserted. Grows with each round without work.
   */
  busyMs: 3,
  busyGrowth: 1.6,
  /** For the leader, while other processes live. */
  holderMs: 20,
  followerMs: 40,
  aloneMs: 200,
};
const busyForMs = 200;
const pollMs = 250;
/** Time after which an entry without a number is rescued by the process that loses against it. */
const rescueMs = 1_000;

export interface OrderOptions extends CandidatesOptions {
  readonly commands: Commands;
  readonly log: (message: string, detail: object) => void;
  readonly onFault: (cause: unknown) => void;
}

interface LeaseTask {
  readonly run: () => Promise<void>;
  readonly reject: (fault: StoreFault) => void;
}

export class EntryOrder implements Follower {
  readonly #condition: ConditionVariable;
  readonly #candidates: Candidates;
  #asked: (() => void)[] = [];
  /** Tasks to run while this process holds the lease. */
  #leaderTasks: LeaseTask[] = [];
  #published: ReadonlySet<string> = new Set();
  #beatAt = Number.NEGATIVE_INFINITY;
  #polledAt = Number.NEGATIVE_INFINITY;
  #holds = false;
  /** Consecutive rounds without work. */
  #idleRounds = 0;
  /** The number of outages after which the journal was last verified to be complete. */
  #trusted = 0;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();
  readonly stats = { rounds: 0, numbered: 0, contested: 0, discarded: 0 };

  constructor(private readonly options: OrderOptions) {
    this.#condition = new ConditionVariable(options.world);
    this.#candidates = new Candidates(options);
  }

  get holds(): boolean {
    return this.#holds;
  }

  async open(): Promise<void> {
    await this.options.ingest.open();
    await this.#beatIfDue();
    await this.#pollIfDue();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#condition.notify();
    await this.#running;
    for (const { reject } of this.#leaderTasks.splice(0)) reject(new StoreFault('the store was closed'));
  }

  wake(): void {
    this.#idleRounds = 0;
    this.#condition.notify();
  }

  catchUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.#condition.notify();
    });
  }

  /** Runs a task between rounds, once this process holds the lease and has processed everything that is numbered. */
  asHolder(task: (token: number) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = () => task(this.options.control.token(orderLease) ?? 0).then(resolve, reject);
      this.#leaderTasks.push({ run, reject });
      this.#condition.notify();
    });
  }

  async whenDecided(entryHash: string): Promise<void> {
    const { world, outage, ingest, collections } = this.options;
    const from = world.monotonic();
    const { orphans, rescued } = this.#candidates;
    let elders: readonly string[] | undefined;
    while (!this.#stopped) {
      await this.catchUp();
      const found = await outage.retry(() =>
        collections.order.findOne({ entry: entryHash }, { projection: { _id: 1 } }),
      );
      if (found && found._id <= ingest.known.seq) break;
      if (!found && (await this.#isGone(entryHash))) break;
      if (!found && world.monotonic() - from > rescueMs) {
        // Earlier entries of its process must be rescued before it.
        elders ??= await orphans.upTo(entryHash);
        for (const hash of elders) rescued.add(hash);
      }
      await pause(world, rests.busyMs);
    }
    for (const hash of elders ?? []) rescued.delete(hash);
  }

  /** Whether a stale entry was deleted. Numbered entries stay. */
  async #isGone(entryHash: string): Promise<boolean> {
    const { outage, collections } = this.options;
    const query = { _id: entryHash };
    return (await outage.retry(() => collections.entries.findOne(query, { projection: { _id: 1 } }))) === null;
  }

  /**
   * Waits until every entry of this node's earlier processes is numbered, then removes them from the list. Times
   * along one node never decrease, so entries of this process must come after.
   */
  async succeed(): Promise<void> {
    const { control, world } = this.options;
    const { orphans, rescued } = this.#candidates;
    for (const process of control.predecessors()) {
      const settled = control.others.get(process)?.document.settled ?? 0;
      for (;;) {
        const left = await orphans.leftBy(process, settled);
        if (left.length === 0 || this.#stopped) break;
        for (const { _id } of left) rescued.add(_id);
        await this.catchUp();
        await pause(world, rests.busyMs);
        for (const { _id } of left) rescued.delete(_id);
      }
      await control.forget(process);
    }
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopped) {
        const { seq } = this.options.ingest.known;
        await this.#turn();
        this.#idleRounds = this.options.ingest.known.seq === seq ? this.#idleRounds + 1 : 0;
        await this.#condition.wait(this.#restMs());
      }
    } catch (cause) {
      this.options.onFault(cause);
    }
  }

  async #turn(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    await this.#pollIfDue();
    await this.#mustHaveKept();
    if (!this.#holds) {
      await this.#beatIfDue();
      await this.options.ingest.follow(false);
      await this.#discardStale();
    } else {
      // Another process may have numbered meanwhile, if this one was delayed.
      if (asked.length > 0) await this.options.ingest.follow(false);
      await this.#number();
      await this.#beatIfDue();
      for (const { run } of this.#leaderTasks.splice(0)) await run();
    }
    for (const resolve of asked) resolve();
  }

  #restMs(): number {
    const { control, inserter, world } = this.options;
    if (this.#asked.length > 0) return 0;
    const busy = inserter.ready.size > 0 || world.monotonic() - this.#candidates.foreignAt < busyForMs;
    if (control.living === 0) return busy ? rests.holderMs : rests.aloneMs;
    const restMs = this.#holds ? rests.holderMs : rests.followerMs;
    return busy ? Math.min(restMs, rests.busyMs * rests.busyGrowth ** this.#idleRounds) : restMs;
  }

  /**
   * Writes the heartbeat, which lists inserted entries without a number. A follower writes it at once, to announce
   * them to the leader; the leader lists its entries only for its successor.
   */
  async #beatIfDue(): Promise<void> {
    const { control, inserter, world } = this.options;
    const ready = [...inserter.ready.keys(), ...this.#candidates.rescued];
    // Numbered entries may remain on the list for a while; the leader recognises them.
    const isNew = !this.#holds && ready.some((hash) => !this.#published.has(hash));
    if (!isNew && world.monotonic() - this.#beatAt < beatMs) return;
    this.#beatAt = world.monotonic();
    await control.beat(ready, inserter.settled);
    this.#published = new Set(ready);
  }

  /** The leader polls for others' entries in each round, and rarely while it is alone. */
  async #pollIfDue(): Promise<void> {
    const { control, ingest, world, log } = this.options;
    const everyTurn = this.#holds && control.living > 0;
    if (!everyTurn && world.monotonic() - this.#polledAt < pollMs) return;
    this.#polledAt = world.monotonic();
    await control.poll();
    const holds = await control.take(orderLease);
    if (holds === this.#holds) return;
    this.#holds = holds;
    log(holds ? 'this process numbers the entries now' : 'another process numbers the entries now', {
      fence: control.token(orderLease),
    });
    if (holds) await ingest.follow(true);
  }

  /**
   * After an outage, verifies that the server still has everything that it acknowledged, because it may have been
   * restored from a backup or rolled back.
   */
  async #mustHaveKept(): Promise<void> {
    const { outage, ingest } = this.options;
    const { returns } = outage;
    if (returns === this.#trusted) return;
    const { seq, chainHash } = ingest.known;
    if (!(await ingest.isThere(seq, chainHash))) {
      throw new StoreFault(`the database has lost what it had acknowledged: entry ${seq} is gone, or another one`);
    }
    this.#trusted = returns;
  }

  async #number(): Promise<void> {
    const candidates = await this.#candidates.gather();
    if (candidates.length === 0) return;
    const { chosen, void: voids, behind } = await this.#candidates.choose(candidates);
    for (const [candidate, taken] of voids) await this.#discard(candidate, taken);
    if (behind) return this.options.ingest.follow(true);
    if (chosen.length === 0) return;
    const documents = this.#documents(chosen);
    const { outage, commands } = this.options;
    if (outage.returns !== this.#trusted) return;
    // Tried once: after an outage the next round first verifies the earlier numbers.
    const refused = await outage.once(() => commands.insert('order', documents, true));
    if (refused === undefined) return;
    if (refused.length > 0) {
      // Another leader has used some of the numbers, or an earlier attempt whose reply was lost.
      this.stats.contested++;
      return this.options.ingest.follow(true);
    }
    this.#candidates.numbered(chosen);
    this.stats.rounds++;
    this.stats.numbered += documents.length;
    await this.options.ingest.take(documents, new Map(chosen.map((one) => [one.document._id, one])), true);
  }

  /** Deletes own entries whose reads are stale, or that are for another home, because they will never be numbered. */
  async #discardStale(): Promise<void> {
    const doubtful = [...this.options.inserter.ready.values()].filter(
      (job) => job.core.reads.length > 0 || this.#candidates.keyOfOtherHome(job) !== undefined,
    );
    if (doubtful.length === 0) return;
    const { void: voids } = await this.#candidates.choose(doubtful.map(ownCandidate));
    for (const [candidate, taken] of voids) await this.#discard(candidate, taken);
  }

  async #discard(candidate: OrderCandidate, taken: string): Promise<void> {
    if (!(await this.#candidates.discard(candidate))) return;
    this.options.inserter.lost(candidate.document._id, taken);
    this.stats.discarded++;
  }

  #documents(chosen: readonly OrderCandidate[]): OrderDocument[] {
    const token = this.options.control.token(orderLease) ?? 0;
    let { seq, chainHash: prev } = this.options.ingest.known;
    return chosen.map(({ document, core }) => {
      seq++;
      const chain = chainHashOf(seq, prev, document._id);
      const touches = touchesOf(core.moves);
      const tags = tagsOf(core, touches);
      const place = { _id: seq, entry: document._id, event: core.event.hash, prev, chain, token };
      prev = chain;
      return { ...place, tags, touches };
    });
  }
}
