/**
 * Reputations, read: a projection of the records about a DID, kept in memory for those that were asked for lately and
 * brought up to date by what has been recorded since (docs/decisions/0010).
 */
import PQueue from 'p-queue';
import { assert } from '../machines/kernel/refusal.js';
import { stateHashOf } from '../machines/kernel/step.js';
import { aboutLabel, type ReputationRecord } from '../machines/reputation/record.js';
import { Standing } from '../machines/reputation/standing.js';
import type { Listing, Snapshot, StoreReader } from '../store/store.js';
import { pause, type World } from '../world.js';

export interface ReputationBounds {
  /** Records kept in memory, of all DIDs together; the DID that was asked for last is kept whole. */
  readonly records: number;
  /** Records read from the store at once. */
  readonly page: number;
}

/** What has changed since it was asked for last is mostly little. */
const newsPage = 20;
/** Entries of the journal; then others have their turn. */
const lookedUpAtOnce = 50;
/** A list and its count, read while records come in, may disagree once. */
const attempts = 2;

/** Where a record stands in the order of all. */
type Place = Pick<Snapshot, 'createdAt' | 'id'>;

interface Kept {
  readonly standing: Standing;
  readonly newest: Place | undefined;
}

const placeOf = (record: Snapshot | undefined): Place | undefined =>
  record && { createdAt: record.createdAt, id: record.id };

const isAfter = (one: Place, other: Place | undefined): boolean =>
  !other || one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.id > other.id);

function added(standing: Standing, newestFirst: readonly Snapshot[]): void {
  for (const { createdAt, context } of newestFirst.toReversed()) {
    const { issuer, dimension, score, source } = context as unknown as ReputationRecord;
    standing.add({ at: createdAt, issuer, dimension, score, source });
  }
}

export class Reputations {
  readonly #kept = new Map<string, Kept>();
  #records = 0;
  /** By DID, the reading that is under way, and the one that starts after it. */
  readonly #reading = new Map<string, Promise<Standing>>();
  readonly #waiting = new Map<string, Promise<Standing>>();
  readonly #logs = new PQueue({ concurrency: 1 });
  /** By DID, what waits for its turn in `#logs`. */
  readonly #waitingForLog = new Map<string, Promise<Standing>>();

  constructor(
    private readonly store: StoreReader,
    private readonly world: World,
    private readonly bounds: ReputationBounds,
  ) {}

  /** All that was recorded before this call. Many callers at once share a reading that starts after they came. */
  of(did: string): Promise<Standing> {
    const reading = this.#reading.get(did);
    if (!reading) return this.#read(did);
    const waiting = this.#waiting.get(did);
    if (waiting) return waiting;
    const next = reading
      .catch(() => undefined) // its own callers are told
      .then(() => {
        this.#waiting.delete(did);
        return this.#read(did);
      });
    this.#waiting.set(did, next);
    return next;
  }

  /**
   * The same out of the journal: each record is held against the hash that its entry has of it. Fails where one differs.
   * One DID at a time: it takes some 0.1 ms of this thread a record.
   */
  fromLog(did: string): Promise<Standing> {
    const waiting = this.#waitingForLog.get(did);
    if (waiting) return waiting;
    let hasBegun = false;
    const reading = this.#logs.add(() => {
      hasBegun = true; // at once, where nobody is before it
      this.#waitingForLog.delete(did);
      return this.#log(did);
    }) as Promise<Standing>;
    if (!hasBegun) this.#waitingForLog.set(did, reading);
    return reading;
  }

  async #log(did: string): Promise<Standing> {
    const records: Snapshot[] = [];
    for await (const page of this.#pages(did, this.bounds.page)) {
      for (const [index, record] of page.entries()) {
        if (index % lookedUpAtOnce === 0) await pause(this.world, 0);
        await this.#assertJournaled(record);
      }
      records.push(...page);
    }
    const standing = new Standing();
    added(standing, records);
    return standing;
  }

  async #assertJournaled({ kind, id, state, context, createdAt, lastHash }: Snapshot): Promise<void> {
    const entry = await this.store.entryByEvent(lastHash);
    const version = entry?.core.versions.find((each) => each.kind === kind && each.id === id);
    assert(
      version?.version === 1 && version.stateHash === stateHashOf(state, context) && entry?.core.time === createdAt,
      `${kind}/${id} is not what its entry says`,
    );
  }

  #read(did: string): Promise<Standing> {
    const reading = this.#upToDate(did).finally(() => this.#reading.delete(did));
    this.#reading.set(did, reading);
    return reading;
  }

  async #upToDate(did: string): Promise<Standing> {
    const kept = this.#kept.get(did);
    for (let attempt = 0; kept && attempt < attempts; attempt++) {
      const { news, total } = await this.#since(did, kept.newest);
      if (kept.standing.count + news.length !== total) continue;
      added(kept.standing, news);
      return this.#keep(did, { standing: kept.standing, newest: placeOf(news[0]) ?? kept.newest });
    }
    // Not kept, or another process recorded something between what is: all is read.
    const records: Snapshot[] = [];
    for await (const page of this.#pages(did, this.bounds.page)) records.push(...page);
    const standing = new Standing();
    added(standing, records);
    return this.#keep(did, { standing, newest: placeOf(records[0]) });
  }

  #keep(did: string, kept: Kept): Standing {
    this.#drop(did);
    this.#kept.set(did, kept);
    this.#records += kept.standing.count;
    for (const oldest of this.#kept.keys()) {
      if (this.#records <= this.bounds.records || oldest === did) break;
      this.#drop(oldest);
    }
    return kept.standing;
  }

  #drop(did: string): void {
    const kept = this.#kept.get(did);
    if (!kept) return;
    this.#kept.delete(did);
    this.#records -= kept.standing.count;
  }

  /** Newest first, down to what is known; `total` of all that there are. */
  async #since(did: string, known: Place | undefined): Promise<{ news: Snapshot[]; total: number }> {
    const news: Snapshot[] = [];
    let { items, total, next } = await this.#page(did, null, newsPage);
    for (;;) {
      const fresh = items.filter((item) => isAfter(item, known));
      news.push(...fresh);
      if (fresh.length < items.length || next === null) return { news, total };
      ({ items, next } = await this.#page(did, next, this.bounds.page));
    }
  }

  async *#pages(did: string, size: number): AsyncGenerator<readonly Snapshot[]> {
    let next: string | null = null;
    do {
      const found: Listing<Snapshot> = await this.#page(did, next, size);
      yield found.items;
      next = found.next;
    } while (next !== null);
  }

  #page(did: string, after: string | null, limit: number): Promise<Listing<Snapshot>> {
    const page = after === null ? { limit, offset: 0 } : { limit, offset: 0, after };
    return this.store.find({ kind: 'reputation', anyLabel: [aboutLabel(did)], page });
  }
}
