/**
 * Moves a whole store into another: the journal with its numbers and hashes, the projections, receipts and local
 * records. It can be interrupted at any point and continues when it is called again. The source is audited while it
 * is read, and the target when it is complete; only then may a node use it.
 */
import type { Catalogue } from '../../machines/kernel/definition.js';
import { entryAt, type Store, type StoreReader, StoreRefused } from '../../store/store.js';
import { type AuditReport, audit, type Companion, otherRules } from '../audit.js';
import { JournalCopy } from './copy.js';
import { isBeingRebuilt, type MoveMark, markOf, markPlace, removeMark, setMark } from './mark.js';
import { copyLocal, copyReceipts } from './records.js';

/** One side of a move, which no other process uses. */
export interface Side {
  readonly store: Store;
  /** Location in words for an operator. */
  readonly place: string;
  /**
   * Verifies that no other process uses the store.
   * @throws StoreRefused if one does
   */
  beAlone(): Promise<void>;
  read<T>(work: (reader: StoreReader) => Promise<T>): Promise<T>;
}

/** Entries that are made durable together. */
const copiedAtOnce = 500;

export type Phase = 'copy' | 'check';

export interface MoveOptions {
  readonly source: Side;
  readonly target: Side;
  readonly catalogue: Catalogue;
  readonly network: string;
  readonly id: string;
  readonly progress?: (phase: Phase, done: number, total: number) => void;
}

export interface MoveResult {
  /** False if an earlier call had already finished the move. */
  readonly now: boolean;
  readonly report: AuditReport;
}

/** @throws StoreRefused with advice, if the move is not possible or a check fails */
export async function move(options: MoveOptions): Promise<MoveResult> {
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
  const mark = (role: MoveMark['role'], other: Side, done: boolean): MoveMark => ({
    role,
    id,
    other: other.place,
    done,
  });
  const wasDone = left?.role === 'source' && left.done;
  await setMark(target.store, mark('target', source, false));
  await setMark(source.store, mark('source', target, wasDone));
  try {
    // A node that started before the mark was written is detected here.
    await source.beAlone();
    await target.beAlone();
    const report = await carriedOver(options);
    await setMark(source.store, mark('source', target, true));
    await setMark(target.store, mark('target', source, true));
    return { now: true, report };
  } catch (error) {
    // On a refusal, as opposed to an interruption, the source's mark is removed so that a node may use it again. The
    // target stays closed.
    if (error instanceof StoreRefused && !wasDone) await removeMark(source.store);
    throw error;
  }
}

/** @returns the audit of the target, which equals that of the source */
async function carriedOver(options: MoveOptions): Promise<AuditReport> {
  const { source, target, catalogue, network } = options;
  let given: AuditReport;
  do {
    const companion = new JournalCopy(source.store, target.store, catalogue, (await target.store.head()).seq);
    given = await verdictOn(source, 'copy', options, companion);
    await copyReceipts(source.store, target.store);
    await copyLocal(source.store, target.store);
    // Entries that a killed process left without a number may have got one in the meantime.
  } while ((await source.store.head()).chainHash !== given.head);
  await target.store.putLocal(markPlace.table, 'network', { network }, 0);
  const report = await verdictOn(target, 'check', options);
  for (const part of ['entries', 'head', 'resources', 'accounts', 'supply'] as const) {
    if (given[part] === report[part]) continue;
    throw new StoreRefused(`${part}: ${given[part]} in ${source.place}, ${report[part]} in ${target.place}`);
  }
  return report;
}

/** Abandons a move: removes the mark from its source. */
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
    if (await isBeingRebuilt(store))
      throw new StoreRefused(`${place} is being rebuilt: run svc-node rebuild to the end first`);
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

function refuseSource({ place }: Side, left: MoveMark | undefined, arriving: MoveMark | undefined): void {
  if (left?.role === 'target' && !left.done) {
    throw new StoreRefused(
      `${place} is itself the unfinished target of a move from ${left.other}: finish that one first`,
    );
  }
  if (left?.role === 'source' && left.done && arriving?.id !== left.id) {
    throw new StoreRefused(`${place} was moved to ${left.other} already: what happened since then is there`);
  }
}

/** Refuses a target that is neither empty nor holds the beginning of the same journal from an earlier call. */
async function refuseTarget({ source, target }: MoveOptions, arriving: MoveMark | undefined): Promise<void> {
  const { store, place } = target;
  const head = await store.head();
  if (arriving?.role === 'source' && !arriving.done) {
    throw new StoreRefused(`${place} is itself being moved to ${arriving.other}: finish that one first`);
  }
  const isResumed = arriving?.role === 'target' ? !arriving.done : arriving !== undefined;
  const isEmpty = head.seq === 0 && (await store.localTables()).every((table) => table === markPlace.table);
  if (!isResumed && !isEmpty) {
    throw new StoreRefused(`${place} is not empty: it holds ${head.seq} entries. Name an empty place`);
  }
  const same = head.seq > 0 ? await entryAt(source.store, head.seq) : undefined;
  if (head.seq > 0 && same?.chainHash !== head.chainHash) {
    throw new StoreRefused(
      `${place} holds another journal than ${source.place}: they differ at entry ${head.seq} or before`,
    );
  }
}

async function verdictOn(side: Side, phase: Phase, options: MoveOptions, companion?: Companion): Promise<AuditReport> {
  const { catalogue, network } = options;
  const progress = (done: number, total: number) => options.progress?.(phase, done, total);
  const watch = { progress, ...(companion ? { companion, pageSize: copiedAtOnce } : {}) };
  const report = await side.read((reader) => audit(reader, catalogue, network, watch));
  // No other process uses either side of an unfinished move, so a note means that the audit was incomplete.
  if (!report.flaw && companion && report.note && report.note !== otherRules)
    throw new StoreRefused(`${side.place}: ${report.note}`);
  if (!report.flaw) return report;
  const { seq, eventHash, what } = report.flaw;
  const where = seq === 0 ? '' : `entry ${seq} is bad (event ${eventHash ?? 'unreadable'}): `;
  throw new StoreRefused(`${side.place} does not pass the audit: ${where}${what}`);
}
