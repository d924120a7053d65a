/**
 * Our verified copy of another home's journal (docs/decisions/0031). It adopts a feed in batches: each entry is checked
 * and executed again, and the valid ones are written in one durable transaction, so the store's head is the position
 * from which the feed continues.
 */
import { writeOf } from '../../actors/build-entry.js';
import { type Environment, pause, realEnvironment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { assert } from '../../core/refusal.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import { isWithheld } from '../../machines/kernel/withheld.js';
import type { Entry } from '../../store/entry.js';
import { entryAt, type JournalHead, type PlacedCommit, type SnapshotWrite, type Store } from '../../store/store.js';
import { type EntryFinding, finding } from '../../verify/entry-text.js';
import { violationOfForm } from './core-form.js';
import { type FeedEntry, FeedReplay } from './feed-replay.js';
import { ReplicaRecord } from './replica-record.js';
import { type StateBounds, StoreState, type WrittenResource } from './store-state.js';
import { TakenKeys } from './taken-keys.js';

export type { FeedEntry, Revealed } from './feed-replay.js';

/**
 * Checks the texts of entries (form, hashes, signature), for example in a worker thread. Returns one finding per entry,
 * in order.
 */
export type TextChecks = (entries: readonly Entry[]) => Promise<readonly (EntryFinding | undefined)[]>;

export interface ReplicaOptions {
  /** Opened for writing. */
  readonly store: Store;
  /** DID of the home whose feed it is. */
  readonly home: string;
  readonly network: string;
  readonly catalogue: Catalogue;
  /** Default: on this thread. */
  readonly verifySignatures?: TextChecks | undefined;
  readonly bounds?: Partial<StateBounds>;
  readonly world?: Environment;
}

/** Where adopting has stopped, and the entry that is the evidence. */
export interface Stop {
  readonly seq: number;
  readonly what: string;
  /** `unknown-version`: the entry may be valid, but needs a later release of this program. */
  readonly cause: 'violation' | 'unknown-version';
  readonly evidence: FeedEntry;
}

type Cover = () => Promise<() => Promise<void>>;

export interface Adoption {
  readonly adopted: number;
  readonly stop?: Stop;
}

/** Entries executed before the event loop gets a turn: some 5 ms. */
const turnEntries = 20;

const defaultBounds: StateBounds = { bytes: 4 * 1024 * 1024, accounts: 4_000, nodes: 256 };

export class Replica {
  readonly home: string;
  readonly #options: ReplicaOptions;
  readonly #state: StoreState;
  readonly #record: ReplicaRecord;
  #replay!: FeedReplay;
  #head!: JournalHead;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: ReplicaOptions) {
    this.home = options.home;
    this.#options = options;
    this.#state = new StoreState(options.store, { ...defaultBounds, ...options.bounds });
    this.#record = new ReplicaRecord(options.store, this.#state);
  }

  /** Reads head, home rule and times from the store; ready to adopt the entry after the head. */
  static async open(options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(options);
    await replica.#begin();
    return replica;
  }

  /** The newest entry that was adopted. */
  get head(): JournalHead {
    return this.#head;
  }

  /** Counts of adopted entries whose payload was withheld. */
  get withheld(): number {
    return this.#record.withheld;
  }

  /**
   * Verifies each entry (position, texts, hashes, signature, sequences, home, execution) and writes the valid prefix in
   * one durable transaction. Concurrent calls are queued.
   * @param cover prepares what must be on disk no later than the entries, and returns the function that writes it; called
   * before an entry is written
   * @returns the first violation, or the first entry of a later version than this program; nothing from there on is
   * adopted
   * @throws StoreFault; the replica then has to be opened again
   */
  adopt(entries: readonly FeedEntry[], cover?: Cover): Promise<Adoption> {
    const adoption = this.#turn.then(() => this.#adopt(entries, cover));
    this.#turn = adoption.catch(() => {});
    return adoption;
  }

  /** Writes the record that spares the next start from reading entries again. The store stays open. */
  async close(): Promise<void> {
    await this.#turn;
    await this.#record.write(this.#head.seq);
  }

  async #adopt(fed: readonly FeedEntry[], cover: Cover | undefined): Promise<Adoption> {
    const { store, verifySignatures } = this.#options;
    const forms = untilFound(fed, ({ entry }) => violationOfForm(entry));
    const whole = fed.slice(0, forms.index);
    const texts = await verifySignatures?.(whole.map(({ entry }) => entry));
    await this.#state.prepare(
      whole.map(({ entry }) => entry),
      (entry) => this.#replay.named(entry),
    );
    const keys = await TakenKeys.of(store, whole);
    const commits: PlacedCommit[] = [];
    let stop: Stop | undefined;
    for (const [index, each] of fed.entries()) {
      if (index % turnEntries === turnEntries - 1) await pause(this.#options.world ?? realEnvironment, 0);
      const seq = this.#head.seq + commits.length + 1;
      const malformed = index < whole.length ? undefined : finding('form', forms.found);
      const done = malformed ?? this.#tried(each, keys, texts && { found: texts[index] });
      if ('snapshots' in done) commits.push(done);
      else {
        const cause = done.isLater ? 'unknown-version' : 'violation';
        stop = { seq, what: done.what, cause, evidence: each };
        break;
      }
    }
    if (commits.length > 0) await this.#write(commits, cover);
    for (const { entry } of commits) this.#record.saw(entry);
    this.#state.settle();
    const last = commits.at(-1)?.entry;
    if (last) this.#head = { seq: last.seq, chainHash: last.chainHash };
    // An entry that failed may have left changes in memory, so the state is read from the store again.
    if (stop) await this.#begin();
    await this.#record.note(this.#head.seq);
    return stop ? { adopted: commits.length, stop } : { adopted: commits.length };
  }

  /** An exclusive store writes in the order of the calls, and here in one transaction. */
  async #write(commits: readonly PlacedCommit[], cover: Cover | undefined): Promise<void> {
    const { store } = this.#options;
    const covering = (await cover?.())?.();
    if (!store.exclusive) await covering;
    await Promise.all([covering, store.takeOver(commits)]);
  }

  #tried(
    fed: FeedEntry,
    keys: TakenKeys,
    text: { readonly found: EntryFinding | undefined } | undefined,
  ): PlacedCommit | EntryFinding {
    const { entry } = fed;
    try {
      const found = finding('sequence', keys.violationOf(entry)) ?? this.#replay.examineFed(fed, text);
      if (found) return found;
      return { entry, snapshots: this.#state.taken().map((kept) => this.#writeOf(kept)) };
    } catch (error) {
      return { check: 'replay', what: `it cannot be executed: ${messageOf(error)}` };
    }
  }

  #writeOf({ resource, contextText, before }: WrittenResource): SnapshotWrite {
    const { catalogue } = this.#options;
    const known = before && !isWithheld(before) ? before : undefined;
    if (!isWithheld(resource.context)) return writeOf(catalogue, resource, known, contextText);
    const dropLabels = known ? writeOf(catalogue, { ...resource, context: known }, undefined).addLabels : [];
    return { snapshot: resource, contextText, addLabels: [], dropLabels, alarm: null };
  }

  async #begin(): Promise<void> {
    const { store, home, network, catalogue } = this.#options;
    this.#head = await store.head();
    await this.#state.begin();
    await this.#record.read();
    const { seq } = this.#head;
    const last = seq === 0 ? undefined : await entryAt(store, seq);
    assert(seq === 0 || last, 'the newest entry of a store can be read');
    this.#replay = new FeedReplay(this.#state, { catalogue, network, home, last });
  }
}

/** The first item for which the test returns something, and what it returns; otherwise the number of items. */
function untilFound<T, Found>(
  items: readonly T[],
  test: (item: T) => Found | undefined,
): { index: number; found?: Found } {
  for (const [index, item] of items.entries()) {
    const found = test(item);
    if (found !== undefined) return { index, found };
  }
  return { index: items.length };
}
