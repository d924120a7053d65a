/**
 * Audits a whole journal: checks every text, signature and hash chain, replays every step, and compares the store's
 * projections with the replay. Reports the first violation. Nodes may be writing to the store.
 */
import { bounds } from '../core/bounds.js';
import { messageOf } from '../core/error-message.js';
import { RefusedError } from '../core/refusal.js';
import { beat, unwatched } from '../core/threads.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { searchRulesOf } from '../projections/search-index.js';
import { type NumberedEntry, noHash, receiptHashOf } from '../store/entry.js';
import { type JournalHead, StoreDamaged, StoreFault, type StoreReader, StoreRefused } from '../store/store.js';
import { HashIndexAudit } from './audit-hash-index.js';
import { LeafAudit } from './audit-leaves.js';
import { Suspects, violationOfSearch, violationOfSums } from './audit-projections.js';
import { EntryChecks, knownChecks, type PageChecks, type PageFinding, threadsFor } from './entry-checks.js';
import { type EntryFinding, entryChecks, findingInOrder, unreadable } from './entry-text.js';
import { Replay } from './replay.js';
import type { PrefixFile } from './verified-prefix.js';

export interface AuditReport {
  readonly ok: boolean;
  readonly entries: number;
  /** The first of them, which an earlier audit has verified: only their hashes were compared. */
  readonly known: number;
  readonly resources: number;
  readonly accounts: number;
  readonly supply: number;
  readonly head: string;
  /** Erased texts, which can't be compared with their hashes any more. */
  readonly erased: number;
  /** What was not checked, and why. */
  readonly note?: string;
  readonly flaw?: AuditFlaw;
}

/**
 * The checks of an audit, in order: whether the database can be read (`file`), each entry, the indexes (`index`), the
 * erasable texts (`text`), the journal's end (`head`), projections, receipts, sums, the search index (`search`), and the comparison with a chain
 * (`settlement`).
 */
export const auditChecks = [
  ...['file', ...entryChecks, 'index', 'text', 'head', 'projection', 'receipts', 'sums', 'search', 'settlement'],
] as const;
export type AuditCheck = (typeof auditChecks)[number];

/**
 * The first violation: the entry's number (0 if it concerns no single entry), its event hash, the failed check, and a
 * description.
 */
export interface AuditFlaw {
  readonly seq: number;
  readonly eventHash: string | null;
  readonly check: AuditCheck;
  readonly what: string;
}

/** Receives each entry during an audit. */
export interface Companion {
  saw(entry: NumberedEntry, after: Replay): void;
  /** Awaited after each page of entries. */
  pause(): Promise<void>;
}

export interface AuditOptions {
  /** Called with the number of checked entries and the total. */
  readonly progress?: (done: number, total: number) => void;
  readonly companion?: Companion;
  /** Entries read, and checked without yielding to the event loop, per page. */
  readonly pageSize?: number;
  /** Threads that check what entries say by themselves; 0: the auditing thread does. Absent: one for each core. */
  readonly threads?: number;
  /** Absent: everything is verified, and nothing remembered. */
  readonly prefix?: PrefixFile;
  /** Entries after which it is remembered what was verified. @default bounds.auditRemembers */
  readonly remembersEvery?: number;
  /** Forgets what earlier audits have verified. */
  readonly isFull?: boolean;
}

/** Longer pages hold more entries in memory, and are no faster. */
const defaultPageSize = 20;
const receiptsAtOnce = 500;
/** How often the sums are compared again if entries arrived in the meantime. */
const attempts = 10;

const ofNoEntry = (check: AuditCheck, what: string | undefined): AuditFlaw | undefined =>
  what === undefined ? undefined : { seq: 0, eventHash: null, check, what };

export async function audit(
  store: StoreReader,
  catalogue: Catalogue,
  network: string,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const { prefix, isFull = false } = options;
  if (isFull) await prefix?.forget();
  const known = await prefix?.read(store);
  const journal = new JournalAudit(store, known ?? new Replay(catalogue, network), options);
  const { replay } = journal;
  const { flaw, note } = await verdictOn(store, journal, catalogue)
    .catch((error: unknown) => ({ flaw: violationOfReading(error, journal.reached), note: undefined }))
    .finally(() => journal.end());
  if (flaw === undefined) await journal.keep();
  return {
    ok: flaw === undefined,
    entries: journal.reached,
    known: journal.known,
    ...replay.counts,
    supply: replay.totals.supply,
    head: replay.head.chainHash,
    erased: journal.leaves.erased,
    ...(note ? { note } : {}),
    ...(flaw ? { flaw } : {}),
  };
}

/** A read error caused by damage is a violation. Other failures of the store and an abort are rethrown. */
function violationOfReading(error: unknown, seq: number): AuditFlaw {
  if (error instanceof StoreRefused || error instanceof RefusedError) throw error;
  if (error instanceof StoreFault && !(error instanceof StoreDamaged)) throw error;
  const what = `after entry ${seq} it cannot be read: ${messageOf(error)}`;
  return { seq: 0, eventHash: null, check: 'file', what };
}

async function verdictOn(
  store: StoreReader,
  journal: JournalAudit,
  catalogue: Catalogue,
): Promise<Pick<AuditReport, 'flaw' | 'note'>> {
  const { replay } = journal;
  const damage = ofNoEntry(
    'file',
    unwatched(() => store.inspection?.violationOfFile?.()),
  );
  if (damage) return { flaw: damage };
  await journal.hashes.open();
  const head = await store.head();
  const bad =
    (await journal.passKnown(head.seq)) ??
    (await journal.upTo(head.seq)) ??
    ofNoEntry('head', violationOfHead(head, replay));
  if (bad) return { flaw: bad };
  const suspects = new Suspects(store, catalogue);
  const inspected = ofNoEntry('projection', await suspects.gather(replay));
  if (inspected) return { flaw: inspected };
  const later = (await journal.upTo(Number.POSITIVE_INFINITY, suspects)) ?? ofNoEntry('projection', suspects.first);
  if (later) return { flaw: later };
  const lost = ofNoEntry('text', await journal.leaves.violationAtEnd(replay));
  if (lost) return { flaw: lost };
  const receipts = ofNoEntry('receipts', await violationOfReceipts(store));
  if (receipts) return { flaw: receipts };
  const sums = await whileStill(store, journal, { check: 'sums', flaw: () => violationOfSums(store, replay) });
  if (sums === 'moved') return { note: await whyNotCompared(store, replay, 'the sums over the store were') };
  return sums ? { flaw: sums } : verdictOnSearch(store, journal, catalogue);
}

interface Comparison {
  readonly check: AuditCheck;
  readonly flaw: () => Promise<string | undefined>;
}

/**
 * Compares the store with the replay until they agree, or differ although nothing was written in the meantime.
 * @returns `moved` if entries arrived during each attempt
 */
async function whileStill(
  store: StoreReader,
  journal: JournalAudit,
  { check, flaw }: Comparison,
): Promise<AuditFlaw | 'moved' | undefined> {
  const { replay } = journal;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Projections are written after their entry: they are complete up to the head.
    const written = (await store.head()).seq;
    const what = await flaw();
    if (!what) return undefined;
    const before = replay.head.seq;
    const next = await journal.upTo(Number.POSITIVE_INFINITY);
    if (next) return next;
    const isStill = [replay.head.seq, written, (await store.head()).seq].every((seq) => seq === before);
    if (isStill) return ofNoEntry(check, what);
  }
  return 'moved';
}

async function whyNotCompared(store: StoreReader, replay: Replay, what: string): Promise<string> {
  const { seq } = await store.head();
  return seq < replay.head.seq
    ? `what follows from entry ${seq + 1} and later is not all written yet: start a node, and audit again`
    : `entries arrived all the time: ${what} not compared`;
}

/** A note that doesn't affect the verdict on the journal. */
export const otherRules = 'the search index follows other rules than this program: the next start rebuilds it';

/** Checked last, because the index is rebuilt at start if it follows other rules. */
async function verdictOnSearch(
  store: StoreReader,
  journal: JournalAudit,
  catalogue: Catalogue,
): Promise<Pick<AuditReport, 'flaw' | 'note'>> {
  const { replay } = journal;
  const rules = await store.searchRules();
  // The index is built at the first start.
  if (!store.inspection?.violationOfSearch || rules === undefined) return {};
  if (rules !== searchRulesOf(catalogue)) return { note: otherRules };
  const found = await whileStill(store, journal, {
    check: 'search',
    flaw: () => violationOfSearch(store, replay, catalogue),
  });
  if (found === 'moved') return { note: await whyNotCompared(store, replay, 'the search index was') };
  // A start of a newer version may have begun to rebuild the index, which writes no entry.
  if (found?.check === 'search' && (await store.searchRules()) !== rules) return { note: otherRules };
  return found ? { flaw: found } : {};
}

class JournalAudit {
  readonly hashes: HashIndexAudit;
  readonly leaves: LeafAudit;
  /** Entries that an earlier audit has verified. */
  readonly known: number;
  #checks: EntryChecks | undefined;
  /** The last entry of those that was compared. */
  #at: JournalHead = { seq: 0, chainHash: noHash };
  /** The last entry whose outcome is remembered. */
  #kept: number;

  constructor(
    private readonly store: StoreReader,
    readonly replay: Replay,
    private readonly options: AuditOptions,
  ) {
    this.hashes = new HashIndexAudit(store);
    this.leaves = new LeafAudit(store);
    this.known = replay.head.seq;
    this.#kept = this.known;
  }

  /** Number of the last entry that was checked. */
  get reached(): number {
    return this.#at.seq < this.known ? this.#at.seq : this.replay.head.seq;
  }

  /** Remembers what was verified. A full disk does not make the journal worse. */
  async keep(): Promise<void> {
    const { seq } = this.replay.head;
    if (seq === this.#kept) return;
    this.#kept = seq;
    await this.options.prefix?.keep(this.replay).catch(() => {});
  }

  /** Compares the entries that an earlier audit has verified with their hashes. @param total entries in the journal */
  async passKnown(total: number): Promise<AuditFlaw | undefined> {
    const { companion, progress } = this.options;
    for await (const { entries, finding } of this.#checkedPages(0, this.known, knownChecks)) {
      for (const [index, entry] of entries.entries()) {
        const found =
          findingInOrder(entry, this.#at) ??
          (finding?.index === index ? finding.found : this.#indexFindingOfKnown(entry));
        if (found) return { seq: this.#at.seq + 1, eventHash: entry.core?.event?.hash ?? null, ...found };
        this.#at = { seq: entry.seq, chainHash: entry.chainHash };
        this.#saw(entry);
      }
      const misled = await this.#misled();
      if (misled) return misled;
      progress?.(this.#at.seq, total);
      await companion?.pause();
    }
    return undefined;
  }

  #indexFindingOfKnown(entry: NumberedEntry): Pick<AuditFlaw, 'check' | 'what'> | undefined {
    const what = this.store.inspection?.violationOfKnown(entry);
    return what === undefined ? undefined : { check: 'index', what };
  }

  async end(): Promise<void> {
    await this.#checks?.end();
  }

  /**
   * Replays up to the entry with that number, or to the end.
   * @param suspects called with each entry
   */
  async upTo(last: number, suspects?: Suspects): Promise<AuditFlaw | undefined> {
    const { replay } = this;
    const { companion, progress, remembersEvery = bounds.auditRemembers, threads } = this.options;
    this.#checks ??= new EntryChecks(threads ?? threadsFor(last - replay.head.seq));
    for await (const { entries, finding } of this.#checkedPages(replay.head.seq, last, this.#checks)) {
      for (const [index, entry] of entries.entries()) {
        const seq = replay.head.seq + 1;
        const found = this.#findingIn(entry, finding?.index === index ? finding.found : undefined);
        if (found) return { seq, eventHash: entry.core?.event?.hash ?? null, ...found };
        this.#saw(entry);
        suspects?.acquit(entry, replay);
      }
      const misled = await this.#misled();
      if (misled) return misled;
      if (entries.length > 0) progress?.(replay.head.seq, Math.max(replay.head.seq, Number.isFinite(last) ? last : 0));
      if (replay.head.seq - this.#kept >= remembersEvery) await this.keep();
      await companion?.pause();
    }
    return undefined;
  }

  #saw(entry: NumberedEntry): void {
    beat();
    this.hashes.saw(entry);
    this.leaves.saw(entry);
    this.options.companion?.saw(entry, this.replay);
  }

  async #misled(): Promise<AuditFlaw | undefined> {
    return ofNoEntry('index', await this.hashes.violation()) ?? ofNoEntry('text', await this.leaves.violation());
  }

  /**
   * Reads ahead while threads check. A page that cannot be read fails in its turn, because an entry before it may be bad.
   */
  async *#checkedPages(after: number, last: number, checks: PageChecks): AsyncGenerator<CheckedPage> {
    const { pageSize = defaultPageSize } = this.options;
    const ahead: Promise<CheckedPage>[] = [];
    let isMore = after < last;
    while (isMore || ahead.length > 0) {
      while (isMore && ahead.length < checks.pagesAhead) {
        const limit = Math.min(pageSize, last - after);
        const reading = this.store.entries({ after, limit });
        const page = reading.then(async (entries) => ({ entries, finding: await checks.check(entries) }));
        page.catch(() => {});
        ahead.push(page);
        const length = await reading.then((entries) => entries.length).catch(() => 0);
        after += length;
        isMore = length === limit && after < last;
      }
      yield await ahead.shift()!;
    }
  }

  /**
   * Checks an entry. One whose text cannot be read is a violation as well.
   * @param alone what a thread has found in it
   */
  #findingIn(entry: NumberedEntry, alone: EntryFinding | undefined): Pick<AuditFlaw, 'check' | 'what'> | undefined {
    try {
      const found = this.replay.examine(entry, () => alone);
      if (found) return found;
      const left = entry.core.versions.map(({ kind, id }) => this.replay.resource(kind, id)!);
      const what = this.store.inspection?.violationOfEntry(entry, left);
      return what === undefined ? undefined : { check: 'index', what };
    } catch (error) {
      return unreadable(error);
    }
  }
}

interface CheckedPage {
  readonly entries: readonly NumberedEntry[];
  readonly finding: PageFinding | undefined;
}

function violationOfHead(head: { seq: number; chainHash: string }, replay: Replay): string | undefined {
  const { seq, chainHash } = replay.head;
  return head.seq === seq && head.chainHash === chainHash
    ? undefined
    : `the journal ends at ${seq}, the store says ${head.seq}`;
}

/** Checks each receipt's hash and that it follows the previous one. */
export async function violationOfReceipts(
  store: Pick<StoreReader, 'receipts' | 'inspection'>,
): Promise<string | undefined> {
  let previous = noHash;
  for (let after = 0; ; ) {
    const page = await store.receipts(after, receiptsAtOnce);
    beat();
    for (const { number, prevReceipt, receiptHash, ...receipt } of page) {
      if (number !== after + 1 || prevReceipt !== previous) return `receipt ${number} does not follow the one before`;
      if (receiptHashOf(number, prevReceipt, receipt) !== receiptHash) return `receipt ${number} was changed`;
      const what = store.inspection?.violationOfReceipt?.({ number, prevReceipt, receiptHash, ...receipt });
      if (what !== undefined) return what;
      previous = receiptHash;
      after = number;
    }
    if (page.length < receiptsAtOnce) return undefined;
  }
}
