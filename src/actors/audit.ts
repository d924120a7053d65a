/**
 * The verdict on a whole journal: every text, signature and chain, the replay of every step, and that the store's
 * projections are what the replay gives. Names the first bad entry. Nodes may go on writing meanwhile.
 */
import type { Catalogue } from '../machines/kernel/step.js';
import { type NumberedEntry, noHash, receiptHashOf } from '../store/entry.js';
import type { StoreReader } from '../store/store.js';
import { flawOfSums, Suspects } from './audit-projections.js';
import { entryChecks, Replay } from './replay.js';

export interface AuditReport {
  readonly ok: boolean;
  readonly entries: number;
  readonly resources: number;
  readonly accounts: number;
  readonly supply: number;
  readonly head: string;
  /** What could not be looked at, and why. */
  readonly note?: string;
  readonly flaw?: AuditFlaw;
}

/**
 * What an audit checks: of each entry, and then what leads to it (`index`), where the journal ends (`head`), what the
 * store made of it (`projection`), receipts, sums, and where it is held against a chain: `settlement`.
 */
export const auditChecks = [...entryChecks, 'index', 'head', 'projection', 'receipts', 'sums', 'settlement'] as const;
export type AuditCheck = (typeof auditChecks)[number];

/** The first flaw: the entry's number (0: not an entry's), its event hash, what failed, and what is wrong. */
export interface AuditFlaw {
  readonly seq: number;
  readonly eventHash: string | null;
  readonly check: AuditCheck;
  readonly what: string;
}

/** Goes along with an audit. */
export interface Companion {
  /** Told of each entry that was found sound, with all that stands after it. */
  saw(entry: NumberedEntry, after: Replay): void;
  /** Waited for after each page of entries. */
  pause(): Promise<void>;
}

export interface AuditOptions {
  /** Told how many entries of how many are done. */
  readonly progress?: (done: number, total: number) => void;
  readonly companion?: Companion;
  /** Entries read, and checked without a pause, at once. */
  readonly pageSize?: number;
}

const defaultPageSize = 500;
/** So often sums are taken again that were taken while entries came in. */
const attempts = 10;

const ofNoEntry = (check: AuditCheck, what: string | undefined): AuditFlaw | undefined =>
  what === undefined ? undefined : { seq: 0, eventHash: null, check, what };

export async function audit(
  store: StoreReader,
  catalogue: Catalogue,
  network: string,
  options: AuditOptions = {},
): Promise<AuditReport> {
  const journal = new JournalAudit(store, new Replay(catalogue, network), options);
  const { replay } = journal;
  const verdict = await verdictOn(store, journal, catalogue);
  const { flaw, note } = verdict;
  return {
    ok: flaw === undefined,
    entries: replay.head.seq,
    resources: [...replay.resources()].length,
    accounts: [...replay.accounts()].length,
    supply: replay.totals.supply,
    head: replay.head.chainHash,
    ...(note ? { note } : {}),
    ...(flaw ? { flaw } : {}),
  };
}

async function verdictOn(
  store: StoreReader,
  journal: JournalAudit,
  catalogue: Catalogue,
): Promise<Pick<AuditReport, 'flaw' | 'note'>> {
  const { replay } = journal;
  const head = await store.head();
  const bad = (await journal.upTo(head.seq)) ?? ofNoEntry('head', flawOfHead(head, replay));
  if (bad) return { flaw: bad };
  const suspects = new Suspects(store, catalogue);
  const inspected = ofNoEntry('projection', await suspects.gather(replay));
  if (inspected) return { flaw: inspected };
  const later = (await journal.upTo(Number.POSITIVE_INFINITY, suspects)) ?? ofNoEntry('projection', suspects.first);
  if (later) return { flaw: later };
  const receipts = ofNoEntry('receipts', await flawOfReceipts(store));
  if (receipts) return { flaw: receipts };
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Rows are written behind their entry: the head says up to which one they all are.
    const written = (await store.head()).seq;
    const what = await flawOfSums(store, replay);
    if (!what) return {};
    const before = replay.head.seq;
    const next = await journal.upTo(Number.POSITIVE_INFINITY);
    if (next) return { flaw: next };
    // Nothing came in, and nothing is about to: what was summed up is what there is.
    const isStill = [replay.head.seq, written, (await store.head()).seq].every((seq) => seq === before);
    if (isStill) return { flaw: ofNoEntry('sums', what)! };
  }
  const { seq } = await store.head();
  return seq < replay.head.seq
    ? { note: `what follows from entry ${seq + 1} and later is not all written yet: start a node, and audit again` }
    : { note: 'entries came in all the time: the sums over the store were not compared' };
}

class JournalAudit {
  constructor(
    private readonly store: StoreReader,
    readonly replay: Replay,
    private readonly options: AuditOptions,
  ) {}

  /** Replays until the entry of that number, or the last one there is. @param suspects are told of each entry */
  async upTo(last: number, suspects?: Suspects): Promise<AuditFlaw | undefined> {
    const { replay, store } = this;
    const { companion, progress, pageSize = defaultPageSize } = this.options;
    while (replay.head.seq < last) {
      const limit = Math.min(pageSize, last - replay.head.seq);
      const page = await store.entries({ after: replay.head.seq, limit });
      for (const entry of page) {
        const seq = replay.head.seq + 1;
        const found = this.#findingIn(entry);
        if (found) return { seq, eventHash: entry.core?.event?.hash ?? null, ...found };
        companion?.saw(entry, replay);
        suspects?.acquit(entry, replay);
      }
      if (page.length > 0) progress?.(replay.head.seq, Math.max(replay.head.seq, Number.isFinite(last) ? last : 0));
      await companion?.pause();
      if (page.length < limit) break;
    }
    return undefined;
  }

  /** A text so damaged that it cannot be read is a flaw like any other. */
  #findingIn(entry: NumberedEntry): Pick<AuditFlaw, 'check' | 'what'> | undefined {
    try {
      const found = this.replay.examine(entry);
      if (found) return found;
      const what = this.store.inspection?.flawOfEntry(entry);
      return what === undefined ? undefined : { check: 'index', what };
    } catch (error) {
      return {
        check: 'form',
        what: `it cannot be replayed: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  }
}

function flawOfHead(head: { seq: number; chainHash: string }, replay: Replay): string | undefined {
  const { seq, chainHash } = replay.head;
  return head.seq === seq && head.chainHash === chainHash
    ? undefined
    : `the journal ends at ${seq}, the store says ${head.seq}`;
}

async function flawOfReceipts(store: StoreReader): Promise<string | undefined> {
  let previous = noHash;
  for (let after = 0; ; ) {
    const page = await store.receipts(after, defaultPageSize);
    for (const { number, prevReceipt, receiptHash, ...receipt } of page) {
      if (number !== after + 1 || prevReceipt !== previous) return `receipt ${number} does not follow the one before`;
      if (receiptHashOf(number, prevReceipt, receipt) !== receiptHash) return `receipt ${number} was changed`;
      previous = receiptHash;
      after = number;
    }
    if (page.length < defaultPageSize) return undefined;
  }
}
