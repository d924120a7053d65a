/**
 * The order of the journal. The process that holds the lease numbers what is in the database, chains it, and writes
 * what follows from it; the others follow. Two that believe to hold the lease can do no harm: a number is the `_id` of
 * its document and an entry has one, so the second insert of either loses, and its process reads on from there.
 */
import { pause } from '../../world.js';
import { chainHashOf } from '../entry.js';
import { StoreFault } from '../store.js';
import { Bell } from './bell.js';
import { Candidates, type CandidatesOptions } from './candidates.js';
import type { Commands } from './commands.js';
import { beatMs } from './control.js';
import { type OrderDocument, tagsOf, touchesOf } from './documents.js';
import type { Follower } from './inserter.js';
import { type Candidate, ownCandidate } from './intake.js';

const orderLease = 'order';

/** How long a process rests when nothing is to be done: others may have inserted or numbered something. */
const rests = {
  /** Somebody waits for a number, or others have inserted something a moment ago: longer with each look in vain. */
  busyMs: 3,
  busyGrowth: 1.6,
  /** The holder of the lease, while others live. */
  holderMs: 20,
  followerMs: 40,
  /** The only process. */
  aloneMs: 200,
};
const busyForMs = 200;
const pollMs = 250;
/** An entry that is without a number for so long is rescued by whoever stumbles over it. */
const rescueMs = 1_000;

export interface OrderOptions extends CandidatesOptions {
  readonly commands: Commands;
  readonly log: (message: string, detail: object) => void;
  readonly onFault: (cause: unknown) => void;
}

interface Errand {
  readonly run: () => Promise<void>;
  readonly reject: (fault: StoreFault) => void;
}

export class Order implements Follower {
  readonly #bell: Bell;
  readonly #candidates: Candidates;
  #asked: (() => void)[] = [];
  /** What waits for a turn of this process as the holder of the lease. */
  #errands: Errand[] = [];
  #published: ReadonlySet<string> = new Set();
  #beatAt = Number.NEGATIVE_INFINITY;
  #polledAt = Number.NEGATIVE_INFINITY;
  #holds = false;
  /** Looks in vain, one after the other. */
  #vain = 0;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();
  readonly stats = { rounds: 0, numbered: 0, contested: 0, discarded: 0 };

  constructor(private readonly options: OrderOptions) {
    this.#bell = new Bell(options.world);
    this.#candidates = new Candidates(options);
  }

  get holds(): boolean {
    return this.#holds;
  }

  /** Says that this process lives, sees who else does, and begins. */
  async open(): Promise<void> {
    await this.options.intake.open();
    await this.#beatIfDue();
    await this.#pollIfDue();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#bell.ring();
    await this.#running;
    for (const { reject } of this.#errands.splice(0)) reject(new StoreFault('the store was closed'));
  }

  wake(): void {
    this.#vain = 0;
    this.#bell.ring();
  }

  catchUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.#bell.ring();
    });
  }

  /** Runs between two rounds, once this process holds the lease and everything numbered is taken in. */
  asHolder(errand: (token: number) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const run = () => errand(this.options.control.token(orderLease) ?? 0).then(resolve, reject);
      this.#errands.push({ run, reject });
      this.#bell.ring();
    });
  }

  async whenDecided(entryHash: string): Promise<void> {
    const { world, away, intake, collections } = this.options;
    const from = world.monotonic();
    const { orphans, rescued } = this.#candidates;
    let elders: readonly string[] | undefined;
    while (!this.#stopped) {
      await this.catchUp();
      const found = await away.insist(() =>
        collections.order.findOne({ entry: entryHash }, { projection: { _id: 1 } }),
      );
      if (found && found._id <= intake.known.seq) break;
      if (!found && (await this.#isGone(entryHash))) break;
      if (!found && world.monotonic() - from > rescueMs) {
        // What its process has made before comes before it.
        elders ??= await orphans.upTo(entryHash);
        for (const hash of elders) rescued.add(hash);
      }
      await pause(world, rests.busyMs);
    }
    for (const hash of elders ?? []) rescued.delete(hash);
  }

  /** It rested on what no longer holds, and was taken out. What has a number stays. */
  async #isGone(entryHash: string): Promise<boolean> {
    const { away, collections } = this.options;
    const query = { _id: entryHash };
    return (await away.insist(() => collections.entries.findOne(query, { projection: { _id: 1 } }))) === null;
  }

  /**
   * Sees to it that all has its number that earlier processes of this node have left, and takes their names off the
   * list: times along one node never decrease, so nothing of this one may come before.
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
        const { seq } = this.options.intake.known;
        await this.#turn();
        this.#vain = this.options.intake.known.seq === seq ? this.#vain + 1 : 0;
        await this.#bell.rest(this.#restMs());
      }
    } catch (cause) {
      this.options.onFault(cause);
    }
  }

  async #turn(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    await this.#pollIfDue();
    if (!this.#holds) {
      await this.#beatIfDue();
      await this.options.intake.follow(false);
      await this.#discardStale();
    } else {
      // Another one may have numbered meanwhile, if this process was held up for long.
      if (asked.length > 0) await this.options.intake.follow(false);
      await this.#number();
      await this.#beatIfDue();
      for (const { run } of this.#errands.splice(0)) await run();
    }
    for (const resolve of asked) resolve();
  }

  #restMs(): number {
    const { control, inserter, world } = this.options;
    if (this.#asked.length > 0) return 0;
    const busy = inserter.ready.size > 0 || world.monotonic() - this.#candidates.foreignAt < busyForMs;
    if (control.living === 0) return busy ? rests.holderMs : rests.aloneMs;
    const restMs = this.#holds ? rests.holderMs : rests.followerMs;
    return busy ? Math.min(restMs, rests.busyMs * rests.busyGrowth ** this.#vain) : restMs;
  }

  /** A follower tells the holder at once what it has inserted; a holder's beat is for its successor. */
  async #beatIfDue(): Promise<void> {
    const { control, inserter, world } = this.options;
    const ready = [...inserter.ready.keys(), ...this.#candidates.rescued];
    // What has its number meanwhile may stay on the list for a while: the holder knows.
    const news = !this.#holds && ready.some((hash) => !this.#published.has(hash));
    if (!news && world.monotonic() - this.#beatAt < beatMs) return;
    this.#beatAt = world.monotonic();
    await control.beat(ready, inserter.settled);
    this.#published = new Set(ready);
  }

  /** A holder looks at each turn for what others have inserted; where nobody else lives, now and then. */
  async #pollIfDue(): Promise<void> {
    const { control, intake, world, log } = this.options;
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
    if (holds) await intake.follow(true);
  }

  async #number(): Promise<void> {
    const candidates = await this.#candidates.gather();
    if (candidates.length === 0) return;
    const { chosen, void: voids, behind } = await this.#candidates.choose(candidates);
    for (const [candidate, taken] of voids) await this.#discard(candidate, taken);
    if (behind) return this.options.intake.follow(true);
    if (chosen.length === 0) return;
    const documents = this.#documents(chosen);
    const refused = await this.options.away.insist(() => this.options.commands.insert('order', documents, true));
    if (refused.length > 0) {
      // Some of these numbers or entries are taken: by another holder, or by a try of ours whose reply was lost.
      this.stats.contested++;
      return this.options.intake.follow(true);
    }
    this.stats.rounds++;
    this.stats.numbered += documents.length;
    await this.options.intake.take(documents, new Map(chosen.map((one) => [one.document._id, one])), true);
  }

  /** Own entries that rest on what another process has changed since: nobody will number them. */
  async #discardStale(): Promise<void> {
    const reading = [...this.options.inserter.ready.values()].filter(({ core }) => core.reads.length > 0);
    if (reading.length === 0) return;
    const { void: voids } = await this.#candidates.choose(reading.map(ownCandidate));
    for (const [candidate, taken] of voids) await this.#discard(candidate, taken);
  }

  async #discard(candidate: Candidate, taken: string): Promise<void> {
    if (!(await this.#candidates.discard(candidate))) return;
    this.options.inserter.lost(candidate.document._id, taken);
    this.stats.discarded++;
  }

  #documents(chosen: readonly Candidate[]): OrderDocument[] {
    const token = this.options.control.token(orderLease) ?? 0;
    let { seq, chainHash: prev } = this.options.intake.known;
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
