/**
 * Whether what a store made of its journal is what the replay gives. A store that others write to may be ahead of the
 * replay, row by row: what differs is suspect until one of the next entries explains it.
 */
import { canonical, sha256Hex } from '../machines/kernel/canonical.js';
import { isHouse } from '../machines/kernel/ledger.js';
import type { Resource } from '../machines/kernel/resource.js';
import type { Catalogue } from '../machines/kernel/step.js';
import type { NumberedEntry } from '../store/entry.js';
import { type Account, type Snapshot, type StoreReader, unseenAccount } from '../store/store.js';
import { flawOfTotals } from './books.js';
import { changesOf } from './committer.js';
import type { Replay } from './replay.js';
import { contentsOf, labelsOf } from './seal.js';

/** Rows asked for at once. */
const atOnce = 100;

interface Suspect {
  /** As it is stored, canonical; undefined where there is nothing. */
  readonly stored: string | undefined;
  readonly what: string;
}

const textOf = (row: Snapshot | Resource | undefined): string | undefined => row && canonical(row);

/** What the house holds lies in the totals; its rows count debits alone. */
const rowOf = (account: Account | undefined): string | undefined =>
  account && canonical(isHouse(account.did) ? { ...account, available: 0, seq: 0 } : account);

export class Suspects {
  readonly #suspects = new Map<string, Suspect>();

  constructor(
    private readonly store: StoreReader,
    private readonly catalogue: Catalogue,
  ) {}

  /** The flaw of the first that nothing has explained. */
  get first(): string | undefined {
    return this.#suspects.values().next().value?.what;
  }

  /** Compares every row. @returns the flaw of a column that leads to one, or of what lies beside the journal */
  async gather(replay: Replay): Promise<string | undefined> {
    for (const resources of inGroups(replay.resources())) {
      const found = await Promise.all(resources.map(({ kind, id }) => this.#load(kind, id)));
      for (const [index, resource] of resources.entries()) {
        this.#compare(`${resource.kind}/${resource.id}`, textOf(found[index]), textOf(resource));
        const flaw = found[index] && this.#flawOfColumns(found[index]);
        if (flaw) return flaw;
        const lost = await this.#flawOfContents(resource);
        if (lost) return lost;
      }
    }
    for (const accounts of inGroups(replay.accounts())) {
      const found = await Promise.all(accounts.map(({ did }) => this.store.account(did)));
      for (const [index, account] of accounts.entries()) {
        // An account of the house has a row once something was withdrawn or minted.
        const stored = found[index] ?? (isHouse(account.did) ? unseenAccount(account.did) : undefined);
        this.#compare(account.did, rowOf(stored), rowOf(account));
      }
    }
    return undefined;
  }

  /** Lets go of those that are what this entry made of them. */
  acquit({ core }: NumberedEntry, after: Replay): void {
    if (this.#suspects.size === 0) return;
    for (const { kind, id } of core.versions) this.#explain(`${kind}/${id}`, textOf(after.resource(kind, id)));
    for (const did of changesOf(core).keys()) this.#explain(did, rowOf(after.row(did)));
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

  /** One after the other: each may have nearly a megabyte. */
  async #flawOfContents({ kind, id, context }: Resource): Promise<string | undefined> {
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
      if (error instanceof SyntaxError) return undefined; // its text was damaged: not what the journal gives
      throw error;
    }
  }

  /** Of the row as it is stored: whether that is right is another question. */
  #flawOfColumns({ kind, id, state, context }: Snapshot): string | undefined {
    const { inspection } = this.store;
    if (!inspection) return undefined;
    const definition = this.catalogue.definitions[kind];
    const alarm = definition?.form === 'machine' ? definition.alarm(state, context as never) : null;
    return inspection.flawOfResource(kind, id, { alarm, labels: labelsOf(definition, context) });
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

/** Counts and sums, which say something only about a store that stands still. */
export async function flawOfSums(store: StoreReader, replay: Replay): Promise<string | undefined> {
  const counts = new Map<string, number>();
  for (const { kind, state } of replay.resources()) {
    counts.set(`${kind} ${state}`, (counts.get(`${kind} ${state}`) ?? 0) + 1);
  }
  for (const { kind, state, count } of await store.census()) {
    if (count !== (counts.get(`${kind} ${state}`) ?? 0))
      return `the store has ${count} ${kind} in ${state} and the journal others`;
    counts.delete(`${kind} ${state}`);
  }
  for (const [uncounted, count] of counts) return `the store counts no ${uncounted} and the journal has ${count}`;
  const accounts = [...replay.accounts()].filter(({ did, version }) => !isHouse(did) || version > 0);
  const miscounted = await store.inspection?.flawOfCounts([...replay.resources()].length, accounts.length);
  if (miscounted) return miscounted;
  let held = 0;
  for (const { did, available, reserved, escrowed } of replay.accounts()) {
    if (!isHouse(did)) held += available + reserved + escrowed;
  }
  const { supply, fees } = replay.totals;
  const flaw = flawOfTotals({ supply, held, fees });
  if (flaw !== undefined) return flaw;
  const totals = await store.totals();
  const sum = totals.available + totals.reserved + totals.escrowed + totals.fees;
  return totals.supply === supply && sum === supply
    ? undefined
    : `the ledger rows sum to ${sum}, the supply is ${supply}`;
}
