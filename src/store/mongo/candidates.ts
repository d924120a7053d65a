/**
 * What lies in the database without a number, from all processes, each process's in its order: an entry never overtakes
 * an elder one of its process, as times along one home never decrease.
 */
import type { World } from '../../world.js';
import type { Away } from './away.js';
import type { Control } from './control.js';
import type { Collections } from './database.js';
import type { EntryDocument } from './documents.js';
import type { Inserter } from './inserter.js';
import { type Candidate, candidateOf, type Intake, ownCandidate } from './intake.js';
import type { Ledger } from './ledger.js';
import { Orphans } from './orphans.js';

/** Entries numbered at once. */
const largestRound = 512;

export interface CandidatesOptions {
  readonly collections: Collections;
  readonly control: Control;
  readonly ledger: Ledger;
  readonly intake: Intake;
  readonly inserter: Inserter;
  readonly away: Away;
  readonly world: World;
}

export interface Choice {
  /** May be numbered, in this order. */
  readonly chosen: readonly Candidate[];
  /** Will never be numbered if they are not yet, each with the key that came before it. */
  readonly void: ReadonlyMap<Candidate, string>;
  /** An entry of this process has a number that it has not heard of. */
  readonly behind: boolean;
}

export class Candidates {
  readonly orphans: Orphans;
  /** Entries of processes that are on no list: somebody lost against them. */
  readonly rescued = new Set<string>();
  /** Entries known to be numbered or void that their processes still list. */
  readonly #done = new Set<string>();
  /** When another process was last seen to have inserted something; monotonic ms. */
  foreignAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: CandidatesOptions) {
    this.orphans = new Orphans(options.collections, options.control, options);
  }

  /** Own entries first, then those of others. */
  async gather(): Promise<readonly Candidate[]> {
    const { inserter, intake, control, world } = this.options;
    const lists = [...control.others.values()].map(({ document }) => document.ready);
    lists.push([...this.rescued]);
    const listed = new Set(lists.flat());
    for (const hash of this.#done) if (!listed.has(hash)) this.#done.delete(hash);
    const wanted = [...listed].filter((hash) => !this.#done.has(hash) && !inserter.ready.has(hash));
    const orphans = await this.orphans.find();
    const found = new Map([...(await intake.fetch(wanted)), ...orphans].map((document) => [document._id, document]));
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
      // A majority does not show it yet: those behind it wait for the next turn.
      if (!document) return;
      into.add(document);
    }
  }

  /** Which of them may be numbered now: those that are next in all their streams, and rest on what still holds. */
  choose(candidates: readonly Candidate[]): Promise<Choice> {
    const { ledger, inserter } = this.options;
    return ledger.alone(async () => {
      await ledger.know(candidates);
      const chosen: Candidate[] = [];
      const voids = new Map<Candidate, string>();
      const waiting = new Set<string>();
      const written = new Set<string>();
      let behind = false;
      for (const candidate of candidates) {
        const { document, core } = candidate;
        const stale = ledger.staleRead(core);
        const numbered = ledger.isNumbered(core);
        if (stale) voids.set(candidate, stale);
        if (numbered && inserter.ready.has(document._id)) behind = true;
        else if (numbered) this.#done.add(document._id);
        if (stale || numbered) continue;
        // What this round writes is not what it read: the next round finds it void, or the other one's number lost.
        const overtaken = core.reads.some(({ kind, id }) => written.has(`${kind}/${id}`));
        if (waiting.has(document.process) || overtaken || ledger.doubt(core)) waiting.add(document.process);
        else {
          chosen.push(candidate);
          for (const { _id } of document.writes) written.add(_id);
        }
      }
      return { chosen, void: voids, behind };
    });
  }

  /**
   * Takes an entry out of the database that rests on what no longer holds: its keys are free again. Whoever read the
   * newer version read what is numbered, and all smaller numbers are there: an entry that has none of them gets none.
   * @returns false where it has one after all
   */
  async discard({ document }: Candidate): Promise<boolean> {
    const { away, collections } = this.options;
    const { _id } = document;
    if (await away.insist(() => collections.order.findOne({ entry: _id }, { projection: { _id: 1 } }))) return false;
    await away.insist(() => collections.entries.deleteOne({ _id }));
    this.#done.add(_id);
    this.rescued.delete(_id);
    return true;
  }
}
