/**
 * Moves all that a store holds into another one: the journal with its numbers and hashes, what follows from it, receipts
 * and local records. It may be ended anywhere, in any way, and goes on where it was when it is asked for again. The
 * source is audited while it is read, the target when it is whole; only then may a node work on it.
 */
import type { Catalogue } from '../../machines/kernel/step.js';
import { type Store, type StoreReader, StoreRefused } from '../../store/store.js';
import { type AuditReport, audit, type Companion } from '../audit.js';
import { JournalCopy } from './copy.js';
import { type Mark, markOf, markPlace, removeMark, setMark } from './mark.js';
import { copyLocal, copyReceipts } from './records.js';

/** One side of a move; nobody else works on it. */
export interface Side {
  readonly store: Store;
  /** Where it is, for people. */
  readonly place: string;
  /** Throws StoreRefused where somebody else works on it after all. */
  beAlone(): Promise<void>;
  /** Lends what an audit reads. */
  read<T>(work: (reader: StoreReader) => Promise<T>): Promise<T>;
}

export type Phase = 'copy' | 'check';

export interface MoveOptions {
  readonly source: Side;
  readonly target: Side;
  readonly catalogue: Catalogue;
  readonly network: string;
  /** A text that no other move has. */
  readonly id: string;
  readonly progress?: (phase: Phase, done: number, total: number) => void;
}

export interface Moved {
  /** False where an earlier call had come to the end. */
  readonly now: boolean;
  /** Verdict on the target. */
  readonly report: AuditReport;
}

/** Throws StoreRefused, with what a person can do, where it may not be or something is not as it should. */
export async function move(options: MoveOptions): Promise<Moved> {
  const { source, target } = options;
  await refuseStrangers(options);
  const left = await markOf(source.store);
  const arriving = await markOf(target.store);
  if (left?.done && left.role === 'source' && arriving?.id === left.id && arriving.done) {
    return { now: false, report: await verdictOn(target, 'check', options) };
  }
  refuseSource(source, left, arriving);
  await source.beAlone();
  await target.beAlone();
  await refuseTarget(options, arriving);
  const id = left?.role === 'source' ? left.id : options.id;
  const mark = (role: Mark['role'], other: Side, done: boolean): Mark => ({ role, id, other: other.place, done });
  const wasDone = left?.role === 'source' && left.done;
  await setMark(target.store, mark('target', source, false));
  await setMark(source.store, mark('source', target, wasDone));
  try {
    // A node that started before it could see the mark is seen now.
    await source.beAlone();
    await target.beAlone();
    const report = await carriedOver(options);
    await setMark(source.store, mark('source', target, true));
    await setMark(target.store, mark('target', source, true));
    return { now: true, report };
  } catch (error) {
    // Refused, not broken off: the target stays closed, and the source may go on as if nothing had been.
    if (error instanceof StoreRefused && !wasDone) await removeMark(source.store);
    throw error;
  }
}

/** @returns the verdict on the target, which is that on the source */
async function carriedOver(options: MoveOptions): Promise<AuditReport> {
  const { source, target, catalogue, network } = options;
  let given: AuditReport;
  do {
    const companion = new JournalCopy(source.store, target.store, catalogue, (await target.store.head()).seq);
    given = await verdictOn(source, 'copy', options, companion);
    await copyReceipts(source.store, target.store);
    await copyLocal(source.store, target.store);
    // What a process left without a number when it died may get one now.
  } while ((await source.store.head()).chainHash !== given.head);
  await target.store.putLocal(markPlace.table, 'network', { network }, 0);
  const report = await verdictOn(target, 'check', options);
  for (const part of ['entries', 'head', 'resources', 'accounts', 'supply'] as const) {
    if (given[part] === report[part]) continue;
    throw new StoreRefused(`${part}: ${given[part]} in ${source.place}, ${report[part]} in ${target.place}`);
  }
  return report;
}

/** Takes the mark of a move that will not be finished off its source. */
export async function giveUp({ store, place }: Side): Promise<void> {
  const mark = await markOf(store);
  if (mark?.role === 'target' && !mark.done) {
    throw new StoreRefused(
      `${place} is the unfinished target of a move from ${mark.other}: give that one up, and remove this`,
    );
  }
  if (mark?.role !== 'source') throw new StoreRefused(`${place} is not being moved`);
  await removeMark(store);
}

const networkOf = async (store: StoreReader) => (await store.getLocal(markPlace.table, 'network'))?.value.network;

async function refuseStrangers({ source, target, network }: MoveOptions): Promise<void> {
  for (const { store, place } of [source, target]) {
    const claimed = await networkOf(store);
    if (claimed !== undefined && claimed !== network) {
      throw new StoreRefused(
        `${place} belongs to ${String(claimed)}, not to ${network}: ask for --network ${String(claimed)}`,
      );
    }
  }
  if ((await source.store.head()).seq === 0)
    throw new StoreRefused(`${source.place} holds no entries: nothing to move`);
}

function refuseSource({ place }: Side, left: Mark | undefined, arriving: Mark | undefined): void {
  if (left?.role === 'target' && !left.done) {
    throw new StoreRefused(
      `${place} is itself the unfinished target of a move from ${left.other}: finish that one first`,
    );
  }
  if (left?.role === 'source' && left.done && arriving?.id !== left.id) {
    throw new StoreRefused(`${place} was moved to ${left.other} already: what happened since then is there`);
  }
}

/** A target is empty, or holds the beginning of the same journal because of a move. */
async function refuseTarget({ source, target }: MoveOptions, arriving: Mark | undefined): Promise<void> {
  const { store, place } = target;
  if ((await source.store.head()).seq === 0)
    throw new StoreRefused(`${source.place} holds no entries: nothing to move`);
  const head = await store.head();
  if (arriving?.role === 'source' && !arriving.done) {
    throw new StoreRefused(`${place} is itself being moved to ${arriving.other}: finish that one first`);
  }
  const isResumed = arriving?.role === 'target' ? !arriving.done : arriving !== undefined;
  const isEmpty = head.seq === 0 && (await store.localTables()).every((table) => table === markPlace.table);
  if (!isResumed && !isEmpty) {
    throw new StoreRefused(`${place} is not empty: it holds ${head.seq} entries. Name a place where nothing is yet`);
  }
  const [same] = head.seq > 0 ? await source.store.entries({ after: head.seq - 1, limit: 1 }) : [];
  if (head.seq > 0 && same?.chainHash !== head.chainHash) {
    throw new StoreRefused(
      `${place} holds another journal than ${source.place}: they part at entry ${head.seq} or before`,
    );
  }
}

async function verdictOn(side: Side, phase: Phase, options: MoveOptions, companion?: Companion): Promise<AuditReport> {
  const { catalogue, network } = options;
  const progress = (done: number, total: number) => options.progress?.(phase, done, total);
  const watch = { progress, ...(companion ? { companion } : {}) };
  const report = await side.read((reader) => audit(reader, catalogue, network, watch));
  // Nobody works on either side of a move that is not done.
  if (!report.flaw && companion && report.note) throw new StoreRefused(`${side.place}: ${report.note}`);
  if (!report.flaw) return report;
  const { seq, eventHash, what } = report.flaw;
  const where = seq === 0 ? '' : `entry ${seq} is bad (event ${eventHash ?? 'unreadable'}): `;
  throw new StoreRefused(`${side.place} does not pass the audit: ${where}${what}`);
}
