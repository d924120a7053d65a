/**
 * The search index beside the journal: made anew at start where it follows other rules than this program's (also where a
 * database is older than the index), and told of the owners' reputations as they change, with new records or with time.
 */
import PQueue from 'p-queue';
import { machineVersion, present } from '../machines/kernel/lineage.js';
import { isRefusal } from '../machines/kernel/refusal.js';
import type { AnyDefinition } from '../machines/kernel/resource.js';
import type { Catalogue } from '../machines/kernel/step.js';
import type { ReputationRecord } from '../machines/reputation/record.js';
import { decayedMs, lifeMs } from '../machines/reputation/standing.js';
import type { NumberedEntry } from '../store/entry.js';
import type { OwnerRank, SearchEntry } from '../store/search/search.js';
import { wordRules } from '../store/search/words.js';
import { cursorOf, type Listing, type Snapshot, type Store } from '../store/store.js';
import type { Reputations } from './reputations.js';
import { searchOf } from './seal.js';

/** Resources read, and written, at once. */
const pageSize = 100;

const isSearched = (definition: AnyDefinition): boolean =>
  definition.form === 'machine' && definition.search !== undefined;
const isRanking = (definition: AnyDefinition): boolean =>
  definition.form === 'reducer' && definition.ranks !== undefined;

/** What the index is made of, in their order: what is searched, then what ranks it. */
function indexedKinds({ definitions }: Catalogue): AnyDefinition[] {
  const all = Object.values(definitions);
  return [...all.filter(isSearched), ...all.filter(isRanking)];
}

/** Names the rules of words, and the laws by which resources are described. */
export const rulesOf = (catalogue: Catalogue): string =>
  [wordRules, ...indexedKinds(catalogue).map(machineVersion)].join('; ');

/** Newest first. @param since cursor behind which they begin */
async function* pagesOf(store: Store, kind: string, since: string | null = null): AsyncGenerator<readonly Snapshot[]> {
  let next = since;
  do {
    const page = next === null ? { limit: pageSize, offset: 0 } : { limit: pageSize, offset: 0, after: next };
    const found: Listing<Snapshot> = await store.find({ kind, page });
    yield found.items;
    next = found.next;
  } while (next !== null);
}

async function* everything(store: Store, catalogue: Catalogue): AsyncGenerator<readonly SearchEntry[]> {
  for (const definition of indexedKinds(catalogue)) {
    for await (const snapshots of pagesOf(store, definition.kind)) {
      yield snapshots.flatMap((snapshot) => {
        const resource = present(definition, snapshot);
        const search = isRefusal(resource) ? undefined : searchOf(definition, resource);
        return search ? [{ ...search, snapshot }] : [];
      });
    }
  }
}

/** @returns whether it had to be made anew */
export async function prepareSearch(store: Store, catalogue: Catalogue): Promise<boolean> {
  const rules = rulesOf(catalogue);
  if ((await store.searchRules()) === rules) return false;
  await store.rebuildSearch(rules, everything(store, catalogue));
  return true;
}

export interface ReputationIndexOptions {
  readonly store: Store;
  readonly reputations: Reputations;
  readonly now: () => number;
  readonly onFault: (cause: unknown) => void;
}

const kind = 'reputation';
const cursor = { table: 'search', id: kind } as const;
/** Of several processes on one database each has its own clock: so far back a record may still be new to this one. */
const slackMs = 600_000;
/** So old a rank may be that only time has changed. */
const agedMs = 86_400_000;
/** When what time changes was ranked last. */
const agedRecord = { table: 'search', id: 'aged' } as const;

const targetOf = ({ context }: Snapshot): string => (context as unknown as ReputationRecord).target;

/**
 * Ranks owners by what their reputation is when it changes. Beside it a cursor says up to when this was done, so that a
 * process does what another has left; ranking twice changes nothing.
 */
export class ReputationIndex {
  readonly #options: ReputationIndexOptions;
  /** Ids of records whose targets are to be ranked. */
  #news: string[] = [];
  #working: Promise<void> | undefined;
  /** One after the other, so that no rank is written over by an older one. */
  readonly #turns = new PQueue({ concurrency: 1 });

  constructor(options: ReputationIndexOptions) {
    this.#options = options;
  }

  /** An entry was committed, here or by another process. */
  saw({ core }: NumberedEntry): void {
    const ids = core.versions.flatMap((version) => (version.kind === kind ? [version.id] : []));
    if (ids.length === 0) return;
    this.#news.push(...ids);
    this.#working ??= this.#work();
  }

  /** What an earlier process has left. */
  async catchUp(): Promise<void> {
    const { store } = this.#options;
    const known = Number((await store.getLocal(cursor.table, cursor.id))?.value.at ?? -slackMs);
    const owners = new Set<string>();
    let newest = known;
    for await (const page of pagesOf(store, kind)) {
      for (const record of page) if (record.createdAt > known - slackMs) owners.add(targetOf(record));
      newest = Math.max(newest, page[0]?.createdAt ?? known);
      if ((page.at(-1)?.createdAt ?? 0) <= known - slackMs) break;
    }
    await this.#rank(owners, newest);
  }

  /**
   * Ranks anew, once a day whoever asks, those whose reputation changes with time alone: where a record has lost all but
   * the least of its weight, or all of it since the last time.
   */
  async age(): Promise<void> {
    const { store, now } = this.#options;
    const known = await store.getLocal(agedRecord.table, agedRecord.id);
    const [time, last] = [now(), Number(known?.value.at ?? Number.NEGATIVE_INFINITY)];
    if (time < last + agedMs) return;
    const owners = new Set<string>();
    for await (const page of pagesOf(store, kind, cursorOf(time - decayedMs, ''))) {
      const counting = page.filter(({ createdAt }) => createdAt >= last - lifeMs);
      for (const record of counting) owners.add(targetOf(record));
      if (counting.length < page.length) break;
    }
    for (const owner of owners) await this.#turns.add(() => this.#ranked([owner]));
    // Whoever was quicker has done the same.
    await store.putLocal(agedRecord.table, agedRecord.id, { at: time }, known?.revision ?? 0);
  }

  /** Resolves when all is ranked that was committed before. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    const { store, onFault } = this.#options;
    try {
      while (this.#news.length > 0) {
        const ids = this.#news.splice(0, pageSize);
        const records = (await Promise.all(ids.map((id) => store.load(kind, id)))).filter((each) => each !== undefined);
        await this.#rank(new Set(records.map(targetOf)), Math.max(...records.map(({ createdAt }) => createdAt)));
      }
    } catch (cause) {
      onFault(cause);
    }
    // Without a turn of the queue since the last look at the news: what comes now begins anew.
    this.#working = undefined;
  }

  async #rank(owners: ReadonlySet<string>, at: number): Promise<void> {
    if (owners.size === 0) return;
    await this.#turns.add(() => this.#ranked([...owners]));
    // Whoever was quicker has come as far.
    const { store } = this.#options;
    const { revision = 0 } = (await store.getLocal(cursor.table, cursor.id)) ?? {};
    await store.putLocal(cursor.table, cursor.id, { at }, revision);
  }

  async #ranked(owners: readonly string[]): Promise<void> {
    const { store, reputations, now } = this.#options;
    const ranks: OwnerRank[] = [];
    for (const owner of owners) {
      ranks.push({ owner, reputation: (await reputations.of(owner)).at(now())?.score ?? null });
    }
    await store.rankOwners(ranks);
  }
}
