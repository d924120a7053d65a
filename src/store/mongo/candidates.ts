/**
 * Selects the entries to number next: those of all processes, in each process's order. An entry never overtakes an
 * earlier one of its process, because times along one home never decrease.
 */
import type { Environment } from '../../core/environment.js';
import { HomeRule } from '../home-rule.js';
import type { Collections } from './database.js';
import type { EntryDocument } from './documents.js';
import { candidateOf, type Ingest, type OrderCandidate, ownCandidate } from './ingest.js';
import type { Inserter } from './inserter.js';
import type { LedgerCache } from './ledger-cache.js';
import { Orphans } from './orphans.js';
import type { Outage } from './outage.js';
import type { ProcessRegistry } from './process-registry.js';

const largestRound = 512;

export interface CandidatesOptions {
  readonly collections: Collections;
  readonly control: ProcessRegistry;
  readonly ledger: LedgerCache;
  readonly ingest: Ingest;
  readonly inserter: Inserter;
  readonly outage: Outage;
  readonly world: Environment;
}

export interface Choice {
  readonly chosen: readonly OrderCandidate[];
  /** Entries that will not be numbered, each with the key that invalidated it. */
  readonly void: ReadonlyMap<OrderCandidate, string>;
  /** True when another process has numbered an entry of this one. */
  readonly behind: boolean;
}

export class Candidates {
  readonly orphans: Orphans;
  /** Entries of unregistered processes that another writer has lost a key to. */
  readonly rescued = new Set<string>();
  /** Entries that are numbered or void but still listed by their processes. */
  readonly #done = new Set<string>();
  /** When another process was last seen inserting; monotonic ms. */
  foreignAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: CandidatesOptions) {
    this.orphans = new Orphans(options.collections, options.control, options);
  }

  /** Collects entries without a number: own ones first, then those of other processes. */
  async gather(): Promise<readonly OrderCandidate[]> {
    const { inserter, ingest, control, world } = this.options;
    const lists = [...control.others.values()].map(({ document }) => document.ready);
    lists.push([...this.rescued]);
    const listed = new Set(lists.flat());
    for (const hash of this.#done) if (!listed.has(hash)) this.#done.delete(hash);
    const wanted = [...listed].filter((hash) => !this.#done.has(hash) && !inserter.ready.has(hash));
    const orphans = await this.orphans.find();
    const found = new Map([...(await ingest.fetch(wanted)), ...orphans].map((document) => [document._id, document]));
    if (found.size > 0) this.foreignAt = world.monotonic();
    const foreign = new Set<EntryDocument>();
    for (const list of lists) this.#takeInOrder(list, found, foreign);
    for (const orphan of orphans) foreign.add(found.get(orphan._id)!);
    return [...[...inserter.ready.values()].map(ownCandidate), ...[...foreign].map(candidateOf)].slice(0, largestRound);
  }

  #takeInOrder(list: readonly string[], found: ReadonlyMap<string, EntryDocument>, into: Set<EntryDocument>): void {
    for (const hash of list) {
      if (this.#done.has(hash)) continue;
      const document = found.get(hash);
      // Not visible to a majority read yet, so later entries of this process wait for the next round.
      if (!document) return;
      into.add(document);
    }
  }

  /**
   * What invalidates an entry whose event is not for the home of this journal: it is of version 1 after one of version
   * 2, or its process has begun the journal at the same time as another process.
   */
  keyOfOtherHome({ core }: Pick<OrderCandidate, 'core'>): string | undefined {
    const { homeRule } = this.options.ingest;
    return homeRule.violationOf(core) === undefined ? undefined : `home/${homeRule.did}`;
  }

  /** Chooses the entries that are next in all their streams and whose reads are current. */
  choose(candidates: readonly OrderCandidate[]): Promise<Choice> {
    const { ledger, inserter, ingest } = this.options;
    return ledger.exclusively(async () => {
      await ledger.load(candidates);
      const chosen: OrderCandidate[] = [];
      const voids = new Map<OrderCandidate, string>();
      const waiting = new Set<string>();
      const written = new Set<string>();
      let behind = false;
      const homeRule = new HomeRule(ingest.homeRule.did);
      for (const candidate of candidates) {
        const { document, core } = candidate;
        const numbered = ledger.isNumbered(core);
        const stale = ledger.staleRead(core) ?? (numbered ? undefined : this.keyOfOtherHome(candidate));
        if (stale) voids.set(candidate, stale);
        if (numbered && inserter.ready.has(document._id)) behind = true;
        else if (numbered) this.#done.add(document._id);
        if (stale || numbered) continue;
        // This round changes what the entry has read, so the next round decides about it.
        const overtaken = core.reads.some(({ kind, id }) => written.has(`${kind}/${id}`));
        // This round determines the home, so the next round decides about it.
        const isElsewhere = homeRule.violationOf(core) !== undefined;
        if (waiting.has(document.process) || overtaken || isElsewhere || ledger.doubt(core))
          waiting.add(document.process);
        else {
          homeRule.saw(core);
          chosen.push(candidate);
          for (const { _id } of document.writes) written.add(_id);
        }
      }
      return { chosen, void: voids, behind };
    });
  }

  /** Call when they have their numbers: their processes list them for a while, and they need not be read again. */
  numbered(chosen: readonly OrderCandidate[]): void {
    for (const { document } of chosen) this.#done.add(document._id);
  }

  /**
   * Deletes an entry whose reads are stale, which frees its keys. This is safe: the newer version that invalidated it
   * is numbered, and so are all smaller numbers, so the entry can no longer get one.
   * @returns false if it has a number after all
   */
  async discard({ document }: OrderCandidate): Promise<boolean> {
    const { outage, collections } = this.options;
    const { _id } = document;
    if (await outage.retry(() => collections.order.findOne({ entry: _id }, { projection: { _id: 1 } }))) return false;
    await outage.retry(() => collections.entries.deleteOne({ _id }));
    this.#done.add(_id);
    this.rescued.delete(_id);
    return true;
  }
}
