/** Compares the cursor of a chain with the journal, as reconciliation does at a start, without a transaction. */
import { SettlementRecords } from '../../chain/settlement/settlement-record.js';
import { JournalTail, streamStart } from '../../chain/settlement/stream.js';
import type { OpenedJournal } from '../../node/store-choice.js';

export interface SettledCursor {
  /** Number of the last operation that the chain has applied. */
  readonly lastSeq: number;
  /** Hex, without prefix. */
  readonly head: string;
}

export type StreamComparison =
  /** The journal contains the chain's cursor; `waiting` operations follow it, counted up to a bound. */
  | { readonly is: 'within'; readonly waiting: number }
  /** The chain has more operations than the journal. */
  | { readonly is: 'beyond'; readonly operations: number }
  /** After the same number of operations, the journal's head is not the chain's. */
  | { readonly is: 'elsewhere'; readonly head: string };

export const mostCounted = 10_000;

const nothing = { chainId: 0, contracts: null, block: 0, highest: 0, outgoing: null, halted: null } as const;

/** The record of the settler in the database. */
export async function settlementRecords(journal: OpenedJournal, network: string): Promise<SettlementRecords> {
  const reading = {
    getLocal: (table: string, id: string) => journal.getLocal(table, id),
    listLocal: (table: string) => journal.listLocal(table),
    putLocal: async () => false,
  };
  const records = new SettlementRecords(reading, { ...nothing, point: streamStart(network) });
  await records.load();
  return records;
}

export async function compareStream(
  journal: OpenedJournal,
  network: string,
  records: SettlementRecords,
  { lastSeq, head }: SettledCursor,
): Promise<StreamComparison> {
  let at = lastSeq === 0 ? streamStart(network) : await records.pointBefore(lastSeq);
  let found = at.operation === lastSeq ? at : undefined;
  for await (const { after } of new JournalTail(journal, 0).from(at)) {
    at = after;
    if (after.operation === lastSeq) found ??= after;
    if (after.operation >= lastSeq + (found ? mostCounted : 1)) break;
  }
  if (found) {
    return found.head === head
      ? { is: 'within', waiting: at.operation - lastSeq }
      : { is: 'elsewhere', head: found.head };
  }
  return at.operation < lastSeq
    ? { is: 'beyond', operations: at.operation }
    : { is: 'elsewhere', head: 'the middle of an entry' };
}
