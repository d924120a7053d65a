/**
 * Takes the entries that a restored backup lacks back from the mirrors (docs/reference/mirrors.md#restores). Every piece is
 * authenticated with the home's key: a mirror that returns anything else is named in the log, and another one is asked.
 */
import { mirrorBounds } from '../../core/bounds.js';
import { sha256Hex } from '../../core/canonical.js';
import { type Environment, pause } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import { leafKind } from '../../machines/leaf/leaf.js';
import type { NumberedEntry } from '../../store/entry.js';
import { putNewest } from '../../store/local-record.js';
import { type JournalHead, mirroredErasuresTable, type Store, StoreRefused } from '../../store/store.js';
import { removeRestoreMark, setRestoreMark } from '../../verify/move/mark.js';
import { type RebuildSource, replayInto } from '../../verify/move/rebuild.js';
import type { MirrorLink } from './mirror-requests.js';
import { entriesIn, erasureIn, isOfJournal, type JournalPiece, type PieceCipher } from './piece.js';

export interface MirrorRestore {
  /** The own store, before anything else is written to it. */
  readonly store: Store;
  readonly cipher: PieceCipher;
  readonly mirrors: readonly MirrorLink[];
  readonly catalogue: Catalogue;
  readonly network: string;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
}

/**
 * Every entry is executed again, also those of the store. From the first change on, only a restore to the same entry can use
 * the store.
 * @param until an entry that a peer or a mirror has shown of this journal
 * @throws StoreRefused if the mirrors do not lead there, or lack a content
 */
export async function restoreFromMirrors(options: MirrorRestore, until: JournalHead): Promise<void> {
  const { store, catalogue, network } = options;
  const source = await MirroredJournal.open(options, until);
  await setRestoreMark(store, until);
  await replayInto({ source, target: store, catalogue, network, from: source.local.seq });
  await removeRestoreMark(store);
}

/** Entries `from` to `to` are taken from this piece. */
interface ChosenPiece {
  readonly name: string;
  readonly from: number;
  readonly to: JournalHead;
}

/** The journal of this home: the entries that the own store has, and behind them those of chosen pieces. */
class MirroredJournal implements RebuildSource {
  /** The pieces, in order. The name of each has its chain hash, so that a second reading finds the same entries. */
  readonly #chosen: ChosenPiece[] = [];
  /** Names of pieces that could be read when they were chosen, and later not. */
  readonly #withheld = new Set<string>();
  /** What each mirror says it has of the journal, by name. */
  readonly #lists = new Map<MirrorLink, ReadonlyMap<string, JournalPiece>>();
  /** Hashes of the texts that the missing entries erase. */
  readonly #erased = new Set<string>();
  /** The piece that was read last, of which the next page may need the rest. */
  #last: { readonly name: string; readonly entries: readonly NumberedEntry[] } | undefined;
  /** How long it still waits for mirrors that do not answer. */
  #patienceMs: number = mirrorBounds.patienceMs;
  /** How long each mirror took to answer last, ms. */
  readonly #took = new Map<MirrorLink, number>();

  private constructor(
    private readonly options: MirrorRestore,
    /** The end of the own store's entries. */
    readonly local: JournalHead,
    private readonly until: JournalHead,
  ) {}

  /** Reads all missing entries once, from the last one backwards: each names the one before it. */
  static async open(options: MirrorRestore, until: JournalHead): Promise<MirroredJournal> {
    const journal = new MirroredJournal(options, await options.store.head(), until);
    await journal.#list();
    const { seq, chainHash } = journal.local;
    const before = await journal.#choose(0, { from: seq + 1, to: until });
    if (before.seq !== seq || before.chainHash !== chainHash) {
      throw new StoreRefused(
        `the journal that the peers know is another one than that of this node from entry ${seq} on`,
      );
    }
    return journal;
  }

  /** Asks each peer what it says it has. */
  async #list(): Promise<void> {
    const { mirrors } = this.options;
    const lists = await Promise.all(mirrors.map((mirror) => this.#asked(mirror, () => mirror.pieces())));
    for (const [index, pieces = []] of lists.entries()) {
      if (pieces.length === 0 || this.#lists.size === mirrorBounds.mirrors) continue;
      this.#lists.set(mirrors[index]!, new Map(pieces.map((piece) => [piece.name, piece])));
    }
  }

  /**
   * Chooses pieces with these entries, and puts them at this place of the list.
   * @returns the end of what is before them
   */
  async #choose(place: number, { from, to }: Omit<ChosenPiece, 'name'>): Promise<JournalHead> {
    let next = to;
    while (next.seq >= from) {
      const found = await this.#pieceWith(next);
      if (!found) throw missing(next.seq);
      const entries = found.entries.filter(({ seq }) => seq >= from && seq <= next.seq);
      for (const { payload } of entries) if (payload.kind === leafKind) this.#erased.add(payload.id);
      const [first] = entries as [NumberedEntry];
      this.#chosen.splice(place, 0, { name: found.name, from: first.seq, to: next });
      next = { seq: first.seq - 1, chainHash: first.prevEntry };
    }
    return next;
  }

  /** The longest piece that a mirror has whole with this entry. */
  async #pieceWith(
    end: JournalHead,
  ): Promise<{ readonly name: string; readonly entries: readonly NumberedEntry[] } | undefined> {
    // An honest list has few pieces with one entry. Without the bound, one with many false names would hold up the restore.
    const candidates = [...this.#lists.values()].flatMap((pieces) =>
      [...pieces.values()]
        .filter(({ name, first, last }) => first <= end.seq && end.seq <= last && !this.#withheld.has(name))
        .sort((one, other) => one.first - other.first)
        .slice(0, mirrorBounds.candidates),
    );
    for (const name of new Set(candidates.map((each) => each.name))) {
      const entries = await this.#entriesOf(name);
      if (entries?.some(({ seq, chainHash }) => seq === end.seq && chainHash === end.chainHash))
        return { name, entries };
    }
    return undefined;
  }

  head = async (): Promise<JournalHead> => this.until;

  receipts: RebuildSource['receipts'] = (after, limit) => this.options.store.receipts(after, limit);

  /** Whole pages, as a rebuild reads them. */
  async entries({ after, limit }: { readonly after: number; readonly limit: number }): Promise<NumberedEntry[]> {
    const { store } = this.options;
    const own = Math.min(limit, this.local.seq - after);
    const found = own > 0 ? [...(await store.entries({ after, limit: own }))] : [];
    for (let place = 0; place < this.#chosen.length && found.length < limit; place++) {
      const piece = this.#chosen[place]!;
      const { name, from, to } = piece;
      if (to.seq <= after) continue;
      const entries = await this.#entriesOf(name);
      if (entries) found.push(...entries.filter(({ seq }) => seq >= from && seq <= to.seq && seq > after));
      else {
        this.#withheld.add(name);
        this.#chosen.splice(place, 1);
        await this.#choose(place--, piece);
      }
    }
    return found.slice(0, limit);
  }

  async #entriesOf(name: string): Promise<readonly NumberedEntry[] | undefined> {
    if (this.#last?.name === name) return this.#last.entries;
    const bytes = await this.#read(name);
    if (!bytes) return undefined;
    this.#last = { name, entries: entriesIn(bytes) };
    return this.#last.entries;
  }

  /**
   * Records the erasure of a text that no entry erases: the start erases it again.
   * @throws StoreRefused if no mirror has it or its erasure, and no entry erases it
   */
  async content(hash: string): Promise<Uint8Array | undefined> {
    const { store, cipher } = this.options;
    if (this.#erased.has(hash)) return undefined;
    const own = await store.content(hash);
    const read = own ? undefined : await this.#read(cipher.contentPiece(hash));
    const bytes = own ?? read;
    if (bytes && sha256Hex(bytes) === hash) return bytes;
    if (!read) throw new StoreRefused(`no mirror in reach has the text or content ${hash} whole`);
    await putNewest(store, mirroredErasuresTable, hash, erasureIn(read));
    return undefined;
  }

  /**
   * A piece from the first mirror that has it whole. A mirror that was slow, or did not answer, is asked last. If none has
   * it, those that did not answer are asked again.
   */
  async #read(name: string): Promise<Buffer | undefined> {
    const { log, world } = this.options;
    const tookMs = (mirror: MirrorLink) => this.#took.get(mirror) ?? 0;
    let holders = [...this.#lists.keys()].filter((mirror) => !isOfJournal(name) || this.#lists.get(mirror)!.has(name));
    let pauseMs: number = mirrorBounds.retryFirstMs;
    while (holders.length > 0) {
      const begun = world.monotonic();
      const silent: MirrorLink[] = [];
      for (const mirror of holders.sort((one, other) => tookMs(one) - tookMs(other))) {
        const read = await this.#asked(mirror, () => mirror.read(name));
        if (read instanceof Buffer) return read;
        if (read === undefined) silent.push(mirror);
        else log('a mirror does not return a piece of this journal', { mirror: mirror.did, piece: name, what: read });
      }
      this.#patienceMs -= world.monotonic() - begun + pauseMs;
      if (silent.length === 0 || this.#patienceMs < 0) return undefined;
      await pause(world, pauseMs);
      pauseMs *= 2;
      holders = silent;
    }
    return undefined;
  }

  /** Undefined if the mirror does not answer. */
  async #asked<T>(mirror: MirrorLink, ask: () => Promise<T>): Promise<T | undefined> {
    const { world, log } = this.options;
    const begun = world.monotonic();
    try {
      const answer = await ask();
      this.#took.set(mirror, world.monotonic() - begun);
      return answer;
    } catch (error) {
      this.#took.set(mirror, Number.POSITIVE_INFINITY);
      log('a mirror does not answer', { mirror: mirror.did, error: messageOf(error) });
      return undefined;
    }
  }
}

const missing = (seq: number): StoreRefused => new StoreRefused(`no mirror in reach has entry ${seq} whole`);
