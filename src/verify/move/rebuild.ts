/**
 * Rebuilds all projections in an empty store. Reads only the journal, contents and receipts of the source, and
 * verifies each entry as an audit does.
 */

import { contentsOf } from '../../actors/build-entry.js';
import { messageOf } from '../../core/error-message.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import { definitionVersion } from '../../machines/kernel/versioning.js';
import { isIndexed, prepareSearch, rulesOf } from '../../projections/search-index.js';
import type { NumberedEntry } from '../../store/entry.js';
import { type Store, type StoreReader, StoreRefused } from '../../store/store.js';
import { flawOfReceipts } from '../audit.js';
import { Replay } from '../replay.js';
import { JournalCopy } from './copy.js';
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
 * @throws StoreRefused where the journal, a content or a receipt is damaged
 * @returns the rules under which the search index was filled; absent where the index was built separately and has its
 * rules
 */
export async function rebuild(options: RebuildOptions): Promise<{ readonly rules?: string }> {
  const { source, target, catalogue, network, progress } = options;
  const replay = new Replay(catalogue, network);
  const brought = new Brought(catalogue, replay);
  const content = (hash: string) => source.content(hash);
  const copy = new JournalCopy({ content, contentsOf: brought.of }, target, catalogue, 0);
  const { seq: total } = await source.head();
  for (let isMore = true; isMore; ) {
    const page = await source.entries({ after: replay.head.seq, limit: pageSize });
    for (const entry of page) {
      const flaw = flawOf(entry, replay);
      if (flaw !== undefined) throw new StoreRefused(`entry ${replay.head.seq + 1} is damaged: ${flaw}. ${advice}`);
      brought.saw(entry);
      copy.saw(entry, replay);
    }
    await copy.pause();
    progress?.(replay.head.seq, total);
    isMore = page.length === pageSize;
  }
  const flaw = await flawOfReceipts(source);
  if (flaw !== undefined) throw new StoreRefused(`${flaw}. ${advice}`);
  await copyReceipts(source, target);
  const isPresent = [...replay.resources()].every(({ kind, machine }) => {
    const definition = catalogue.definitions[kind];
    return !isIndexed(definition) || definitionVersion(definition!) === machine;
  });
  if (isPresent) return { rules: rulesOf(catalogue) };
  await prepareSearch(target, catalogue);
  return {};
}

function flawOf(entry: NumberedEntry, replay: Replay): string | undefined {
  try {
    return replay.apply(entry);
  } catch (error) {
    return messageOf(error);
  }
}

/** The contents that each entry named first. */
class Brought {
  readonly #known = new Set<string>();
  #ofEntry = new Map<string, readonly string[]>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly replay: Replay,
  ) {}

  saw({ core, entryHash }: NumberedEntry): void {
    const named = core.versions.flatMap(({ kind, id }) =>
      contentsOf(this.catalogue.definitions[kind], this.replay.resource(kind, id)!.context),
    );
    const fresh = named.filter((hash) => !this.#known.has(hash));
    for (const hash of fresh) this.#known.add(hash);
    if (fresh.length > 0) this.#ofEntry.set(entryHash, [...new Set(fresh)]);
  }

  /** Call once per entry. */
  readonly of = async (entryHashes: readonly string[]): Promise<{ entry: string; hash: string }[]> => {
    const found = entryHashes.flatMap((entry) => (this.#ofEntry.get(entry) ?? []).map((hash) => ({ entry, hash })));
    this.#ofEntry = new Map();
    return found;
  };
}
