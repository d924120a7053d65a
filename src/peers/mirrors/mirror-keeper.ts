/**
 * What this node keeps as a mirror of the homes that its operator has named: encrypted pieces, as files in a folder for each
 * home (docs/reference/mirrors.md#at-the-mirror). It can't read them.
 */
import { opendir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mirrorBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { peerIdOf } from '../../core/codecs/peer-id.js';
import { makeFolder, replaceFile, syncFolder, unlessMissing } from '../../core/durable-file.js';
import type { Environment } from '../../core/environment.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import { putNewest } from '../../store/local-record.js';
import type { Store } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import { isOfJournal, isPieceName, type SealedPiece } from './piece.js';

/** Records of the homes that the operator has named. */
const table = 'mirrored-homes';

export interface MirrorKeeperOptions {
  readonly store: Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal' | 'listLocal'>;
  readonly dir: string;
  readonly world: Environment;
  /** False while the disk has no room for pieces of others. */
  readonly hasRoom: () => boolean;
  /** Default: `mirrorBounds`. */
  readonly most?: { readonly bytesPerHome: number; readonly pieces: number };
}

/** Why a change was not made, and the status that says so. */
export interface ChangeRefusal {
  /** 403: the home is not kept; 429: too many of its changes wait; 507: there is no room. */
  readonly status: 403 | 429 | 507;
  readonly why: string;
}

/** A home's folder. */
interface KeptHome {
  /** Bytes of its pieces, counted as the bound does, and how many of them are of the journal. */
  bytes: number;
  pieces: number;
  /** Bytes that it may have written, and how often its pieces are listed. */
  readonly budget: Allowance;
  readonly lists: Allowance;
  /** Tail of its queue: its changes run one at a time; and how many are in it. */
  turn: Promise<unknown>;
  queued: number;
  /** Whether the folder is counted, or a write has failed since. */
  isCounted: boolean;
}

/** Segments and tail, and the rest. */
const folders = { journal: 'journal', contents: 'contents' } as const;
const folderOf = (name: string): string => (isOfJournal(name) ? folders.journal : folders.contents);
const counted = (bytes: number): number => bytes + mirrorBounds.pieceOverheadBytes;

export class MirrorKeeper {
  readonly #homes = new Map<Did, KeptHome>();
  readonly #most: { readonly bytesPerHome: number; readonly pieces: number };

  private constructor(private readonly options: MirrorKeeperOptions) {
    this.#most = options.most ?? mirrorBounds;
  }

  static async open(options: MirrorKeeperOptions): Promise<MirrorKeeper> {
    const keeper = new MirrorKeeper(options);
    for (const { id } of await options.store.listLocal(table)) void keeper.#admit(id as Did);
    return keeper;
  }

  /** @returns resolves when the folder is there and its pieces are counted */
  #admit(home: Did): Promise<unknown> {
    const { bytesPerHome } = this.#most;
    const budget = new Allowance(this.options.world, bytesPerHome / 86_400, bytesPerHome);
    const lists = new Allowance(this.options.world, mirrorBounds.listsPerSecond, mirrorBounds.listsBurst);
    const kept = {
      bytes: 0,
      pieces: 0,
      budget,
      lists,
      turn: Promise.resolve() as Promise<unknown>,
      queued: 0,
      isCounted: false,
    };
    kept.turn = this.#count(home, kept).catch(() => {});
    this.#homes.set(home, kept);
    return kept.turn;
  }

  keeps(home: Did): boolean {
    return this.#homes.has(home);
  }

  /** What is kept of a home, bytes; undefined if the operator has not named it. */
  bytesOf(home: Did): number | undefined {
    return this.#homes.get(home)?.bytes;
  }

  /** Keeps a home's pieces from now on. Durable when it resolves. */
  async add(home: Did): Promise<Refusal | undefined> {
    if (this.#homes.has(home)) return undefined;
    const { homes } = mirrorBounds;
    if (this.#homes.size >= homes) {
      return refuse('CONFLICT', `the node keeps the journals of ${homes} homes already, which is the most`);
    }
    await putNewest(this.options.store, table, home, {});
    await this.#admit(home);
    return undefined;
  }

  /** Deletes a home's pieces, and takes none any more. */
  async remove(home: Did): Promise<Refusal | undefined> {
    const kept = this.#homes.get(home);
    if (!kept) return refuse('NOT_FOUND', `the node does not keep the journal of ${home}`);
    this.#homes.delete(home);
    await kept.turn;
    try {
      await rm(this.#pathOf(home), { recursive: true, force: true });
      // The record comes last: without it no start would know of the pieces.
      await this.options.store.deleteLocal(table, home);
    } catch (error) {
      void this.#admit(home);
      throw error;
    }
    return undefined;
  }

  /**
   * Keeps pieces and deletes others; durable when it resolves. A piece of the same name is replaced.
   * No name occurs twice in `pieces` and `drops`.
   * @returns why nothing was kept or deleted
   */
  change(home: Did, pieces: readonly SealedPiece[], drops: readonly string[]): Promise<ChangeRefusal | undefined> {
    const kept = this.#homes.get(home);
    const why = 'it does not keep this home: its operator runs svc-node peers keep';
    if (!kept) return Promise.resolve({ status: 403, why });
    if (kept.queued >= mirrorBounds.queuedChanges) return Promise.resolve({ status: 429, why: 'it is busy' });
    kept.queued++;
    const done = kept.turn.then(async () => {
      try {
        if (!kept.isCounted) await this.#count(home, kept);
        return await this.#change(home, kept, { pieces, drops });
      } catch (error) {
        kept.isCounted = false;
        throw error;
      } finally {
        kept.queued--;
      }
    });
    kept.turn = done.catch(() => {});
    return done;
  }

  async #change(
    home: Did,
    kept: KeptHome,
    { pieces, drops }: { readonly pieces: readonly SealedPiece[]; readonly drops: readonly string[] },
  ): Promise<ChangeRefusal | undefined> {
    const sum = pieces.reduce((all, { bytes }) => all + counted(bytes.length), 0);
    const [before, freed] = await Promise.all([
      this.#sizeOfAll(
        home,
        pieces.map(({ name }) => name),
      ),
      this.#sizeOfAll(home, drops),
    ]);
    const more = sum - before.bytes;
    const fresh = pieces.filter(({ name }) => isOfJournal(name)).length - before.pieces;
    if (pieces.length > 0) {
      const isFull =
        kept.bytes + more - freed.bytes > this.#most.bytesPerHome ||
        kept.pieces + fresh - freed.pieces > this.#most.pieces;
      if (isFull || !this.options.hasRoom()) return { status: 507, why: 'it has no room for more of this home' };
      if (!kept.budget.take(sum)) return { status: 507, why: 'this home has sent it as much as it takes in a day' };
    }
    kept.bytes += more;
    kept.pieces += fresh;
    // The entries come last: they rely on the contents, and on what was deleted.
    for (const isJournal of [false, true]) {
      const folder = join(this.#pathOf(home), isJournal ? folders.journal : folders.contents);
      const written = pieces.filter(({ name }) => isOfJournal(name) === isJournal);
      await allOf(written.map(({ name, bytes }) => replaceFile(join(folder, name), bytes)));
      // Before what the written ones replace is deleted.
      if (written.length > 0) await syncFolder(folder);
      const dropped = drops.filter((name) => isOfJournal(name) === isJournal);
      for (const name of dropped) await this.#drop(home, kept, name);
      if (dropped.length > 0) await syncFolder(folder);
    }
    return undefined;
  }

  /** What is there of these pieces: bytes as the bound counts them, and how many of the journal. */
  async #sizeOfAll(home: Did, names: readonly string[]): Promise<{ readonly bytes: number; readonly pieces: number }> {
    const found = { bytes: 0, pieces: 0 };
    const sizes = await Promise.all(names.map((name) => this.#sizeOf(home, name)));
    for (const [index, bytes] of sizes.entries()) {
      if (bytes === undefined) continue;
      found.bytes += counted(bytes);
      if (isOfJournal(names[index]!)) found.pieces++;
    }
    return found;
  }

  async #drop(home: Did, kept: KeptHome, name: string): Promise<void> {
    const bytes = await this.#sizeOf(home, name);
    if (bytes === undefined) return;
    await rm(this.#fileOf(home, name), { force: true });
    kept.bytes -= counted(bytes);
    if (isOfJournal(name)) kept.pieces--;
  }

  /** Undefined for a piece that is not there. */
  async read(home: Did, name: string): Promise<Uint8Array | undefined> {
    return this.keeps(home) ? unlessMissing(readFile(this.#fileOf(home, name))) : undefined;
  }

  /** Names of the journal's pieces, in order; undefined if they were asked for too often. */
  async names(home: Did): Promise<readonly string[] | undefined> {
    const kept = this.#homes.get(home);
    if (!kept) return [];
    if (!kept.lists.take()) return undefined;
    const found = await unlessMissing(readdir(join(this.#pathOf(home), folders.journal)));
    return (found ?? []).filter(isPieceName).sort();
  }

  #sizeOf = async (home: Did, name: string): Promise<number | undefined> =>
    (await unlessMissing(stat(this.#fileOf(home, name))))?.size;

  #pathOf = (home: Did): string => join(this.options.dir, peerIdOf(home));

  #fileOf = (home: Did, name: string): string => join(this.#pathOf(home), folderOf(name), name);

  async #count(home: Did, kept: KeptHome): Promise<void> {
    kept.bytes = 0;
    kept.pieces = 0;
    const path = this.#pathOf(home);
    for (const each of Object.values(folders)) {
      const folder = join(path, each);
      if (makeFolder(folder) !== undefined) for (const above of [path, this.options.dir]) await syncFolder(above);
      for await (const { name } of await opendir(folder)) {
        const file = join(folder, name);
        // What a crash has left half-written.
        if (!isPieceName(name)) await rm(file, { force: true });
        else {
          kept.bytes += counted((await stat(file)).size);
          if (isOfJournal(name)) kept.pieces++;
        }
      }
    }
    kept.isCounted = true;
  }
}

/** Waits for all, then rejects as the first one that has failed. */
async function allOf(work: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}
