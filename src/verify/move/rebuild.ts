/**
 * Rebuilds all projections, in an empty store or in place. Reads only the journal, contents and receipts of the source,
 * and verifies each entry as an audit does.
 */

import { contentsOf } from '../../actors/build-entry.js';
import { messageOf } from '../../core/error-message.js';
import { leavesIn } from '../../core/leaf.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import { definitionVersion } from '../../machines/kernel/versioning.js';
import { isIndexed, prepareSearch, searchRulesOf } from '../../projections/search-index.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { EntryName } from '../../store/store.js';
import { type Store, type StoreReader, StoreRefused } from '../../store/store.js';
import { violationOfReceipts } from '../audit.js';
import { Replay } from '../replay.js';
import { JournalCopy } from './copy.js';
import { isBeingRebuilt, type MarkStore, removeRebuildMark, setRebuildMark, whyClosed } from './mark.js';
import { copyReceipts } from './records.js';

export type RebuildSource = Pick<StoreReader, 'head' | 'entries' | 'content' | 'receipts'>;

export interface RebuildOptions {
  readonly source: RebuildSource;
  /** The target, empty except for local records. */
  readonly target: Store;
  readonly catalogue: Catalogue;
  readonly network: string;
  readonly progress?: (done: number, total: number) => void;
}

const pageSize = 500;
const advice = 'That follows from nothing else: restore a backup from before the damage';

/**
 * @throws StoreRefused if the journal, a content or a receipt is damaged
 * @returns the rules under which the search index was filled; absent if the index was built separately
 */
export async function rebuild(options: RebuildOptions): Promise<{ readonly rules?: string }> {
  const { source, target, catalogue } = options;
  const replay = await replayInto(options);
  await copyReceipts(source, target);
  if (isPresent(replay, catalogue)) return { rules: searchRulesOf(catalogue) };
  await prepareSearch(target, catalogue);
  return {};
}

export interface RebuiltInPlace extends MarkStore, Pick<Store, 'takeOver'> {
  readonly source: RebuildSource;
  /** @throws StoreRefused if another process uses it */
  beAlone(): Promise<void>;
  /** Keeps other processes from writing projections from now on. */
  stay(): void;
  /** Why the journal lacks its newest entries; undefined if it is complete. */
  lostEnd(): Promise<string | undefined>;
  repairReceipts(): Promise<void>;
  drop(): Promise<void>;
  /** Writes the projections. @param progress called with the number of the last projected entry */
  project(progress: (seq: number) => void): Promise<Store>;
}

export interface RebuildInPlaceOptions extends Omit<RebuildOptions, 'source' | 'target' | 'progress'> {
  readonly database: RebuiltInPlace;
  readonly progress?: (phase: 'check' | 'write', done: number, total: number) => void;
}

/**
 * Rebuilds the projections in the same database. From the first change until `conclude` no node can start on it. If the
 * process ends in between, the call can be repeated.
 * @throws StoreRefused, with nothing changed, if another process uses it or the journal is damaged
 * @returns `conclude`, to be called after an audit
 */
export async function rebuildInPlace(options: RebuildInPlaceOptions): Promise<{ conclude(): Promise<void> }> {
  const { database, catalogue, network, progress } = options;
  const { source } = database;
  const closed = (await isBeingRebuilt(database)) ? undefined : await whyClosed(database);
  if (closed !== undefined) throw new StoreRefused(closed);
  await database.beAlone();
  const isBegun = !(await setRebuildMark(database));
  let total = 0;
  try {
    // A node that started before the mark was written is detected here.
    await database.beAlone();
    database.stay();
    const end = isBegun ? undefined : await database.lostEnd();
    if (end !== undefined) throw new StoreRefused(`${end}. ${advice}`);
    const replay = await replayInto({
      ...{ source, target: database, catalogue, network },
      progress: (done, all) => progress?.('check', done, all),
    });
    total = replay.head.seq;
    await database.repairReceipts();
    await database.drop();
    const store = await database.project((seq) => progress?.('write', seq, total));
    try {
      if (isPresent(replay, catalogue)) await store.rebuildSearch(searchRulesOf(catalogue), nothing());
      else await prepareSearch(store, catalogue);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreRefused && !isBegun && total === 0) await removeRebuildMark(database);
    throw error;
  }
  return { conclude: async () => void (await removeRebuildMark(database)) };
}

async function* nothing(): AsyncGenerator<never> {}

interface ReplayedOptions extends Omit<RebuildOptions, 'target'> {
  readonly target: Pick<Store, 'takeOver'>;
  /** Entries up to this number are in the target already; default: 0. */
  readonly from?: number;
}

/**
 * Verifies the journal, its contents and receipts, and passes the entries to the target.
 * @throws StoreRefused if one is damaged
 */
export async function replayInto(options: ReplayedOptions): Promise<Replay> {
  const { source, target, catalogue, network, progress, from = 0 } = options;
  const replay = new Replay(catalogue, network);
  const brought = new Brought(catalogue, replay);
  const content = (hash: string) => source.content(hash);
  const copy = new JournalCopy({ content, contentsOf: brought.of }, target, catalogue, from);
  const { seq: total } = await source.head();
  for (let isMore = true; isMore; ) {
    const page = await source.entries({ after: replay.head.seq, limit: pageSize });
    for (const entry of page) {
      const flaw = violationOf(entry, replay);
      if (flaw !== undefined) throw new StoreRefused(`entry ${replay.head.seq + 1} is damaged: ${flaw}. ${advice}`);
      brought.saw(entry);
      copy.saw(entry, replay);
    }
    await copy.pause();
    progress?.(replay.head.seq, total);
    isMore = page.length === pageSize;
  }
  const flaw = await violationOfReceipts(source);
  if (flaw !== undefined) throw new StoreRefused(`${flaw}. ${advice}`);
  return replay;
}

/** Whether all searched resources are of the current version, so that the index follows this program's rules. */
const isPresent = (replay: Replay, catalogue: Catalogue): boolean =>
  [...replay.resources()].every(({ kind, machine }) => {
    const definition = catalogue.definitions[kind];
    return !isIndexed(definition) || definitionVersion(definition!) === machine;
  });

function violationOf(entry: NumberedEntry, replay: Replay): string | undefined {
  try {
    return replay.apply(entry);
  } catch (error) {
    return messageOf(error);
  }
}

/** Finds the contents that each entry was the first to name. */
class Brought {
  readonly #known = new Set<string>();
  #ofEntry = new Map<string, readonly string[]>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly replay: Replay,
  ) {}

  saw({ core, entryHash, payload }: NumberedEntry): void {
    const named = core.versions.flatMap(({ kind, id }) =>
      contentsOf(this.catalogue.definitions[kind], this.replay.resource(kind, id)!.context),
    );
    const fresh = [...named, ...leavesIn(payload.input)].filter((hash) => !this.#known.has(hash));
    for (const hash of fresh) this.#known.add(hash);
    if (fresh.length > 0) this.#ofEntry.set(entryHash, [...new Set(fresh)]);
  }

  /** Call once per entry. */
  readonly of = async (entries: readonly EntryName[]): Promise<{ entry: string; hash: string }[]> => {
    const found = entries.flatMap(({ entryHash: entry }) =>
      (this.#ofEntry.get(entry) ?? []).map((hash) => ({ entry, hash })),
    );
    this.#ofEntry = new Map();
    return found;
  };
}
