/**
 * Reputation scores, computed from the records about a DID. Recently requested ones stay in memory and are brought up
 * to date with newer records (docs/decisions/0012).
 */
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { type Environment, pause } from '../core/environment.js';
import { assert } from '../core/refusal.js';
import { stateHashOf } from '../machines/kernel/state-hash.js';
import { aboutLabel, type ReputationRecord } from '../machines/reputation/record.js';
import { type Noted, ReputationScores } from '../machines/reputation/scores.js';
import type { ListPage, Snapshot, StoreReader } from '../store/store.js';

export interface ReputationBounds {
  /** Bound of the records in memory, over all DIDs. A single DID may exceed it. */
  readonly records: number;
  readonly page: number;
}

/** Page size for newer records. Mostly few have been added since the last request. */
const newsPage = 20;
/** Journal entries looked up before the event loop gets a turn. */
const lookedUpAtOnce = 50;
/** Records added before the event loop gets a turn: about 1 ms per thousand. */
const addedAtOnce = 10_000;
/** A list and its count may disagree once while records are being added. */
const attempts = 2;

type RecordPlace = Pick<Snapshot, 'createdAt' | 'id'>;

interface CachedReputation {
  readonly scores: ReputationScores;
  readonly newest: RecordPlace | undefined;
}

const recordPlaceOf = (record: Snapshot | undefined): RecordPlace | undefined =>
  record && { createdAt: record.createdAt, id: record.id };

const isAfter = (one: RecordPlace, other: RecordPlace | undefined): boolean =>
  !other || one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.id > other.id);

const recordIn = ({ context }: Snapshot) => context as unknown as ReputationRecord;

function notedIn(record: Snapshot): Noted {
  const { issuer, dimension, score, ref, source } = recordIn(record);
  return { at: record.createdAt, issuer, dimension, score, ref, source };
}

/** Hashes of entries by which one issuer rated several trades in the same millisecond. */
function tiedEntries(inOrderOfTime: readonly Snapshot[]): Set<string> {
  const tied = new Set<string>();
  let moment = 0;
  let entryOf = new Map<string, string>();
  for (const [index, record] of inOrderOfTime.entries()) {
    const { createdAt, lastHash } = record;
    const [before, after] = [inOrderOfTime[index - 1], inOrderOfTime[index + 1]];
    const isAlone = before?.createdAt !== createdAt && after?.createdAt !== createdAt;
    if (isAlone) continue;
    if (createdAt !== moment) [moment, entryOf] = [createdAt, new Map()];
    const { issuer } = recordIn(record);
    const other = entryOf.get(issuer) ?? lastHash;
    if (other !== lastHash) tied.add(other).add(lastHash);
    entryOf.set(issuer, lastHash);
  }
  return tied;
}

export class ReputationReader {
  readonly #kept: LRUCache<string, CachedReputation>;
  /** By DID: the read in progress, and the one that starts after it. */
  readonly #reading = new Map<string, Promise<ReputationScores>>();
  readonly #waiting = new Map<string, Promise<ReputationScores>>();
  readonly #logs = new PQueue({ concurrency: 1 });
  /** By DID: reads that are queued in `#logs`. */
  readonly #waitingForLog = new Map<string, Promise<ReputationScores>>();

  constructor(
    private readonly store: StoreReader,
    private readonly world: Environment,
    private readonly bounds: ReputationBounds,
  ) {
    const { records } = bounds;
    // A DID with more records than the bound takes up the whole cache.
    this.#kept = new LRUCache({
      maxSize: records,
      sizeCalculation: ({ scores }) => Math.min(Math.max(1, scores.count), records),
    });
  }

  /**
   * The score with all records that were added before this call. Concurrent callers share a read that starts after
   * their call.
   */
  of(did: string): Promise<ReputationScores> {
    const reading = this.#reading.get(did);
    if (!reading) return this.#read(did);
    const waiting = this.#waiting.get(did);
    if (waiting) return waiting;
    const next = reading
      .catch(() => undefined) // its own callers get the error
      .then(() => {
        this.#waiting.delete(did);
        return this.#read(did);
      });
    this.#waiting.set(did, next);
    return next;
  }

  /**
   * The same, verified against the journal: each record is compared with the state hash in its entry. One DID at a
   * time, because a record takes about 0.1 ms of this thread.
   * @throws AssertionError where a record differs from its entry
   */
  fromLog(did: string): Promise<ReputationScores> {
    const waiting = this.#waitingForLog.get(did);
    if (waiting) return waiting;
    let hasBegun = false;
    const reading = this.#logs.add(() => {
      hasBegun = true; // runs synchronously when the queue is empty
      this.#waitingForLog.delete(did);
      return this.#log(did);
    }) as Promise<ReputationScores>;
    if (!hasBegun) this.#waitingForLog.set(did, reading);
    return reading;
  }

  async #log(did: string): Promise<ReputationScores> {
    const records: Snapshot[] = [];
    for await (const page of this.#pages(did, this.bounds.page)) {
      for (const [index, record] of page.entries()) {
        if (index % lookedUpAtOnce === 0) await pause(this.world, 0);
        await this.#assertJournaled(record);
      }
      records.push(...page);
    }
    const scores = new ReputationScores();
    await this.#add(scores, records);
    return scores;
  }

  async #assertJournaled({ kind, id, version: newest, state, context, createdAt, lastHash }: Snapshot): Promise<void> {
    const entry = await this.store.entryByEvent(lastHash);
    const version = entry?.core.versions.find((each) => each.kind === kind && each.id === id);
    assert(
      version?.version === 1 &&
        version.stateHash === stateHashOf(undefined, { kind, id, version: newest, state, context }, () => '') &&
        entry?.core.time === createdAt,
      `${kind}/${id} is not what its entry says`,
    );
  }

  #read(did: string): Promise<ReputationScores> {
    const reading = this.#upToDate(did).finally(() => this.#reading.delete(did));
    this.#reading.set(did, reading);
    return reading;
  }

  async #upToDate(did: string): Promise<ReputationScores> {
    const kept = this.#kept.get(did);
    for (let attempt = 0; kept && attempt < attempts; attempt++) {
      const { news, total } = await this.#since(did, kept.newest);
      if (kept.scores.count + news.length !== total) continue;
      await this.#add(kept.scores, news);
      return this.#keep(did, { scores: kept.scores, newest: recordPlaceOf(news[0]) ?? kept.newest });
    }
    // Reads all records, because none are cached or another process inserted some in between.
    const records: Snapshot[] = [];
    for await (const page of this.#pages(did, this.bounds.page)) records.push(...page);
    const scores = new ReputationScores();
    await this.#add(scores, records);
    return this.#keep(did, { scores, newest: recordPlaceOf(records[0]) });
  }

  async #add(scores: ReputationScores, newestFirst: readonly Snapshot[]): Promise<void> {
    for (const [index, record] of (await this.#inOrder(newestFirst)).entries()) {
      if (index % addedAtOnce === addedAtOnce - 1) await pause(this.world, 0);
      scores.add(notedIn(record));
    }
  }

  /** Records in journal order. The store orders records of one millisecond by id, which a client may choose. */
  async #inOrder(newestFirst: readonly Snapshot[]): Promise<readonly Snapshot[]> {
    const records = newestFirst.toReversed();
    const numbers = new Map<string, number>();
    for (const hash of tiedEntries(records)) {
      const entry = await this.store.entryByEvent(hash);
      assert(entry, `no entry for the event ${hash}`);
      numbers.set(hash, entry.seq);
    }
    const numberOf = ({ lastHash }: Snapshot) => numbers.get(lastHash) ?? 0;
    if (numbers.size > 0) records.sort((a, b) => a.createdAt - b.createdAt || numberOf(a) - numberOf(b));
    return records;
  }

  #keep(did: string, kept: CachedReputation): ReputationScores {
    this.#kept.set(did, kept);
    return kept.scores;
  }

  /** Newer records than the known position, newest first. `total` counts all records. */
  async #since(did: string, known: RecordPlace | undefined): Promise<{ news: Snapshot[]; total: number }> {
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
      const found: ListPage<Snapshot> = await this.#page(did, next, size);
      yield found.items;
      next = found.next;
    } while (next !== null);
  }

  #page(did: string, after: string | null, limit: number): Promise<ListPage<Snapshot>> {
    const page = after === null ? { limit, offset: 0 } : { limit, offset: 0, after };
    return this.store.find({ kind: 'reputation', anyLabel: [aboutLabel(did)], page });
  }
}
