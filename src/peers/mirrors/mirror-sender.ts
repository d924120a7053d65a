/**
 * Sends this home's journal to one mirror: what is new as a piece of the tail, and a segment in place of the tail when there
 * is enough of it (docs/reference/mirrors.md#pieces). Begins where the mirror's own list of pieces ends, so that what it has
 * lost is noticed and sent again.
 */
import { mirrorBounds } from '../../core/bounds.js';
import { type Environment, pauseUnless } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { Feed } from '../../core/feed.js';
import { leavesIn } from '../../core/leaf.js';
import { type ErasureInput, leafKind } from '../../machines/leaf/leaf.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { Store } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import { chainHashAt } from '../known-heads.js';
import { PeerError } from '../transport/transport.js';
import type { MirrorLink } from './mirror-requests.js';
import {
  entriesIn,
  erasurePlaintext,
  isOfJournal,
  type JournalPiece,
  journalPieceName,
  linesOf,
  type PieceCipher,
  type SealedPiece,
} from './piece.js';

export interface MirrorSenderOptions {
  readonly link: MirrorLink;
  readonly cipher: PieceCipher;
  /** The own store. */
  readonly store: Pick<Store, 'entries' | 'contentsOf' | 'content' | 'load'>;
  /** Notifies when the journal grows; its head is on disk. */
  readonly feed: Feed;
  readonly world: Environment;
  /** Whether entries of this time belong to a journal against which the operator has decided. Epoch ms. */
  readonly isDecided: (time: number) => boolean;
  /** Called when the mirror has entries of this home that are not in the own journal. */
  readonly onOther: (what: 'ahead' | 'fork', seq: number) => void;
  /** Called when the mirror has more. */
  readonly onMirrored: () => void;
  readonly log: (message: string, detail: object) => void;
}

/** How far a mirror has the journal. */
interface MirrorCursor {
  /** The last entry of the segments. */
  readonly segments: number;
  /** The last entry of all. */
  readonly sent: number;
  /** Its pieces that lead there, in order. */
  readonly pieces: readonly JournalPiece[];
}

/** Of an addition and a deletion of one piece, the later one counts. */
const emptyMessage = () => ({ pieces: new Map<string, SealedPiece>(), drops: new Set<string>(), bytes: 0 });

export class MirrorSender {
  #cursor: MirrorCursor | undefined;
  #mirrored: number | undefined;
  #error: string | undefined;
  /** The names of its pieces that are of the own journal. */
  #known = new Set<string>();
  /** An entry that it did not return when it was checked. */
  #failed: number | undefined;
  /** The contents of entries behind this one are sent again. */
  #resent = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  readonly #closing = new AbortController();
  /** Ends the wait for new entries. */
  #wake = new AbortController();
  /** Monotonic ms. */
  #nextCheck = Number.NEGATIVE_INFINITY;
  #message = emptyMessage();
  readonly #checks: Allowance;

  constructor(private readonly options: MirrorSenderOptions) {
    this.#checks = new Allowance(options.world, mirrorBounds.checksPerSecond, 1);
  }

  /**
   * The last entry that is on the mirror's disk, as it has said last; undefined before it has answered, and while what it
   * says does not count, because it has failed a check.
   */
  get mirrored(): number | undefined {
    return this.#failed === undefined ? this.#mirrored : undefined;
  }

  /** What is wrong with the mirror, as the end of a sentence; undefined if nothing is. */
  get problem(): string | undefined {
    if (this.#error !== undefined) return `does not take this journal: ${this.#error}`;
    return this.#failed === undefined
      ? undefined
      : `did not return entry ${this.#failed} as it was given, and counts again once it does`;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Call when the mirror has connected to this node: it may have been started again, with another disk. */
  connected(): void {
    if (!this.#checks.take()) return;
    this.#nextCheck = Number.NEGATIVE_INFINITY;
    this.#wake.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake.abort();
    this.options.link.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { feed, world, log, link } = this.options;
    const { signal } = this.#closing;
    let retryMs: number = mirrorBounds.retryFirstMs;
    while (!signal.aborted) {
      try {
        if (!this.#cursor || world.monotonic() >= this.#nextCheck) await this.#check();
        else if (this.#cursor.sent < feed.head) await this.#sendAfter(this.#cursor);
        else if (this.#resent < this.#cursor.sent) await this.#sendContentsAgain(this.#cursor.sent);
        else await this.#grown(this.#cursor.sent);
        this.#error = undefined;
        retryMs = mirrorBounds.retryFirstMs;
      } catch (error) {
        if (signal.aborted) return;
        const why = messageOf(error);
        if (why !== this.#error) log('a mirror does not take this journal', { mirror: link.did, error: why });
        this.#error = why;
        this.#cursor = undefined;
        this.#message = emptyMessage();
        const isFull = error instanceof PeerError && error.status === 507;
        await pauseUnless(signal, world, isFull ? mirrorBounds.checkMs : retryMs);
        retryMs = Math.min(2 * retryMs, mirrorBounds.retryLongestMs);
      }
    }
  }

  /** Waits until the journal has grown, or a check is due. */
  async #grown(seq: number): Promise<void> {
    const { feed, world } = this.options;
    this.#wake = new AbortController();
    const restMs = this.#nextCheck - world.monotonic();
    if (restMs <= 0 || this.#closing.signal.aborted) return;
    const timer = world.after(restMs, () => this.#wake.abort());
    await feed.beyond(seq, this.#wake.signal);
    timer.cancel();
  }

  async #check(): Promise<void> {
    const { world, link } = this.options;
    this.#nextCheck = world.monotonic() + mirrorBounds.checkMs;
    // Says whether it keeps this home: to a large message it would close the connection instead.
    await link.change([], []);
    const cursor = await this.#survey();
    const isWhole = await this.#readBack(cursor);
    if (this.#failed !== undefined) {
      this.#nextCheck = Math.min(this.#nextCheck, world.monotonic() + mirrorBounds.retryLongestMs);
    }
    this.#reached(isWhole ? cursor : await this.#survey());
  }

  #reached(cursor: MirrorCursor): void {
    this.#cursor = cursor;
    this.#mirrored = cursor.sent;
    this.options.onMirrored();
  }

  /** How far the mirror's pieces lead from the first entry. */
  async #survey(): Promise<MirrorCursor> {
    const { link, store, log } = this.options;
    const pieces = await link.pieces();
    const known = new Set<string>();
    let cursor: MirrorCursor = { segments: 0, sent: 0, pieces: [] };
    let isForked = false;
    for (const piece of pieces) {
      const { name, isSegment, first, last, chainHash } = piece;
      if (!this.#known.has(name) && (await chainHashAt(store, last)) !== chainHash) {
        isForked = await this.#dropOther(piece, isForked);
        continue;
      }
      known.add(name);
      if (last <= cursor.sent) await this.#drop(name);
      else if (first <= cursor.sent + 1) {
        const segments = isSegment ? last : cursor.segments;
        cursor = { segments, sent: last, pieces: [...cursor.pieces, piece] };
      }
    }
    this.#known = known;
    await this.#flush();
    if (cursor.sent < (this.#mirrored ?? 0)) {
      log('a mirror has lost pieces of this journal: they are sent again', { mirror: link.did, after: cursor.sent });
    }
    return cursor;
  }

  /**
   * Deletes a piece with entries that are not in the own journal, unless that may be the right one.
   * @param isForked whether a piece of the mirror contradicts the own journal, and one behind it belongs to that as well
   * @returns the same, with this piece
   */
  async #dropOther({ name, last: end }: JournalPiece, isForked: boolean): Promise<boolean> {
    const { link, store, feed, onOther, isDecided } = this.options;
    const read = await link.read(name);
    if (typeof read === 'string' && end > feed.head) throw new OtherJournal(`its piece up to entry ${end}: ${read}`);
    const entries = typeof read === 'string' ? [] : entriesIn(read);
    const shared = entries.findLast(({ seq }) => seq <= feed.head);
    const isFork = shared ? (await chainHashAt(store, shared.seq)) !== shared.chainHash : isForked;
    const last = entries.at(-1);
    if (last && !(isFork && isDecided(last.core.time))) {
      onOther(isFork ? 'fork' : 'ahead', last.seq);
      throw new OtherJournal(`it has entry ${last.seq} of this home, which is not in this journal`);
    }
    await this.#drop(name);
    return isFork;
  }

  /**
   * Reads the piece of an entry chosen at random, or of the one that failed last, and its contents. The home keeps no
   * ciphertext to compare with: that a piece opens proves that the mirror has it.
   * @returns false if a piece of the journal was not as it was given, and was deleted
   */
  async #readBack({ sent, pieces }: MirrorCursor): Promise<boolean> {
    if (sent === 0) return true;
    const { store, cipher, world, link, log } = this.options;
    const seq = Math.min(sent, this.#failed ?? 1 + (Buffer.from(world.random(4)).readUInt32BE() % sent));
    const entries = await store.entries({ after: seq - 1, limit: 1 });
    const names = pieces.filter(({ first, last }) => first <= seq && seq <= last).map(({ name }) => name);
    for (const { hash } of await store.contentsOf(entries)) {
      if (await store.content(hash)) names.push(cipher.contentPiece(hash));
    }
    const bad: string[] = [];
    for (const name of names) {
      const read = await link.read(name);
      if (typeof read !== 'string') continue;
      log('a mirror does not return a piece of this journal: it is sent again', {
        ...{ mirror: link.did, piece: name, what: read },
      });
      bad.push(name);
    }
    for (const name of bad.filter(isOfJournal)) await this.#drop(name);
    if (bad.some((name) => !isOfJournal(name))) {
      await this.#addContents(entries);
      // It may have lost others: its list doesn't name contents.
      if (this.#resent >= sent) this.#resent = 0;
    }
    await this.#flush();
    this.#failed = bad.length > 0 ? seq : undefined;
    return !bad.some(isOfJournal);
  }

  async #sendAfter({ segments, sent, pieces }: MirrorCursor): Promise<void> {
    const { store, cipher, feed } = this.options;
    const { pieceEntries, pieceCharacters, tailPieces } = mirrorBounds;
    const tail = pieces.filter(({ isSegment }) => !isSegment);
    const after = tail.length >= tailPieces || feed.head - segments >= pieceEntries ? segments : sent;
    const limit = Math.min(pieceEntries, feed.head - after);
    const entries = await store.entries({ after, limit, characters: pieceCharacters });
    const end = entries.at(-1)!;
    // A segment is never replaced, so it is full.
    const isSegment = after === segments && (entries.length === pieceEntries || end.seq < feed.head);
    await this.#addContents(entries.filter(({ seq }) => seq > sent));
    const name = journalPieceName(isSegment, after + 1, end);
    await this.#add(await cipher.seal(name, linesOf(entries)));
    const replaced = after === segments ? tail.filter(({ last }) => last <= end.seq) : [];
    for (const piece of replaced) await this.#drop(piece.name);
    await this.#flush();
    const { seq: last, chainHash } = end;
    this.#known.add(name);
    this.#reached({
      segments: isSegment ? last : segments,
      sent: Math.max(sent, last),
      pieces: [
        ...pieces.filter((piece) => !replaced.includes(piece)),
        { name, isSegment, first: after + 1, last, chainHash },
      ],
    });
  }

  async #sendContentsAgain(sent: number): Promise<void> {
    const { pieceEntries, pieceCharacters: characters } = mirrorBounds;
    // A text is deleted with the entry that erases it, so none beyond what was sent is read.
    const limit = Math.min(pieceEntries, sent - this.#resent);
    const entries = await this.options.store.entries({ after: this.#resent, limit, characters });
    await this.#addContents(entries);
    await this.#flush();
    this.#resent = entries.at(-1)!.seq;
  }

  /** Adds what the entries brought, and what they erase. */
  async #addContents(entries: readonly NumberedEntry[]): Promise<void> {
    const { store, cipher } = this.options;
    const named = entries.flatMap(({ payload: { kind, id, input } }) => [
      ...leavesIn(input),
      ...(kind === leafKind ? [id] : []),
    ]);
    for (const hash of new Set([...named, ...(await store.contentsOf(entries)).map((each) => each.hash)])) {
      const bytes = (await store.content(hash)) ?? (await this.#erasureOf(hash));
      if (bytes) await this.#add(await cipher.seal(cipher.contentPiece(hash), bytes));
    }
  }

  /**
   * What takes the place of a text. The mirror has it before the entry that erases the text, which it may never get: a
   * restore then knows why there is no text.
   */
  async #erasureOf(hash: string): Promise<Uint8Array | undefined> {
    const erased = await this.options.store.load(leafKind, hash);
    return erased && erasurePlaintext(erased.context as ErasureInput);
  }

  async #add(piece: SealedPiece): Promise<void> {
    if (this.#message.bytes + piece.bytes.length > mirrorBounds.gatherBytes) await this.#flush();
    this.#message.drops.delete(piece.name);
    this.#message.pieces.set(piece.name, piece);
    this.#message.bytes += piece.bytes.length;
    if (this.#message.pieces.size >= mirrorBounds.messagePieces) await this.#flush();
  }

  async #drop(piece: string): Promise<void> {
    this.#message.pieces.delete(piece);
    this.#message.drops.add(piece);
    if (this.#message.drops.size >= mirrorBounds.messagePieces) await this.#flush();
  }

  async #flush(): Promise<void> {
    const { pieces, drops } = this.#message;
    this.#message = emptyMessage();
    if (pieces.size === 0 && drops.size === 0) return;
    await this.options.link.change([...pieces.values()], [...drops]);
  }
}

/** The mirror gets nothing before the operator has decided between the two. */
class OtherJournal extends Error {
  override name = 'OtherJournal';
}
