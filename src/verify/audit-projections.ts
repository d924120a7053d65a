/**
 * Compares a store's projections with the replay of its journal. Other processes may be writing to the store, so its
 * rows may be ahead of the replay: a difference is only a suspect until later entries have been replayed.
 */

import { contentsOf, labelsOf } from '../actors/build-entry.js';
import { canonical, sha256Hex } from '../core/canonical.js';
import { beat, unwatched } from '../core/threads.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { accountChanges, balanceOf, balanceViolation } from '../machines/kernel/ledger.js';
import type { Resource } from '../machines/kernel/resource.js';
import { isSearched, searchedAs } from '../projections/search-index.js';
import type { NumberedEntry } from '../store/entry.js';
import { type Account, type Snapshot, StoreDamaged, type StoreReader } from '../store/store.js';
import type { Replay } from './replay.js';

const atOnce = 100;

interface Suspect {
  /** Canonical form of the stored row; undefined if there is none. */
  readonly stored: string | undefined;
  readonly what: string;
}

const textOf = (row: Snapshot | Resource | Account | undefined): string | undefined => row && canonical(row);

export class Suspects {
  readonly #suspects = new Map<string, Suspect>();

  constructor(
    private readonly store: StoreReader,
    private readonly catalogue: Catalogue,
  ) {}

  /** The first suspect that no entry has cleared, as a sentence. */
  get first(): string | undefined {
    return this.#suspects.values().next().value?.what;
  }

  /**
   * Compares every row.
   * @returns the violation of an index column or a content, as a sentence
   */
  async gather(replay: Replay): Promise<string | undefined> {
    for (const resources of inGroups(replay.resources())) {
      beat();
      const found = await Promise.all(resources.map(({ kind, id }) => this.#load(kind, id)));
      for (const [index, resource] of resources.entries()) {
        this.#compare(`${resource.kind}/${resource.id}`, textOf(found[index]), textOf(resource));
        const flaw = found[index] && this.#violationOfColumns(found[index]);
        if (flaw) return flaw;
        const lost = await this.#violationOfContents(resource);
        if (lost) return lost;
      }
    }
    for (const accounts of inGroups(replay.accounts())) {
      beat();
      const found = await Promise.all(accounts.map(({ did }) => this.store.account(did)));
      for (const [index, account] of accounts.entries()) {
        this.#compare(account.did, textOf(found[index]), textOf(account));
      }
    }
    return undefined;
  }

  /** Clears the suspects that equal what this entry produces. */
  acquit({ core }: NumberedEntry, after: Replay): void {
    if (this.#suspects.size === 0) return;
    for (const { kind, id } of core.versions) this.#explain(`${kind}/${id}`, textOf(after.resource(kind, id)));
    for (const did of accountChanges(core).keys()) this.#explain(did, textOf(after.row(did)));
  }

  #compare(name: string, stored: string | undefined, given: string | undefined): void {
    if (stored === given) return;
    const what = name.includes('/')
      ? `the snapshot of ${name} is not what its entries give`
      : `the account of ${name} is not what the entries give`;
    this.#suspects.set(name, { stored, what });
  }

  #explain(name: string, given: string | undefined): void {
    if (this.#suspects.get(name)?.stored === given) this.#suspects.delete(name);
  }

  /** Sequential, because each content may have nearly a megabyte. */
  async #violationOfContents({ kind, id, context }: Resource): Promise<string | undefined> {
    for (const hash of contentsOf(this.catalogue.definitions[kind], context)) {
      const bytes = await this.store.content(hash);
      if (!bytes) return `the content ${hash} of ${kind}/${id} is gone`;
      if (sha256Hex(bytes) !== hash) return `the content ${hash} of ${kind}/${id} was changed`;
    }
    return undefined;
  }

  async #load(kind: string, id: string): Promise<Snapshot | undefined> {
    try {
      return await this.store.load(kind, id);
    } catch (error) {
      if (error instanceof StoreDamaged || error instanceof SyntaxError) return undefined; // damaged text is reported as a difference from the replay
      throw error;
    }
  }

  /** Checks the index columns against the stored row. Whether the row itself is right is checked elsewhere. */
  #violationOfColumns({ kind, id, state, context }: Snapshot): string | undefined {
    const { inspection } = this.store;
    if (!inspection) return undefined;
    const definition = this.catalogue.definitions[kind];
    const alarm = definition?.form === 'machine' ? definition.alarm(state, context as never) : null;
    return inspection.violationOfResource(kind, id, { alarm, labels: labelsOf(definition, context) });
  }
}

function* inGroups<T>(all: Iterable<T>): Iterable<T[]> {
  let group: T[] = [];
  for (const each of all) {
    group.push(each);
    if (group.length < atOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Checks the search index against the replay. Only meaningful while nothing is written to the store. */
export async function violationOfSearch(
  store: StoreReader,
  replay: Replay,
  catalogue: Catalogue,
): Promise<string | undefined> {
  const searched = (resource: Resource | undefined) =>
    resource && searchedAs(catalogue, resource, (kind, id) => replay.resource(kind, id));
  let count = 0;
  for (const resource of replay.resources()) if (isSearched(catalogue.definitions[resource.kind])) count++;
  return store.inspection?.violationOfSearch?.(count, (kind, id) => {
    beat();
    return searched(replay.resource(kind, id));
  });
}

/** Compares counts and sums. Only meaningful while nothing is written to the store. */
export async function violationOfSums(store: StoreReader, replay: Replay): Promise<string | undefined> {
  const counts = new Map<string, number>();
  for (const { kind, state } of replay.resources()) {
    counts.set(`${kind} ${state}`, (counts.get(`${kind} ${state}`) ?? 0) + 1);
  }
  for (const { kind, state, count } of await unwatched(() => store.census())) {
    if (count !== (counts.get(`${kind} ${state}`) ?? 0))
      return `the store has ${count} ${kind} in ${state} and the journal others`;
    counts.delete(`${kind} ${state}`);
  }
  for (const [uncounted, count] of counts) return `the store counts no ${uncounted} and the journal has ${count}`;
  const { resources, accounts } = replay.counts;
  const miscounted = await unwatched(() => store.inspection?.violationOfCounts(resources, accounts));
  if (miscounted) return miscounted;
  let held = 0;
  for (const account of replay.accounts()) held += balanceOf(account);
  const { supply, fees } = replay.totals;
  const flaw = balanceViolation({ supply, held, fees });
  if (flaw !== undefined) return flaw;
  const totals = await unwatched(() => store.totals());
  const sum = totals.available + totals.reserved + totals.escrowed + totals.fees;
  return totals.supply === supply && sum === supply
    ? undefined
    : `the ledger rows sum to ${sum}, the supply is ${supply}`;
}
