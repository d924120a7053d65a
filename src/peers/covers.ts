/**
 * The checkpoints that cover a replica, kept because a fork is proven with them. The newest one of each range of
 * `bounds.checkpointCell` entries (a cell) is kept, so that the entry hashes from any entry to the next cover fit into
 * one proof. The checkpoint of a batch is written before its entries or with them: wherever the process dies, every entry
 * has one.
 */
import { bounds } from '../core/bounds.js';
import type { JsonObject } from '../core/canonical.js';
import { noHash } from '../store/entry.js';
import { entryAt, type JournalHead, type Store } from '../store/store.js';
import {
  type Checkpoint,
  contradicts,
  type EquivocationProof,
  type JournalLinks,
  proofOfEquivocation,
  violationOfEquivocation,
} from './checkpoint.js';

/** The local copy of a home's journal: our own journal, or a replica. */
export type HeldJournal = Pick<Store, 'head' | 'entries' | 'getLocal' | 'putLocal'>;

const table = 'peer-covers';
/** Entries per read. */
const page = 100;
/** How many cells without a cover are skipped in search of the next one. */
const emptyCells = Math.ceil(bounds.equivocationLinks / bounds.checkpointCell);

/** A checkpoint whose entries are being adopted. It becomes a cover once the journal has reached it. */
export interface NextCover {
  readonly checkpoint: Checkpoint;
  /** The newest entry before the batch. */
  readonly after: JournalHead;
  /**
   * Entry hashes from `after` to the checkpoint, with which it also covers the first few entries of its batch if only
   * those are adopted. Empty if there are too many.
   */
  readonly entryHashes: readonly string[];
}

interface CellRecord {
  readonly checkpoint?: Checkpoint;
  readonly next?: NextCover;
}

interface WrittenRecord {
  readonly record: CellRecord;
  readonly revision: number;
}

type RecordChange = (record: CellRecord) => Promise<CellRecord>;

const cellOf = (seq: number): number => Math.ceil(seq / bounds.checkpointCell);

/** The chain hash of an entry; undefined beyond the journal's end. */
export async function chainHashAt(
  journal: Pick<HeldJournal, 'entries'>,
  { seq, chainHash }: JournalHead,
  at: number,
): Promise<string | undefined> {
  if (at === 0) return noHash;
  if (at === seq) return chainHash;
  return at > seq ? undefined : (await entryAt(journal, at))?.chainHash;
}

export class Covers {
  /** Checkpoints to write, by cell. */
  readonly #waiting = new Map<number, Checkpoint>();
  /** The record written last, by cell. */
  readonly #written = new Map<number, WrittenRecord>();
  #newest: Checkpoint | undefined;
  #next: NextCover | undefined;
  #writing: Promise<void> | undefined;

  private constructor(readonly journal: HeldJournal) {}

  /** Finds the newest cover, and whether the entries of the next one were adopted. */
  static async open(journal: HeldJournal): Promise<Covers> {
    const covers = new Covers(journal);
    const head = await journal.head();
    const last = Math.max(0, cellOf(head.seq) - emptyCells);
    for (let cell = cellOf(head.seq + bounds.equivocationLinks); cell > 0 && cell >= last && !covers.#newest; cell--) {
      const { reached, next } = await covers.#resolved(await covers.#read(cell), head);
      covers.#newest = reached.at(-1);
      covers.#next ??= next;
    }
    return covers;
  }

  /** The newest cover whose entries are all adopted. */
  get newest(): Checkpoint | undefined {
    return this.#newest;
  }

  /** The checkpoint of a batch of which only the first entries were adopted; undefined if there is none. */
  async torn(): Promise<Checkpoint | undefined> {
    const next = this.#next;
    if (!next) return undefined;
    const { seq } = await this.journal.head();
    return seq > next.after.seq && seq < next.checkpoint.seq ? next.checkpoint : undefined;
  }

  /**
   * Prepares to write the checkpoint of entries that are about to be adopted.
   * @param next verified
   * @returns must be called. It passes the checkpoint to the store before it returns, and rejects as the store does: a
   * store that is exclusive writes in the order of the calls, so entries that are passed to it next need not wait.
   */
  async expect(next: NextCover): Promise<() => Promise<void>> {
    while (this.#writing) await this.#writing.catch(() => {});
    let written!: (outcome: Promise<void>) => void;
    this.#writing = new Promise<void>((resolve) => {
      written = resolve;
    }).finally(() => {
      this.#writing = undefined;
    });
    this.#writing.catch(() => {});
    this.#next = next;
    try {
      const cell = cellOf(next.checkpoint.seq);
      const change = (record: CellRecord) => this.#expecting(record, next);
      const prepared = await this.#prepared(cell, change);
      return () => {
        const writing = this.#putPrepared(cell, prepared, change);
        written(writing);
        return writing;
      };
    } catch (error) {
      written(Promise.reject(error));
      throw error;
    }
  }

  async #expecting(record: CellRecord, { checkpoint, after, entryHashes }: NextCover): Promise<CellRecord> {
    const next = { checkpoint, after, entryHashes: entryHashes.length > bounds.equivocationLinks ? [] : entryHashes };
    const before = (await this.#resolved(record, after)).reached.at(-1);
    return before ? { checkpoint: before, next } : { next };
  }

  /**
   * Resolves once this or a later checkpoint is on disk. Checkpoints that arrive during a write share the next one; a
   * checkpoint passed to `expect` needs no further write.
   * @param checkpoint verified, and of this journal. Rejects as the store does, and then tries again with the next one.
   */
  async keep(checkpoint: Checkpoint): Promise<void> {
    if (checkpoint.seq <= (this.#newest?.seq ?? 0)) return this.#writing;
    this.#newest = checkpoint;
    const expected = this.#next?.checkpoint;
    if (expected?.seq === checkpoint.seq && expected.chainHash === checkpoint.chainHash) return this.#writing;
    this.#waiting.set(cellOf(checkpoint.seq), checkpoint);
    while (this.#waiting.size > 0) {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    for (const [cell, checkpoint] of [...this.#waiting]) {
      await this.#put(cell, async (record) => {
        const { reached, next } = await this.#resolved(record, await this.journal.head());
        const newest = [...reached, checkpoint].sort((one, other) => one.seq - other.seq).at(-1)!;
        return next ? { checkpoint: newest, next } : { checkpoint: newest };
      });
      if (this.#waiting.get(cell) === checkpoint) this.#waiting.delete(cell);
    }
  }

  async #put(cell: number, change: RecordChange): Promise<void> {
    await this.#putPrepared(cell, await this.#prepared(cell, change), change);
  }

  async #prepared(cell: number, change: RecordChange): Promise<WrittenRecord> {
    const known = this.#written.get(cell);
    const revision = known?.revision ?? (await this.journal.getLocal(table, String(cell)))?.revision ?? 0;
    return { record: await change(known?.record ?? (await this.#read(cell))), revision };
  }

  /** Passes the record to the store before its first wait. */
  async #putPrepared(cell: number, prepared: WrittenRecord, change: RecordChange): Promise<void> {
    for (let { record, revision } = prepared; ; { record, revision } = await this.#prepared(cell, change)) {
      const isWritten = await this.journal.putLocal(table, String(cell), record as unknown as JsonObject, revision);
      // Only the lease holder follows feeds; a process that has just lost the lease may have written in between.
      if (!isWritten) this.#written.delete(cell);
      else {
        this.#written.set(cell, { record, revision: revision + 1 });
        break;
      }
    }
    for (const known of this.#written.keys()) if (known < cell) this.#written.delete(known);
  }

  async #read(cell: number): Promise<CellRecord> {
    return ((await this.journal.getLocal(table, String(cell)))?.value ?? {}) as CellRecord;
  }

  /** Covers of a cell whose entries are all adopted, in order, and the one that still waits for entries. */
  async #resolved(
    { checkpoint, next }: CellRecord,
    head: JournalHead,
  ): Promise<{ readonly reached: readonly Checkpoint[]; readonly next?: NextCover }> {
    const reached = checkpoint ? [checkpoint] : [];
    if (!next) return { reached };
    const here = await chainHashAt(this.journal, head, next.checkpoint.seq);
    if (here === undefined) return { reached, next };
    // With another chain hash, the journal continued without that checkpoint's entries: it covers nothing.
    return { reached: here === next.checkpoint.chainHash ? [...reached, next.checkpoint] : reached };
  }

  /** The first kept checkpoint at or after this entry; undefined if the next one is too far away. */
  async atOrAfter(seq: number): Promise<Checkpoint | undefined> {
    return (await this.#atOrAfter(seq))?.checkpoint;
  }

  async #atOrAfter(seq: number): Promise<{ readonly checkpoint: Checkpoint; readonly next?: NextCover } | undefined> {
    const head = await this.journal.head();
    const cell = cellOf(Math.max(1, seq));
    for (let at = cell; at <= cell + emptyCells; at++) {
      const { reached, next } = await this.#resolved(await this.#read(at), head);
      const waiting = this.#waiting.get(at);
      const found = [...reached, ...(waiting ? [waiting] : [])].find((each) => each.seq >= seq);
      if (found) return { checkpoint: found };
      if (next && next.checkpoint.seq >= seq) return { checkpoint: next.checkpoint, next };
    }
    return undefined;
  }

  /**
   * Proves that the home has signed another journal than this one.
   * @param other a verified checkpoint whose chain hash differs from that of this journal
   * @returns undefined if no cover is near enough
   */
  async proofAgainst(other: Checkpoint): Promise<EquivocationProof | undefined> {
    const cover = await this.#atOrAfter(other.seq);
    if (!cover) return undefined;
    const { checkpoint, next } = cover;
    if (contradicts(checkpoint, other)) return proofOfEquivocation(checkpoint, other);
    const links = await this.#links(other.seq, checkpoint.seq, next);
    const proof = links && { first: other, second: checkpoint, links };
    return proof && violationOfEquivocation(proof) === undefined ? proof : undefined;
  }

  /** @param next supplies the entry hashes beyond the journal's end */
  async #links(from: number, to: number, next: NextCover | undefined): Promise<JournalLinks | undefined> {
    if (to - from > bounds.equivocationLinks) return undefined;
    const chainHash = await chainHashAt(this.journal, await this.journal.head(), from);
    const entryHashes: string[] = [];
    while (entryHashes.length < to - from) {
      const after = from + entryHashes.length;
      const read = await this.journal.entries({ after, limit: Math.min(page, to - after) });
      const following = next?.entryHashes.slice(after - next.after.seq) ?? [];
      if (read.length === 0 && following.length !== to - after) return undefined;
      if (read.length === 0) entryHashes.push(...following);
      for (const { entryHash } of read) entryHashes.push(entryHash);
    }
    return chainHash === undefined ? undefined : { chainHash, entryHashes };
  }
}
