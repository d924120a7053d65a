/**
 * The checkpoints that cover a replica: what a fork is proven with. The newest one of each `bounds.checkpointCell` entries
 * stays, so that the entry hashes from any entry to the next cover fit in one proof.
 */
import { bounds } from '../core/bounds.js';
import type { JsonObject } from '../core/canonical.js';
import { noHash } from '../store/entry.js';
import { entryAt, type JournalHead, type Store } from '../store/store.js';
import { type Checkpoint, type EquivocationProof, type JournalLinks, proofOfEquivocation } from './checkpoint.js';

/** A home's journal as it lies here: our own, or our replica. */
export type HeldJournal = Pick<Store, 'head' | 'entries' | 'getLocal' | 'putLocal'>;

const table = 'peer-covers';
/** Entries that are read at once. */
const page = 100;
/** Cells without a cover that are passed by in search of the next one. */
const emptyCells = Math.ceil(bounds.equivocationLinks / bounds.checkpointCell);

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
  /** What is to be written, by cell. */
  readonly #waiting = new Map<number, Checkpoint>();
  readonly #revisions = new Map<number, number>();
  #newest: Checkpoint | undefined;
  #writing: Promise<void> | undefined;

  private constructor(readonly journal: HeldJournal) {}

  /** @param head number of the journal's newest entry */
  static async open(journal: HeldJournal, head: number): Promise<Covers> {
    const covers = new Covers(journal);
    for (let cell = cellOf(head); cell > 0 && cell >= cellOf(head) - emptyCells && !covers.#newest; cell--) {
      covers.#newest = await covers.#kept(cell);
    }
    return covers;
  }

  /** The newest one that was given to `keep`. */
  get newest(): Checkpoint | undefined {
    return this.#newest;
  }

  /**
   * Resolves once the checkpoint, or a later one, is on disk. Those that come meanwhile share one write.
   * @param checkpoint verified, and of this journal. Rejects as the store does, and then tries again with the next one.
   */
  async keep(checkpoint: Checkpoint): Promise<void> {
    if (checkpoint.seq <= (this.#newest?.seq ?? 0)) return this.#writing;
    this.#newest = checkpoint;
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
      const id = String(cell);
      const revision = this.#revisions.get(cell) ?? (await this.journal.getLocal(table, id))?.revision ?? 0;
      const isWritten = await this.journal.putLocal(table, id, { checkpoint } as unknown as JsonObject, revision);
      // Only one process follows; one that has just lost the lease may have written meanwhile.
      if (isWritten) this.#revisions.set(cell, revision + 1);
      else this.#revisions.delete(cell);
      if (isWritten && this.#waiting.get(cell) === checkpoint) this.#waiting.delete(cell);
      for (const known of this.#revisions.keys()) if (known < cell) this.#revisions.delete(known);
    }
  }

  /** The first kept checkpoint of this entry or a later one; undefined if the next one is too far away. */
  async atOrAfter(seq: number): Promise<Checkpoint | undefined> {
    const cell = cellOf(Math.max(1, seq));
    for (let at = cell; at <= cell + emptyCells; at++) {
      const kept = await this.#kept(at);
      if (kept && kept.seq >= seq) return kept;
    }
    return undefined;
  }

  async #kept(cell: number): Promise<Checkpoint | undefined> {
    const waiting = this.#waiting.get(cell);
    if (waiting) return waiting;
    const record = await this.journal.getLocal(table, String(cell));
    return record?.value.checkpoint as Checkpoint | undefined;
  }

  /**
   * The proof that the home has signed another journal than this one.
   * @param other a verified checkpoint whose chain hash is not that of this journal
   * @returns undefined if no cover is near enough
   */
  async proofAgainst(other: Checkpoint): Promise<EquivocationProof | undefined> {
    const cover = await this.atOrAfter(other.seq);
    if (!cover) return undefined;
    if (cover.seq === other.seq) return proofOfEquivocation(cover, other);
    const links = await this.#links(other.seq, cover.seq);
    return links && { first: other, second: cover, links };
  }

  async #links(from: number, to: number): Promise<JournalLinks | undefined> {
    if (to - from > bounds.equivocationLinks) return undefined;
    const chainHash = await chainHashAt(this.journal, await this.journal.head(), from);
    const entryHashes: string[] = [];
    while (entryHashes.length < to - from) {
      const after = from + entryHashes.length;
      const read = await this.journal.entries({ after, limit: Math.min(page, to - after) });
      if (read.length === 0) return undefined;
      for (const { entryHash } of read) entryHashes.push(entryHash);
    }
    return chainHash === undefined ? undefined : { chainHash, entryHashes };
  }
}
