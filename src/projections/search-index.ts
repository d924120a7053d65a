/**
 * Keeps the search index up to date. Rebuilds it at start if it was built under other rules than this program's, and
 * updates owners' reputations when records are added or time passes.
 */

import PQueue from 'p-queue';
import { Background } from '../core/background.js';
import { dayMs } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import { isRefusal } from '../core/refusal.js';
import type { AnyDefinition, Catalogue } from '../machines/kernel/definition.js';
import type { Resource } from '../machines/kernel/resource.js';
import { definitionVersion, migrate } from '../machines/kernel/versioning.js';
import type { ReputationRecord } from '../machines/reputation/record.js';
import { decayedMs, lifeMs } from '../machines/reputation/scores.js';
import type { NumberedEntry } from '../store/entry.js';
import { type IndexedEntry, type OwnerRank, type SearchEntry, searchOf } from '../store/search.js';
import { encodeCursor, type ListPage, type Snapshot, type Store } from '../store/store.js';
import { wordRules } from '../store/words.js';
import type { ReputationReader } from './reputations.js';

const pageSize = 100;

export const isSearched = (definition: AnyDefinition | undefined): boolean =>
  definition?.form === 'machine' && definition.search !== undefined;
const isRanking = (definition: AnyDefinition | undefined): boolean =>
  definition?.form === 'reducer' && definition.ranks !== undefined;

/** Whether resources of this kind are indexed: as results, or as what ranks results. */
export const isIndexed = (definition: AnyDefinition | undefined): boolean =>
  isSearched(definition) || isRanking(definition);

/** Indexed kinds in the order of a rebuild: first what is searched, then what ranks it. */
function indexedKinds({ definitions }: Catalogue): AnyDefinition[] {
  const all = Object.values(definitions);
  return [...all.filter(isSearched), ...all.filter(isRanking)];
}

/**
 * Identifies the word rules and the definition versions that describe resources. A different text makes the index be
 * rebuilt.
 */
export const searchRulesOf = (catalogue: Catalogue): string =>
  [wordRules, ...indexedKinds(catalogue).map(definitionVersion)].join('; ');

/**
 * Pages of a kind, newest first.
 * @param since cursor after which they begin
 */
async function* pagesOf(store: Store, kind: string, since: string | null = null): AsyncGenerator<readonly Snapshot[]> {
  let next = since;
  do {
    const page = next === null ? { limit: pageSize, offset: 0 } : { limit: pageSize, offset: 0, after: next };
    const found: ListPage<Snapshot> = await store.find({ kind, page });
    yield found.items;
    next = found.next;
  } while (next !== null);
}

async function* everything(store: Store, catalogue: Catalogue): AsyncGenerator<readonly SearchEntry[]> {
  for (const definition of indexedKinds(catalogue)) {
    for await (const snapshots of pagesOf(store, definition.kind)) {
      yield snapshots.flatMap((snapshot) => {
        const resource = migrate(definition, snapshot);
        const search = isRefusal(resource) ? undefined : searchOf(definition, resource);
        return search ? [{ ...search, snapshot }] : [];
      });
    }
  }
}

/** A resource's searchable content with its rank; undefined where the kind isn't searched. */
export function searchedAs({ definitions }: Catalogue, resource: Resource, at: ResourceAt): IndexedEntry | undefined {
  const definition = definitions[resource.kind];
  const snapshot = definition && isSearched(definition) ? migrate(definition, resource) : undefined;
  if (!snapshot || isRefusal(snapshot)) return undefined;
  const ranks = Object.values(definitions).filter(isRanking);
  const ranked = ranks.map((ranking) => {
    const found = at(ranking.kind, resource.id);
    const now = found && migrate(ranking, found);
    return now && !isRefusal(now) ? { ...searchOf(ranking, now), ranksVersion: found.version } : undefined;
  });
  return Object.assign({ snapshot: resource, ranksVersion: 0 }, searchOf(definition!, snapshot), ...ranked);
}

type ResourceAt = (kind: string, id: string) => Resource | undefined;

/** @returns whether the index was rebuilt */
export async function prepareSearch(store: Store, catalogue: Catalogue): Promise<boolean> {
  const rules = searchRulesOf(catalogue);
  if ((await store.searchRules()) === rules) return false;
  await store.rebuildSearch(rules, everything(store, catalogue));
  return true;
}

export interface ReputationIndexOptions {
  readonly store: Store;
  readonly reputations: Pick<ReputationReader, 'of'>;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
}

const kind = 'reputation';
const cursor = { table: 'search', id: kind } as const;
/** Clocks of processes on one database differ: records this far back may be new to this process. */
const slackMs = 600_000;
/** Interval after which ranks are recomputed because time alone changes them. */
const agedMs = dayMs;
const agedRecord = { table: 'search', id: 'aged' } as const;

const targetOf = ({ context }: Snapshot): string => (context as unknown as ReputationRecord).target;

/**
 * Updates owners' ranks when their reputation changes. A cursor in the store says up to when this was done, so that a
 * process continues another's work. Ranking twice is harmless.
 */
export class ReputationIndex {
  readonly #options: ReputationIndexOptions;
  readonly #news: string[] = [];
  readonly #ranking: Background;
  /** Sequential, so that an older rank never overwrites a newer one. */
  readonly #turns = new PQueue({ concurrency: 1 });

  constructor(options: ReputationIndexOptions) {
    this.#options = options;
    const { world, log } = options;
    const onFailure = (err: unknown) => log('new reputations could not be ranked; the node will try again', { err });
    this.#ranking = new Background({ world, onFailure, round: () => this.#rankNews() });
    this.#ranking.start();
  }

  saw({ core }: NumberedEntry): void {
    const ids = core.versions.flatMap((version) => (version.kind === kind ? [version.id] : []));
    if (ids.length === 0) return;
    this.#news.push(...ids);
    this.#ranking.wake();
  }

  /** Ranks what an earlier process left undone. */
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
   * Once a day, in one process, recomputes the ranks that change with time alone: of owners with a record that has
   * lost nearly all of its weight, or all of it since the last time.
   */
  async age(): Promise<void> {
    const { store, world } = this.#options;
    const known = await store.getLocal(agedRecord.table, agedRecord.id);
    const [time, last] = [world.now(), Number(known?.value.at ?? Number.NEGATIVE_INFINITY)];
    if (time < last + agedMs) return;
    const owners = new Set<string>();
    for await (const page of pagesOf(store, kind, encodeCursor(time - decayedMs, ''))) {
      const counting = page.filter(({ createdAt }) => createdAt >= last - lifeMs);
      for (const record of counting) owners.add(targetOf(record));
      if (counting.length < page.length) break;
    }
    for (const owner of owners) await this.#turns.add(() => this.#ranked([owner]));
    // A failed write means that another process did the same.
    await store.putLocal(agedRecord.table, agedRecord.id, { at: time }, known?.revision ?? 0);
  }

  /** Resolves when everything committed before this call is ranked. */
  settled(): Promise<void> {
    return this.#ranking.idle();
  }

  /** Work that is left is done at the next start. */
  stop(): Promise<void> {
    return this.#ranking.stop();
  }

  async #rankNews(): Promise<undefined> {
    const { store } = this.#options;
    while (this.#news.length > 0) {
      const ids = this.#news.slice(0, pageSize);
      const records = (await Promise.all(ids.map((id) => store.load(kind, id)))).filter((each) => each !== undefined);
      await this.#rank(new Set(records.map(targetOf)), Math.max(...records.map(({ createdAt }) => createdAt)));
      this.#news.splice(0, ids.length);
    }
  }

  async #rank(owners: ReadonlySet<string>, at: number): Promise<void> {
    if (owners.size === 0) return;
    await this.#turns.add(() => this.#ranked([...owners]));
    // A failed write means that another process got as far.
    const { store } = this.#options;
    const { revision = 0 } = (await store.getLocal(cursor.table, cursor.id)) ?? {};
    await store.putLocal(cursor.table, cursor.id, { at }, revision);
  }

  async #ranked(owners: readonly string[]): Promise<void> {
    const { store, reputations, world } = this.#options;
    const ranks: OwnerRank[] = [];
    for (const owner of owners) {
      ranks.push({ owner, reputation: (await reputations.of(owner)).at(world.now())?.score ?? null });
    }
    await store.rankOwners(ranks);
  }
}
